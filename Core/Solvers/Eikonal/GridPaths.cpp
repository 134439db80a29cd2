#include "Core/Solvers/Eikonal/GridPaths.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Solvers/Eikonal/Detail/GridTracer.hpp"
#include "Core/Solvers/Eikonal/Detail/PathWork.hpp"

namespace spanwise::eikonal {

template <class ExecutionSpace, int Dim>
void tracePaths(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const GridOn<Dim, ExecutionSpace>& grid,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& gradient,
  const Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space>& origins,
  const Kokkos::View<const typename GridPaths<Dim, typename ExecutionSpace::memory_space>::Place*,
    typename ExecutionSpace::memory_space>& starts,
  double step, const SurfaceSources& surface, GridPaths<Dim, typename ExecutionSpace::memory_space>& paths) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::tracePaths");
  using Place = typename GridPaths<Dim, typename ExecutionSpace::memory_space>::Place;
  const auto numPaths = static_cast<std::int64_t>(starts.extent(0));
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const Tracer<Dim> tracer = makeTracer<ExecutionSpace, Dim>(
    space, set, grid, times, gradient, origins, {0, grid.numCells()}, step, surface, frame);
  const IndexRange<ExecutionSpace> range(space, 0, numPaths);
  const Work work = detail::workOfPaths(numPaths);
  std::int64_t* const offsets = paths.offsets.prepare(numPaths + 1);
  forEach(SPANWISE_KERNEL("count points"), range, CountPoints<Dim, Place>{tracer, starts.data(), offsets}, work);
  const std::int64_t total = exclusiveScan(space, SPANWISE_KERNEL("scan points"), offsets, numPaths);
  forEach(SPANWISE_KERNEL("write points"), range,
    WritePoints<Dim, Place>{
      tracer, starts.data(), offsets, paths.points.prepare(total), paths.triangles.prepare(numPaths), nullptr, nullptr},
    work);
}

#define SPANWISE_TRACE_PATHS(Space, Dim)                                                                               \
  template void tracePaths<Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,              \
    const GridOn<Dim, Space>&, const Kokkos::View<const double*, Space::memory_space>&,                                \
    const Kokkos::View<const double*, Space::memory_space>&,                                                           \
    const Kokkos::View<const std::int32_t*, Space::memory_space>&,                                                     \
    const Kokkos::View<const GridPaths<Dim, Space::memory_space>::Place*, Space::memory_space>&, double,               \
    const SurfaceSources&, GridPaths<Dim, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_TRACE_PATHS)

} // namespace spanwise::eikonal
