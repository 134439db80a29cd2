#include "Core/Solvers/Eikonal/RankGridTimes.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Solvers/Eikonal/Detail/GridIteration.hpp"
#include "Core/Solvers/Eikonal/Detail/RankOptions.hpp"

#include <optional>
#include <string>

namespace spanwise::eikonal {

namespace {

template <class ExecutionSpace, int Dim>
void check(const RankGrid<ExecutionSpace, Dim>& grid, const GridOptions& options, std::int64_t numTimes) {
  gridfronts::check(options, numTimes, grid.numCells());
  if (options.order > grid.order()) {
    throw InvalidArgument("order " + std::to_string(options.order) +
      " is asked for, of a grid whose halo is made for " + std::to_string(grid.order()));
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
RankIterationReport computeGridTimesOnRanks(const Context<ExecutionSpace>& context, RankGrid<ExecutionSpace, Dim>& grid,
  const GridOptions& options, const GridFactoringView<Dim>& factoring,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times, const Progress& progress) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::computeGridTimesOnRanks");
  const Communicator& communicator = grid.communicator();
  const parallel::MessageReport before = grid.report();
  checkAlike(communicator, options.iteration, options.order);
  // A rank without cells may have no factoring either.
  const bool mayRise =
    communicator.reduced(ReduceBy::Maximum, std::int64_t{!gridfronts::lowersOnly(options, factoring)}) > 0;
  const auto compute = [&]<class Stencil, bool lowersOnly>() {
    using Iteration = gridfronts::Iteration<ExecutionSpace, Dim, Stencil, lowersOnly, GridBorder<ExecutionSpace>>;
    std::optional<typename Iteration::Frame> frame;
    std::optional<Iteration> iteration;
    parallel::agree(communicator, [&] {
      check(grid, options, static_cast<std::int64_t>(times.extent(0)));
      frame.emplace(context.workspace());
      iteration.emplace(space, grid.grid(), options, factoring, times.data(), grid.owned(), grid.border(), *frame);
      iteration->setUp();
    });
    return iteration->run(progress); // NOLINT(bugprone-unchecked-optional-access): agree() throws where there is none
  };
  try {
    const IterationReport mine = gridfronts::withKind<Dim>(grid.grid().hasDirections(), !mayRise, compute);
    grid.bring(space, times);
    return reportOfAll(communicator, mine, grid.report() - before);
  } catch (const Cancelled&) {
    setAll(space, times, notReached);
    throw;
  }
}

#define SPANWISE_RANK_GRID_TIMES(Space, Dim)                                                                           \
  template RankIterationReport computeGridTimesOnRanks<Space, Dim>(const Context<Space>&, RankGrid<Space, Dim>&,       \
    const GridOptions&, const GridFactoringView<Dim>&, const Kokkos::View<double*, Space::memory_space>&,              \
    const Progress&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_RANK_GRID_TIMES)

} // namespace spanwise::eikonal
