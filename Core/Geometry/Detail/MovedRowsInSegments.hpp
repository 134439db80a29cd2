#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/CombineInSegments.hpp"
#include "Core/Geometry/Detail/MaskImage.hpp"
#include "Core/Geometry/Detail/MovedCopiesOnHost.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Search.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <algorithm>

namespace spanwise::geometry::detail {

// The union or intersection of moved copies of one set for devices, in a number of launches that does not grow with the
// number of copies. A table says which row of the set has which key, so that the rows that come to lie on each other
// are found at once. Where they have many intervals they are cut, along x, into segments of about as many intervals of
// the longest one, so that a few long rows keep as many threads busy as many short ones; then count, scan, fill. A
// thread goes from endpoint to endpoint of the result: in a union an interval is extended by what it touches until
// there is nothing any more, in an intersection its begin is moved up until it is in all copies.

/// A set to be moved, and boxes that have its rows and those of the result.
template <int Dim>
struct BoxedRows {
  IntervalSetView<Dim> set;
  Box<Dim> from;
  Box<Dim> to;
};

template <int Dim>
struct MovedRowsPlan : BoxedRows<Dim> {
  const std::int64_t* rowAt = nullptr; ///< [rows of `from`] the row of the set, or -1
  const MovedCopy* copies = nullptr;
  std::int64_t numCopies = 0;
  std::int64_t* firstSegment = nullptr; ///< [rows of `to` + 1]
  std::int64_t numSegments = 0;
  SegmentTotals* before = nullptr; ///< [numSegments + 1] endpoints and cells in the segments before
  WritableIntervalSet<Dim> out{};
};

/// Takes so many copies at once into the memory of the execution space, as arguments of a kernel.
struct TakeCopies {
  static constexpr std::int64_t atOnce = 64;
  MovedCopy from[atOnce];
  MovedCopy* to;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const { to[k] = from[k]; }
};

/// The place of a row in a box that has it.
template <int Dim>
KOKKOS_FUNCTION std::int64_t placeInBox(const Box<Dim>& box, std::int64_t y, std::int64_t z) {
  return Dim == 2 ? y - box.begin[1] : y - box.begin[1] + (z - box.begin[Dim - 1]) * box.extent(1);
}

struct ClearRowAt {
  std::int64_t* rowAt;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const { rowAt[place] = -1; }
};

template <int Dim>
struct FillRowAt {
  IntervalSetView<Dim> set;
  Box<Dim> from;
  std::int64_t* rowAt;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    rowAt[placeInBox(from, set.rowKeys[r].y, set.rowKeys[r].zOr0())] = r;
  }
};

/// The row of the set at each place of `from`, or -1.
template <class Space, int Dim>
void fillRowTable(const Space& space, const BoxedRows<Dim>& boxed, std::int64_t* rowAt) {
  const IntervalSetView<Dim> set = boxed.set;
  const Box<Dim> from = boxed.from;
  forEach(SPANWISE_KERNEL("clear row table"), IndexRange<Space>(space, 0, from.numRows()), ClearRowAt{rowAt});
  forEach(
    SPANWISE_KERNEL("fill row table"), IndexRange<Space>(space, 0, set.numRows), FillRowAt<Dim>{set, from, rowAt});
}

