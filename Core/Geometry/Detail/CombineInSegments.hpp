#pragma once

#include "Core/Geometry/Detail/MergeRows.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/KernelResult.hpp"
#include "Core/Runtime/Search.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <algorithm>

namespace spanwise::geometry::detail {

// Set algebra for devices: count, scan, fill over segments of equal length of the merged endpoints of all rows, so that
// a few long rows keep as many threads busy as many short ones. Where a segment begins in A and in B is found by a
// binary search over rows, then along a diagonal of the merge (Odeh, Green, Mwassi, Shmueli, Birk: Merge Path, IPDPS
// Workshops 2012); whether the segment begins inside A or B is the parity of the endpoints before it.

/// Segments are long enough that searching for their ends does not matter, and short enough that there are many.
inline constexpr std::int64_t maxEndpointsPerSegment = 16;
inline constexpr std::int64_t minEndpointsPerSegment = 4;
inline constexpr std::int64_t wantedSegments = 1 << 17;

/// A row of the merge: the row of A and of B with one key, or -1 for none.
struct RowPair {
  std::int64_t a;
  std::int64_t b;
};

/// What the segments before one have in the output.
struct SegmentTotals {
  std::int64_t endpoints = 0;
  std::int64_t cells = 0; ///< less the begin of the interval that is not complete yet

  KOKKOS_FUNCTION SegmentTotals& operator+=(const SegmentTotals& other) {
    endpoints += other.endpoints;
    cells += other.cells;
    return *this;
  }
};

template <int Dim>
struct MergePlan {
  IntervalSetView<Dim> a;
  IntervalSetView<Dim> b;
  unsigned truthTable;
  /// Rows of A and B together: a row of B with the key of one of A makes a pair {-1, -1}, behind the one of both.
  std::int64_t numPairs;
  std::int64_t numEndpoints;
  std::int64_t endpointsPerSegment;
  std::int64_t numSegments;
  RowPair* pairs;              ///< [numPairs]
  std::int64_t* firstMerged;   ///< [numPairs + 1] how many endpoints of A and B are in the pairs before
  std::int64_t* firstEndpoint; ///< [numPairs + 1] how many endpoints of the output are
  SegmentTotals* before;       ///< [numSegments]
  SetTotals* totals;           ///< of the output
  WritableIntervalSet<Dim> out;

  KOKKOS_FUNCTION static std::int64_t endpointsBefore(const IntervalSetView<Dim>& set, std::int64_t row) {
    return 2 * (row < set.numRows ? set.rowOffsets[row] : set.numIntervals);
  }
  KOKKOS_FUNCTION static IntervalRow rowOf(const IntervalSetView<Dim>& set, std::int64_t row) {
    return row < 0 ? IntervalRow(nullptr, 0) : set.row(row);
  }
};

/// Index r < rows of A: a row of A; the others: rows of B. A pair's place is the number of rows before it, A's before
/// those of B with the same key. Rows that were moved past the limits have a key that no row may have, all of them the
/// same: of such rows the first of A and of B make a pair.
template <int Dim>
struct PairRows {
  MergePlan<Dim> plan;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const bool ofA = index < plan.a.numRows;
    const IntervalSetView<Dim>& own = ofA ? plan.a : plan.b;
    const IntervalSetView<Dim>& other = ofA ? plan.b : plan.a;
    const std::int64_t row = ofA ? index : index - plan.a.numRows;
    const RowKey<Dim> key = own.rowKeys[row];
    std::int64_t lower = other.lowerRow(key);
    const bool hasPartner = lower < other.numRows && other.rowKeys[lower] == key;
    const bool isPaired = hasPartner && (row == 0 || !(own.rowKeys[row - 1] == key));
    if (ofA) {
      put(row + lower, {row, isPaired ? lower : -1}, row, lower + (hasPartner && !isPaired ? 1 : 0));
    } else {
      while (lower < other.numRows && other.rowKeys[lower] == key) {
        ++lower;
      }
      put(row + lower, {-1, isPaired ? -1 : row}, lower, row + (isPaired ? 1 : 0));
    }
    if (index == 0) {
      plan.firstMerged[plan.numPairs] = plan.numEndpoints;
      plan.firstEndpoint[0] = 0;
    }
  }

private:
  KOKKOS_FUNCTION void put(std::int64_t place, const RowPair& pair, std::int64_t rowsOfA, std::int64_t rowsOfB) const {
    plan.pairs[place] = pair;
    plan.firstMerged[place] = plan.endpointsBefore(plan.a, rowsOfA) + plan.endpointsBefore(plan.b, rowsOfB);
  }
};

