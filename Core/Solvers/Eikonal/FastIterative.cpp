#include "Core/Solvers/Eikonal/FastIterative.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Solvers/Eikonal/Detail/Iteration.hpp"

#include <optional>

namespace spanwise::eikonal {

template <class ExecutionSpace, int numCorners>
IterationReport iterateTimes(const Context<ExecutionSpace>& context, SimplexMesh<numCorners, ExecutionSpace>& mesh,
  const IterationOptions& options, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  const FactoringView& factoring) {
  SPANWISE_REGION("Eikonal::iterateTimes");
  using Iteration = fronts::Iteration<ExecutionSpace, numCorners>;
  const ExecutionSpace& space = context.space();
  const Communicator& communicator = mesh.communicator();
  const parallel::MessageReport before = mesh.border().report();
  checkAlike(communicator, options);
  std::optional<typename Iteration::Frame> frame;
  std::optional<Iteration> iteration;
  parallel::agree(communicator, [&] {
    fronts::check(options, static_cast<std::int64_t>(times.extent(0)), mesh.numVertices());
    frame.emplace(context.workspace());
    iteration.emplace(space, mesh, factoring, options, times.data(), *frame);
    iteration->start(); // finds times that are not valid, before they go anywhere
  });
  Iteration& agreed = *iteration; // NOLINT(bugprone-unchecked-optional-access): agree() throws where there is none
  if (!communicator.alone()) {
    mesh.border().join(space, times.data());
    agreed.start();
  }
  try {
    const IterationReport mine = agreed.run(context.progress());
    return reportOfAll(communicator, mine, mesh.border().report() - before);
  } catch (const Cancelled&) {
    setAll(space, times, notReached);
    throw;
  }
}

#define SPANWISE_ITERATE_TIMES_IN(Space, corners)                                                                      \
  template IterationReport iterateTimes<Space, corners>(const Context<Space>&, SimplexMesh<corners, Space>&,           \
    const IterationOptions&, const Kokkos::View<double*, Space::memory_space>&, const FactoringView&);
#define SPANWISE_ITERATE_TIMES(Space)                                                                                  \
  SPANWISE_ITERATE_TIMES_IN(Space, 3)                                                                                  \
  SPANWISE_ITERATE_TIMES_IN(Space, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_ITERATE_TIMES)

} // namespace spanwise::eikonal
