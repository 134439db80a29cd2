#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Reduce.hpp"

namespace spanwise::geometry::detail {

/// Copies of a period along an axis, as far as they lie in a window. Copy 0 is the period itself, which lies within the
/// window as a whole; the last copies on both sides may lie there in part.
struct Copies {
  int axis;
  std::int64_t begin; ///< of the period
  std::int64_t extent;
  std::int64_t first; ///< of the window
  std::int64_t last;

  /// The numbers of the first and the last of them.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t lowest() const { return -((begin - first + extent - 1) / extent); }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t highest() const { return (last - begin + extent - 1) / extent - 1; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t count() const { return highest() - lowest() + 1; }
  /// The coordinates in the period from which on the lowest copy lies in the window, and up to which the highest does.
  [[nodiscard]] KOKKOS_FUNCTION Coordinate firstOfLowest() const {
    return static_cast<Coordinate>(first - lowest() * extent);
  }
  [[nodiscard]] KOKKOS_FUNCTION Coordinate endOfHighest() const {
    return static_cast<Coordinate>(last - highest() * extent);
  }
  /// Whether a coordinate of the period is seen in copy k.
  [[nodiscard]] KOKKOS_FUNCTION bool has(std::int64_t k, Coordinate c) const {
    return first <= c + k * extent && c + k * extent < last;
  }
};

/// Where the copies of a row, or of an interval, are written: the lowest one (before the arrays, where the window does
/// not show it), and what lies between a copy and the next.
struct CopyPlace {
  SetTotals lowest;
  SetTotals step;
};

/// The coordinate of a row along y or z.
template <int Dim>
KOKKOS_FUNCTION Coordinate coordinateOf(const RowKey<Dim>& key, int axis) {
  return axis == 1 ? key.y : key.zOr0();
}

template <int Dim>
KOKKOS_FUNCTION RowKey<Dim> withCoordinate(const RowKey<Dim>& key, int axis, Coordinate c) {
  return axis == 1 ? RowKey<Dim>::fromYZ(c, key.zOr0()) : RowKey<Dim>::fromYZ(key.y, c);
}

/// Copies of rows, along y or z. Rows that differ along the axis alone, and along slower ones not at all, are a group:
/// its copies follow each other.
template <int Dim>
struct RepeatedRows {
  Copies copies;
  IntervalSetView<Dim> from;

  /// What the window shows of all copies of a row.
  [[nodiscard]] KOKKOS_FUNCTION SetTotals seen(std::int64_t r) const {
    const Coordinate c = coordinateOf(from.rowKeys[r], copies.axis);
    const std::int64_t count = copies.count() - static_cast<std::int64_t>(c < copies.firstOfLowest()) -
      static_cast<std::int64_t>(c >= copies.endOfHighest());
    const std::int64_t begin = from.rowOffsets[r];
    const std::int64_t end = from.rowOffsets[r + 1];
    return {count, count * (end - begin), count * (from.cellOffsets[end] - from.cellOffsets[begin])};
  }

  [[nodiscard]] KOKKOS_FUNCTION CopyPlace place(std::int64_t r, const SetTotals* before) const {
    const RowKey<Dim> key = from.rowKeys[r];
    const bool whole = copies.axis == Dim - 1;
    const std::int64_t begin = whole ? 0 : from.lowerRow(withCoordinate(key, 1, minCoordinate));
    const std::int64_t end = whole ? from.numRows : from.lowerRow(RowKey<Dim>::fromYZ(minCoordinate, key.zOr0() + 1));
    const std::int64_t firstSeen = from.lowerRow(firstSeenKey(key, whole));
    CopyPlace place{before[begin], between(begin, end)};
    const SetTotals unseen = between(begin, firstSeen);
    const SetTotals here = between(begin, r);
    place.lowest += {here.rows - unseen.rows, here.intervals - unseen.intervals, here.cells - unseen.cells};
    return place;
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION RowKey<Dim> firstSeenKey(const RowKey<Dim>& key, bool whole) const {
    const RowKey<Dim> there = withCoordinate(key, copies.axis, copies.firstOfLowest());
    return whole && Dim == 3 ? withCoordinate(there, 1, minCoordinate) : there;
  }

  [[nodiscard]] KOKKOS_FUNCTION SetTotals between(std::int64_t begin, std::int64_t end) const {
    const std::int64_t first = from.rowOffsets[begin];
    const std::int64_t last = from.rowOffsets[end];
    return {end - begin, last - first, from.cellOffsets[last] - from.cellOffsets[first]};
  }
};

/// Copies of the intervals of each row, along x. Where a row has both ends of the period, a copy and the next join.
template <int Dim>
struct RepeatedIntervals {
  Copies copies;
  IntervalSetView<Dim> from;

