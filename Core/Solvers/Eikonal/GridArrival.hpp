#pragma once

#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/Messenger.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Progress.hpp"
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
/// and walls do not start. Sources are numbered through: points, triangles of the surface, cells of the set, cells of
/// the grid. Arrays lie in the memory of the execution space.
template <int Dim, class MemorySpace>
struct GridStarts {
  std::vector<PointSource<Dim>> points; ///< anywhere in cells of the grid
  SurfaceSources surface;               ///< the cells around it start (startAtSurface())
  /// Cells on the grid's lattice; those that the grid does not have start nothing.
  geometry::IntervalSet<Dim, MemorySpace> set;
  const double* timesOfSet = nullptr;   ///< [set.numCells()]; null: all at 0
  const double* timesOfCells = nullptr; ///< [cells of the grid] where finite, fronts start then; null: nowhere
  /// [cells of the grid] what each counts as among the cells that are sources; null: its own number. Several may be
  /// one.
  const std::int32_t* numbersOfCells = nullptr;

  /// The number of the first source of each kind.
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

/// What arrival times on a grid took.
struct GridArrivalReport {
  IterationReport iteration;
  Found walls;                      ///< cells of speed 0
  std::int64_t numStarts = 0;       ///< cells that fronts start at
  std::int64_t numUnreached = 0;    ///< cells, but walls, that no front has reached
  std::size_t gridBytes = 0;        ///< Grid::bytes()
  parallel::MessageReport messages; ///< that all ranks sent in the iteration
};

/// Arrival times on a grid and what they were computed with. Its memory is used again by the next solution.
template <int Dim, class MemorySpace>
struct GridArrival {
  Grid<Dim, MemorySpace> grid;
  GridFactoring<Dim, MemorySpace> factoring;
  FrontLabels<Dim, MemorySpace> fronts;
  geometry::CommonCells<MemorySpace> shared; ///< of the grid and the starts' set
  Kokkos::View<double*, MemorySpace> times;  ///< [cells], notReached where no front came
  Trace trace = Trace::Nothing;              ///< whether the next two are set
  /// [cells]: the source that each cell has its time from (labelBySource()), -1: none
  Kokkos::View<std::int32_t*, MemorySpace> labels;
  Kokkos::View<std::int32_t*, MemorySpace> origins; ///< [cells]: findOrigins()
  Slopes slopes = Slopes::Nothing;                  ///< whether the next is set
  Kokkos::View<double*, MemorySpace> gradient;      ///< [Dim][cells]
};

template <int Dim, class ExecutionSpace>
using GridArrivalOn = GridArrival<Dim, typename ExecutionSpace::memory_space>;

/// out = when fronts that start at `starts` arrive at the centres of the cells of a set, where sqrt(grad u^T M grad u)
/// = 1 with the tensor M of `speed`: M = c^2 I is speed c. Cells that are not in the set, and those of speed 0, are
/// walls. What is apart from all sources keeps notReached: replaceUnreached() puts another value there.
///
/// It is buildGrid(), startAtPoints(), startAtSurface(), labelFronts(), computeGridTimes(), findOrigins(),
/// labelBySource() and gradientOfTimes() in a row; whoever solves often on one grid calls them himself. Takes memory
/// from the context's workspace and that of `out`, so that a solution of the same size allocates nothing but what
/// startAtPoints() does for its points. Throws InvalidArgument as these do, where no cell is a source, the surface
/// gives no cell a time, a start time is -infinity or NaN in the set's times, or a speed is 0 and must not; Cancelled
/// when `progress` says so. `out.times` has no entries then.
template <class ExecutionSpace, int Dim>
GridArrivalReport solveGridArrival(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const geometry::GridGeometry<Dim>& lattice,
  const geometry::Periods<Dim>& periods, const Speed& speed,
  const GridStarts<Dim, typename ExecutionSpace::memory_space>& starts, const GridArrivalOptions& options,
  GridArrival<Dim, typename ExecutionSpace::memory_space>& out, const Progress& progress = {});

} // namespace spanwise::eikonal
