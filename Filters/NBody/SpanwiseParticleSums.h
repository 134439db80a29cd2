#ifndef SpanwiseParticleSums_h
#define SpanwiseParticleSums_h

// Sums over all particles of a group. Not wrapped and not installed.

#include "SpanwiseParticles.h"
#include "SpanwiseRankGroup.h"

#include "Core/Runtime/Progress.hpp"
#include "Core/Solvers/NBody/Interactions.hpp"
#include "Core/Solvers/NBody/PeriodicBox.hpp"
#include "Core/Solvers/NBody/SampleErrors.hpp"
#include "Core/Solvers/NBody/SumMethod.hpp"

#include <vtkDataArray.h>
#include <vtkSmartPointer.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace spanwise {

using AnyInteraction = std::variant<nbody::InverseDistance, nbody::SoftenedInverseDistance, nbody::Logarithm,
  nbody::Gaussian, nbody::Yukawa, nbody::Dipole<3>>;

/// What particles do, and how it is summed.
struct ParticleProblem {
  AnyInteraction interaction;
  double factor = 1.0; ///< of potentials, and of fields, which are minus their gradients
  bool potential = true;
  bool field = true;
  bool inFloat = false;
  nbody::SumMethod method = nbody::SumMethod::Automatic;
  double accuracy = 1e-6;                ///< of multipoles
  std::int64_t numChecked = 0;           ///< targets of each rank where errors are looked at
  std::optional<nbody::PeriodicBox> box; ///< particles are repeated with it; direct sums are Ewald's then
};

/// Particles of this rank: its own act. Those that are elsewhere too lie where they lie there.
struct ParticleSources {
  ParticlePlaces places;
  std::vector<std::vector<double>> charges; ///< columns, as SourcesView has them
  NotOwn notOwn;
};

/// Sums at this rank's targets, as arrays that lie on the side where they were computed.
struct ParticleSums {
  /// Of each piece of the targets; none where no rank has a particle, or where they were not asked for.
  std::vector<vtkSmartPointer<vtkDataArray>> potentials; ///< a component for each right-hand side
  std::vector<vtkSmartPointer<vtkDataArray>> fields;     ///< three for each
  std::int64_t numNotFinite = 0;                         ///< numbers among them that are infinite or none
  int numRightHandSides = 0;
  double numInteractions = 0.0; ///< pairs of particles that this rank took one by one
  std::string method;           ///< what was done, in words
  bool byMultipoles = false;
  nbody::SumErrors errors; ///< against direct sums in double
  /// Of multipoles that ranks share: this rank's part of the targets and of the sources, sources of others and nodes
  /// for them that it was sent, messages and bytes that it sent, pairs that it took one by one. Else empty.
  std::vector<double> share;
  double imbalance = 1.0; ///< of work among ranks, the largest over the mean
};

/// Collective. The sums of the particles of all ranks at this rank's targets; null: at the particles themselves, each
/// without its own part. The k-th piece of the targets has those from firsts[k] to firsts[k + 1]. Ranks may have no
/// particles, or no targets. Throws InvalidArgument on all ranks where charges have other components on some rank than
/// on others, or those of all ranks do not go with the periodic box, or lengths are beyond what the precision takes
/// (ParticleUnits). Direct sums are O(particles of all ranks * targets), and each rank keeps the places and charges of
/// all particles; by multipoles ranks share the work, and each has a part of the particles.
ParticleSums sumParticles(const RankGroup& group, const ParticleProblem& problem, const ParticleSources& sources,
  const ParticlePlaces* targets, const std::vector<std::int64_t>& firsts, const Progress& progress);

} // namespace spanwise

#endif