/// The intervals of one copy in one row of the result, moved. Those that shrink to nothing are stepped over.
class MovedRow {
public:
  KOKKOS_FUNCTION MovedRow(const Interval* intervals, std::int64_t count, const MovedCopy& copy)
    : intervals_(intervals), count_(count), beginMove_(copy.beginMove), endMove_(copy.endMove) {}

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t count() const { return count_; }
  /// The first interval that ends behind the cell x; count() if there is none. O(log count).
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t lower(std::int64_t x) const {
    std::int64_t low = 0;
    std::int64_t high = count_;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (end(middle) <= x) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    while (low < count_ && begin(low) >= end(low)) {
      ++low;
    }
    return low;
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t begin(std::int64_t i) const {
    return Kokkos::max<std::int64_t>(intervals_[i].begin + beginMove_, minCoordinate);
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t end(std::int64_t i) const {
    return Kokkos::min<std::int64_t>(intervals_[i].end + endMove_, maxIntervalEnd);
  }
  [[nodiscard]] KOKKOS_FUNCTION bool has(std::int64_t x) const {
    const std::int64_t i = lower(x);
    return i < count_ && begin(i) <= x;
  }

private:
  const Interval* intervals_;
  std::int64_t count_;
  std::int64_t beginMove_;
  std::int64_t endMove_;
};

/// The rows of all copies that lie on one row of the result.
template <SetOperation operation, int Dim>
class MovedRowStack {
  static constexpr bool isUnion = operation == SetOperation::Union;

public:
  static constexpr std::int64_t none = std::int64_t{1} << 40; // behind all coordinates

  KOKKOS_FUNCTION MovedRowStack(const MovedRowsPlan<Dim>& plan, std::int64_t place) : plan_(plan) {
    const std::int64_t numY = plan.to.extent(1);
    y_ = plan.to.begin[1] + (Dim == 2 ? place : place % numY);
    z_ = Dim == 2 ? 0 : plan.to.begin[Dim - 1] + place / numY;
  }

  [[nodiscard]] KOKKOS_FUNCTION RowKey<Dim> key() const {
    return RowKey<Dim>::fromYZ(static_cast<Coordinate>(y_), static_cast<Coordinate>(z_));
  }

  /// Of copy k; without intervals if there is none.
  [[nodiscard]] KOKKOS_FUNCTION MovedRow row(std::int64_t k) const {
    const MovedCopy& copy = plan_.copies[k];
    const std::int64_t y = isUnion ? y_ - copy.y : y_ + copy.y;
    const std::int64_t z = isUnion ? z_ - copy.z : z_ + copy.z;
    const bool inY = y >= plan_.from.begin[1] && y < plan_.from.end[1];
    const bool inside = inY && (Dim == 2 || (z >= plan_.from.begin[Dim - 1] && z < plan_.from.end[Dim - 1]));
    const std::int64_t r = inside ? plan_.rowAt[placeInBox(plan_.from, y, z)] : -1;
    if (r < 0) {
      return {nullptr, 0, copy};
    }
    return {plan_.set.intervals + plan_.set.rowOffsets[r], plan_.set.rowOffsets[r + 1] - plan_.set.rowOffsets[r], copy};
  }

  /// The row with the most intervals; without any if the result has none.
  [[nodiscard]] KOKKOS_FUNCTION MovedRow longest() const {
    MovedRow most(nullptr, 0, plan_.copies[0]);
    for (std::int64_t k = 0; k < plan_.numCopies; ++k) {
      const MovedRow here = row(k);
      if (!isUnion && here.count() == 0) {
        return here;
      }
      if (here.count() > most.count()) {
        most = here;
      }
    }
    return most;
  }

  [[nodiscard]] KOKKOS_FUNCTION bool has(std::int64_t x) const {
    bool inside = !isUnion;
    for (std::int64_t k = 0; k < plan_.numCopies && inside != isUnion; ++k) {
      inside = row(k).has(x);
    }
    return inside;
  }

  /// Where the interval that has the cell x - 1 ends.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t endFrom(std::int64_t x) const {
    if constexpr (isUnion) {
      // around all copies until none extends it any more
      std::int64_t unchanged = 0;
      for (std::int64_t k = 0; unchanged < plan_.numCopies; k = k + 1 < plan_.numCopies ? k + 1 : 0) {
        const MovedRow here = row(k);
        const std::int64_t i = here.lower(x);
        const bool extends = i < here.count() && here.begin(i) <= x;
        x = extends ? here.end(i) : x;
        unchanged = extends ? 0 : unchanged + 1; // widened intervals of one row may overlap
      }
      return x;
    } else {
      std::int64_t end = none;
      for (std::int64_t k = 0; k < plan_.numCopies; ++k) {
        const MovedRow here = row(k);
        end = Kokkos::min(end, here.end(here.lower(x - 1)));
      }
      return end;
    }
  }

  /// The first begin at x or behind, where x - 1 is not in the result; `none` if there is none.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t beginFrom(std::int64_t x) const {
    if constexpr (isUnion) {
      std::int64_t begin = none;
      for (std::int64_t k = 0; k < plan_.numCopies; ++k) {
        const MovedRow here = row(k);
        const std::int64_t i = here.lower(x);
        begin = i < here.count() ? Kokkos::min(begin, here.begin(i)) : begin;
      }
      return begin;
    } else {
      std::int64_t unchanged = 0;
      for (std::int64_t k = 0; unchanged < plan_.numCopies; k = k + 1 < plan_.numCopies ? k + 1 : 0) {
        const MovedRow here = row(k);
        const std::int64_t i = here.lower(x);
        if (i == here.count()) {
          return none;
        }
        const bool moves = here.begin(i) > x;
        x = moves ? here.begin(i) : x;
        unchanged = moves ? 1 : unchanged + 1;
      }
      return x;
    }
  }

private:
  const MovedRowsPlan<Dim>& plan_;
  std::int64_t y_;
  std::int64_t z_;
};

