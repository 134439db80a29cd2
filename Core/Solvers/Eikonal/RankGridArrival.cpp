#include "Core/Solvers/Eikonal/RankGridArrival.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Alike.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/GridArrivals.hpp"
#include "Core/Solvers/Eikonal/RankGridOrigins.hpp"
#include "Core/Solvers/Eikonal/RankGridSources.hpp"
#include "Core/Solvers/Eikonal/RankGridTimes.hpp"

#include <algorithm>

namespace spanwise::eikonal {

namespace {

using gridarrivals::resize;

/// The cells that the ranks before this one have.
std::int64_t numCellsBefore(const Communicator& communicator, std::int64_t mine, std::int64_t& ofAll) {
  std::int64_t before = 0;
  ofAll = 0;
  int rank = 0;
  for (const std::int64_t count : communicator.gather(mine)) {
    before += rank < communicator.rank() ? count : 0;
    ofAll += count;
    ++rank;
  }
  return before;
}

/// Collective. Throws on all ranks where they give different surfaces.
void checkSameSurface(const Communicator& communicator, const SurfaceSources& surface) {
  const std::int64_t words[2] = {surface.numPoints, surface.count};
  if (!parallel::areAlike(communicator, words)) {
    throw InvalidArgument("ranks give source surfaces of other numbers of points or triangles than each other: "
                          "all must give the same surface");
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
GridArrivalReport solveGridArrivalOnRanks(const Context<ExecutionSpace>& context, const parallel::RowCut& cut,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const geometry::GridGeometry<Dim>& lattice,
  const geometry::Periods<Dim>& periods, const Speed& speed,
  const GridStarts<Dim, typename ExecutionSpace::memory_space>& starts, const GridArrivalOptions& options,
  RankGridArrival<ExecutionSpace, Dim>& out, const Progress& progress) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::solveGridArrivalOnRanks");
  const Communicator& communicator = out.grid.communicator();
  out.trace = Trace::Nothing;
  out.slopes = Slopes::Nothing;
  try {
    parallel::agree(communicator, [&] {
      if (!starts.set.empty()) {
        throw InvalidArgument("on ranks cells of a set are no sources: give the times of the grid's own cells");
      }
    });
    GridArrivalReport report;
    const int order = options.slopes == Slopes::Gradient
      ? std::max(options.solve.order, gridarrivals::slopesOrderOf(options))
      : options.solve.order;
    checkSameSurface(communicator, starts.surface);
    out.grid.build(context, cut, set, lattice, periods, speed, order,
      starts.surface.count > 0 ? cellsOfSurfaceLines : planesOfSources);
    report.gridBytes = out.grid.grid().bytes();
    const parallel::CellRange own = out.grid.owned();
    const std::int64_t numCells = out.grid.numCells();
    const IndexRange<ExecutionSpace> held(space, 0, numCells);
    const IndexRange<ExecutionSpace> cells(space, 0, own.end - own.begin);
    parallel::agree(communicator, [&] {
      resize(out.times, numCells, SPANWISE_LABEL("Eikonal::times"));
      reduce(SPANWISE_KERNEL("start cells"), held,
        gridarrivals::StartCells<Dim>{out.grid.grid().view(), own, starts.timesOfCells, out.times.data()},
        report.walls);
      report.walls.first = report.walls.count > 0 ? report.walls.first : -1;
      gridarrivals::checkWalls(report.walls, options.zeroSpeed == ZeroSpeed::Wall);
    });
    report.walls.count = communicator.reduced(ReduceBy::Sum, report.walls.count);
    startAtPointsOnRanks<ExecutionSpace, Dim>(
      space, out.grid, starts.points, PointsOf::EveryRank, options.factoringRadius, out.times, out.factoring);
    std::int64_t numAtSurface = 0;
    parallel::agree(communicator, [&] {
      numAtSurface =
        startAtSurface<ExecutionSpace, Dim>(context, out.grid.set(), out.grid.grid(), starts.surface, own, out.times);
    });
    gridarrivals::checkSurface(starts.surface.count, communicator.reduced(ReduceBy::Sum, numAtSurface)); // on all ranks
    reduce(SPANWISE_KERNEL("count starts"), cells, gridarrivals::CountReached{own, out.times.data()}, report.numStarts);
    report.numStarts = communicator.reduced(ReduceBy::Sum, report.numStarts);
    gridarrivals::checkStarts(report.numStarts); // on all ranks
    labelFrontsOnRanks<ExecutionSpace, Dim>(context, out.grid, starts.surface,
      {options.solve.order, options.factoringRadius}, out.factoring, out.times, out.fronts);
    parallel::agree(communicator, [&] { progress.report(0.1); });

    GridFactoringView<Dim> factoring = out.factoring.view();
    factoring.fronts = out.fronts.view();
    const RankIterationReport taken = computeGridTimesOnRanks<ExecutionSpace, Dim>(
      context, out.grid, options.solve, factoring, out.times, progress.part(0.1, 0.9));
    report.iteration = taken.all;
    report.messages = taken.messages;
    std::int64_t numCellsOfAll = 0;
    const std::int64_t before = numCellsBefore(communicator, own.end - own.begin, numCellsOfAll);
    report.numUnreached = numCellsOfAll - report.walls.count - report.iteration.numReached;

    if (options.trace == Trace::Sources) {
      parallel::agree(communicator, [&] {
        gridarrivals::checkNumbers(starts.firstOfCells() + numCellsOfAll);
        resize(out.labels, numCells, SPANWISE_LABEL("Eikonal::labels"));
        resize(out.origins, numCells, SPANWISE_LABEL("Eikonal::origins"));
      });
      labelAroundPointsOnRanks<ExecutionSpace, Dim>(space, out.grid, out.factoring, out.times, out.labels);
      parallel::agree(communicator, [&] {
        labelAtSurface<ExecutionSpace, Dim>(context, out.grid.set(), out.grid.grid(), starts.surface, own,
          starts.firstOfSurface(), out.times, out.labels);
      });
      if (starts.timesOfCells != nullptr) {
        forEach(SPANWISE_KERNEL("label cells"), cells,
          gridarrivals::LabelCells{own, starts.timesOfCells, starts.numbersOfCells, out.times.data(), out.labels.data(),
            starts.firstOfCells(), before});
      }
      out.grid.bring(space, out.labels);
      parallel::agree(
        communicator, [&] { findOriginsOnRanks<ExecutionSpace, Dim>(space, out.grid, out.times, out.origins); });
      labelBySourceOnRanks<ExecutionSpace, Dim>(context, out.grid, out.origins, out.labels);
      out.trace = Trace::Sources;
    }
    if (options.slopes == Slopes::Gradient) {
      parallel::agree(communicator, [&] { resize(out.gradient, Dim * numCells, SPANWISE_LABEL("Eikonal::gradient")); });
      gradientOfTimesOnRanks<ExecutionSpace, Dim>(
        space, out.grid, gridarrivals::slopesOrderOf(options), out.times, out.gradient, out.factoring.view());
      out.slopes = Slopes::Gradient;
    }
    parallel::agree(communicator, [&] { progress.report(1.0); });
    return report;
  } catch (const Error&) {
    out.times = {};
    out.trace = Trace::Nothing;
    throw;
  }
}

#define SPANWISE_SOLVE_RANK_GRID_ARRIVAL(Space, Dim)                                                                   \
  template GridArrivalReport solveGridArrivalOnRanks<Space, Dim>(const Context<Space>&, const parallel::RowCut&,       \
    const geometry::IntervalSetOn<Dim, Space>&, const geometry::GridGeometry<Dim>&, const geometry::Periods<Dim>&,     \
    const Speed&, const GridStarts<Dim, Space::memory_space>&, const GridArrivalOptions&,                              \
    RankGridArrival<Space, Dim>&, const Progress&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_SOLVE_RANK_GRID_ARRIVAL)

} // namespace spanwise::eikonal
