#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/Grid.hpp"
#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// Collective. gradient [Dim][cells], component by component = the gradient of the times of a grid, from the
/// differences of first or second order that times are computed by. 0 at cells that no earlier time explains: sources,
/// and what has not been reached. Of times the halo's are needed, as computeGridTimes() leaves them; the gradient comes
/// with them.
///
/// `factoring`, that of the times: where a source is taken out of the differences, the gradient is that of what is left
/// and the exact one of the source's straight-line time. So it keeps its order around a point, where times have a kink;
/// in a constant medium it is exact, also beside the source, unless something is in the way. Throws InvalidArgument, on
/// all ranks, where an array has another length, or the order is higher than the grid's. O(cells).
template <class ExecutionSpace, int Dim>
void gradientOfTimes(const Context<ExecutionSpace>& context, Grid<Dim, ExecutionSpace>& grid, int order,
  const CellArray<const double, ExecutionSpace>& times, const CellArray<double, ExecutionSpace>& gradient,
  const GridFactoringView<Dim>& factoring = {});

/// Collective. origins [cells] = the neighbour that most of a front comes from, whose time is earlier: the one whose
/// direction has the largest share of |grad u|_M^2. The cell itself where there is none: at sources, and where nothing
/// has arrived; and for cells of the halo. So each cell is at the end of a chain that begins in a source, or in the
/// halo. Throws InvalidArgument, on all ranks, where an array has another length. O(cells).
template <class ExecutionSpace, int Dim>
void findOrigins(const Context<ExecutionSpace>& context, const Grid<Dim, ExecutionSpace>& grid,
  const CellArray<const double, ExecutionSpace>& times, const CellArray<std::int32_t, ExecutionSpace>& origins);

/// Collective. Gives each cell the label of the source that its front came from: a Voronoi map by time. On input labels
/// of own cells that are sources are at least 0, all others -1; on return -1 is left where no labelled source has been
/// reached along `origins`. Chains are cut in half again and again (pointer jumping: J. C. Wyllie, 1979): O(cells log
/// longest chain). They are followed to the halo, whose labels then come from their own ranks, as often as a chain goes
/// from one rank to another. Throws InvalidArgument, on all ranks, where an array has another length.
template <class ExecutionSpace, int Dim>
void labelBySource(const Context<ExecutionSpace>& context, Grid<Dim, ExecutionSpace>& grid,
  const CellArray<const std::int32_t, ExecutionSpace>& origins, const CellArray<std::int32_t, ExecutionSpace>& labels);

} // namespace spanwise::eikonal
