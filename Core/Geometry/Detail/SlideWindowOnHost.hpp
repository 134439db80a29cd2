#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/MergeRowsOnHost.hpp"
#include "Core/Geometry/HostParts.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <algorithm>
#include <type_traits>

namespace spanwise::geometry::detail {

// The union or intersection of every `window` neighbouring slices of a set: of rows along y, or of planes along z. The
// slices are cut into blocks of `window` coordinates; within each, the results from the block's first slice up to each
// slice, and from each slice to the block's last one, are made one after the other. Each window is the end of one block
// and the start of the next, so it takes one merge more: about three merges a slice, whatever the window (M. van Herk,
// Pattern Recognition Letters 13, 1992; J. Gil, M. Werman, IEEE PAMI 15, 1993).

/// Rows of the input or of a part of a block.
template <int Dim>
struct RowSpan {
  const RowKey<Dim>* keys = nullptr;
  const std::int64_t* offsets = nullptr; ///< [numRows + 1]
  const Interval* intervals = nullptr;
  std::int64_t numRows = 0;

  [[nodiscard]] IntervalRow row(std::int64_t r) const { return {intervals + offsets[r], offsets[r + 1] - offsets[r]}; }
};

/// Where rows are written, one after the other.
template <int Dim>
struct RowSink {
  RowKey<Dim>* keys;
  std::int64_t* offsets;
  Interval* intervals;
  std::int64_t numRows;
  std::int64_t numIntervals;

  /// Ends a row whose endpoints have been written behind the intervals so far; there is none if there are no endpoints.
  void endRow(const RowKey<Dim>& key, const Coordinate* end) {
    const std::int64_t last = (end - reinterpret_cast<const Coordinate*>(intervals)) / 2;
    if (last > numIntervals) {
      keys[numRows] = key;
      offsets[numRows] = numIntervals;
      ++numRows;
      numIntervals = last;
    }
  }
  [[nodiscard]] Coordinate* next() const { return reinterpret_cast<Coordinate*>(intervals + numIntervals); }
};

template <int Axis, int Dim>
Coordinate coordinateOf(const RowKey<Dim>& key) {
  return Axis == 1 ? key.y : key.zOr0();
}

/// Merges two planes row by row. The rows' keys may lie in different planes.
template <SetOperation operation, int Dim>
void mergePlanes(const RowSpan<Dim>& a, const RowSpan<Dim>& b, RowSink<Dim>& sink) {
  constexpr bool isUnion = operation == SetOperation::Union;
  std::int64_t ra = 0;
  std::int64_t rb = 0;
  while (ra < a.numRows && rb < b.numRows) {
    const Coordinate yA = a.keys[ra].y;
    const Coordinate yB = b.keys[rb].y;
    if (yA == yB) {
      sink.endRow(a.keys[ra], mergeInto<operation>(a.row(ra), b.row(rb), sink.next()));
      ++ra;
      ++rb;
    } else if (yA < yB) {
      if (isUnion) {
        sink.endRow(a.keys[ra], copyInto(a.row(ra), sink.next()));
      }
      ++ra;
    } else {
      if (isUnion) {
        sink.endRow(b.keys[rb], copyInto(b.row(rb), sink.next()));
      }
      ++rb;
    }
  }
  for (; isUnion && ra < a.numRows; ++ra) {
    sink.endRow(a.keys[ra], copyInto(a.row(ra), sink.next()));
  }
  for (; isUnion && rb < b.numRows; ++rb) {
    sink.endRow(b.keys[rb], copyInto(b.row(rb), sink.next()));
  }
}

/// What a slice is: one row along y, the rows of a plane along z.
template <int Axis, int Dim>
using Slice = std::conditional_t<Axis == 1, IntervalRow, RowSpan<Dim>>;

/// Slices of one line with coordinates from `begin` to begin + window - 1. Lines are those of rows with the same z, or
/// the one of all planes.
struct WindowBlock {
  Coordinate line;
  std::int64_t begin;
  std::int64_t firstSlice;
  std::int64_t endSlice;
};

/// The windows that begin in a block: where they begin, and the block and the one behind it, of which one may be empty.
struct WindowGroup {
  std::int64_t begin;
  WindowBlock low;
  WindowBlock high;
};

/// A range of groups, and room for what it makes.
template <int Axis, int Dim>
struct WindowPart {
  std::int64_t firstGroup;
  std::int64_t endGroup;
  Slice<Axis, Dim>* fromSlice; ///< results from each slice of a block to the block's end
  Slice<Axis, Dim>* toSlice;   ///< results from the block's first slice to each
  RowKey<Dim>* chainKeys;
  std::int64_t* chainOffsets;
  Interval* chainIntervals;
  WritableIntervalSet<Dim> out;
  std::int64_t maxRows; ///< of `out`
  std::int64_t maxIntervals;
};

template <int Dim>
struct WindowPlan {
  IntervalSetView<Dim> set;
  std::int64_t window;
  std::int64_t shift;
  const std::int64_t* slices; ///< [slices + 1] first row of each
  const WindowGroup* groups;
};

/// Makes what one part of the windows holds. Writes while there is room, and counts on when there is none.
template <int Axis, SetOperation operation, int Dim>
class WindowSlider {
  static constexpr bool isUnion = operation == SetOperation::Union;
  using Rows = Slice<Axis, Dim>;

public:
  WindowSlider(const WindowPlan<Dim>& plan, const WindowPart<Axis, Dim>& part) : plan_(plan), part_(part) {}

