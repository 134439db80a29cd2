#pragma once

#include "Core/Geometry/HostParts.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry::detail {

/// Resizes the intervals of one part of the rows: as resizeIntervals(), in one pass.
template <int Dim>
struct ResizeParts {
  IntervalSetView<Dim> from;
  std::int64_t beginMove;
  std::int64_t endMove;
  int numParts;
  const WritableIntervalSet<Dim>* outputs;
  SetTotals* counts;

  void operator()(int p) const {
    const WritableIntervalSet<Dim>& out = outputs[p];
    SetTotals done;
    for (std::int64_t r = partBegin(from, p, numParts); r < partBegin(from, p + 1, numParts); ++r) {
      const std::int64_t first = done.intervals;
      for (std::int64_t i = from.rowOffsets[r]; i < from.rowOffsets[r + 1]; ++i) {
        const std::int64_t begin = std::max<std::int64_t>(from.intervals[i].begin + beginMove, minCoordinate);
        const std::int64_t end = std::min<std::int64_t>(from.intervals[i].end + endMove, maxIntervalEnd);
        if (done.intervals > first && begin <= out.intervals[done.intervals - 1].end) {
          out.intervals[done.intervals - 1].end = static_cast<Coordinate>(end); // only where intervals grow
        } else if (begin < end) {
          out.intervals[done.intervals++] = {static_cast<Coordinate>(begin), static_cast<Coordinate>(end)};
        }
      }
      if (done.intervals > first) {
        out.rowKeys[done.rows] = from.rowKeys[r];
        out.rowOffsets[done.rows] = first;
        ++done.rows;
        for (std::int64_t i = first; i < done.intervals; ++i) {
          out.cellOffsets[i] = done.cells;
          done.cells += static_cast<std::int64_t>(out.intervals[i].end) - out.intervals[i].begin;
        }
      }
    }
    counts[p] = done;
  }
};

/// resizeIntervals() on the host.
template <class Space, int Dim>
SetTotals resizeOnHost(const Context<Space>& context, const IntervalSetView<Dim>& from, std::int64_t beginMove,
  std::int64_t endMove, const WritableIntervalSet<Dim>& target) {
  const Space& space = context.space();

  typename Workspace<typename Space::memory_space>::Frame frame(context.workspace());
  const int numParts = from.numRows == 0 ? 1 : partsOnHost(space, from.numIntervals);
  const auto outputs = frame.template array<WritableIntervalSet<Dim>>(numParts);
  const auto counts = frame.template array<SetTotals>(numParts);
  for (int p = 0; p < numParts; ++p) {
    const std::int64_t begin = partBegin(from, p, numParts);
    const std::int64_t end = partBegin(from, p + 1, numParts);
    outputs(p) = p == 0 ? target : scratchSet<Dim>(frame, end - begin, from.rowOffsets[end] - from.rowOffsets[begin]);
  }
  doPartsOnHost(space, SPANWISE_KERNEL("resize parts"), numParts,
    ResizeParts<Dim>{from, beginMove, endMove, numParts, outputs.data(), counts.data()});
  return joinParts(space, outputs.data(), counts.data(), numParts, target, frame);
}

} // namespace spanwise::geometry::detail
