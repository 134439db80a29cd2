#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Search.hpp"

namespace spanwise::geometry::detail {

// Toggles are cells, in any order, at which a row changes between outside and inside: the cell (x, row) stands for all
// cells from x on. Each row has an even number of them. Two toggles at one cell cancel. Sorted and cancelled, they are
// the intervals' ends.

/// Interval i lies between the toggles 2 i and 2 i + 1.
template <int Dim>
struct IntervalsOfToggles {
  using value_type = SetTotals;
  const Cell<Dim>* toggles;
  std::int64_t count; ///< of intervals
  WritableIntervalSet<Dim> out;

  KOKKOS_FUNCTION SetTotals totalsOf(std::int64_t i) const {
    const Cell<Dim>* const ends = toggles + 2 * i;
    const bool newRow = i == 0 || !(ends[-1].row() == ends[0].row());
    return {static_cast<std::int64_t>(newRow), 1, static_cast<std::int64_t>(ends[1].x()) - ends[0].x()};
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i, SetTotals& totals) const { totals += totalsOf(i); }
  KOKKOS_FUNCTION void operator()(std::int64_t i, SetTotals& before, bool final) const {
    const SetTotals here = totalsOf(i);
    if (final) {
      if (here.rows != 0) {
        out.rowKeys[before.rows] = toggles[2 * i].row();
        out.rowOffsets[before.rows] = i;
      }
      out.intervals[i] = {toggles[2 * i].x(), toggles[2 * i + 1].x()};
      out.cellOffsets[i] = before.cells;
      if (i == count - 1) {
        out.rowOffsets[before.rows + here.rows] = count;
        out.cellOffsets[count] = before.cells + here.cells;
      }
    }
    before += here;
  }
};

/// One of the toggles at a cell is kept if their number is odd, and none if it is even.
template <int Dim>
struct CancelToggles {
  const Cell<Dim>* sorted;
  std::int64_t count;
  Cell<Dim>* kept;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& place, bool final) const {
    const bool lastHere = i + 1 == count || !(sorted[i + 1] == sorted[i]);
    if (lastHere && (i - firstOfEqual(sorted, i, Ascending())) % 2 == 0) {
      if (final) {
        kept[place] = sorted[i];
      }
      ++place;
    }
  }
};

/// out = the set whose intervals lie between the toggles. Overwrites `toggles` and `scratch`, which has as many
/// entries. O(n log n).
template <class ExecutionSpace, int Dim>
void makeFromToggles(const ExecutionSpace& space, Cell<Dim>* toggles, Cell<Dim>* scratch, std::int64_t count,
  IntervalSetOn<Dim, ExecutionSpace>& out, const Progress& progress) {
  Cell<Dim>* const sorted = sortStably(space, toggles, scratch, count, Ascending());
  Cell<Dim>* const kept = sorted == toggles ? scratch : toggles;
  std::int64_t numKept = 0;
  scan(SPANWISE_KERNEL("cancel toggles"), IndexRange<ExecutionSpace>(space, 0, count),
    CancelToggles<Dim>{sorted, count, kept}, numKept);
  progress.report(0.8);

  const std::int64_t numIntervals = numKept / 2;
  const IndexRange<ExecutionSpace> overIntervals(space, 0, numIntervals);
  SetTotals totals;
  reduce(SPANWISE_KERNEL("count intervals"), overIntervals, IntervalsOfToggles<Dim>{kept, numIntervals, {}}, totals);
  progress.report(1.0);
  if (numIntervals > 0) {
    const WritableIntervalSet<Dim> arrays = out.prepare(totals.rows, numIntervals);
    scan(SPANWISE_KERNEL("fill intervals"), overIntervals, IntervalsOfToggles<Dim>{kept, numIntervals, arrays});
    out.finish({totals.rows, numIntervals, totals.cells});
  }
}

} // namespace spanwise::geometry::detail
