#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/Grid.hpp"
#include "Core/Solvers/Eikonal/Sources.hpp"
#include "Core/Solvers/Eikonal/TracedPaths.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// A place in space.
template <int Dim>
struct GridPlace {
  double at[Dim];
};

/// Lines of points. They end on triangles of a surface, by their number, or on none.
template <int Dim, class MemorySpace>
using GridPaths = TracedPaths<GridPlace<Dim>, MemorySpace>;

/// Collective. paths = the ways that fronts took to `starts`, backwards: from each start along -M grad u, the
/// characteristic of the eikonal equation, to a source. The direction is interpolated between the centres of cells; a
/// step is `step` times the least spacing. Where a step would leave the set, or come neither to a cell with an earlier
/// time than all before nor, by the gradient there, to a place that the front was at before, as beside walls and in
/// narrow ways, the line goes to the centre of the cell's origin instead. So each line ends, at the centre of a cell
/// without an origin: a source. Where it comes to a cell that has its time from `surface` (startAtSurface()), and a
/// straight line from there as that looks for them, it ends at the other end of the line, on the surface. A start that
/// no front has reached, or outside of the set, is a path of one point. On axes that repeat lines go on beyond the box.
///
/// `gradient` and `origins` are those of `times` (gradientOfTimes(), findOrigins()), with the halo's, and the surface
/// is the one that they were computed from, the same on all ranks. `starts` are this rank's, anywhere in the cells of
/// any rank, and it gets their paths. Each rank traces paths through its own cells; where they leave these they go on
/// at the next rank, as often as they go from one to another. At the end the pieces come together where the start is.
///
/// Paths are traced twice, to count their points and to write them; each path by a thread. Allocates on several ranks.
/// Throws InvalidArgument, on all ranks, where an array has another length than the grid asks for, the step is not
/// within 0.01 and 1, or as startAtSurface() does. Waits for the counts.
template <class ExecutionSpace, int Dim>
void tracePaths(const Context<ExecutionSpace>& context, const Grid<Dim, ExecutionSpace>& grid,
  const CellArray<const double, ExecutionSpace>& times, const CellArray<const double, ExecutionSpace>& gradient,
  const CellArray<const std::int32_t, ExecutionSpace>& origins,
  const Kokkos::View<const GridPlace<Dim>*, typename ExecutionSpace::memory_space>& starts, double step,
  const SurfaceSources& surface, GridPaths<Dim, typename ExecutionSpace::memory_space>& paths);

} // namespace spanwise::eikonal
