#include "Core/Solvers/Eikonal/GridTimes.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Solvers/Eikonal/Detail/GridIteration.hpp"

#include <optional>

namespace spanwise::eikonal {

template <class ExecutionSpace, int Dim>
IterationReport computeGridTimes(const Context<ExecutionSpace>& context, Grid<Dim, ExecutionSpace>& grid,
  const GridOptions& options, const GridFactoringView<Dim>& factoring, const CellArray<double, ExecutionSpace>& times) {
  SPANWISE_REGION("Eikonal::computeGridTimes");
  const ExecutionSpace& space = context.space();
  const Communicator& communicator = grid.communicator();
  const parallel::MessageReport before = grid.report();
  checkAlike(communicator, options.iteration, options.order);
  // A rank without cells may have no factoring either.
  const bool mayRise =
    communicator.reduced(ReduceBy::Maximum, std::int64_t{!gridfronts::lowersOnly(options, factoring)}) > 0;
  const auto compute = [&]<class Stencil, bool lowersOnly>() {
    using Iteration = gridfronts::Iteration<ExecutionSpace, Dim, Stencil, lowersOnly>;
    std::optional<typename Iteration::Frame> frame;
    std::optional<Iteration> iteration;
    parallel::agree(communicator, [&] {
      gridfronts::check(options, grid.order(), times.extent(0), grid.numCells());
      frame.emplace(context.workspace());
      iteration.emplace(space, grid, options, factoring, times.data(), *frame);
      iteration->setUp();
    });
    return iteration->run(context.progress()); // NOLINT(bugprone-unchecked-optional-access): else agree() throws
  };
  try {
    const IterationReport mine = gridfronts::withKind<Dim>(grid.hasDirections(), !mayRise, compute);
    grid.bring(space, times);
    return reportOfAll(communicator, mine, grid.report() - before);
  } catch (const Cancelled&) {
    setAll(space, times, notReached);
    throw;
  }
}

#define SPANWISE_GRID_TIMES(Space, Dim)                                                                                \
  template IterationReport computeGridTimes<Space, Dim>(const Context<Space>&, Grid<Dim, Space>&, const GridOptions&,  \
    const GridFactoringView<Dim>&, const CellArray<double, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_TIMES)

} // namespace spanwise::eikonal