  SetTotals run() {
    for (std::int64_t g = part_.firstGroup; g < part_.endGroup; ++g) {
      const WindowGroup& group = plan_.groups[g];
      if (!isUnion && group.low.firstSlice == group.low.endSlice) {
        continue; // no window that begins here is full
      }
      line_ = group.low.line;
      chain_ = {part_.chainKeys, part_.chainOffsets, part_.chainIntervals, 0, 0};
      makeEnds(group.low);
      makeStarts(group.high);
      makeWindows(group);
    }
    return done_;
  }

private:
  static Rows none() {
    if constexpr (Axis == 1) {
      return {nullptr, 0};
    } else {
      return {};
    }
  }

  [[nodiscard]] Rows slice(std::int64_t s) const {
    if constexpr (Axis == 1) {
      return plan_.set.row(s);
    } else {
      const std::int64_t first = plan_.slices[s];
      return {
        plan_.set.rowKeys + first, plan_.set.rowOffsets + first, plan_.set.intervals, plan_.slices[s + 1] - first};
    }
  }

  [[nodiscard]] std::int64_t coordinate(std::int64_t s) const {
    return coordinateOf<Axis>(plan_.set.rowKeys[Axis == 1 ? s : plan_.slices[s]]);
  }

  Rows merged(const Rows& a, const Rows& b) {
    if constexpr (Axis == 1) {
      Coordinate* const begin = chain_.next();
      const std::int64_t count = (mergeInto<operation>(a, b, begin) - begin) / 2;
      const Interval* const intervals = chain_.intervals + chain_.numIntervals;
      chain_.numIntervals += count;
      return {intervals, count};
    } else {
      const std::int64_t firstRow = chain_.numRows;
      mergePlanes<operation>(a, b, chain_);
      // each result has one offset more than rows
      chain_.offsets[chain_.numRows] = chain_.numIntervals;
      const Rows result{chain_.keys + firstRow, chain_.offsets + firstRow, chain_.intervals, chain_.numRows - firstRow};
      ++chain_.offsets;
      return result;
    }
  }

  void makeEnds(const WindowBlock& block) {
    std::int64_t expected = block.begin + plan_.window; // an intersection has a hole where a slice is missing
    for (std::int64_t s = block.endSlice - 1; s >= block.firstSlice; --s) {
      Rows& span = part_.fromSlice[s - block.firstSlice];
      const bool whole = isUnion || coordinate(s) == --expected;
      if (!whole) {
        span = none();
        expected = block.begin - 1;
      } else if (s == block.endSlice - 1) {
        span = slice(s);
      } else {
        span = merged(slice(s), part_.fromSlice[s + 1 - block.firstSlice]);
      }
    }
  }

  void makeStarts(const WindowBlock& block) {
    std::int64_t expected = block.begin - 1;
    for (std::int64_t s = block.firstSlice; s < block.endSlice; ++s) {
      Rows& span = part_.toSlice[s - block.firstSlice];
      const bool whole = isUnion || coordinate(s) == ++expected;
      if (!whole) {
        span = none();
        expected = block.begin + plan_.window;
      } else if (s == block.firstSlice) {
        span = slice(s);
      } else {
        span = merged(part_.toSlice[s - 1 - block.firstSlice], slice(s));
      }
    }
  }

