#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Core/Solvers/Eikonal/GridTimes.hpp"
#include "Core/Solvers/Eikonal/RankGrid.hpp"
#include "Core/Solvers/Eikonal/RankReport.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::eikonal {

/// Collective. computeGridTimes() on a grid of which every rank has a part: times [grid.numCells()]. On input those of
/// own cells count, on return halos have theirs too.
///
/// The times have the same bits, and iterations and updates the same number, as one rank finds on the whole set,
/// however it is cut: all ranks do the same iterations at once. In each, the times that changed go to the ranks that
/// read them, and these do with them what the cell's own rank does: they keep the same lists of them. Then all agree on
/// where to go on, in one reduction.
///
/// Throws, on all ranks, as computeGridTimes() does on any, and InvalidArgument where options differ or their order is
/// higher than the grid's. A region to stop at is what all ranks name of it, each by the numbers of its own cells, from
/// 0 on. `progress` may cancel on any rank. `factoring` is from startAtPointsOnRanks(), on all ranks or on none.
template <class ExecutionSpace, int Dim>
RankIterationReport computeGridTimesOnRanks(const Context<ExecutionSpace>& context, RankGrid<ExecutionSpace, Dim>& grid,
  const GridOptions& options, const GridFactoringView<Dim>& factoring,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times, const Progress& progress = {});

} // namespace spanwise::eikonal
