#include "Core/Solvers/Eikonal/RankIterative.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Solvers/Eikonal/Detail/Iteration.hpp"

#include <optional>

namespace spanwise::eikonal {

namespace {

/// The mean travel time along an edge of all ranks' simplices.
double meanEdgeTime(const Communicator& communicator, const EdgeTimes& mine) {
  return EdgeTimes{communicator.reduced(ReduceBy::Sum, mine.sum), communicator.reduced(ReduceBy::Sum, mine.count)}
    .mean();
}

} // namespace

template <class ExecutionSpace, int numCorners>
IterationReport iterateTimesOnRanks(const Context<ExecutionSpace>& context, RankBorder<ExecutionSpace>& border,
  const SimplexMesh<numCorners, typename ExecutionSpace::memory_space>& mesh, const IterationOptions& options,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times, const Progress& progress,
  const FactoringView& factoring) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::iterateTimesOnRanks");
  using Iteration = fronts::Iteration<ExecutionSpace, numCorners, RankBorder<ExecutionSpace>>;
  const Communicator& communicator = border.communicator();
  const parallel::MessageReport before = border.report();
  checkAlike(communicator, options);
  const double window = options.window * meanEdgeTime(communicator, mesh.edgeTimes());
  std::optional<typename Iteration::Frame> frame;
  std::optional<Iteration> iteration;
  parallel::agree(communicator, [&] {
    fronts::check(options, static_cast<std::int64_t>(times.extent(0)), mesh.numVertices());
    border.check(mesh.numVertices());
    frame.emplace(context.workspace());
    iteration.emplace(space, mesh, factoring, options, window, times.data(), border, *frame);
    iteration->start(); // finds times that are not valid, before they go anywhere
  });
  Iteration& agreed = *iteration; // NOLINT(bugprone-unchecked-optional-access): agree() throws where there is none
  border.join(space, times.data());
  agreed.start();
  try {
    const IterationReport mine = agreed.run(progress);
    return reportOfAll(communicator, mine, border.report() - before);
  } catch (const Cancelled&) {
    setAll(space, times, notReached);
    throw;
  }
}

#define SPANWISE_ITERATE_ON_RANKS(Space, corners)                                                                      \
  template IterationReport iterateTimesOnRanks<Space, corners>(const Context<Space>&, RankBorder<Space>&,              \
    const SimplexMesh<corners, Space::memory_space>&, const IterationOptions&,                                         \
    const Kokkos::View<double*, Space::memory_space>&, const Progress&, const FactoringView&);
#define SPANWISE_ITERATE_TIMES_ON_RANKS(Space)                                                                         \
  SPANWISE_ITERATE_ON_RANKS(Space, 3)                                                                                  \
  SPANWISE_ITERATE_ON_RANKS(Space, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_ITERATE_TIMES_ON_RANKS)

} // namespace spanwise::eikonal