  void makeWindows(const WindowGroup& group) {
    std::int64_t low = group.low.firstSlice;
    std::int64_t high = group.high.firstSlice;
    for (std::int64_t k = 0; k < plan_.window; ++k) {
      const std::int64_t begin = group.begin + k;
      const std::int64_t last = begin + plan_.window - 1;
      while (low < group.low.endSlice && coordinate(low) < begin) {
        ++low;
      }
      while (high < group.high.endSlice && coordinate(high) <= last) {
        ++high;
      }
      Rows a = none();
      Rows b = none();
      if (low < group.low.endSlice && (isUnion || coordinate(low) == begin)) {
        a = part_.fromSlice[low - group.low.firstSlice];
      }
      if (high > group.high.firstSlice && (isUnion || coordinate(high - 1) == last)) {
        b = part_.toSlice[high - 1 - group.high.firstSlice];
      }
      if (!isUnion && k == 0) {
        b = a; // the window is the block
      }
      put(a, b, last);
    }
  }

  /// Room that is enough for the rows of a slice.
  static SetTotals roomFor(const Rows& rows) {
    if constexpr (Axis == 1) {
      return {rows.size() > 0 ? 1 : 0, rows.size() / 2, 0};
    } else {
      return {rows.numRows, rows.numRows == 0 ? 0 : rows.offsets[rows.numRows] - rows.offsets[0], 0};
    }
  }

  void put(const Rows& a, const Rows& b, std::int64_t last) {
    SetTotals room = roomFor(a);
    room += roomFor(b);
    lacksRoom_ =
      lacksRoom_ || done_.rows + room.rows > part_.maxRows || done_.intervals + room.intervals > part_.maxIntervals;
    if (lacksRoom_) {
      done_ += room;
      return;
    }
    const WritableIntervalSet<Dim>& out = part_.out;
    RowSink<Dim> sink{out.rowKeys, out.rowOffsets, out.intervals, done_.rows, done_.intervals};
    putRows(a, b, static_cast<Coordinate>(last + plan_.shift), sink);
    for (std::int64_t i = done_.intervals; i < sink.numIntervals; ++i) {
      out.cellOffsets[i] = done_.cells;
      done_.cells += static_cast<std::int64_t>(out.intervals[i].end) - out.intervals[i].begin;
    }
    done_.rows = sink.numRows;
    done_.intervals = sink.numIntervals;
  }

  void putRows(const Rows& a, const Rows& b, Coordinate at, RowSink<Dim>& sink) const {
    if constexpr (Axis == 1) {
      const auto key = RowKey<Dim>::fromYZ(at, line_);
      if (isUnion && (a.size() == 0 || b.size() == 0)) {
        sink.endRow(key, copyInto(a.size() == 0 ? b : a, sink.next()));
      } else {
        sink.endRow(key, mergeInto<operation>(a, b, sink.next()));
      }
    } else {
      const std::int64_t first = sink.numRows;
      mergePlanes<operation>(a, b, sink);
      for (std::int64_t r = first; r < sink.numRows; ++r) {
        sink.keys[r].z = at;
      }
    }
  }

