#include "Core/Geometry/CommonCells.hpp"

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise {

namespace {

using detail::Range;

// Calls write(k, run) for the k-th run of cells that row `row` of `a` shares with `b`; returns how many there are.
template <int Dim, class Write>
KOKKOS_FUNCTION std::int64_t forRunsOfRow(
  const IntervalSetView<Dim>& a, const IntervalSetView<Dim>& b, std::int64_t row, const Write& write) {
  const std::int64_t other = b.findRow(a.rowKeys[row]);
  if (other < 0) {
    return 0;
  }
  std::int64_t runs = 0;
  std::int64_t i = a.rowOffsets[row];
  std::int64_t j = b.lowerInterval(other, a.intervals[i].begin);
  while (i < a.rowOffsets[row + 1] && j < b.rowOffsets[other + 1]) {
    const Interval p = a.intervals[i];
    const Interval q = b.intervals[j];
    const std::int64_t begin = Kokkos::max(p.begin, q.begin);
    const std::int64_t end = Kokkos::min(p.end, q.end);
    if (begin < end) {
      write(runs, CellRun{a.cellOffsets[i] + (begin - p.begin), b.cellOffsets[j] + (begin - q.begin), end - begin});
      ++runs;
    }
    i += static_cast<std::int64_t>(p.end <= q.end);
    j += static_cast<std::int64_t>(q.end <= p.end);
  }
  return runs;
}

struct WriteNothing {
  KOKKOS_FUNCTION void operator()(std::int64_t /*k*/, const CellRun& /*run*/) const {}
};

struct WriteRun {
  CellRun* runs;
  KOKKOS_FUNCTION void operator()(std::int64_t k, const CellRun& run) const { runs[k] = run; }
};

// A scan over the rows of `a`: first[r] = the runs of the rows before r.
template <int Dim, class MemorySpace>
struct CountRuns {
  IntervalSetView<Dim> a;
  IntervalSetView<Dim> b;
  Kokkos::View<std::int64_t*, MemorySpace> first;

  KOKKOS_FUNCTION void operator()(std::int64_t r, std::int64_t& sum, bool last) const {
    if (last) {
      first(r) = sum;
    }
    sum += forRunsOfRow(a, b, r, WriteNothing());
  }
};

template <int Dim, class MemorySpace>
struct FillRuns {
  IntervalSetView<Dim> a;
  IntervalSetView<Dim> b;
  Kokkos::View<std::int64_t*, MemorySpace> first;
  CellRun* runs;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const { forRunsOfRow(a, b, r, WriteRun{runs + first(r)}); }
};

} // namespace

template <class ExecutionSpace, int Dim>
Kokkos::View<CellRun*, typename ExecutionSpace::memory_space> commonCells(const ExecutionSpace& space,
  const IntervalSetOn<Dim, ExecutionSpace>& a, const IntervalSetOn<Dim, ExecutionSpace>& b) {
  SPANWISE_REGION("Geometry::commonCells");
  using Memory = typename ExecutionSpace::memory_space;
  Kokkos::View<std::int64_t*, Memory> first(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::firstRuns")),
    static_cast<std::size_t>(a.numRows()));
  std::int64_t count = 0;
  scan(SPANWISE_KERNEL("count runs"), Range<ExecutionSpace>(space, 0, a.numRows()),
    CountRuns<Dim, Memory>{a.view(), b.view(), first}, count);
  Kokkos::View<CellRun*, Memory> runs(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::cellRuns")),
    static_cast<std::size_t>(count));
  Kokkos::parallel_for(SPANWISE_KERNEL("fill runs"), Range<ExecutionSpace>(space, 0, a.numRows()),
    FillRuns<Dim, Memory>{a.view(), b.view(), first, runs.data()});
  space.fence(SPANWISE_LABEL("Geometry::commonCells"));
  return runs;
}

#define SPANWISE_COMMON_CELLS(Space, Dim)                                                                              \
  template Kokkos::View<CellRun*, Space::memory_space> commonCells<Space, Dim>(                                        \
    const Space&, const IntervalSetOn<Dim, Space>&, const IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_COMMON_CELLS)

} // namespace spanwise
