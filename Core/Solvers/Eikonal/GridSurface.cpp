#include "Core/Solvers/Eikonal/GridSurface.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/SurfaceAround.hpp"

#include <string>

namespace spanwise::eikonal {

namespace {

using detail::makeAround;
using detail::Start;
using detail::SurfaceAround;

template <int Dim>
struct StartAround {
  SurfaceAround<Dim> around;
  std::int64_t firstCell;
  double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const {
    const std::int64_t cell = firstCell + i;
    const Start start = around.startOf(cell);
    if (start.time < notReached) {
      times[cell] = Kokkos::min(times[cell], start.time);
      ++count;
    }
  }
};

template <int Dim>
struct LabelAround {
  SurfaceAround<Dim> around;
  std::int64_t firstCell;
  std::int64_t firstLabel;
  const double* times;
  std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t cell = firstCell + i;
    if (labels[cell] >= 0 || !(times[cell] < notReached)) {
      return;
    }
    const Start start = around.startOf(cell);
    if (start.time == times[cell]) {
      labels[cell] = static_cast<std::int32_t>(firstLabel + start.triangle);
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
std::int64_t startAtSurface(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const Grid<Dim, typename ExecutionSpace::memory_space>& grid,
  const SurfaceSources& surface, parallel::CellRange cells,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::startAtSurface");
  if (static_cast<std::int64_t>(times.extent(0)) != grid.numCells() || set.numCells() != grid.numCells()) {
    throw InvalidArgument("there are " + std::to_string(times.extent(0)) + " times, " + std::to_string(set.numCells()) +
      " cells in the set and " + std::to_string(grid.numCells()) + " in the grid: the numbers must be equal");
  }
  std::int64_t count = 0;
  if (surface.count > 0) {
    typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
    reduce(SPANWISE_KERNEL("start surface"), IndexRange<ExecutionSpace>(space, 0, cells.count()),
      StartAround<Dim>{makeAround<ExecutionSpace, Dim>(space, set, grid, surface, frame), cells.begin, times.data()},
      count);
  }
  return count;
}

template <class ExecutionSpace, int Dim>
void labelAtSurface(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const Grid<Dim, typename ExecutionSpace::memory_space>& grid, const SurfaceSources& surface,
  parallel::CellRange cells, std::int64_t first,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& labels) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::labelAtSurface");
  if (surface.count > 0) {
    typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
    forEach(SPANWISE_KERNEL("label surface"), IndexRange<ExecutionSpace>(space, 0, cells.count()),
      LabelAround<Dim>{makeAround<ExecutionSpace, Dim>(space, set, grid, surface, frame), cells.begin, first,
        times.data(), labels.data()});
  }
}

#define SPANWISE_GRID_SURFACE(Space, Dim)                                                                              \
  template std::int64_t startAtSurface<Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,  \
    const Grid<Dim, Space::memory_space>&, const SurfaceSources&, parallel::CellRange,                                 \
    const Kokkos::View<double*, Space::memory_space>&);                                                                \
  template void labelAtSurface<Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,          \
    const Grid<Dim, Space::memory_space>&, const SurfaceSources&, parallel::CellRange, std::int64_t,                   \
    const Kokkos::View<double*, Space::memory_space>&, const Kokkos::View<std::int32_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_SURFACE)

} // namespace spanwise::eikonal
