#include "Core/Geometry/Slab.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Sharing.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::geometry {

namespace {

// The first row at or after a plane. Planes beyond the coordinates are before or after all rows.
template <int Dim>
KOKKOS_FUNCTION std::int64_t lowerRowOfPlane(const IntervalSetView<Dim>& set, std::int64_t plane) {
  if (plane > Kokkos::Experimental::finite_max_v<Coordinate>) {
    return set.numRows;
  }
  const auto within = static_cast<Coordinate>(Kokkos::max<std::int64_t>(plane, minCoordinate));
  return set.lowerRow(RowKey<Dim>::fromYZ(Dim == 2 ? within : minCoordinate, within));
}

// A reduction over one index, which gives the one result to the host.
template <int Dim>
struct FindSlab {
  using value_type = Slab;
  IntervalSetView<Dim> set;
  parallel::PlaneRange planes;

  KOKKOS_FUNCTION void init(Slab& slab) const { slab = {}; }
  KOKKOS_FUNCTION void join(Slab& slab, const Slab& other) const {
    if (other.endRow > slab.endRow) {
      slab = other;
    }
  }
  KOKKOS_FUNCTION void operator()(std::int64_t /*one*/, Slab& slab) const {
    slab.firstRow = lowerRowOfPlane(set, planes.begin);
    slab.endRow = planes.end <= planes.begin ? slab.firstRow : lowerRowOfPlane(set, planes.end);
    slab.firstInterval = set.rowOffsets[slab.firstRow];
    slab.endInterval = set.rowOffsets[slab.endRow];
    slab.firstCell = set.cellOffsets[slab.firstInterval];
    slab.endCell = set.cellOffsets[slab.endInterval];
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
Slab slabOf(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const parallel::PlaneRange& planes) {
  if (set.empty()) {
    return {};
  }
  SPANWISE_REGION("Geometry::slabOf");
  Slab slab;
  reduce(SPANWISE_KERNEL("find slab"), IndexRange<ExecutionSpace>(context.space(), 0, 1),
    FindSlab<Dim>{set.view(), planes}, slab);
  return slab;
}

template <class ExecutionSpace, int Dim>
void restrictRows(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const parallel::PlaneRange& planes, IntervalSetOn<Dim, ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Geometry::restrictRows");
  const Slab slab = slabOf<ExecutionSpace, Dim>(context, set, planes);
  if (slab.numCells() == 0) {
    out.clear();
    return;
  }
  const auto kept = sharing(set);
  const IntervalSetView<Dim> from = kept.view();
  const std::int64_t rows = slab.endRow - slab.firstRow;
  const std::int64_t intervals = slab.endInterval - slab.firstInterval;
  const WritableIntervalSet<Dim> to = out.prepare(rows, intervals);
  forEach(
    SPANWISE_KERNEL("copy rows"), IndexRange<ExecutionSpace>(space, 0, rows + 1), KOKKOS_LAMBDA(std::int64_t r) {
      const std::int64_t source = slab.firstRow + r;
      if (source < slab.endRow) {
        to.rowKeys[r] = from.rowKeys[source];
      }
      to.rowOffsets[r] = from.rowOffsets[source] - slab.firstInterval;
    });
  forEach(
    SPANWISE_KERNEL("copy intervals"), IndexRange<ExecutionSpace>(space, 0, intervals + 1),
    KOKKOS_LAMBDA(std::int64_t i) {
      const std::int64_t source = slab.firstInterval + i;
      if (source < slab.endInterval) {
        to.intervals[i] = from.intervals[source];
      }
      to.cellOffsets[i] = from.cellOffsets[source] - slab.firstCell;
    });
  space.fence(SPANWISE_LABEL("Geometry::restrictRows")); // `kept` may hold the last reference
  out.finish({rows, intervals, slab.numCells()});
}

template <class ExecutionSpace, int Dim>
parallel::PlaneRange planesOf(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set) {
  const ExecutionSpace& space = context.space();

  if (set.empty()) {
    return {0, 0};
  }
  SPANWISE_REGION("Geometry::planesOf");
  const RowKey<Dim>* const keys = set.view().rowKeys;
  const std::int64_t first = planeOf(fetch(space, keys, 0));
  return {first, planeOf(fetch(space, keys, set.numRows() - 1)) + 1};
}

template <class ExecutionSpace, int Dim>
void countPlanes(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  parallel::PlaneCounts& counts) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Geometry::countPlanes");
  using Memory = typename ExecutionSpace::memory_space;
  Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> onHost(
    counts.cells.data(), counts.cells.size());
  Kokkos::View<std::int64_t*, Memory> cells(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::planeCounts")), counts.cells.size());
  Kokkos::deep_copy(space, cells, onHost);
  const IntervalSetView<Dim> view = set.view();
  const std::int64_t first = counts.first;
  const std::int64_t width = counts.width;
  forEach(
    SPANWISE_KERNEL("count planes"), IndexRange<ExecutionSpace>(space, 0, set.numRows()),
    KOKKOS_LAMBDA(std::int64_t r) {
      const std::int64_t count = view.cellOffsets[view.rowOffsets[r + 1]] - view.cellOffsets[view.rowOffsets[r]];
      Kokkos::atomic_add(&cells((planeOf(view.rowKeys[r]) - first) / width), count);
    });
  Kokkos::deep_copy(space, onHost, cells);
  space.fence(SPANWISE_LABEL("Geometry::countPlanes"));
}

#define SPANWISE_SLAB(Space, Dim)                                                                                      \
  template Slab slabOf<Space, Dim>(                                                                                    \
    const Context<Space>&, const IntervalSetOn<Dim, Space>&, const parallel::PlaneRange&);                             \
  template void restrictRows<Space, Dim>(                                                                              \
    const Context<Space>&, const IntervalSetOn<Dim, Space>&, const parallel::PlaneRange&, IntervalSetOn<Dim, Space>&); \
  template parallel::PlaneRange planesOf<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&);         \
  template void countPlanes<Space, Dim>(                                                                               \
    const Context<Space>&, const IntervalSetOn<Dim, Space>&, parallel::PlaneCounts&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_SLAB)

} // namespace spanwise::geometry