  [[nodiscard]] KOKKOS_FUNCTION bool joins(std::int64_t r) const {
    return from.intervals[from.rowOffsets[r]].begin == copies.begin &&
      from.intervals[from.rowOffsets[r + 1] - 1].end == copies.begin + copies.extent;
  }

  [[nodiscard]] KOKKOS_FUNCTION SetTotals seen(std::int64_t r) const {
    const SetTotals unseen = below(r, copies.firstOfLowest(), false);
    const SetTotals upToEnd = below(r, copies.endOfHighest(), true);
    const SetTotals step = stepOf(r);
    const std::int64_t steps = copies.count() - 1;
    return {1, step.intervals * steps + upToEnd.intervals - unseen.intervals,
      step.cells * steps + upToEnd.cells - unseen.cells};
  }

  [[nodiscard]] KOKKOS_FUNCTION CopyPlace place(std::int64_t r, const SetTotals* before) const {
    CopyPlace place{before[r], stepOf(r)};
    const SetTotals unseen = below(r, copies.firstOfLowest(), false);
    place.lowest += {0, -unseen.intervals, -unseen.cells};
    return place;
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION SetTotals stepOf(std::int64_t r) const {
    const std::int64_t begin = from.rowOffsets[r];
    const std::int64_t end = from.rowOffsets[r + 1];
    return {0, end - begin - static_cast<std::int64_t>(joins(r)), from.cellOffsets[end] - from.cellOffsets[begin]};
  }

  /// The intervals and cells of a row below x; an interval that goes on counts where it is asked for.
  [[nodiscard]] KOKKOS_FUNCTION SetTotals below(std::int64_t r, Coordinate x, bool withCut) const {
    const std::int64_t begin = from.rowOffsets[r];
    const std::int64_t i = from.lowerInterval(r, x);
    SetTotals sum{0, i - begin, from.cellOffsets[i] - from.cellOffsets[begin]};
    if (i < from.rowOffsets[r + 1] && from.intervals[i].begin < x) {
      sum.intervals += static_cast<std::int64_t>(withCut);
      sum.cells += static_cast<std::int64_t>(x) - from.intervals[i].begin;
    }
    return sum;
  }
};

/// before[r] = what is seen of all copies of the rows before r. Returns what is seen of all. Waits.
template <class Space, class Repeated>
SetTotals countCopies(const Space& space, const Repeated& repeated, SetTotals* before) {
  SetTotals totals;
  scan(
    SPANWISE_KERNEL("count copies"), IndexRange<Space>(space, 0, repeated.from.numRows),
    KOKKOS_LAMBDA(std::int64_t r, SetTotals& sum, bool final) {
      if (final) {
        before[r] = sum;
      }
      sum += repeated.seen(r);
    },
    totals);
  return totals;
}

/// Writes the copies along y or z that countCopies() has counted. `places` has room for a row each. Does not wait.
template <class Space, int Dim>
void writeCopies(const Space& space, const RepeatedRows<Dim>& repeated, const SetTotals& totals,
  const SetTotals* before, CopyPlace* places, const WritableIntervalSet<Dim>& to) {
  const IntervalSetView<Dim> from = repeated.from;
  const Copies copies = repeated.copies;
  forEach(
    SPANWISE_KERNEL("copy rows"), IndexRange<Space>(space, 0, from.numRows), KOKKOS_LAMBDA(std::int64_t r) {
      const RowKey<Dim> key = from.rowKeys[r];
      const Coordinate c = coordinateOf(key, copies.axis);
      const CopyPlace place = repeated.place(r, before);
      places[r] = place;
      for (std::int64_t k = copies.lowest(); k <= copies.highest(); ++k) {
        if (copies.has(k, c)) {
          const std::int64_t n = k - copies.lowest();
          const std::int64_t row = place.lowest.rows + n * place.step.rows;
          to.rowKeys[row] = withCoordinate(key, copies.axis, static_cast<Coordinate>(c + k * copies.extent));
          to.rowOffsets[row] = place.lowest.intervals + n * place.step.intervals;
        }
      }
      if (r == from.numRows - 1) {
        to.rowOffsets[totals.rows] = totals.intervals;
      }
    });
  forEachPart(
    space, SPANWISE_KERNEL("copy intervals"), from.rowOffsets, from.numRows, from.numIntervals,
    KOKKOS_LAMBDA(std::int64_t r, std::int64_t inRow, std::int64_t i) {
      const Coordinate c = coordinateOf(from.rowKeys[r], copies.axis);
      const CopyPlace place = places[r];
      const std::int64_t cellInRow = from.cellOffsets[i] - from.cellOffsets[i - inRow];
      for (std::int64_t k = copies.lowest(); k <= copies.highest(); ++k) {
        if (copies.has(k, c)) {
          const std::int64_t n = k - copies.lowest();
          const std::int64_t target = place.lowest.intervals + n * place.step.intervals + inRow;
          to.intervals[target] = from.intervals[i];
          to.cellOffsets[target] = place.lowest.cells + n * place.step.cells + cellInRow;
        }
      }
      if (i == from.numIntervals - 1) {
        to.cellOffsets[totals.intervals] = totals.cells;
      }
    });
}

/// The same along x.
template <class Space, int Dim>
void writeCopies(const Space& space, const RepeatedIntervals<Dim>& repeated, const SetTotals& totals,
  const SetTotals* before, CopyPlace* places, const WritableIntervalSet<Dim>& to) {
  const IntervalSetView<Dim> from = repeated.from;
  const Copies copies = repeated.copies;
  forEach(
    SPANWISE_KERNEL("copy rows"), IndexRange<Space>(space, 0, from.numRows), KOKKOS_LAMBDA(std::int64_t r) {
      places[r] = repeated.place(r, before);
      to.rowKeys[r] = from.rowKeys[r];
      to.rowOffsets[r] = before[r].intervals;
      if (r == from.numRows - 1) {
        to.rowOffsets[r + 1] = totals.intervals;
      }
    });
  forEachPart(
    space, SPANWISE_KERNEL("copy intervals"), from.rowOffsets, from.numRows, from.numIntervals,
    KOKKOS_LAMBDA(std::int64_t r, std::int64_t inRow, std::int64_t i) {
      const CopyPlace place = places[r];
      const Interval interval = from.intervals[i];
      const bool joins = repeated.joins(r);
      const bool joinsBelow = joins && inRow == 0;
      const bool joinsAbove = joins && i + 1 == from.rowOffsets[r + 1];
      const std::int64_t cellInRow = from.cellOffsets[i] - from.cellOffsets[i - inRow];
      const std::int64_t between = joinsBelow && joinsAbove ? copies.count() - 1 : 1; // copies that are all joined
      for (std::int64_t k = copies.lowest(); k <= copies.highest(); k += Kokkos::max<std::int64_t>(between, 1)) {
        const std::int64_t n = k - copies.lowest();
        const std::int64_t moved = k * copies.extent;
        const std::int64_t begin = Kokkos::max(interval.begin + moved, copies.first);
        const std::int64_t end = Kokkos::min(interval.end + moved, copies.last);
        const std::int64_t target = place.lowest.intervals + n * place.step.intervals + inRow;
        if (begin < end && (!joinsBelow || n == 0)) {
          to.intervals[target].begin = static_cast<Coordinate>(begin);
          to.cellOffsets[target] =
            place.lowest.cells + n * place.step.cells + cellInRow + (begin - interval.begin - moved);
        }
        if (begin < end && (!joinsAbove || k == copies.highest())) {
          to.intervals[target].end = static_cast<Coordinate>(end);
        }
      }
      if (i == from.numIntervals - 1) {
        to.cellOffsets[totals.intervals] = totals.cells;
      }
    });
}

/// The rows along y or z, or the intervals along x, of which a copy lies beyond the coordinate limits. Waits.
template <class Space, int Dim>
std::int64_t countBeyondLimits(const Space& space, const Copies& copies, const IntervalSetView<Dim>& from) {
  std::int64_t count = 0;
  reduce(
    SPANWISE_KERNEL("beyond limits"), IndexRange<Space>(space, 0, from.numIntervals),
    KOKKOS_LAMBDA(std::int64_t i, std::int64_t& sum) {
      const Interval interval = from.intervals[i];
      std::int64_t begin = interval.begin;
      std::int64_t end = interval.end;
      if (copies.axis > 0) {
        begin = coordinateOf(from.rowKeys[from.rowOfInterval(i)], copies.axis);
        end = begin + 1;
      }
      bool beyond = false;
      for (std::int64_t k = copies.lowest(); k <= copies.highest() && !beyond; ++k) {
        const std::int64_t seenBegin = Kokkos::max(begin + k * copies.extent, copies.first);
        const std::int64_t seenEnd = Kokkos::min(end + k * copies.extent, copies.last);
        beyond = seenBegin < seenEnd && !(isCellCoordinate(seenBegin) && isCellCoordinate(seenEnd - 1));
      }
      sum += static_cast<std::int64_t>(beyond);
    },
    count);
  return count;
}

} // namespace spanwise::geometry::detail
