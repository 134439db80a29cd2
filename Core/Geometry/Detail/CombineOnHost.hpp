#pragma once

#include "Core/Geometry/Detail/MergeRows.hpp"
#include "Core/Geometry/Detail/SetTotals.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <algorithm>

namespace spanwise::detail {

// One merging pass on the host. The rows are cut into as many parts as there are threads. The first part is written
// where it belongs; the others into scratch memory and then, when the lengths of the parts before them are known,
// moved.

/// A part of both inputs: rows [beginA, endA) and [beginB, endB) whose keys lie in one range.
struct RowParts {
  std::int64_t beginA;
  std::int64_t endA;
  std::int64_t beginB;
  std::int64_t endB;
};

/// Merges one part. Row offsets and cell offsets of the output start at 0.
template <int Dim>
SetTotals mergePart(unsigned truthTable, const IntervalSetView<Dim>& a, const IntervalSetView<Dim>& b,
  const RowParts& part, const WritableIntervalSet<Dim>& out) {
  auto* const endpoints = reinterpret_cast<Coordinate*>(out.intervals);
  SetTotals done;
  std::int64_t ra = part.beginA;
  std::int64_t rb = part.beginB;
  const IntervalRow none(nullptr, 0);
  while (ra < part.endA || rb < part.endB) {
    const bool takeA = ra < part.endA && (rb == part.endB || !(b.rowKeys[rb] < a.rowKeys[ra]));
    const bool takeB = rb < part.endB && (ra == part.endA || !(a.rowKeys[ra] < b.rowKeys[rb]));
    const RowKey<Dim> key = takeA ? a.rowKeys[ra] : b.rowKeys[rb];
    EndpointWriter writer(endpoints + 2 * done.intervals);
    mergeRows(truthTable, (takeA ? a.row(ra) : none).cursor(), (takeB ? b.row(rb) : none).cursor(), writer);
    ra += static_cast<std::int64_t>(takeA);
    rb += static_cast<std::int64_t>(takeB);

    const std::int64_t end = (writer.end() - endpoints) / 2;
    if (end > done.intervals) {
      out.rowKeys[done.rows] = key;
      out.rowOffsets[done.rows] = done.intervals;
      ++done.rows;
      for (std::int64_t i = done.intervals; i < end; ++i) {
        out.cellOffsets[i] = done.cells;
        done.cells += static_cast<std::int64_t>(out.intervals[i].end) - out.intervals[i].begin;
      }
      done.intervals = end;
    }
  }
  return done;
}

/// The row of A at which part `p` of `numParts` begins, such that the parts have about equal numbers of intervals.
template <int Dim>
std::int64_t partBegin(const IntervalSetView<Dim>& a, int p, int numParts) {
  if (p == numParts) {
    return a.numRows;
  }
  const std::int64_t target = a.numIntervals * p / numParts;
  return std::lower_bound(a.rowOffsets, a.rowOffsets + a.numRows, target) - a.rowOffsets;
}

template <int Dim>
struct MergeParts {
  unsigned truthTable;
  IntervalSetView<Dim> a;
  IntervalSetView<Dim> b;
  const RowParts* parts;
  const WritableIntervalSet<Dim>* outputs;
  SetTotals* counts;

  void operator()(int p) const { counts[p] = mergePart(truthTable, a, b, parts[p], outputs[p]); }
};

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

/// Writes A op B into `target`, which has room for the rows and intervals of both (IntervalSet::prepare()), and returns
/// what is in it. Waits for it.
template <class Space, int Dim>
SetTotals combineOnHost(const Space& space, unsigned truthTable, const IntervalSetView<Dim>& a,
  const IntervalSetView<Dim>& b, const WritableIntervalSet<Dim>& target,
  Workspace<typename Space::memory_space>& workspace) {
  // Below some thousand intervals a part is not worth waking a thread for.
  constexpr std::int64_t intervalsWorthAPart = 4096;
  const std::int64_t work = a.numIntervals + b.numIntervals;
  const int numParts = static_cast<int>(std::clamp<std::int64_t>(work / intervalsWorthAPart, 1, space.concurrency()));
  // The larger set leads, so that parts are about equal.
  const bool leadA = a.numIntervals >= b.numIntervals;

  typename Workspace<typename Space::memory_space>::Frame frame(workspace);
  const auto parts = frame.template array<RowParts>(numParts);
  const auto outputs = frame.template array<WritableIntervalSet<Dim>>(numParts);
  const auto counts = frame.template array<SetTotals>(numParts);
  const auto starts = frame.template array<SetTotals>(numParts + 1);

  RowParts previous{0, 0, 0, 0};
  for (int p = 0; p < numParts; ++p) {
    RowParts part{previous.endA, a.numRows, previous.endB, b.numRows};
    if (p + 1 < numParts && leadA) {
      part.endA = std::max(part.beginA, partBegin(a, p + 1, numParts));
      part.endB = part.endA < a.numRows ? b.lowerRow(a.rowKeys[part.endA]) : b.numRows;
    } else if (p + 1 < numParts) {
      part.endB = std::max(part.beginB, partBegin(b, p + 1, numParts));
      part.endA = part.endB < b.numRows ? a.lowerRow(b.rowKeys[part.endB]) : a.numRows;
    }
    parts(p) = part;
    previous = part;
    if (p == 0) {
      outputs(p) = target;
      continue;
    }
    const std::int64_t rows = part.endA - part.beginA + part.endB - part.beginB;
    const auto intervalsOf = [](const IntervalSetView<Dim>& set, std::int64_t begin, std::int64_t end) {
      return begin < end ? set.rowOffsets[end] - set.rowOffsets[begin] : 0;
    };
    const std::int64_t intervals = intervalsOf(a, part.beginA, part.endA) + intervalsOf(b, part.beginB, part.endB);
    outputs(p) = {frame.template array<RowKey<Dim>>(rows).data(), frame.template array<std::int64_t>(rows).data(),
      frame.template array<Interval>(intervals + 1).data(), frame.template array<std::int64_t>(intervals).data()};
  }

  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<int>>;
  const MergeParts<Dim> merge{truthTable, a, b, parts.data(), outputs.data(), counts.data()};
  if (numParts == 1) {
    merge(0);
  } else {
    Kokkos::parallel_for(SPANWISE_KERNEL("merge parts"), Policy(space, 0, numParts, Kokkos::ChunkSize(1)), merge);
    space.fence(SPANWISE_LABEL("Geometry::combine counts"));
  }
  starts(0) = {};
  for (int p = 0; p < numParts; ++p) {
    starts(p + 1) = starts(p);
    starts(p + 1) += counts(p);
  }
  if (numParts > 1) {
    const MoveParts<Dim> move{outputs.data(), counts.data(), starts.data(), numParts, target};
    Kokkos::parallel_for(
      SPANWISE_KERNEL("move parts"), Policy(space, 0, (numParts - 1) * numParts, Kokkos::ChunkSize(1)), move);
    space.fence(SPANWISE_LABEL("Geometry::combine done"));
  }
  const SetTotals total = starts(numParts);
  target.rowOffsets[total.rows] = total.intervals;
  target.cellOffsets[total.intervals] = total.cells;
  return total;
}

} // namespace spanwise::detail
