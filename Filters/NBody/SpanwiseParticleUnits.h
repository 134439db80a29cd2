#ifndef SpanwiseParticleUnits_h
#define SpanwiseParticleUnits_h

// Units in which sums are made, so that numbers stay within their precision. Not wrapped and not installed.

#include "SpanwiseParticleSums.h"

#include <array>
#include <type_traits>

namespace spanwise {

/// Lengths and charges within this and its inverse need no units of their own: the fifth power of a length, and of one
/// in 1e8 of it, must be within what a number can be.
template <class Real>
inline constexpr double usualLength = std::is_same_v<Real, float> ? 64.0 : 1e30;
template <class Real>
inline constexpr double usualCharge = std::is_same_v<Real, float> ? 1e6 : 1e100;

/// Lengths and charges that count as 1 in sums, which are powers of two, so that nothing is rounded, and the place that
/// coordinates are differences from when they are rounded: sums are about differences, and in single precision those of
/// particles far from the origin must be taken in double, from the middle of all. Lengths and charges have other units
/// only where theirs are far from 1.
struct ParticleUnits {
  std::array<double, 3> origin{};
  double length = 1.0;
  double charge = 1.0;

  [[nodiscard]] bool areOwn() const { return length == 1.0 && charge == 1.0 && origin == std::array<double, 3>{}; }
};

/// Collective. The units for the particles of all ranks, and the targets of all; null: the particles themselves. Throws
/// InvalidArgument, on all ranks, where a length of the interaction is out of range beside the distances of particles,
/// or distances are with ln r, which has no unit.
ParticleUnits unitsFor(const RankGroup& group, const ParticleProblem& problem, const ParticleSources& sources,
  const ParticlePlaces* targets);

/// A coordinate along an axis in these units, in double; within the box where particles are repeated and rounded.
struct CoordinateInUnits {
  double length = 1.0;
  double origin = 0.0; ///< in these units
  double low = 0.0;
  double edge = 0.0; ///< 0: it stays where it is

  [[nodiscard]] double operator()(double x) const;
};

/// With the origin taken away, or without.
CoordinateInUnits coordinateInUnits(
  const ParticleUnits& units, const ParticleProblem& problem, std::size_t axis, bool fromOrigin);

/// The problem in these units, with the factor 1.
ParticleProblem inUnits(const ParticleProblem& problem, const ParticleUnits& units);

/// Sums go as lengths to this power.
int powerOfLength(const AnyInteraction& interaction);

} // namespace spanwise

#endif
