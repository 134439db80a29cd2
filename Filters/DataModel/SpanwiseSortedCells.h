#ifndef SpanwiseSortedCells_h
#define SpanwiseSortedCells_h

// Sets of cells that come in their order. Internal to this library.

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Geometry/Detail/SetTotals.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <cstdint>
#include <vector>

namespace spanwise {

namespace detail {

/// Counts the rows and intervals that begin with a cell, and writes them on the last pass of a scan.
template <int Dim, class CellAt>
struct ScanSortedCells {
  using value_type = SetTotals;
  CellAt cellAt;
  WritableIntervalSet<Dim> out;

  void operator()(std::int64_t k, SetTotals& before) const { (*this)(k, before, false); }
  void operator()(std::int64_t k, SetTotals& before, bool last) const {
    const Cell<Dim> cell = cellAt(k);
    const Cell<Dim> left = k > 0 ? cellAt(k - 1) : cell;
    const bool beginsRow = k == 0 || !(left.row() == cell.row());
    const bool beginsInterval = beginsRow || left.x() != cell.x() - 1;
    if (last && beginsRow) {
      out.rowKeys[before.rows] = cell.row();
      out.rowOffsets[before.rows] = before.intervals;
    }
    if (last && beginsInterval) {
      out.intervals[before.intervals].begin = cell.x();
      out.cellOffsets[before.intervals] = k;
      if (k > 0) {
        out.intervals[before.intervals - 1].end = left.x() + 1;
      }
    }
    before += {beginsRow ? 1 : 0, beginsInterval ? 1 : 0, 1};
  }
};

} // namespace detail

/// The set of the cells cellAt(0) ... cellAt(count - 1), which ascend. Cell k of the set is cellAt(k). O(count).
template <int Dim, class CellAt>
HostIntervalSet<Dim> setOfSortedCells(std::int64_t count, const CellAt& cellAt) {
  HostIntervalSet<Dim> set;
  if (count == 0) {
    return set;
  }
  const detail::Range<HostExecutionSpace> range(HostExecutionSpace(), 0, count);
  using Scan = detail::ScanSortedCells<Dim, CellAt>;
  detail::SetTotals total;
  reduce(SPANWISE_KERNEL("count runs"), range, Scan{cellAt, {}}, total);
  const WritableIntervalSet<Dim> out = set.prepare(total.rows, total.intervals);
  scan(SPANWISE_KERNEL("fill runs"), range, Scan{cellAt, out}, total);
  out.rowOffsets[total.rows] = total.intervals;
  out.cellOffsets[total.intervals] = count;
  out.intervals[total.intervals - 1].end = cellAt(count - 1).x() + 1;
  set.finish(total.rows, total.intervals, count);
  return set;
}

/// The numbers k of 0 ... count - 1 for which keep(k) is true, ascending. O(count), keep() is called twice.
template <class Keep>
std::vector<std::int64_t> numbersWhere(std::int64_t count, const Keep& keep) {
  const detail::Range<HostExecutionSpace> range(HostExecutionSpace(), 0, count);
  std::int64_t total = 0;
  reduce(
    SPANWISE_KERNEL("count kept"), range, [&](std::int64_t k, std::int64_t& sum) { sum += keep(k) ? 1 : 0; }, total);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(total));
  std::int64_t* const out = numbers.data();
  scan(
    SPANWISE_KERNEL("list kept"), range,
    [&](std::int64_t k, std::int64_t& before, bool last) {
      const bool kept = keep(k);
      if (last && kept) {
        out[before] = k;
      }
      before += kept ? 1 : 0;
    },
    total);
  return numbers;
}

} // namespace spanwise

#endif
