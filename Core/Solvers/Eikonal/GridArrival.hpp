#pragma once

#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/ArrivalTimes.hpp"
#include "Core/Solvers/Eikonal/FrontLabels.hpp"
#include "Core/Solvers/Eikonal/Grid.hpp"
#include "Core/Solvers/Eikonal/GridSources.hpp"
#include "Core/Solvers/Eikonal/GridSurface.hpp"
#include "Core/Solvers/Eikonal/GridTimes.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace spanwise::eikonal {

/// Where fronts start on a grid, and when. All kinds may be there at once; a cell starts at the earliest of its times,
/// and walls do not start. All ranks give the same points and the same surface, and each the cells in its own planes.
/// Sources are numbered through: points, triangles of the surface, cells of the set and cells of the grid, of both
/// those of one rank behind those of the rank before. Arrays lie in the memory of the execution space.
template <int Dim, class MemorySpace>
struct GridStarts {
  std::vector<PointSource<Dim>> points; ///< anywhere in cells of the grid
  SurfaceSources surface;               ///< the cells around it start (startAtSurface())
  /// Cells on the grid's lattice; those that are not own cells of the grid start nothing.
  geometry::IntervalSet<Dim, MemorySpace> set;
  const double* timesOfSet = nullptr;   ///< [set.numCells()]; null: all at 0
  const double* timesOfCells = nullptr; ///< [own cells] where finite, fronts start then; null: nowhere
  /// [own cells] what each counts as among the cells that are sources; null: its own number. Several may be
  /// one.
  const std::int32_t* numbersOfCells = nullptr;

  /// The number of the first source of each kind; of cells of the grid on one rank.
  [[nodiscard]] std::int64_t firstOfSurface() const { return static_cast<std::int64_t>(points.size()); }
  [[nodiscard]] std::int64_t firstOfSet() const { return firstOfSurface() + surface.count; }
  [[nodiscard]] std::int64_t firstOfCells() const { return firstOfSet() + set.numCells(); }
};

/// Whether the gradient of times is computed.
enum class Slopes {
  Nothing,
  Gradient ///< at the centres of cells, gradientOfTimes()
};

struct GridArrivalOptions {
  GridOptions solve;
  /// How far from source points their kink is taken out of the differences (startAtPoints()); 0: not at all.
  double factoringRadius = std::numeric_limits<double>::infinity();
  ZeroSpeed zeroSpeed = ZeroSpeed::Wall;
  Trace trace = Trace::Nothing;
  Slopes slopes = Slopes::Nothing;
  int slopesOrder = 0; ///< of the gradient's differences: 1 or 2; 0: that of the times
};

/// What arrival times on a grid took, on all ranks.
struct GridArrivalReport {
  IterationReport iteration;
  Found walls;                   ///< cells of speed 0; the first is this rank's
  std::int64_t numStarts = 0;    ///< cells that fronts start at
  std::int64_t numUnreached = 0; ///< cells, but walls, that no front has reached
  std::size_t gridBytes = 0;     ///< Grid::bytes(), of this rank
};

/// Arrival times on a grid and what they were computed with. Arrays have the cells that the rank holds; grid.owned()
/// says which are its own. Its memory is used again by the next solution. Lives no longer than the communicator.
template <int Dim, class ExecutionSpace>
struct GridArrival {
  using Memory = typename ExecutionSpace::memory_space;

  Grid<Dim, ExecutionSpace> grid;
  GridFactoring<Dim, Memory> factoring;
  FrontLabels<Dim, Memory> fronts;
  geometry::CommonCells<Memory> shared;    ///< of the grid and the starts' set
  CellArray<double, ExecutionSpace> times; ///< [cells], notReached where no front came
  Trace trace = Trace::Nothing;            ///< whether the next two are set
  /// [cells]: the source that each cell has its time from (labelBySource()), -1: none
  CellArray<std::int32_t, ExecutionSpace> labels;
  CellArray<std::int32_t, ExecutionSpace> origins; ///< [cells]: findOrigins()
  Slopes slopes = Slopes::Nothing;                 ///< whether the next is set
  CellArray<double, ExecutionSpace> gradient;      ///< [Dim][cells]
};

/// Collective. out = when fronts that start at `starts` arrive at the centres of the cells of all ranks, where
/// sqrt(grad u^T M grad u) = 1 with the tensor M of `speed`: M = c^2 I is speed c. `set` has this rank's cells, all in
/// its planes of the domain. Cells that are not in the set, and those of speed 0, are walls. What is apart from all
/// sources keeps notReached: replaceUnreached() puts another value there. However cells are cut, times are those of one
/// rank to round-off.
///
/// It is buildGrid(), startAtPoints(), startAtSurface(), labelFronts(), computeGridTimes(), findOrigins(),
/// labelBySource() and gradientOfTimes() in a row; whoever solves often on one grid calls them himself. Takes memory
/// from the context's workspace and that of `out`, so that a solution of the same size on one rank allocates nothing
/// but what startAtPoints() does for its points. Throws InvalidArgument, on all ranks, as these do, where no cell is a
/// source, the surface gives no cell a time, a start time is -infinity or NaN in the set's times, or a speed is 0 and
/// must not; Cancelled when the context's progress says so. `out.times` has no entries then.
template <class ExecutionSpace, int Dim>
GridArrivalReport solveGridArrival(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const geometry::GridGeometry<Dim>& lattice,
  const geometry::SetDomain<Dim>& domain, const Speed& speed,
  const GridStarts<Dim, typename ExecutionSpace::memory_space>& starts, const GridArrivalOptions& options,
  GridArrival<Dim, ExecutionSpace>& out);

} // namespace spanwise::eikonal