/// How many endpoints of A are among the first `diagonal` merged endpoints. Endpoints of A go before equal ones of B;
/// an equal pair is never parted, so one endpoint more of B may belong to them: the second number.
KOKKOS_INLINE_FUNCTION RowPair splitMerge(const IntervalRow& a, const IntervalRow& b, std::int64_t diagonal) {
  std::int64_t low = Kokkos::max<std::int64_t>(0, diagonal - b.size());
  std::int64_t high = Kokkos::min(diagonal, a.size());
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (a.endpoint(middle) <= b.endpoint(diagonal - middle - 1)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  std::int64_t fromB = diagonal - low;
  if (low > 0 && fromB < b.size() && b.endpoint(fromB) == a.endpoint(low - 1)) {
    ++fromB;
  }
  return {low, fromB};
}

/// Merges a segment, row by row. Tells the sink with beginInside() whether the segment begins inside the output, and
/// with endRow(p) that the pairs before p are complete.
template <int Dim, class Sink>
KOKKOS_INLINE_FUNCTION void mergeSegment(const MergePlan<Dim>& plan, std::int64_t segment, Sink& sink) {
  std::int64_t next = segment * plan.endpointsPerSegment;
  const std::int64_t end = Kokkos::min(next + plan.endpointsPerSegment, plan.numEndpoints);
  std::int64_t pair = firstAbove(plan.firstMerged, 1, plan.numPairs, next) - 1;
  bool isFirst = true;
  while (pair < plan.numPairs) {
    const std::int64_t begin = plan.firstMerged[pair];
    const std::int64_t pairEnd = plan.firstMerged[pair + 1];
    if (next < pairEnd) {
      const IntervalRow a = plan.rowOf(plan.a, plan.pairs[pair].a);
      const IntervalRow b = plan.rowOf(plan.b, plan.pairs[pair].b);
      const RowPair first = next == begin ? RowPair{0, 0} : splitMerge(a, b, next - begin);
      const RowPair last = pairEnd <= end ? RowPair{a.size(), b.size()} : splitMerge(a, b, end - begin);
      if (isFirst) {
        sink.beginInside(
          holds(plan.truthTable, static_cast<unsigned>(first.a & 1), static_cast<unsigned>(first.b & 1)) != 0);
        isFirst = false;
      }
      mergeRows(plan.truthTable, a.cursor(first.a, last.a), b.cursor(first.b, last.b), sink);
      next = pairEnd;
    }
    if (pairEnd > end) {
      return;
    }
    ++pair;
    sink.endRow(pair);
  }
}

/// Counts the endpoints and cells of a segment.
class SegmentCounter {
public:
  KOKKOS_FUNCTION void beginInside(bool inside) { sign_ = inside ? 1 : -1; }
  KOKKOS_FUNCTION void put(Coordinate position, unsigned changes) {
    if (changes != 0) {
      ++totals_.endpoints;
      totals_.cells += sign_ * position;
      sign_ = -sign_;
    }
  }
  KOKKOS_FUNCTION void endRow(std::int64_t /*pair*/) {}
  [[nodiscard]] KOKKOS_FUNCTION const SegmentTotals& totals() const { return totals_; }

private:
  SegmentTotals totals_;
  std::int64_t sign_ = -1;
};

/// Writes the endpoints of a segment, the cell offsets, and where rows begin.
template <class Plan>
class SegmentPlacer {
public:
  KOKKOS_FUNCTION SegmentPlacer(const Plan& plan, const SegmentTotals& before)
    : plan_(plan), endpoint_(before.endpoints), cells_(before.cells) {}

  KOKKOS_FUNCTION void beginInside(bool /*inside*/) {}
  KOKKOS_FUNCTION void put(Coordinate position, unsigned changes) {
    if (changes == 0) {
      return;
    }
    const std::int64_t interval = endpoint_ / 2;
    if (endpoint_ % 2 == 0) {
      plan_.out.intervals[interval].begin = position;
      plan_.out.cellOffsets[interval] = cells_;
      cells_ -= position;
    } else {
      plan_.out.intervals[interval].end = position;
      cells_ += position;
    }
    ++endpoint_;
  }
  KOKKOS_FUNCTION void endRow(std::int64_t pair) { plan_.firstEndpoint[pair] = endpoint_; }

private:
  const Plan& plan_;
  std::int64_t endpoint_;
  std::int64_t cells_;
};

template <int Dim>
struct CountMergedEnds {
  MergePlan<Dim> plan;

  KOKKOS_FUNCTION void operator()(std::int64_t segment) const {
    SegmentCounter counter;
    mergeSegment(plan, segment, counter);
    plan.before[segment] = counter.totals();
  }
};

template <int Dim>
struct PlaceMergedEnds {
  MergePlan<Dim> plan;

  KOKKOS_FUNCTION void operator()(std::int64_t segment) const {
    SegmentPlacer<MergePlan<Dim>> placer(plan, plan.before[segment]);
    mergeSegment(plan, segment, placer);
  }
};

/// Turns the counts of segments into those of the segments before.
template <int Dim>
struct ScanEndpoints {
  using value_type = SegmentTotals;
  MergePlan<Dim> plan;

  KOKKOS_FUNCTION void operator()(std::int64_t segment, SegmentTotals& sum, bool final) const {
    const SegmentTotals here = plan.before[segment];
    if (final) {
      plan.before[segment] = sum;
    }
    sum += here;
    if (final && segment == plan.numSegments - 1) {
      plan.totals->intervals = sum.endpoints / 2;
      plan.totals->cells = sum.cells;
      plan.out.cellOffsets[sum.endpoints / 2] = sum.cells;
    }
  }
};

template <int Dim>
struct PlaceRows {
  using value_type = std::int64_t;
  MergePlan<Dim> plan;
  KOKKOS_FUNCTION void operator()(std::int64_t p, std::int64_t& row, bool final) const {
    const std::int64_t begin = plan.firstEndpoint[p] / 2;
    const std::int64_t end = plan.firstEndpoint[p + 1] / 2;
    if (end > begin) {
      if (final) {
        const RowPair pair = plan.pairs[p];
        plan.out.rowKeys[row] = pair.a >= 0 ? plan.a.rowKeys[pair.a] : plan.b.rowKeys[pair.b];
        plan.out.rowOffsets[row] = begin;
      }
      ++row;
    }
    if (final && p == plan.numPairs - 1) {
      plan.out.rowOffsets[row] = end;
      plan.totals->rows = row;
    }
  }
};

/// As combineOnHost(), on any space.
template <class Space, int Dim>
SetTotals combineInSegments(const Context<Space>& context, unsigned truthTable, const IntervalSetView<Dim>& a,
  const IntervalSetView<Dim>& b, const WritableIntervalSet<Dim>& target) {
  const Space& space = context.space();

  if (a.numIntervals + b.numIntervals == 0) {
    return {};
  }
  MergePlan<Dim> plan{};
  using Memory = typename Space::memory_space;
  typename Workspace<Memory>::Frame frame(context.workspace());
  plan.a = a;
  plan.b = b;
  plan.truthTable = truthTable;
  plan.numPairs = a.numRows + b.numRows;
  plan.numEndpoints = 2 * (a.numIntervals + b.numIntervals);
  plan.endpointsPerSegment =
    std::clamp(plan.numEndpoints / wantedSegments, minEndpointsPerSegment, maxEndpointsPerSegment);
  plan.numSegments = (plan.numEndpoints + plan.endpointsPerSegment - 1) / plan.endpointsPerSegment;
  plan.pairs = frame.template array<RowPair>(plan.numPairs).data();
  plan.firstMerged = frame.template array<std::int64_t>(plan.numPairs + 1).data();
  plan.firstEndpoint = frame.template array<std::int64_t>(plan.numPairs + 1).data();
  plan.before = frame.template array<SegmentTotals>(plan.numSegments).data();
  KernelResult<Space, SetTotals> totals;
  plan.totals = totals.data();
  plan.out = target;

  const IndexRange<Space> overPairs(space, 0, plan.numPairs);
  const IndexRange<Space> overSegments(space, 0, plan.numSegments);
  forEach(SPANWISE_KERNEL("pair rows"), overPairs, PairRows<Dim>{plan});
  forEach(SPANWISE_KERNEL("count ends"), overSegments, CountMergedEnds<Dim>{plan});
  scan(SPANWISE_KERNEL("scan ends"), overSegments, ScanEndpoints<Dim>{plan});
  forEach(SPANWISE_KERNEL("place ends"), overSegments, PlaceMergedEnds<Dim>{plan});
  scan(SPANWISE_KERNEL("place rows"), overPairs, PlaceRows<Dim>{plan});

  space.fence(SPANWISE_LABEL("Geometry::combine counts"));
  return totals.value();
}

} // namespace spanwise::geometry::detail
