#include "Core/Solvers/Eikonal/GridArrival.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/GridArrivals.hpp"
#include "Core/Solvers/Eikonal/GridOrigins.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

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
  std::int64_t first; // the number of the first cell of this rank's set

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    std::int64_t cell = 0;
    std::int64_t source = 0;
    shared.find(k, cell, source);
    if (labels[cell] < 0 && times[cell] == shared.timeOf(source)) {
      labels[cell] = static_cast<std::int32_t>(first + source);
    }
  }
};

/// How many all ranks have, and how many those before this one.
struct Numbers {
  std::int64_t all = 0;
  std::int64_t before = 0;
};

/// Collective.
Numbers numbersOf(const Communicator& communicator, std::int64_t mine) {
  Numbers numbers{mine, 0};
  if (!communicator.alone()) {
    const std::vector<std::int64_t> counts = communicator.gather(mine);
    numbers.before = std::accumulate(counts.begin(), counts.begin() + communicator.rank(), std::int64_t{0});
    numbers.all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  }
  return numbers;
}

/// The highest order of differences that is asked for.
int highestOrder(const GridArrivalOptions& options) {
  return options.slopes == Slopes::Gradient ? std::max(options.solve.order, gridarrivals::slopesOrderOf(options))
                                            : options.solve.order;
}

} // namespace

