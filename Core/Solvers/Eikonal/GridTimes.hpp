#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"
#include "Core/Solvers/Eikonal/Grid.hpp"
#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::eikonal {

/// How arrival times on a grid are computed.
struct GridOptions {
  /// The window where nothing else is said. On the host a small one, since updates take the time; on a device one that
  /// lets more cells go on together.
  static constexpr double window = runsOnHost<Kokkos::DefaultExecutionSpace> ? 0.3 : 1.0;

  IterationOptions iteration{.window = window}; ///< its window counts in mean cell times, and its region has cells
  int order = 1;                                ///< of the differences: 1 or 2
};

/// Collective. Computes the arrival times of fronts that start at the own cells with a finite time on input, where
/// others have notReached: times [numCells], at the centres of cells. Cells that fronts do not reach keep notReached;
/// the report says how many were reached. On return halos have their times too.
///
/// The scheme is that of GridUpdate.hpp. In first order it is monotone, times only fall, and with one source and a
/// constant speed no time is before the exact one. With several, differences between cells that different fronts have
/// reached may be, by up to 0.3 cells a source, unless fronts are told apart: labelFronts(). In second order
/// differences reach over two cells where the times there are in order, and over one elsewhere. Near a source, where
/// times have a kink, both lose order unless the source is factored out: `factoring`, from startAtPoints(). Sources
/// keep their times, unless fronts from others overtake them, in first order.
///
/// The fast iterative method (W.-K. Jeong, R. T. Whitaker, SIAM J. Sci. Comput. 30 (2008) 2512-2534), grouped: cells
/// far behind the front wait (S. Hong, W.-K. Jeong, IEEE Trans. Parallel Distrib. Syst. 28 (2017)). Those that the
/// front has reached tell the cells that read them, which are computed anew. All of an iteration read the times before
/// it: the same bits for any number of threads. In second order, and with factoring, a new time takes the place of the
/// old one even if it is later. That comes to an end: a time depends on earlier ones only (updateFromNeighbours()). Of
/// the cells that are not final let u be the least time that the final ones alone give; it is final where no other time
/// is before it, and those that are rise, as each is later than what it comes from, until none is. So cells become
/// final one after the other, by their times. Where rounding should go against that, times go on changing when no more
/// cells are reached: after so many iterations more as it took to reach them, and 2000, what counts as a change is
/// raised, ever again, and the report says that they did not converge.
///
/// All ranks do the same iterations at once. In each, the times that changed go to the ranks that read them, and these
/// do with them what the cell's own rank does: they keep the same lists of them. Then all agree on where to go on, in
/// one reduction. So times differ from those of one rank by round-off at most, however cells are cut.
///
/// All memory is taken from the context's workspace. Throws InvalidArgument, on all ranks, where `times` has another
/// length than the grid has cells, a time on input is NaN or -infinity, an option is out of range, the order is higher
/// than the grid's, a cell of the region does not exist, or ranks have different options; Cancelled when the context's
/// progress says so on any rank, and `times` are then all notReached. A region to stop at is what all ranks name of it,
/// each by the numbers of its own cells, from 0 on. `factoring` is from startAtPoints(), on all ranks or on none.
template <class ExecutionSpace, int Dim>
IterationReport computeGridTimes(const Context<ExecutionSpace>& context, Grid<Dim, ExecutionSpace>& grid,
  const GridOptions& options, const GridFactoringView<Dim>& factoring, const CellArray<double, ExecutionSpace>& times);

} // namespace spanwise::eikonal
