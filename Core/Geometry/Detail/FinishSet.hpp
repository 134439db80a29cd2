#pragma once

#include "Core/Geometry/IntervalSet.hpp"

#include <cstdint>

namespace spanwise::geometry::detail {

/// Ends the writing of a set on the host, `out` of set.prepare(), whose rows and intervals are there: counts its cells.
/// O(intervals).
template <int Dim>
void finishSet(
  const WritableIntervalSet<Dim>& out, std::int64_t numRows, std::int64_t numIntervals, HostIntervalSet<Dim>& set) {
  std::int64_t numCells = 0;
  for (std::int64_t i = 0; i < numIntervals; ++i) {
    out.cellOffsets[i] = numCells;
    numCells += static_cast<std::int64_t>(out.intervals[i].end) - out.intervals[i].begin;
  }
  out.rowOffsets[numRows] = numIntervals;
  out.cellOffsets[numIntervals] = numCells;
  set.finish({numRows, numIntervals, numCells});
}

} // namespace spanwise::geometry::detail
