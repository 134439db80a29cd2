#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <algorithm>

namespace spanwise::geometry::detail {

// One pass over rows on the host. The rows are cut into as many parts as there are threads. The first part is written
// where it belongs; the others into scratch memory and then, when the lengths of the parts before them are known,
// moved.

/// How many parts so many intervals are worth: little work is not worth waking a thread for.
template <class Space>
int partsOnHost(const Space& space, std::int64_t numIntervals) {
  const std::int64_t worthAPart = std::max<std::int64_t>(spanwise::detail::littleWork().smallItems, 1);
  return static_cast<int>(std::clamp<std::int64_t>(numIntervals / worthAPart, 1, space.concurrency()));
}

/// The row at which part `p` of `numParts` begins, such that the parts have about equal numbers of intervals.
template <int Dim>
std::int64_t partBegin(const IntervalSetView<Dim>& set, int p, int numParts) {
  if (p == numParts) {
    return set.numRows;
  }
  const std::int64_t target = set.numIntervals * p / numParts;
  return std::lower_bound(set.rowOffsets, set.rowOffsets + set.numRows, target) - set.rowOffsets;
}

/// Calls work(p) for each part, and waits.
template <class Space, class Work>
void doPartsOnHost(const Space& space, const char* label, int numParts, const Work& work) {
  if (numParts == 1) {
    work(0);
    return;
  }
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<int>>;
  Kokkos::parallel_for(label, Policy(space, 0, numParts, Kokkos::ChunkSize(1)), work);
  space.fence(SPANWISE_LABEL("Geometry::parts"));
}

/// Arrays for a set with at most so many rows and intervals, until the frame closes.
template <int Dim, class Frame>
WritableIntervalSet<Dim> scratchSet(Frame& frame, std::int64_t rows, std::int64_t intervals) {
  return {frame.template array<RowKey<Dim>>(rows).data(), frame.template array<std::int64_t>(rows + 1).data(),
    frame.template array<Interval>(intervals + 1).data(), frame.template array<std::int64_t>(intervals + 1).data()};
}

/// Ends a row of a part whose intervals were written behind those that are done, up to `end`. Without any there is no
/// row.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION void endRow(
  const RowKey<Dim>& key, const Coordinate* end, const WritableIntervalSet<Dim>& out, SetTotals& done) {
  const std::int64_t endInterval = (end - reinterpret_cast<const Coordinate*>(out.intervals)) / 2;
  if (endInterval > done.intervals) {
    out.rowKeys[done.rows] = key;
    out.rowOffsets[done.rows] = done.intervals;
    ++done.rows;
    for (std::int64_t i = done.intervals; i < endInterval; ++i) {
      out.cellOffsets[i] = done.cells;
      done.cells += static_cast<std::int64_t>(out.intervals[i].end) - out.intervals[i].begin;
    }
    done.intervals = endInterval;
  }
}

/// Moves part p of the output behind the parts before it. Each part is moved in `slices` pieces, for balance.
template <int Dim>
struct MoveParts {
  const WritableIntervalSet<Dim>* parts;
  const SetTotals* counts;
  const SetTotals* starts;
  int slices;
  WritableIntervalSet<Dim> out;

  void operator()(int index) const {
    const int p = 1 + index / slices;
    const int slice = index % slices;
    const WritableIntervalSet<Dim>& part = parts[p];
    const SetTotals& start = starts[p];
    const auto begin = [&](std::int64_t n) { return n * slice / slices; };
    const auto end = [&](std::int64_t n) { return n * (slice + 1) / slices; };
    const std::int64_t firstRow = begin(counts[p].rows);
    const std::int64_t lastRow = end(counts[p].rows);
    std::copy(part.rowKeys + firstRow, part.rowKeys + lastRow, out.rowKeys + start.rows + firstRow);
    for (std::int64_t r = firstRow; r < lastRow; ++r) {
      out.rowOffsets[start.rows + r] = start.intervals + part.rowOffsets[r];
    }
    const std::int64_t first = begin(counts[p].intervals);
    const std::int64_t last = end(counts[p].intervals);
    std::copy(part.intervals + first, part.intervals + last, out.intervals + start.intervals + first);
    for (std::int64_t i = first; i < last; ++i) {
      out.cellOffsets[start.intervals + i] = start.cells + part.cellOffsets[i];
    }
  }
};

/// Makes one set in `target` of the parts, of which the first lies there already. Row and cell offsets of each part
/// start at 0. Returns the totals.
template <class Space, int Dim, class Frame>
SetTotals joinParts(const Space& space, const WritableIntervalSet<Dim>* parts, const SetTotals* counts, int numParts,
  const WritableIntervalSet<Dim>& target, Frame& frame) {
  const auto starts = frame.template array<SetTotals>(numParts + 1);
  starts(0) = {};
  for (int p = 0; p < numParts; ++p) {
    starts(p + 1) = starts(p);
    starts(p + 1) += counts[p];
  }
  if (numParts > 1) {
    const int slices = numParts;
    doPartsOnHost(space, SPANWISE_KERNEL("move parts"), (numParts - 1) * slices,
      MoveParts<Dim>{parts, counts, starts.data(), slices, target});
  }
  const SetTotals total = starts(numParts);
  target.rowOffsets[total.rows] = total.intervals;
  target.cellOffsets[total.intervals] = total.cells;
  return total;
}

/// Makes one set of what make(part) makes of each part, in arrays that makeTarget(rows, intervals) gives for so much
/// room. A part has `out` with room for maxRows and maxIntervals, and make() returns what is in it, or would be if
/// there were room: then makeTarget is called and the work done once more. Scratch memory comes from `frame`.
template <int Dim, class Space, class Parts, class Make, class Frame, class MakeTarget>
SetTotals placeParts(const Space& space, const char* label, const Parts& parts, const Make& make, Frame& frame,
  const MakeTarget& makeTarget) {
  const auto numParts = static_cast<int>(parts.extent(0));
  const auto outputs = frame.template array<WritableIntervalSet<Dim>>(numParts);
  const auto counts = frame.template array<SetTotals>(numParts);
  WritableIntervalSet<Dim> target{};
  for (bool enough = false; !enough;) {
    SetTotals room;
    for (int p = 0; p < numParts; ++p) {
      room.rows += parts(p).maxRows;
      room.intervals += parts(p).maxIntervals;
    }
    target = makeTarget(room.rows, room.intervals);
    for (int p = 0; p < numParts; ++p) {
      auto& part = parts(p);
      outputs(p) = part.out = p == 0 ? target : scratchSet<Dim>(frame, part.maxRows, part.maxIntervals);
    }
    doPartsOnHost(space, label, numParts, [&](int p) { counts(p) = make(parts(p)); });
    enough = true;
    for (int p = 0; p < numParts; ++p) {
      auto& part = parts(p);
      if (counts(p).rows > part.maxRows || counts(p).intervals > part.maxIntervals) {
        part.maxRows = std::max(part.maxRows, counts(p).rows);
        part.maxIntervals = std::max(part.maxIntervals, counts(p).intervals);
        enough = false;
      }
    }
  }
  return joinParts(space, outputs.data(), counts.data(), numParts, target, frame);
}

} // namespace spanwise::geometry::detail
