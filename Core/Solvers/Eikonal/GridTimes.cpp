#include "Core/Solvers/Eikonal/GridTimes.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Solvers/Eikonal/Detail/GridIteration.hpp"

namespace spanwise::eikonal {

template <class ExecutionSpace, int Dim>
IterationReport computeGridTimes(const Context<ExecutionSpace>& context, const GridOn<Dim, ExecutionSpace>& grid,
  const GridOptions& options, const GridFactoringView<Dim>& factoring,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times, const Progress& progress) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::computeGridTimes");
  gridfronts::check(options, static_cast<std::int64_t>(times.extent(0)), grid.numCells());
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  try {
    return gridfronts::withKind<Dim>(
      grid.hasDirections(), gridfronts::lowersOnly(options, factoring), [&]<class Stencil, bool lowersOnly>() {
        gridfronts::NoGridBorder border;
        gridfronts::Iteration<ExecutionSpace, Dim, Stencil, lowersOnly> iteration(
          space, grid, options, factoring, times.data(), {0, grid.numCells()}, border, frame);
        iteration.setUp();
        return iteration.run(progress);
      });
  } catch (const Cancelled&) {
    setAll(space, times, notReached);
    throw;
  }
}

#define SPANWISE_GRID_TIMES(Space, Dim)                                                                                \
  template IterationReport computeGridTimes<Space, Dim>(const Context<Space>&, const GridOn<Dim, Space>&,              \
    const GridOptions&, const GridFactoringView<Dim>&, const Kokkos::View<double*, Space::memory_space>&,              \
    const Progress&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_TIMES)

} // namespace spanwise::eikonal
