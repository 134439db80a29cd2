#include "Core/Parallel/Slab.hpp"

#include "Core/Geometry/Detail/Range.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise {

namespace {

using detail::Range;

// The first row at or after a plane. Planes beyond the coordinates are before or after all rows.
template <int Dim>
KOKKOS_FUNCTION std::int64_t lowerRowOfPlane(const IntervalSetView<Dim>& set, std::int64_t plane) {
  std::int64_t low = 0;
  std::int64_t high = set.numRows;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (planeOf(set.rowKeys[middle]) < plane) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

template <int Dim, class MemorySpace>
struct FindSlab {
  IntervalSetView<Dim> set;
  PlaneRange planes;
  Kokkos::View<Slab, MemorySpace> slab;

  KOKKOS_FUNCTION void operator()(std::int64_t /*one*/) const {
    Slab found;
    found.firstRow = lowerRowOfPlane(set, planes.begin);
    found.endRow = planes.end <= planes.begin ? found.firstRow : lowerRowOfPlane(set, planes.end);
    found.firstInterval = set.rowOffsets[found.firstRow];
    found.endInterval = set.rowOffsets[found.endRow];
    found.firstCell = set.cellOffsets[found.firstInterval];
    found.endCell = set.cellOffsets[found.endInterval];
    slab() = found;
  }
};

template <int Dim>
struct CopyRows {
  IntervalSetView<Dim> from;
  WritableIntervalSet<Dim> to;
  Slab slab;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    const std::int64_t source = slab.firstRow + r;
    if (source < slab.endRow) {
      to.rowKeys[r] = from.rowKeys[source];
    }
    to.rowOffsets[r] = from.rowOffsets[source] - slab.firstInterval;
  }
};

template <int Dim>
struct CopyIntervals {
  IntervalSetView<Dim> from;
  WritableIntervalSet<Dim> to;
  Slab slab;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t source = slab.firstInterval + i;
    if (source < slab.endInterval) {
      to.intervals[i] = from.intervals[source];
    }
    to.cellOffsets[i] = from.cellOffsets[source] - slab.firstCell;
  }
};

template <int Dim, class MemorySpace>
struct CountPlanes {
  IntervalSetView<Dim> set;
  std::int64_t first;
  std::int64_t width;
  Kokkos::View<std::int64_t*, MemorySpace> cells;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    const std::int64_t count = set.cellOffsets[set.rowOffsets[r + 1]] - set.cellOffsets[set.rowOffsets[r]];
    Kokkos::atomic_add(&cells((planeOf(set.rowKeys[r]) - first) / width), count);
  }
};

template <int Dim, class MemorySpace>
struct FirstAndLastPlane {
  IntervalSetView<Dim> set;
  Kokkos::View<std::int64_t[2], MemorySpace> planes;
  KOKKOS_FUNCTION void operator()(std::int64_t /*one*/) const {
    planes(0) = planeOf(set.rowKeys[0]);
    planes(1) = planeOf(set.rowKeys[set.numRows - 1]);
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
Slab slabOf(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set, const PlaneRange& planes) {
  if (set.empty()) {
    return {};
  }
  SPANWISE_REGION("Parallel::slabOf");
  using Memory = typename ExecutionSpace::memory_space;
  Kokkos::View<Slab, Memory> slab(Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Parallel::slab")));
  Kokkos::parallel_for(
    SPANWISE_KERNEL("find slab"), Range<ExecutionSpace>(space, 0, 1), FindSlab<Dim, Memory>{set.view(), planes, slab});
  Slab result;
  Kokkos::deep_copy(
    space, Kokkos::View<Slab, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(&result), slab);
  space.fence(SPANWISE_LABEL("Parallel::slabOf"));
  return result;
}

template <class ExecutionSpace, int Dim>
void restrictRows(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set, const PlaneRange& planes,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Parallel::restrictRows");
  const Slab slab = slabOf<ExecutionSpace, Dim>(space, set, planes);
  if (slab.numCells() == 0) {
    out = IntervalSetOn<Dim, ExecutionSpace>();
    return;
  }
  const IntervalSetOn<Dim, ExecutionSpace> from = set; // keeps the arrays alive where `out` is `set`
  const std::int64_t rows = slab.endRow - slab.firstRow;
  const std::int64_t intervals = slab.endInterval - slab.firstInterval;
  const WritableIntervalSet<Dim> to = out.prepare(rows, intervals);
  Kokkos::parallel_for(
    SPANWISE_KERNEL("copy rows"), Range<ExecutionSpace>(space, 0, rows + 1), CopyRows<Dim>{from.view(), to, slab});
  Kokkos::parallel_for(SPANWISE_KERNEL("copy intervals"), Range<ExecutionSpace>(space, 0, intervals + 1),
    CopyIntervals<Dim>{from.view(), to, slab});
  space.fence(SPANWISE_LABEL("Parallel::restrictRows")); // `from` may hold the last reference
  out.finish(rows, intervals, slab.numCells());
}

template <class ExecutionSpace, int Dim>
PlaneRange planesOf(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set) {
  if (set.empty()) {
    return {0, 0};
  }
  SPANWISE_REGION("Parallel::planesOf");
  using Memory = typename ExecutionSpace::memory_space;
  Kokkos::View<std::int64_t[2], Memory> planes(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Parallel::planes")));
  Kokkos::parallel_for(SPANWISE_KERNEL("find planes"), Range<ExecutionSpace>(space, 0, 1),
    FirstAndLastPlane<Dim, Memory>{set.view(), planes});
  std::int64_t ends[2];
  Kokkos::deep_copy(
    space, Kokkos::View<std::int64_t[2], Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(ends), planes);
  space.fence(SPANWISE_LABEL("Parallel::planesOf"));
  return {ends[0], ends[1] + 1};
}

template <class ExecutionSpace, int Dim>
void countPlanes(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set, PlaneCounts& counts) {
  SPANWISE_REGION("Parallel::countPlanes");
  using Memory = typename ExecutionSpace::memory_space;
  Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> onHost(
    counts.cells.data(), counts.cells.size());
  Kokkos::View<std::int64_t*, Memory> cells(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Parallel::planeCounts")), counts.cells.size());
  Kokkos::deep_copy(space, cells, onHost);
  Kokkos::parallel_for(SPANWISE_KERNEL("count planes"), Range<ExecutionSpace>(space, 0, set.numRows()),
    CountPlanes<Dim, Memory>{set.view(), counts.first, counts.width, cells});
  Kokkos::deep_copy(space, onHost, cells);
  space.fence(SPANWISE_LABEL("Parallel::countPlanes"));
}

#define SPANWISE_SLAB(Space, Dim)                                                                                      \
  template Slab slabOf<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&, const PlaneRange&);                 \
  template void restrictRows<Space, Dim>(                                                                              \
    const Space&, const IntervalSetOn<Dim, Space>&, const PlaneRange&, IntervalSetOn<Dim, Space>&);                    \
  template PlaneRange planesOf<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&);                            \
  template void countPlanes<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&, PlaneCounts&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_SLAB)

} // namespace spanwise
