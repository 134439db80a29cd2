#pragma once

#include "Core/Geometry/Detail/MergeRows.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Workspace.hpp"

namespace spanwise::geometry::detail {

// Set algebra of any two storages whose rows have cursors (RowCursor.hpp): count, scan, fill over pairs of rows.

/// Rows of A and B with one key, or -1 for none.
struct RowsOfKey {
  std::int64_t a;
  std::int64_t b;
};

template <int Dim, class SetA, class SetB>
struct ByRowsPlan {
  SetA a;
  SetB b;
  unsigned truthTable;
  RowsOfKey* pairs;  ///< [rows of A and B together] a row of B with the key of one of A makes a pair of none
  SetTotals* before; ///< [pairs + 1]
  WritableIntervalSet<Dim> out;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t numPairs() const { return a.numRows + b.numRows; }
  /// Merges the rows of pair p.
  template <class Sink>
  KOKKOS_FUNCTION void merge(std::int64_t p, Sink& sink) const {
    const RowsOfKey pair = pairs[p];
    const IntervalRow none(nullptr, 0);
    if (pair.a >= 0 && pair.b >= 0) {
      mergeRows(truthTable, a.row(pair.a).cursor(), b.row(pair.b).cursor(), sink);
    } else if (pair.a >= 0) {
      mergeRows(truthTable, a.row(pair.a).cursor(), none.cursor(), sink);
    } else if (pair.b >= 0) {
      mergeRows(truthTable, none.cursor(), b.row(pair.b).cursor(), sink);
    }
  }
};

/// Finds the pairs. Index r < rows of A: a row of A; the others: rows of B. A pair's place is the number of rows before
/// it, A's before those of B with the same key.
template <class Space, int Dim, class SetA, class SetB>
void pairByKey(const Space& space, const ByRowsPlan<Dim, SetA, SetB>& plan) {
  forEach(
    SPANWISE_KERNEL("pair rows"), IndexRange<Space>(space, 0, plan.numPairs()), KOKKOS_LAMBDA(std::int64_t index) {
      if (index < plan.a.numRows) {
        const std::int64_t other = plan.b.lowerRow(plan.a.rowKeys[index]);
        const bool meets = other < plan.b.numRows && plan.b.rowKeys[other] == plan.a.rowKeys[index];
        plan.pairs[index + other] = {index, meets ? other : -1};
      } else {
        const std::int64_t row = index - plan.a.numRows;
        const std::int64_t other = plan.a.lowerRow(plan.b.rowKeys[row]);
        const bool meets = other < plan.a.numRows && plan.a.rowKeys[other] == plan.b.rowKeys[row];
        plan.pairs[row + other + (meets ? 1 : 0)] = {-1, meets ? -1 : row};
      }
    });
}

/// Counts the endpoints of a row, and its cells.
class RowCounter {
public:
  KOKKOS_FUNCTION void put(Coordinate position, unsigned changes) {
    if (changes != 0) {
      cells_ += endpoints_ % 2 == 0 ? -std::int64_t{position} : std::int64_t{position};
      ++endpoints_;
    }
  }
  [[nodiscard]] KOKKOS_FUNCTION SetTotals totals() const {
    return {static_cast<std::int64_t>(endpoints_ > 0), endpoints_ / 2, cells_};
  }

private:
  std::int64_t endpoints_ = 0;
  std::int64_t cells_ = 0; ///< less the begin of an interval that is not complete yet
};

template <class Space, int Dim, class SetA, class SetB>
SetTotals countByRows(const Space& space, const ByRowsPlan<Dim, SetA, SetB>& plan) {
  forEach(
    SPANWISE_KERNEL("count rows"), IndexRange<Space>(space, 0, plan.numPairs()), KOKKOS_LAMBDA(std::int64_t p) {
      RowCounter counter;
      plan.merge(p, counter);
      plan.before[p] = counter.totals();
    });
  return exclusiveScan(space, SPANWISE_KERNEL("scan rows"), plan.before, plan.numPairs());
}

/// Writes the intervals of a row.
template <int Dim>
class RowPlacer {
public:
  KOKKOS_FUNCTION RowPlacer(const WritableIntervalSet<Dim>& out, const SetTotals& start)
    : out_(out), interval_(start.intervals), cells_(start.cells) {}
  KOKKOS_FUNCTION void put(Coordinate position, unsigned changes) {
    if (changes == 0) {
      return;
    }
    if (isBegin_) {
      out_.intervals[interval_].begin = position;
      out_.cellOffsets[interval_] = cells_;
      cells_ -= position;
    } else {
      out_.intervals[interval_].end = position;
      cells_ += position;
      ++interval_;
    }
    isBegin_ = !isBegin_;
  }

private:
  const WritableIntervalSet<Dim>& out_;
  std::int64_t interval_;
  std::int64_t cells_;
  bool isBegin_ = true;
};

template <class Space, int Dim, class SetA, class SetB>
void placeByRows(const Space& space, const ByRowsPlan<Dim, SetA, SetB>& plan) {
  forEach(
    SPANWISE_KERNEL("place rows"), IndexRange<Space>(space, 0, plan.numPairs()), KOKKOS_LAMBDA(std::int64_t p) {
      const SetTotals& start = plan.before[p];
      const SetTotals& end = plan.before[p + 1];
      if (end.rows > start.rows) {
        const RowsOfKey pair = plan.pairs[p];
        plan.out.rowKeys[start.rows] = pair.a >= 0 ? plan.a.rowKeys[pair.a] : plan.b.rowKeys[pair.b];
        plan.out.rowOffsets[start.rows] = start.intervals;
        RowPlacer<Dim> placer(plan.out, start);
        plan.merge(p, placer);
      }
      if (p + 1 == plan.numPairs()) {
        plan.out.rowOffsets[end.rows] = end.intervals;
        plan.out.cellOffsets[end.intervals] = end.cells;
      }
    });
}

/// A op B for the views of two sets, in arrays that makeTarget(rows, intervals) gives. Waits for the totals.
template <class Space, int Dim, class SetA, class SetB, class MakeTarget>
SetTotals combineByRows(
  const Context<Space>& context, unsigned truthTable, const SetA& a, const SetB& b, const MakeTarget& makeTarget) {
  const Space& space = context.space();

  if (a.numRows + b.numRows == 0) {
    return {};
  }
  typename Workspace<typename Space::memory_space>::Frame frame(context.workspace());
  ByRowsPlan<Dim, SetA, SetB> plan{a, b, truthTable, nullptr, nullptr, {}};
  plan.pairs = frame.template array<RowsOfKey>(plan.numPairs()).data();
  plan.before = frame.template array<SetTotals>(plan.numPairs() + 1).data();
  pairByKey(space, plan);
  const SetTotals sum = countByRows(space, plan);
  if (sum.rows > 0) {
    plan.out = makeTarget(sum.rows, sum.intervals);
    placeByRows(space, plan);
  }
  return sum;
}

} // namespace spanwise::geometry::detail
