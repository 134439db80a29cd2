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

/// What is given, in these units; a problem has the factor 1 then.
ParticlePlaces inUnits(const ParticlePlaces& places, const ParticleUnits& units, const ParticleProblem& problem);
ParticleSources inUnits(const ParticleSources& sources, const ParticleUnits& units, const ParticleProblem& problem);
ParticleProblem inUnits(const ParticleProblem& problem, const ParticleUnits& units);

/// Brings sums in these units back to those that were given, and multiplies them with the problem's factor.
void giveBack(const ParticleUnits& units, const ParticleProblem& problem, ParticleSums& sums);

} // namespace spanwise

#endif
