#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"
#include "Core/Solvers/Eikonal/IterationReport.hpp"
#include "Core/Solvers/Eikonal/RankBorder.hpp"

namespace spanwise::eikonal {

/// Collective. iterateTimes() on a mesh of which every rank has a part, with the vertices that its elements touch:
/// those of several ranks are known to `border`. Ranks may have no elements. A source is given on at least one of the
/// ranks that have the vertex. Afterwards all that have a vertex have its time.
///
/// The times have the same bits, and iterations and updates the same number, as one rank finds on the whole mesh,
/// however it is cut: all ranks do the same iterations at once. In each, the times that fell at the border go to the
/// neighbours before they are taken over, and then all agree on where to go on, in one reduction. What ranks must have
/// in common for that is the order of vertices in elements and, of elements that are split, the order of their numbers
/// (splitMesh()).
///
/// Throws, on all ranks, as iterateTimes() does on any, and InvalidArgument where options differ. `progress` may cancel
/// on any rank. A region to stop at is what all ranks name of it. `factoring` is of this rank's simplices; the places
/// in it are known on every rank whose simplices are factored by them.
template <class ExecutionSpace, int numCorners>
IterationReport iterateTimesOnRanks(const Context<ExecutionSpace>& context, RankBorder<ExecutionSpace>& border,
  const SimplexMesh<numCorners, typename ExecutionSpace::memory_space>& mesh, const IterationOptions& options,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times, const Progress& progress = {},
  const FactoringView& factoring = {});

} // namespace spanwise::eikonal
