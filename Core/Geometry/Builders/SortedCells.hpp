#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"

namespace spanwise::geometry {

namespace detail {

/// Runs of sorted cells, in which a cell may stand several times.
template <int Dim, class CellAt>
struct RunsOfCells {
  using value_type = SetTotals;
  CellAt cellAt;
  std::int64_t count;
  WritableIntervalSet<Dim> out;

  /// What begins with cell k, which follows `left`.
  [[nodiscard]] KOKKOS_FUNCTION static SetTotals beginAt(std::int64_t k, const Cell<Dim>& left, const Cell<Dim>& cell) {
    const bool newRow = k == 0 || !(left.row() == cell.row());
    const std::int64_t step = static_cast<std::int64_t>(cell.x()) - left.x();
    return {static_cast<std::int64_t>(newRow), static_cast<std::int64_t>(newRow || step > 1),
      static_cast<std::int64_t>(newRow || step > 0)};
  }

  KOKKOS_FUNCTION void operator()(std::int64_t k, SetTotals& totals) const {
    totals += beginAt(k, cellAt(k > 0 ? k - 1 : 0), cellAt(k));
  }
  KOKKOS_FUNCTION void operator()(std::int64_t k, SetTotals& before, bool final) const {
    const Cell<Dim> cell = cellAt(k);
    const Cell<Dim> left = cellAt(k > 0 ? k - 1 : 0);
    const SetTotals here = beginAt(k, left, cell);
    if (final) {
      if (here.rows != 0) {
        out.rowKeys[before.rows] = cell.row();
        out.rowOffsets[before.rows] = before.intervals;
      }
      if (here.intervals != 0) {
        out.intervals[before.intervals].begin = cell.x();
        out.cellOffsets[before.intervals] = before.cells;
        if (k > 0) {
          out.intervals[before.intervals - 1].end = left.x() + 1;
        }
      }
    }
    before += here;
    if (final && k + 1 == count) {
      out.intervals[before.intervals - 1].end = cell.x() + 1;
      out.rowOffsets[before.rows] = before.intervals;
      out.cellOffsets[before.intervals] = before.cells;
    }
  }
};

} // namespace detail

/// out = the set of the cells cellAt(0), ... cellAt(count - 1), which must not descend and be within the coordinate
/// limits of cells; neither is checked. A cell may stand several times in a row. `CellAt` is a functor that a kernel of
/// `ExecutionSpace` can call: Cell<Dim> operator()(std::int64_t) const. It is called up to six times for each cell, so
/// it must be pure. If no cell stands there twice, cell k of the set is cellAt(k). O(count); allocates nothing if `out`
/// has the memory.
template <class ExecutionSpace, int Dim, class CellAt>
void makeFromSortedCells(const Context<ExecutionSpace>& context, std::int64_t count, const CellAt& cellAt,
  IntervalSet<Dim, typename ExecutionSpace::memory_space>& out) {
  SPANWISE_REGION("Geometry::makeFromSortedCells");
  out.clear();
  if (count == 0) {
    return;
  }
  using Runs = detail::RunsOfCells<Dim, CellAt>;
  const IndexRange<ExecutionSpace> overCells(context.space(), 0, count);
  SetTotals totals;
  reduce(SPANWISE_KERNEL("count runs"), overCells, Runs{cellAt, count, {}}, totals);
  const WritableIntervalSet<Dim> arrays = out.prepare(totals.rows, totals.intervals);
  scan(SPANWISE_KERNEL("fill runs"), overCells, Runs{cellAt, count, arrays});
  out.finish(totals);
}

} // namespace spanwise::geometry