  const WindowPlan<Dim>& plan_;
  const WindowPart<Axis, Dim>& part_;
  Coordinate line_ = 0;
  RowSink<Dim> chain_{};
  SetTotals done_;
  bool lacksRoom_ = false;
};

/// The first rows of all slices, and the number of rows behind them; returns how many slices there are.
template <int Axis, int Dim>
std::int64_t findSlices(const IntervalSetView<Dim>& set, std::int64_t* slices) {
  std::int64_t count = 0;
  for (std::int64_t r = 0; r < set.numRows; ++r) {
    if (Axis == 1 || r == 0 || coordinateOf<Axis>(set.rowKeys[r]) != coordinateOf<Axis>(set.rowKeys[r - 1])) {
      slices[count++] = r;
    }
  }
  slices[count] = set.numRows;
  return count;
}

/// The groups of windows that a slice is in; returns how many there are: at most two a slice.
template <int Axis, int Dim>
std::int64_t findGroups(const IntervalSetView<Dim>& set, std::int64_t window, const std::int64_t* slices,
  std::int64_t numSlices, WindowGroup* groups) {
  std::int64_t count = 0;
  for (std::int64_t s = 0; s < numSlices;) {
    const RowKey<Dim> key = set.rowKeys[slices[s]];
    const std::int64_t coordinate = coordinateOf<Axis>(key);
    WindowBlock block{Axis == 1 ? key.zOr0() : 0, 0, s, s + 1};
    block.begin = coordinate - ((coordinate % window) + window) % window;
    while (block.endSlice < numSlices) {
      const RowKey<Dim> next = set.rowKeys[slices[block.endSlice]];
      if ((Axis == 1 && next.zOr0() != key.zOr0()) || coordinateOf<Axis>(next) >= block.begin + window) {
        break;
      }
      ++block.endSlice;
    }
    const bool followsLast =
      count > 0 && groups[count - 1].low.line == block.line && groups[count - 1].begin == block.begin - window;
    if (followsLast) {
      groups[count - 1].high = block;
    } else {
      groups[count++] = {block.begin - window, {block.line, block.begin - window, s, s}, block};
    }
    groups[count++] = {block.begin, block, {block.line, block.begin + window, block.endSlice, block.endSlice}};
    s = block.endSlice;
  }
  return count;
}

/// Each row becomes the union or intersection of itself and of the window - 1 rows before it along the axis, and is
/// moved by `shift`. Scratch memory and, in makeTarget, the result's may come from `frame`. Calls makeTarget(rows,
/// intervals) for arrays with that much room, and a second time only if the result may have more than twice the rows or
/// intervals of the input.
template <int Axis, SetOperation operation, class Space, int Dim, class MakeTarget>
SetTotals slideWindowOnHost(const Space& space, const IntervalSetView<Dim>& set, std::int64_t window,
  std::int64_t shift, typename Workspace<typename Space::memory_space>::Frame& frame, const MakeTarget& makeTarget) {
  std::int64_t* const slices = frame.template array<std::int64_t>(set.numRows + 1).data();
  const std::int64_t numSlices = findSlices<Axis>(set, slices);
  WindowGroup* const groups = frame.template array<WindowGroup>(2 * numSlices).data();
  const std::int64_t numGroups = findGroups<Axis>(set, window, slices, numSlices, groups);
  const WindowPlan<Dim> plan{set, window, shift, slices, groups};

  const int numParts = partsOnHost(space, set.numIntervals);
  const auto parts = frame.template array<WindowPart<Axis, Dim>>(numParts);
  const auto intervalsOf = [&](std::int64_t firstSlice, std::int64_t endSlice) {
    return firstSlice < endSlice ? set.rowOffsets[slices[endSlice]] - set.rowOffsets[slices[firstSlice]] : 0;
  };
  // Parts of about equal numbers of intervals.
  std::int64_t group = 0;
  for (int p = 0; p < numParts; ++p) {
    WindowPart<Axis, Dim>& part = parts(p);
    part = {};
    part.firstGroup = group;
    const std::int64_t target = set.numIntervals / numParts * (p + 1);
    while (group < numGroups && (p + 1 == numParts || set.rowOffsets[slices[groups[group].low.firstSlice]] < target)) {
      ++group;
    }
    part.endGroup = group;
    std::int64_t longest = 0;
    std::int64_t chainRows = 0;
    std::int64_t chainIntervals = 0;
    for (std::int64_t g = part.firstGroup; g < part.endGroup; ++g) {
      std::int64_t rows = 0;
      std::int64_t intervals = 0;
      for (const WindowBlock& block : {groups[g].low, groups[g].high}) {
        const std::int64_t length = block.endSlice - block.firstSlice;
        longest = std::max(longest, length);
        rows += length * (slices[block.endSlice] - slices[block.firstSlice]);
        intervals += length * intervalsOf(block.firstSlice, block.endSlice);
      }
      chainRows = std::max(chainRows, rows);
      chainIntervals = std::max(chainIntervals, intervals);
      part.maxRows += 2 * (slices[groups[g].low.endSlice] - slices[groups[g].low.firstSlice]);
      part.maxIntervals += 2 * intervalsOf(groups[g].low.firstSlice, groups[g].low.endSlice);
    }
    part.fromSlice = frame.template array<Slice<Axis, Dim>>(longest).data();
    part.toSlice = frame.template array<Slice<Axis, Dim>>(longest).data();
    part.chainKeys = frame.template array<RowKey<Dim>>(Axis == 1 ? 0 : chainRows).data();
    part.chainOffsets = frame.template array<std::int64_t>(Axis == 1 ? 0 : chainRows + 2 * longest + 1).data();
    part.chainIntervals = frame.template array<Interval>(chainIntervals + 1).data();
  }

  return placeParts<Dim>(
    space, SPANWISE_KERNEL("slide windows"), parts,
    [&](const WindowPart<Axis, Dim>& part) { return WindowSlider<Axis, operation, Dim>(plan, part).run(); }, frame,
    makeTarget);
}

} // namespace spanwise::geometry::detail
