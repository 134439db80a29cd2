#include "Core/Solvers/Eikonal/GridSurface.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Alike.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckCellCount.hpp"
#include "Core/Solvers/Eikonal/Detail/SurfaceAround.hpp"

#include <cstdint>

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
std::int64_t startAtSurface(const Context<ExecutionSpace>& context, const Grid<Dim, ExecutionSpace>& grid,
  const SurfaceSources& surface, const CellArray<double, ExecutionSpace>& times) {
  SPANWISE_REGION("Eikonal::startAtSurface");
  const Communicator& communicator = grid.communicator();
  const std::int64_t words[2] = {surface.numPoints, surface.count};
  if (!parallel::areAlike(communicator, words)) {
    throw InvalidArgument("ranks give source surfaces of other numbers of points or triangles than each other: "
                          "all must give the same surface");
  }
  std::int64_t count = 0;
  parallel::agree(communicator, [&] {
    checkCellCount("times", times.extent(0), grid.numCells());
    if (surface.count > 0) {
      typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
      reduce(SPANWISE_KERNEL("start surface"), IndexRange<ExecutionSpace>(context.space(), 0, grid.owned().count()),
        StartAround<Dim>{
          makeAround<ExecutionSpace, Dim>(context.space(), grid, surface, frame), grid.owned().begin, times.data()},
        count);
    }
  });
  return communicator.reduced(ReduceBy::Sum, count);
}

template <class ExecutionSpace, int Dim>
void labelAtSurface(const Context<ExecutionSpace>& context, const Grid<Dim, ExecutionSpace>& grid,
  const SurfaceSources& surface, std::int64_t first, const CellArray<double, ExecutionSpace>& times,
  const CellArray<std::int32_t, ExecutionSpace>& labels) {
  SPANWISE_REGION("Eikonal::labelAtSurface");
  parallel::agree(grid.communicator(), [&] {
    if (surface.count > 0) {
      typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
      forEach(SPANWISE_KERNEL("label surface"), IndexRange<ExecutionSpace>(context.space(), 0, grid.owned().count()),
        LabelAround<Dim>{makeAround<ExecutionSpace, Dim>(context.space(), grid, surface, frame), grid.owned().begin,
          first, times.data(), labels.data()});
    }
  });
}

#define SPANWISE_GRID_SURFACE(Space, Dim)                                                                              \
  template std::int64_t startAtSurface<Space, Dim>(                                                                    \
    const Context<Space>&, const Grid<Dim, Space>&, const SurfaceSources&, const CellArray<double, Space>&);           \
  template void labelAtSurface<Space, Dim>(const Context<Space>&, const Grid<Dim, Space>&, const SurfaceSources&,      \
    std::int64_t, const CellArray<double, Space>&, const CellArray<std::int32_t, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_SURFACE)

} // namespace spanwise::eikonal
