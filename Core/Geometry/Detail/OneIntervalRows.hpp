#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Workspace.hpp"

namespace spanwise::geometry::detail {

// A set with at most one interval in each row, such as a convex region has. `Rows` says what the rows are: a functor
// with RowKey<Dim> key(std::int64_t r) const, in order, and Interval intervalOf(const RowKey<Dim>&) const, empty where
// the row has none.

template <int Dim, class Rows>
struct CountOneIntervalRows {
  using value_type = SetTotals;
  Rows rows;
  Interval* intervals; ///< [rows]

  KOKKOS_FUNCTION void operator()(std::int64_t r, SetTotals& totals) const {
    const Interval interval = rows.intervalOf(rows.key(r));
    intervals[r] = interval;
    if (interval.end > interval.begin) {
      totals += {1, 1, static_cast<std::int64_t>(interval.end) - interval.begin};
    }
  }
};

template <int Dim, class Rows>
struct FillOneIntervalRows {
  using value_type = SetTotals;
  Rows rows;
  const Interval* intervals; ///< [rows]
  SetTotals all;
  WritableIntervalSet<Dim> out;

  KOKKOS_FUNCTION void operator()(std::int64_t r, SetTotals& before, bool final) const {
    const Interval interval = intervals[r];
    if (interval.end <= interval.begin) {
      return;
    }
    if (final) {
      out.rowKeys[before.rows] = rows.key(r);
      out.rowOffsets[before.rows] = before.rows;
      out.intervals[before.rows] = interval;
      out.cellOffsets[before.rows] = before.cells;
      if (before.rows + 1 == all.rows) {
        out.rowOffsets[all.rows] = all.intervals;
        out.cellOffsets[all.intervals] = all.cells;
      }
    }
    before += {1, 1, static_cast<std::int64_t>(interval.end) - interval.begin};
  }
};

/// Makes the set. `prepare(totals)` gives the arrays for so many rows, intervals and cells; it is not called if there
/// are none. O(rows). Does not wait for the arrays.
template <int Dim, class Space, class Rows, class Prepare>
SetTotals makeOneIntervalRows(
  const Context<Space>& context, const Rows& rows, std::int64_t numRows, const Prepare& prepare) {
  typename Workspace<typename Space::memory_space>::Frame frame(context.workspace());
  Interval* const intervals = frame.template array<Interval>(numRows).data();
  const IndexRange<Space> overRows(context.space(), 0, numRows);
  SetTotals all;
  reduce(SPANWISE_KERNEL("count rows"), overRows, CountOneIntervalRows<Dim, Rows>{rows, intervals}, all);
  if (all.rows > 0) {
    const WritableIntervalSet<Dim> out = prepare(all);
    scan(SPANWISE_KERNEL("fill rows"), overRows, FillOneIntervalRows<Dim, Rows>{rows, intervals, all, out});
  }
  return all;
}

} // namespace spanwise::geometry::detail
