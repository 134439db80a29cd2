#include "Core/Solvers/Eikonal/GridPaths.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/ByRank.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Solvers/Eikonal/Detail/GridTracer.hpp"
#include "Core/Solvers/Eikonal/Detail/PathRounds.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace spanwise::eikonal {

namespace {

using detail::PathRequest;

/// The heads of paths at their starts.
template <int Dim>
struct BeginPaths {
  const GridPlace<Dim>* starts;
  GridHead<Dim>* heads;

  KOKKOS_FUNCTION void operator()(std::int64_t path) const {
    GridHead<Dim> head;
    for (int axis = 0; axis < Dim; ++axis) {
      head.at[axis] = starts[path].at[axis];
    }
    heads[path] = head;
  }
};

/// Hands paths to the ranks whose cells they are in.
template <class ExecutionSpace, int Dim>
class ToOwners {
public:
  using Request = PathRequest<GridHead<Dim>>;

  explicit ToOwners(const Grid<Dim, ExecutionSpace>& grid) : grid_(grid), cut_(grid.domain().cut()) {}

  /// Collective. Those of all ranks that are here.
  [[nodiscard]] std::vector<Request> operator()(const std::vector<Request>& requests) const {
    const Communicator& communicator = grid_.communicator();
    std::vector<int> owners;
    owners.reserve(requests.size());
    for (const Request& request : requests) {
      owners.push_back(ownerOf(request.head));
    }
    return parallel::exchanged(communicator, parallel::sortedByRank(requests, owners, communicator.size())).values;
  }

private:
  /// The rank whose planes a place is in; this one where there is no such plane.
  [[nodiscard]] int ownerOf(const GridHead<Dim>& place) const {
    constexpr int axis = Dim - 1;
    const GridView<Dim>& view = grid_.view();
    const double at = std::floor((place.at[axis] - view.lattice.origin[axis]) / view.lattice.spacing[axis]);
    if (!(std::abs(at) < 1e10)) { // beyond all coordinates, and a number of 64 bits
      return grid_.communicator().rank();
    }
    auto plane = static_cast<std::int64_t>(at);
    if (view.periods.along[axis]) {
      const std::int64_t length = view.periods.box.extent(axis);
      const std::int64_t past = (plane - view.periods.box.begin[axis]) % length;
      plane = view.periods.box.begin[axis] + (past < 0 ? past + length : past);
    }
    return cut_.owner(plane);
  }

  const Grid<Dim, ExecutionSpace>& grid_;
  parallel::RowCut cut_;
};

} // namespace

template <class ExecutionSpace, int Dim>
void tracePaths(const Context<ExecutionSpace>& context, const Grid<Dim, ExecutionSpace>& grid,
  const CellArray<const double, ExecutionSpace>& times, const CellArray<const double, ExecutionSpace>& gradient,
  const CellArray<const std::int32_t, ExecutionSpace>& origins,
  const Kokkos::View<const GridPlace<Dim>*, typename ExecutionSpace::memory_space>& starts, double step,
  const SurfaceSources& surface, GridPaths<Dim, typename ExecutionSpace::memory_space>& paths) {
  SPANWISE_REGION("Eikonal::tracePaths");
  const ExecutionSpace& space = context.space();
  const auto numPaths = static_cast<std::int64_t>(starts.extent(0));
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  GridTracer<Dim> tracer{};
  typename Workspace<typename ExecutionSpace::memory_space>::template Array<GridHead<Dim>> heads;
  parallel::agree(grid.communicator(), [&] {
    tracer = makeTracer<ExecutionSpace, Dim>(space, grid, times, gradient, origins, step, surface, frame);
    heads = frame.template array<GridHead<Dim>>(numPaths);
    forEach(SPANWISE_KERNEL("begin paths"), IndexRange<ExecutionSpace>(space, 0, numPaths),
      BeginPaths<Dim>{starts.data(), heads.data()});
  });
  const ToOwners<ExecutionSpace, Dim> toOwners(grid);
  detail::tracePaths(context, grid.communicator(), tracer, heads, toOwners, toOwners, paths);
}

#define SPANWISE_TRACE_PATHS(Space, Dim)                                                                               \
  template void tracePaths<Space, Dim>(const Context<Space>&, const Grid<Dim, Space>&,                                 \
    const CellArray<const double, Space>&, const CellArray<const double, Space>&,                                      \
    const CellArray<const std::int32_t, Space>&, const Kokkos::View<const GridPlace<Dim>*, Space::memory_space>&,      \
    double, const SurfaceSources&, GridPaths<Dim, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_TRACE_PATHS)

} // namespace spanwise::eikonal
