#include "Core/Solvers/Eikonal/GridArrival.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/GridArrivals.hpp"
#include "Core/Solvers/Eikonal/GridOrigins.hpp"

#include <string>

namespace spanwise::eikonal {

namespace {

using gridarrivals::CountReached;
using gridarrivals::LabelCells;
using gridarrivals::resize;
using gridarrivals::StartCells;

/// The cells that the grid shares with a set of sources: they start, or they are told whose time they have.
template <int Dim>
struct VisitShared {
  GridView<Dim> grid;
  geometry::SegmentsView segments;
  const geometry::CellRun* runs;
  const double* given; // null: all at 0

  /// The cells of the grid and of the set that the shared cell k is.
  KOKKOS_FUNCTION void find(std::int64_t k, std::int64_t& cell, std::int64_t& source) const {
    const std::int64_t s = segments.segmentOf(k);
    const std::int64_t past = k - segments.offsets[s];
    cell = runs[s].a + past;
    source = runs[s].b + past;
  }
  [[nodiscard]] KOKKOS_FUNCTION double timeOf(std::int64_t source) const {
    return given != nullptr ? given[source] : 0.0;
  }
};

template <int Dim>
struct StartShared {
  VisitShared<Dim> shared;
  double* times;

  /// Finds the first source whose time is not finite.
  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& firstWrong) const {
    std::int64_t cell = 0;
    std::int64_t source = 0;
    shared.find(k, cell, source);
    const double time = shared.timeOf(source);
    if (!Kokkos::isfinite(time)) {
      firstWrong = Kokkos::min(firstWrong, source);
    } else if (!shared.grid.isWall(cell)) {
      times[cell] = Kokkos::min(times[cell], time);
    }
  }
};

template <int Dim>
struct LabelShared {
  VisitShared<Dim> shared;
  const double* times;
  std::int32_t* labels;
  std::int64_t first;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    std::int64_t cell = 0;
    std::int64_t source = 0;
    shared.find(k, cell, source);
    if (labels[cell] < 0 && times[cell] == shared.timeOf(source)) {
      labels[cell] = static_cast<std::int32_t>(first + source);
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
GridArrivalReport solveGridArrival(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const geometry::GridGeometry<Dim>& lattice,
  const geometry::Periods<Dim>& periods, const Speed& speed,
  const GridStarts<Dim, typename ExecutionSpace::memory_space>& starts, const GridArrivalOptions& options,
  GridArrival<Dim, typename ExecutionSpace::memory_space>& out, const Progress& progress) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::solveGridArrival");
  const std::int64_t numCells = set.numCells();
  const IndexRange<ExecutionSpace> cells(space, 0, numCells);
  const parallel::CellRange own{0, numCells};
  out.trace = Trace::Nothing;
  out.slopes = Slopes::Nothing;
  try {
    GridArrivalReport report;
    buildGrid<ExecutionSpace, Dim>(context, set, lattice, periods, speed, out.grid);
    report.gridBytes = out.grid.bytes();
    const GridView<Dim>& view = out.grid.view();
    resize(out.times, numCells, SPANWISE_LABEL("Eikonal::times"));
    double* const times = out.times.data();
    reduce(SPANWISE_KERNEL("start cells"), cells, StartCells<Dim>{view, own, starts.timesOfCells, times}, report.walls);
    report.walls.first = report.walls.count > 0 ? report.walls.first : -1;
    gridarrivals::checkWalls(report.walls, options.zeroSpeed == ZeroSpeed::Wall);
    commonCells<ExecutionSpace, Dim>(context, set, starts.set, out.shared);
    const VisitShared<Dim> shared{view, out.shared.segments(), out.shared.runs().data(), starts.timesOfSet};
    const IndexRange<ExecutionSpace> sharedCells(space, 0, out.shared.numCells());
    std::int64_t firstWrong = 0;
    reduceMin(SPANWISE_KERNEL("start in set"), sharedCells, StartShared<Dim>{shared, times}, firstWrong);
    if (firstWrong < starts.set.numCells()) {
      throw InvalidArgument(
        "the time of cell " + std::to_string(firstWrong) + " of the sources is not valid: it must be finite");
    }
    startAtPoints<ExecutionSpace, Dim>(
      space, set, out.grid, starts.points, options.factoringRadius, out.times, out.factoring);
    gridarrivals::checkSurface(starts.surface.count,
      startAtSurface<ExecutionSpace, Dim>(context, set, out.grid, starts.surface, own, out.times));
    reduce(SPANWISE_KERNEL("count starts"), cells, CountReached{own, times}, report.numStarts);
    gridarrivals::checkStarts(report.numStarts);
    labelFronts<ExecutionSpace, Dim>(context, set, out.grid, starts.surface,
      {options.solve.order, options.factoringRadius}, out.factoring, out.times, out.fronts);
    progress.report(0.1);

    GridFactoringView<Dim> factoring = out.factoring.view();
    factoring.fronts = out.fronts.view();
    report.iteration = computeGridTimes<ExecutionSpace, Dim>(
      context, out.grid, options.solve, factoring, out.times, progress.part(0.1, 0.9));
    report.numUnreached = numCells - report.walls.count - report.iteration.numReached;

    if (options.trace == Trace::Sources) {
      gridarrivals::checkNumbers(starts.firstOfCells() + numCells);
      resize(out.labels, numCells, SPANWISE_LABEL("Eikonal::labels"));
      resize(out.origins, numCells, SPANWISE_LABEL("Eikonal::origins"));
      std::int32_t* const labels = out.labels.data();
      labelAroundPoints<ExecutionSpace, Dim>(space, set, out.grid, out.factoring, out.times, out.labels);
      labelAtSurface<ExecutionSpace, Dim>(
        context, set, out.grid, starts.surface, own, starts.firstOfSurface(), out.times, out.labels);
      forEach(SPANWISE_KERNEL("label set"), sharedCells, LabelShared<Dim>{shared, times, labels, starts.firstOfSet()});
      if (starts.timesOfCells != nullptr) {
        forEach(SPANWISE_KERNEL("label cells"), cells,
          LabelCells{own, starts.timesOfCells, starts.numbersOfCells, times, labels, starts.firstOfCells(), 0});
      }
      findOrigins<ExecutionSpace, Dim>(space, out.grid, out.times, out.origins);
      labelBySource<ExecutionSpace>(context, out.origins, out.labels);
      out.trace = Trace::Sources;
    }
    if (options.slopes == Slopes::Gradient) {
      resize(out.gradient, Dim * numCells, SPANWISE_LABEL("Eikonal::gradient"));
      gradientOfTimes<ExecutionSpace, Dim>(
        space, out.grid, gridarrivals::slopesOrderOf(options), out.times, out.gradient, out.factoring.view());
      out.slopes = Slopes::Gradient;
    }
    progress.report(1.0);
    return report;
  } catch (const Error&) {
    out.times = {};
    out.trace = Trace::Nothing;
    throw;
  }
}

#define SPANWISE_SOLVE_GRID_ARRIVAL(Space, Dim)                                                                        \
  template GridArrivalReport solveGridArrival<Space, Dim>(const Context<Space>&,                                       \
    const geometry::IntervalSetOn<Dim, Space>&, const geometry::GridGeometry<Dim>&, const geometry::Periods<Dim>&,     \
    const Speed&, const GridStarts<Dim, Space::memory_space>&, const GridArrivalOptions&,                              \
    GridArrival<Dim, Space::memory_space>&, const Progress&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_SOLVE_GRID_ARRIVAL)

} // namespace spanwise::eikonal
