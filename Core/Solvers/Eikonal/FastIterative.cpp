#include "Core/Solvers/Eikonal/FastIterative.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Solvers/Eikonal/Detail/Iteration.hpp"

namespace spanwise::eikonal {

template <class ExecutionSpace, int numCorners>
IterationReport iterateTimes(const Context<ExecutionSpace>& context,
  const SimplexMesh<numCorners, typename ExecutionSpace::memory_space>& mesh, const IterationOptions& options,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times, const Progress& progress,
  const FactoringView& factoring) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::iterateTimes");
  fronts::check(options, static_cast<std::int64_t>(times.extent(0)), mesh.numVertices());
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  try {
    fronts::NoBorder border;
    fronts::Iteration<ExecutionSpace, numCorners> iteration(
      space, mesh, factoring, options, options.window * mesh.meanEdgeTime(), times.data(), border, frame);
    iteration.start();
    return iteration.run(progress);
  } catch (const Cancelled&) {
    setAll(space, times, notReached);
    throw;
  }
}

#define SPANWISE_ITERATE_TIMES(Space)                                                                                  \
  template IterationReport iterateTimes<Space, 3>(const Context<Space>&, const SimplexMesh<3, Space::memory_space>&,   \
    const IterationOptions&, const Kokkos::View<double*, Space::memory_space>&, const Progress&,                       \
    const FactoringView&);                                                                                             \
  template IterationReport iterateTimes<Space, 4>(const Context<Space>&, const SimplexMesh<4, Space::memory_space>&,   \
    const IterationOptions&, const Kokkos::View<double*, Space::memory_space>&, const Progress&,                       \
    const FactoringView&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_ITERATE_TIMES)

} // namespace spanwise::eikonal
