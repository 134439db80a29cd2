#pragma once

#include "Core/Solvers/Eikonal/FastIterative.hpp"
#include "Core/Solvers/Eikonal/PartedMesh.hpp"

namespace spanwise::eikonal {

/// What an iteration in parts took.
struct PartsReport {
  IterationReport all;        ///< of all parts; an activation of a vertex counts in each part that has it
  std::int64_t numRounds = 0; ///< exchanges over the borders
};

/// Lowers `times` [mesh.numVerticesOfWhole()] as iterateTimes() does, in rounds: each part is given to a team of
/// threads (one thread on the host, a block on a device), which iterates with lists of its own until nothing changes in
/// it, while times beyond its border stay as they are. Then the least time of each vertex goes to all parts that have
/// it. `all.numIterations` is that of the part that did most, and `options.maxIterations` bounds the rounds.
///
/// Parts go through other times on the way than the whole mesh does, so the result is the same up to rounding and the
/// tolerance of the options; for one partition it has the same bits for any number of threads. Throws as iterateTimes()
/// does, and InvalidArgument where the options name a region to stop at. Vertices that no part has keep their time.
template <class ExecutionSpace, int numCorners>
PartsReport iterateTimesInParts(const ExecutionSpace& space,
  const PartedMesh<numCorners, typename ExecutionSpace::memory_space>& mesh, const IterationOptions& options,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const Progress& progress = {});

} // namespace spanwise::eikonal
