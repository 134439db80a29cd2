#pragma once

#include "Core/Geometry/ResizeIntervals.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Scan.hpp"

namespace spanwise::multilevel::detail {

// The cells of a set whose ancestors, so many levels coarser, are in another set. The coarse set is never refined for
// it: that would be as large as the whole domain at the finer level.

template <int Dim>
struct ClipPlan {
  geometry::IntervalSetView<Dim> set;
  geometry::IntervalSetView<Dim> ancestors;
  int levels;           ///< between the two
  std::int64_t* pieces; ///< [intervals + 1] that each interval leaves; then those of the intervals before
  geometry::Interval* out;

  /// Calls visit(ancestor interval) for each that covers a part of interval i of a row.
  template <class Visit>
  KOKKOS_FUNCTION void forEachPiece(std::int64_t row, std::int64_t i, const Visit& visit) const {
    const geometry::RowKey<Dim> key = set.rowKeys[row];
    const std::int64_t above = ancestors.findRow(geometry::RowKey<Dim>::fromYZ(key.y >> levels, key.zOr0() >> levels));
    if (above < 0) {
      return;
    }
    const geometry::Interval interval = set.intervals[i];
    for (std::int64_t a = ancestors.lowerInterval(above, interval.begin >> levels);
      a < ancestors.rowOffsets[above + 1] && fine(ancestors.intervals[a].begin) < interval.end; ++a) {
      visit(geometry::Interval{static_cast<geometry::Coordinate>(
                                 Kokkos::max<std::int64_t>(interval.begin, fine(ancestors.intervals[a].begin))),
        static_cast<geometry::Coordinate>(Kokkos::min<std::int64_t>(interval.end, fine(ancestors.intervals[a].end)))});
    }
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t fine(geometry::Coordinate c) const {
    return std::int64_t{c} * (std::int64_t{1} << levels);
  }
};

template <int Dim>
struct CountPieces {
  ClipPlan<Dim> plan;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t i) const {
    std::int64_t count = 0;
    plan.forEachPiece(row, i, [&](const geometry::Interval& /*piece*/) { ++count; });
    plan.pieces[i] = count;
  }
};

template <int Dim>
struct PlacePieces {
  ClipPlan<Dim> plan;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t i) const {
    geometry::Interval* next = plan.out + plan.pieces[i];
    plan.forEachPiece(row, i, [&](const geometry::Interval& piece) { *next++ = piece; });
  }
};

template <class Space, int Dim>
void countPieces(const Space& space, const ClipPlan<Dim>& plan) {
  forEachPart(space, SPANWISE_KERNEL("count pieces"), plan.set.rowOffsets, plan.set.numRows, plan.set.numIntervals,
    CountPieces<Dim>{plan});
}

template <class Space, int Dim>
void placePieces(const Space& space, const ClipPlan<Dim>& plan) {
  forEachPart(space, SPANWISE_KERNEL("place pieces"), plan.set.rowOffsets, plan.set.numRows, plan.set.numIntervals,
    PlacePieces<Dim>{plan});
}

/// Writes the cells of `set` with ancestors in `ancestors` into the arrays that makeTarget(rows, intervals) gives.
/// O(intervals log rows of the ancestors + pieces). Waits for the totals.
template <class Space, int Dim, class MakeTarget>
geometry::SetTotals clipToAncestors(const Space& space, const geometry::IntervalSetView<Dim>& set,
  const geometry::IntervalSetView<Dim>& ancestors, int levels,
  typename Workspace<typename Space::memory_space>::Frame& frame, const MakeTarget& makeTarget) {
  if (set.numRows == 0) {
    return {};
  }
  ClipPlan<Dim> plan{set, ancestors, levels, frame.template array<std::int64_t>(set.numIntervals + 1).data(), nullptr};
  countPieces(space, plan);
  geometry::SetTotals totals;
  totals.intervals = exclusiveScan(space, SPANWISE_KERNEL("scan pieces"), plan.pieces, set.numIntervals);
  if (totals.intervals == 0) {
    return {};
  }
  geometry::detail::ResizePlan<Dim> rows{};
  rows.from = set;
  rows.begun = plan.pieces;
  rows.out = makeTarget(set.numRows, totals.intervals);
  plan.out = rows.out.intervals;
  placePieces(space, plan);
  scan(SPANWISE_KERNEL("place rows"), IndexRange<Space>(space, 0, set.numRows),
    geometry::detail::PlaceResizedRows<Dim>{rows}, totals.rows);
  scan(SPANWISE_KERNEL("sum cells"), IndexRange<Space>(space, 0, totals.intervals + 1),
    geometry::detail::SumResizedCells<Dim>{rows, totals.intervals}, totals.cells);
  return totals;
}

/// out = the cells of `set` with ancestors in `ancestors`. `out` shares nothing with the set.
template <class Space, int Dim>
void clipToAncestors(const Context<Space>& context, const geometry::IntervalSetOn<Dim, Space>& set,
  const geometry::IntervalSetOn<Dim, Space>& ancestors, int levels, geometry::IntervalSetOn<Dim, Space>& out) {
  out.clear();
  typename Workspace<typename Space::memory_space>::Frame frame(context.workspace());
  const geometry::SetTotals totals = clipToAncestors<Space, Dim>(context.space(), set.view(), ancestors.view(), levels,
    frame, [&](std::int64_t rows, std::int64_t intervals) { return out.prepare(rows, intervals); });
  out.finish(totals);
}

} // namespace spanwise::multilevel::detail
