#pragma once

#include "Core/Parallel/Messenger.hpp"
#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Core/Solvers/NBody/Detail/RankParticles.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"

#include <cstdint>

namespace spanwise::nbody {

/// What sums by multipoles on ranks need between calls. Lives no longer than the communicator.
template <class ExecutionSpace, int Dim, class Real>
struct RankMultipoleMemory {
  explicit RankMultipoleMemory(const Communicator& communicator) : particles(communicator) {}

  detail::RankParticles<ExecutionSpace, Dim, Real> particles;
  detail::RankColumns<Real> sums; ///< at this rank's part of the targets
  MultipoleMemory<Dim> memory;
};

/// How this rank made its part of the sums.
struct RankMultipoleReport {
  MultipoleReport sums;                ///< pairs with what is essential of others counted; the tree is the first one's
  std::int64_t numTargets = 0;         ///< of this rank's part
  std::int64_t numSources = 0;         ///< likewise
  std::int64_t numMoved = 0;           ///< targets and sources that it sent to the ranks of their parts
  std::int64_t numEssentialPoints = 0; ///< sources of others that it was sent
  std::int64_t numEssentialNodes = 0;  ///< nodes that stand for sources of others
  double imbalance = 1.0;              ///< of work, as trees have it: the largest of a rank over the mean
  parallel::MessageReport messages;    ///< sent in this call, but for what all ranks gather and reduce
};

/// Collective. The sums of multipolesBetween() (MultipoleSums.hpp) of the sources of all ranks, at each rank's targets,
/// with the same bounds of errors. Points may be spread over ranks in any way; ranks may have none.
///
/// All points are cut along Hilbert's curve into parts of equal work, and go to the ranks of their parts. A rank then
/// gets what is essential of the others' sources for its targets (EssentialTree.hpp): boxes that are far from all of
/// them as charges at Chebyshev's nodes, others as sources. It sums both on a tree whose boxes are those of all trees,
/// where nodes have the moments of what they stand for, so nothing more is cut off than on one rank. Sums go back to
/// where targets came from. In a periodic box all this is so with the nearest images; what farther ones do is linear in
/// the sources, so each part has the background that its charges need, and all of them together none.
///
/// Runs on the host. Results have the same bits for any number of threads, and in every run on as many ranks; otherwise
/// they differ within the error. The interaction, options, and which sums are made are the same on all ranks; a rank
/// without targets may leave arrays out. Throws as multipolesBetween(), on all ranks alike, and Cancelled where
/// `progress` says so on any of them. O((sources + targets) / ranks) and, for points that fill space, (points /
/// ranks)^(2/3) of what is sent; a rank holds its part and what is essential for it.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
RankMultipoleReport rankMultipolesBetween(const ExecutionSpace& space, const Interaction& interaction,
  const PointsView<Dim, Real>& targets, const SourcesView<Dim, Real>& sources, const SumsView<Real>& sums,
  const MultipoleOptions& options, RankMultipoleMemory<ExecutionSpace, Dim, Real>& memory,
  const Progress& progress = {});

/// Collective. The same of the particles of all ranks on themselves: sum over j != i. What is essential of others
/// travels while each rank sums its own.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
RankMultipoleReport rankMultipolesWithin(const ExecutionSpace& space, const Interaction& interaction,
  const SourcesView<Dim, Real>& particles, const SumsView<Real>& sums, const MultipoleOptions& options,
  RankMultipoleMemory<ExecutionSpace, Dim, Real>& memory, const Progress& progress = {});

} // namespace spanwise::nbody

#include "Core/Solvers/NBody/Detail/RankMultipoleSums.hpp"