/// Segments of so many intervals of the longest row that lies on a row of the result.
inline constexpr std::int64_t intervalsPerSegment = 8;

template <SetOperation operation, int Dim>
struct CountSegmentsOfRow {
  MovedRowsPlan<Dim> plan;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const std::int64_t count = MovedRowStack<operation, Dim>(plan, place).longest().count();
    plan.firstSegment[place] = (count + intervalsPerSegment - 1) / intervalsPerSegment;
  }
};

template <SetOperation operation, class Space, int Dim>
std::int64_t countSegments(const Space& space, const MovedRowsPlan<Dim>& plan) {
  forEach(SPANWISE_KERNEL("count segments"), IndexRange<Space>(space, 0, plan.to.numRows()),
    CountSegmentsOfRow<operation, Dim>{plan});
  return exclusiveScan(space, SPANWISE_KERNEL("scan segments"), plan.firstSegment, plan.to.numRows());
}

/// Hands the endpoints of a segment to the sink (CombineInSegments.hpp).
template <SetOperation operation, int Dim, class Sink>
KOKKOS_INLINE_FUNCTION void sweepSegment(const MovedRowsPlan<Dim>& plan, std::int64_t segment, Sink& sink) {
  using Stack = MovedRowStack<operation, Dim>;
  const std::int64_t place = firstAbove(plan.firstSegment, 1, plan.to.numRows() + 1, segment) - 1;
  const Stack stack(plan, place);
  const std::int64_t number = segment - plan.firstSegment[place];
  const std::int64_t count = plan.firstSegment[place + 1] - plan.firstSegment[place];
  std::int64_t x = minCoordinate;
  std::int64_t end = Stack::none;
  bool inside = false;
  if (count > 1) {
    const MovedRow longest = stack.longest();
    end = number + 1 < count ? longest.begin((number + 1) * intervalsPerSegment) : end;
    if (number > 0) {
      x = longest.begin(number * intervalsPerSegment);
      inside = stack.has(x - 1);
    }
  }
  sink.beginInside(inside);
  while (true) {
    x = inside ? stack.endFrom(x) : stack.beginFrom(x);
    if (x >= end) {
      return;
    }
    sink.put(static_cast<Coordinate>(x), 1);
    inside = !inside;
  }
}

template <SetOperation operation, int Dim>
struct CountMovedEnds {
  MovedRowsPlan<Dim> plan;

  KOKKOS_FUNCTION void operator()(std::int64_t segment) const {
    SegmentCounter counter;
    sweepSegment<operation>(plan, segment, counter);
    plan.before[segment] = counter.totals();
  }
};

template <SetOperation operation, int Dim>
struct PlaceMovedEnds {
  MovedRowsPlan<Dim> plan;

  KOKKOS_FUNCTION void operator()(std::int64_t segment) const {
    SegmentPlacer<MovedRowsPlan<Dim>> placer(plan, plan.before[segment]);
    sweepSegment<operation>(plan, segment, placer);
  }
};

template <SetOperation operation, int Dim>
struct PlaceMovedRows {
  MovedRowsPlan<Dim> plan;
  std::int64_t numPlaces;

  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& row, bool final) const {
    const std::int64_t begin = plan.before[plan.firstSegment[place]].endpoints / 2;
    const std::int64_t end = plan.before[plan.firstSegment[place + 1]].endpoints / 2;
    if (end > begin) {
      if (final) {
        plan.out.rowKeys[row] = MovedRowStack<operation, Dim>(plan, place).key();
        plan.out.rowOffsets[row] = begin;
      }
      ++row;
    }
    if (final && place == numPlaces - 1) {
      plan.out.rowOffsets[row] = end;
      plan.out.cellOffsets[end] = plan.before[plan.numSegments].cells;
    }
  }
};