template <class ExecutionSpace, int Dim>
GridArrivalReport solveGridArrival(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const geometry::GridGeometry<Dim>& lattice,
  const geometry::SetDomain<Dim>& domain, const Speed& speed,
  const GridStarts<Dim, typename ExecutionSpace::memory_space>& starts, const GridArrivalOptions& options,
  GridArrival<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Eikonal::solveGridArrival");
  const ExecutionSpace& space = context.space();
  out.trace = Trace::Nothing;
  out.slopes = Slopes::Nothing;
  try {
    GridArrivalReport report;
    Grid<Dim, ExecutionSpace>& grid = out.grid;
    buildGrid<ExecutionSpace, Dim>(context, set, lattice, domain, speed, grid,
      {highestOrder(options), starts.surface.count > 0 ? cellsOfSurfaceLines : planesOfSources});
    report.gridBytes = grid.bytes();
    const Communicator& communicator = grid.communicator();
    const GridView<Dim>& view = grid.view();
    const parallel::CellRange own = grid.owned();
    const std::int64_t numCells = grid.numCells();
    const IndexRange<ExecutionSpace> ownCells(space, 0, own.count());
    const Numbers numbersOfSet = numbersOf(communicator, starts.set.numCells());
    const Numbers numbersOfCells = numbersOf(communicator, own.count());
    VisitShared<Dim> shared{};
    std::int64_t numShared = 0;
    parallel::agree(communicator, [&] {
      resize(out.times, numCells, SPANWISE_LABEL("Eikonal::times"));
      reduce(SPANWISE_KERNEL("start cells"), IndexRange<ExecutionSpace>(space, 0, numCells),
        StartCells<Dim>{view, own, starts.timesOfCells, out.times.data()}, report.walls);
      report.walls.first = report.walls.count > 0 ? report.walls.first : -1;
      gridarrivals::checkWalls(report.walls, options.zeroSpeed == ZeroSpeed::Wall);
      commonCells<ExecutionSpace, Dim>(context, grid.set(), starts.set, out.shared);
      shared = {view, out.shared.segments(), out.shared.runs().data(), starts.timesOfSet};
      numShared = out.shared.numCells();
      std::int64_t firstWrong = 0;
      reduceMin(SPANWISE_KERNEL("start in set"), IndexRange<ExecutionSpace>(space, 0, numShared),
        StartShared<Dim>{shared, out.times.data()}, firstWrong);
      if (firstWrong < starts.set.numCells()) {
        throw InvalidArgument(
          "the time of cell " + std::to_string(firstWrong) + " of the sources is not valid: it must be finite");
      }
    });
    report.walls.count = communicator.reduced(ReduceBy::Sum, report.walls.count);
    startAtPoints<ExecutionSpace, Dim>(context, grid, starts.points, options.factoringRadius, out.times, out.factoring);
    gridarrivals::checkSurface(
      starts.surface.count, startAtSurface<ExecutionSpace, Dim>(context, grid, starts.surface, out.times));
    reduce(SPANWISE_KERNEL("count starts"), ownCells, CountReached{own, out.times.data()}, report.numStarts);
    report.numStarts = communicator.reduced(ReduceBy::Sum, report.numStarts);
    gridarrivals::checkStarts(report.numStarts); // on all ranks
    labelFronts<ExecutionSpace, Dim>(context, grid, starts.surface, {options.solve.order, options.factoringRadius},
      out.factoring, out.times, out.fronts);
    parallel::agree(communicator, [&] { context.progress().report(0.1); });

    GridFactoringView<Dim> factoring = out.factoring.view();
    factoring.fronts = out.fronts.view();
    report.iteration =
      computeGridTimes<ExecutionSpace, Dim>(context.part(0.1, 0.9), grid, options.solve, factoring, out.times);
    report.numUnreached = numbersOfCells.all - report.walls.count - report.iteration.numReached;

    if (options.trace == Trace::Sources) {
      const std::int64_t firstOfCells = starts.firstOfSet() + numbersOfSet.all;
      parallel::agree(communicator, [&] {
        gridarrivals::checkNumbers(firstOfCells + numbersOfCells.all);
        resize(out.labels, numCells, SPANWISE_LABEL("Eikonal::labels"));
        resize(out.origins, numCells, SPANWISE_LABEL("Eikonal::origins"));
      });
      labelAroundPoints<ExecutionSpace, Dim>(context, grid, out.factoring, out.times, out.labels);
      labelAtSurface<ExecutionSpace, Dim>(
        context, grid, starts.surface, starts.firstOfSurface(), out.times, out.labels);
      forEach(SPANWISE_KERNEL("label set"), IndexRange<ExecutionSpace>(space, 0, numShared),
        LabelShared<Dim>{shared, out.times.data(), out.labels.data(), starts.firstOfSet() + numbersOfSet.before});
      if (starts.timesOfCells != nullptr) {
        forEach(SPANWISE_KERNEL("label cells"), ownCells,
          LabelCells{own, starts.timesOfCells, starts.numbersOfCells, out.times.data(), out.labels.data(), firstOfCells,
            numbersOfCells.before});
      }
      findOrigins<ExecutionSpace, Dim>(context, grid, out.times, out.origins);
      labelBySource<ExecutionSpace, Dim>(context, grid, out.origins, out.labels);
      out.trace = Trace::Sources;
    }
    if (options.slopes == Slopes::Gradient) {
      parallel::agree(communicator, [&] { resize(out.gradient, Dim * numCells, SPANWISE_LABEL("Eikonal::gradient")); });
      gradientOfTimes<ExecutionSpace, Dim>(
        context, grid, gridarrivals::slopesOrderOf(options), out.times, out.gradient, out.factoring.view());
      out.slopes = Slopes::Gradient;
    }
    parallel::agree(communicator, [&] { context.progress().report(1.0); });
    return report;
  } catch (const Error&) {
    out.times = {};
    out.trace = Trace::Nothing;
    throw;
  }
}

#define SPANWISE_SOLVE_GRID_ARRIVAL(Space, Dim)                                                                        \
  template GridArrivalReport solveGridArrival<Space, Dim>(const Context<Space>&,                                       \
    const geometry::IntervalSetOn<Dim, Space>&, const geometry::GridGeometry<Dim>&, const geometry::SetDomain<Dim>&,   \
    const Speed&, const GridStarts<Dim, Space::memory_space>&, const GridArrivalOptions&, GridArrival<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_SOLVE_GRID_ARRIVAL)

} // namespace spanwise::eikonal
