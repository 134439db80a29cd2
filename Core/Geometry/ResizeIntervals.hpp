#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Workspace.hpp"

namespace spanwise::geometry::detail {

// Every interval [begin, end) becomes [begin + beginMove, end + endMove). Where intervals grow, those that come to
// overlap or touch join; where they shrink, those that come to nothing vanish, and rows with them. One thread an
// interval, so that a few long rows keep as many threads busy as many short ones.

template <int Dim>
struct ResizePlan {
  IntervalSetView<Dim> from;
  std::int64_t beginMove;
  std::int64_t endMove;
  /// [intervals + 1] first 1 where an interval of the result begins with this one; then how many do before this one
  std::int64_t* begun;
  WritableIntervalSet<Dim> out;

  [[nodiscard]] KOKKOS_FUNCTION bool grows() const { return endMove > beginMove; }
  // Not beyond the limits of coordinates.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t newBegin(std::int64_t i) const {
    return Kokkos::max<std::int64_t>(from.intervals[i].begin + beginMove, minCoordinate);
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t newEnd(std::int64_t i) const {
    return Kokkos::min<std::int64_t>(from.intervals[i].end + endMove, maxIntervalEnd);
  }
};

template <int Dim>
struct MarkBegun {
  ResizePlan<Dim> plan;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    plan.begun[i] = static_cast<std::int64_t>(
      plan.grows() ? i == 0 || plan.newBegin(i) > plan.newEnd(i - 1) : plan.newBegin(i) < plan.newEnd(i));
  }
};

template <int Dim>
struct MarkRowStart {
  ResizePlan<Dim> plan;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const { plan.begun[plan.from.rowOffsets[r]] = 1; }
};

template <int Dim>
struct PlaceResizedInterval {
  ResizePlan<Dim> plan;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const bool begins = plan.begun[i + 1] > plan.begun[i];
    const bool nextBegins = i + 1 == plan.from.numIntervals || plan.begun[i + 2] > plan.begun[i + 1];
    Interval* const here = plan.out.intervals + plan.begun[i + 1] - 1;
    if (begins) {
      here->begin = static_cast<Coordinate>(plan.newBegin(i));
    }
    if (plan.grows() ? nextBegins : begins) {
      here->end = static_cast<Coordinate>(plan.newEnd(i));
    }
  }
};

template <int Dim>
struct PlaceResizedRows {
  ResizePlan<Dim> plan;
  KOKKOS_FUNCTION void operator()(std::int64_t r, std::int64_t& row, bool final) const {
    const std::int64_t begin = plan.begun[plan.from.rowOffsets[r]];
    const std::int64_t end = plan.begun[plan.from.rowOffsets[r + 1]];
    if (end > begin) {
      if (final) {
        plan.out.rowKeys[row] = plan.from.rowKeys[r];
        plan.out.rowOffsets[row] = begin;
      }
      ++row;
    }
    if (final && r == plan.from.numRows - 1) {
      plan.out.rowOffsets[row] = end;
    }
  }
};

template <int Dim>
struct SumResizedCells {
  ResizePlan<Dim> plan;
  std::int64_t numIntervals;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, bool final) const {
    if (final) {
      plan.out.cellOffsets[i] = sum;
    }
    if (i < numIntervals) {
      sum += static_cast<std::int64_t>(plan.out.intervals[i].end) - plan.out.intervals[i].begin;
    }
  }
};

/// Makes the result of a plan in which it is marked where intervals of the result begin. Waits for the totals.
template <class Space, int Dim>
SetTotals placeBegun(const Space& space, const ResizePlan<Dim>& plan) {
  const IndexRange<Space> overRows(space, 0, plan.from.numRows);
  SetTotals totals;
  totals.intervals = exclusiveScan(space, SPANWISE_KERNEL("scan begun"), plan.begun, plan.from.numIntervals);
  forEach(SPANWISE_KERNEL("place resized"), IndexRange<Space>(space, 0, plan.from.numIntervals),
    PlaceResizedInterval<Dim>{plan});
  scan(SPANWISE_KERNEL("place rows"), overRows, PlaceResizedRows<Dim>{plan}, totals.rows);
  scan(SPANWISE_KERNEL("sum cells"), IndexRange<Space>(space, 0, totals.intervals + 1),
    SumResizedCells<Dim>{plan, totals.intervals}, totals.cells);
  return totals;
}

/// Moves the begins of all intervals by `beginMove` and their ends by `endMove`, into arrays with room for as many rows
/// and intervals as `from` has. What shrinks or only moves is cut off at the limits of coordinates; what grows must
/// stay within them. O(rows + intervals). Waits for the totals.
template <class Space, int Dim>
SetTotals resizeIntervals(const Context<Space>& context, const IntervalSetView<Dim>& from, std::int64_t beginMove,
  std::int64_t endMove, const WritableIntervalSet<Dim>& target) {
  const Space& space = context.space();

  if (from.numIntervals == 0) {
    return {};
  }
  typename Workspace<typename Space::memory_space>::Frame frame(context.workspace());
  ResizePlan<Dim> plan{};
  plan.from = from;
  plan.beginMove = beginMove;
  plan.endMove = endMove;
  plan.begun = frame.template array<std::int64_t>(from.numIntervals + 1).data();
  plan.out = target;
  // as if all intervals were in one row
  forEach(SPANWISE_KERNEL("mark begun"), IndexRange<Space>(space, 0, from.numIntervals), MarkBegun<Dim>{plan});
  if (plan.grows()) {
    // no interval joins one of the row before
    forEach(SPANWISE_KERNEL("mark row starts"), IndexRange<Space>(space, 0, from.numRows), MarkRowStart<Dim>{plan});
  }
  return placeBegun(space, plan);
}

} // namespace spanwise::geometry::detail
