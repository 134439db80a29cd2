#include "Core/Geometry/Builders/Runs.hpp"

#include "Core/Geometry/SetTotals.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/MergeSort.hpp"

namespace spanwise::geometry {

namespace {

/// A run by where it begins, and which one it is.
template <int Dim>
struct NumberedRun {
  Cell<Dim> first;
  std::int64_t number;

  friend KOKKOS_FUNCTION bool operator<(const NumberedRun& a, const NumberedRun& b) { return a.first < b.first; }
};

/// What begins with each run of a sorted list.
template <int Dim>
struct SortedRuns {
  using value_type = SetTotals;
  const NumberedRun<Dim>* sorted;
  const RowRun<Dim>* runs;
  std::int64_t count;
  std::int64_t* places;
  WritableIntervalSet<Dim> out;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t endOf(std::int64_t k) const {
    return std::int64_t{sorted[k].first.x()} + runs[sorted[k].number].count;
  }
  [[nodiscard]] KOKKOS_FUNCTION SetTotals beginAt(std::int64_t k) const {
    const bool newRow = k == 0 || !(sorted[k - 1].first.row() == sorted[k].first.row());
    const bool newInterval = newRow || endOf(k - 1) < sorted[k].first.x();
    return {static_cast<std::int64_t>(newRow), static_cast<std::int64_t>(newInterval), runs[sorted[k].number].count};
  }
  KOKKOS_FUNCTION void operator()(std::int64_t k, SetTotals& totals) const { totals += beginAt(k); }
  KOKKOS_FUNCTION void operator()(std::int64_t k, SetTotals& before, bool final) const {
    const SetTotals here = beginAt(k);
    if (final) {
      places[sorted[k].number] = before.cells;
      if (here.rows != 0) {
        out.rowKeys[before.rows] = sorted[k].first.row();
        out.rowOffsets[before.rows] = before.intervals;
      }
      if (here.intervals != 0) {
        out.intervals[before.intervals].begin = sorted[k].first.x();
        out.cellOffsets[before.intervals] = before.cells;
        if (k > 0) {
          out.intervals[before.intervals - 1].end = static_cast<Coordinate>(endOf(k - 1));
        }
      }
    }
    before += here;
    if (final && k + 1 == count) {
      out.intervals[before.intervals - 1].end = static_cast<Coordinate>(endOf(k));
      out.rowOffsets[before.rows] = before.intervals;
      out.cellOffsets[before.intervals] = before.cells;
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void makeFromRuns(const Context<ExecutionSpace>& context,
  const Kokkos::View<const RowRun<Dim>*, typename ExecutionSpace::memory_space>& runs,
  IntervalSetOn<Dim, ExecutionSpace>& out,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& places) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Geometry::makeFromRuns");
  out.clear();
  const auto count = static_cast<std::int64_t>(runs.extent(0));
  if (count == 0) {
    return;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const IndexRange<ExecutionSpace> overRuns(space, 0, count);
  auto* const numbered = frame.template array<NumberedRun<Dim>>(count).data();
  std::int64_t firstWrong = 0;
  const RowRun<Dim>* const given = runs.data();
  reduceMin(
    SPANWISE_KERNEL("number runs"), overRuns,
    KOKKOS_LAMBDA(std::int64_t k, std::int64_t& first) {
      const RowRun<Dim> run = given[k];
      numbered[k] = {run.first, k};
      bool right = run.count > 0 && run.count <= std::int64_t{maxIntervalEnd} - run.first.x();
      for (int d = 1; d < Dim; ++d) {
        right = right && isCellCoordinate(run.first.at[d]);
      }
      if (!right) {
        first = Kokkos::min(first, k);
      }
    },
    firstWrong);
  if (firstWrong < count) {
    const RowRun<Dim> run = fetch(space, given, firstWrong);
    throw InvalidArgument("run " + std::to_string(firstWrong) + " has " + std::to_string(run.count) +
      " cells from x = " + std::to_string(run.first.x()) + ", " + toString(run.first.row()) +
      "; it must have some, within the coordinate limits [-2^31, 2^31 - 2]");
  }
  const NumberedRun<Dim>* const sorted =
    sortStably(space, numbered, frame.template array<NumberedRun<Dim>>(count).data(), count, Ascending());
  SortedRuns<Dim> sortedRuns{sorted, given, count, places.data(), {}};
  std::int64_t firstInTwo = 0;
  reduceMin(
    SPANWISE_KERNEL("find overlap"), overRuns,
    KOKKOS_LAMBDA(std::int64_t k, std::int64_t& first) {
      if (k > 0 && sortedRuns.sorted[k - 1].first.row() == sortedRuns.sorted[k].first.row() &&
        sortedRuns.endOf(k - 1) > sortedRuns.sorted[k].first.x()) {
        first = Kokkos::min(first, k);
      }
    },
    firstInTwo);
  if (firstInTwo < count) {
    const Cell<Dim> cell = fetch(space, sorted, firstInTwo).first;
    throw InvalidArgument("the cell x = " + std::to_string(cell.x()) + ", " + toString(cell.row()) +
      ", is in two runs; every cell may be in one");
  }
  SetTotals totals;
  reduce(SPANWISE_KERNEL("count runs"), overRuns, sortedRuns, totals);
  sortedRuns.out = out.prepare(totals.rows, totals.intervals);
  scan(SPANWISE_KERNEL("fill runs"), overRuns, sortedRuns);
  out.finish(totals);
}

#define SPANWISE_MAKE_FROM_RUNS(Space, Dim)                                                                            \
  template void makeFromRuns<Space, Dim>(const Context<Space>&,                                                        \
    const Kokkos::View<const RowRun<Dim>*, Space::memory_space>&, IntervalSetOn<Dim, Space>&,                          \
    const Kokkos::View<std::int64_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MAKE_FROM_RUNS)

} // namespace spanwise::geometry