template <SetOperation operation, class Space, int Dim>
SegmentTotals countEnds(const Space& space, const MovedRowsPlan<Dim>& plan) {
  forEach(
    SPANWISE_KERNEL("count ends"), IndexRange<Space>(space, 0, plan.numSegments), CountMovedEnds<operation, Dim>{plan});
  return exclusiveScan(space, SPANWISE_KERNEL("scan ends"), plan.before, plan.numSegments);
}

/// Writes a result of which the ends are counted, and returns how many rows it has.
template <SetOperation operation, class Space, int Dim>
std::int64_t placeMovedRows(const Space& space, const MovedRowsPlan<Dim>& plan) {
  forEach(
    SPANWISE_KERNEL("place ends"), IndexRange<Space>(space, 0, plan.numSegments), PlaceMovedEnds<operation, Dim>{plan});
  const std::int64_t numPlaces = plan.to.numRows();
  std::int64_t numRows = 0;
  scan(SPANWISE_KERNEL("place rows"), IndexRange<Space>(space, 0, numPlaces),
    PlaceMovedRows<operation, Dim>{plan, numPlaces}, numRows);
  return numRows;
}

/// Copy k of `numCopies` is copyOf(k); takes them into the memory of the execution space.
template <class Space, class CopyOf>
void takeCopies(const Space& space, std::int64_t numCopies, const CopyOf& copyOf, MovedCopy* copies) {
  for (std::int64_t first = 0; first < numCopies; first += TakeCopies::atOnce) {
    const std::int64_t count = std::min(numCopies - first, TakeCopies::atOnce);
    TakeCopies take{};
    take.to = copies + first;
    for (std::int64_t k = 0; k < count; ++k) {
      take.from[k] = copyOf(first + k);
    }
    forEach(SPANWISE_KERNEL("take copies"), IndexRange<Space>(space, 0, count), take);
  }
}

/// The union of copies of the set that are moved by their offsets, or the intersection of copies that are moved back by
/// them: copy k of them is copyOf(k). The boxes take 16 bytes a row. Scratch memory and, in makeTarget(rows,
/// intervals), arrays with so much room may come from `frame`. Per segment of the result O(copies log(intervals of a
/// row)) for each of its endpoints, or more where many copies extend an interval one after the other. Waits for the
/// totals.
template <SetOperation operation, class Space, int Dim, class CopyOf, class MakeTarget>
SetTotals mergeMovedRows(const Space& space, const BoxedRows<Dim>& boxed, std::int64_t numCopies, const CopyOf& copyOf,
  typename Workspace<typename Space::memory_space>::Frame& frame, const MakeTarget& makeTarget) {
  const std::int64_t numPlaces = boxed.to.numRows();
  MovedRowsPlan<Dim> plan{boxed};
  plan.numCopies = numCopies;
  MovedCopy* const copies = frame.template array<MovedCopy>(numCopies).data();
  takeCopies(space, numCopies, copyOf, copies);
  plan.copies = copies;
  std::int64_t* const rowAt = frame.template array<std::int64_t>(boxed.from.numRows()).data();
  fillRowTable(space, boxed, rowAt);
  plan.rowAt = rowAt;
  plan.firstSegment = frame.template array<std::int64_t>(numPlaces + 1).data();
  plan.numSegments = countSegments<operation>(space, plan);
  if (plan.numSegments == 0) {
    makeTarget(0, 0);
    return {};
  }
  plan.before = frame.template array<SegmentTotals>(plan.numSegments + 1).data();
  const SegmentTotals sum = countEnds<operation>(space, plan);
  SetTotals totals{0, sum.endpoints / 2, sum.cells};
  plan.out = makeTarget(std::min(numPlaces, totals.intervals), totals.intervals);
  if (totals.intervals > 0) {
    totals.rows = placeMovedRows<operation>(space, plan);
  }
  return totals;
}

} // namespace spanwise::geometry::detail
