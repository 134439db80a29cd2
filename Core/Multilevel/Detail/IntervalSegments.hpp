#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Segments.hpp"

namespace spanwise::multilevel::detail {

struct CopyOffsets {
  const std::int64_t* from;
  std::int64_t* to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

/// Makes each interval of a set a segment. Keeps nothing of the set.
template <class Space, int Dim>
void intervalsAsSegments(const Space& space, const geometry::IntervalSetView<Dim>& set,
  geometry::Segments<typename Space::memory_space>& segments) {
  std::int64_t* const offsets = segments.prepare(set.numIntervals);
  if (set.numIntervals > 0) {
    forEach(SPANWISE_KERNEL("copy offsets"), IndexRange<Space>(space, 0, set.numIntervals + 1),
      CopyOffsets{set.cellOffsets, offsets});
    segments.finish(space, set.numIntervals, set.numCells);
  }
}

/// The number of the first of some cells of row number `row`, or -1 if they are not all in the set; also where there is
/// no such row, which is -1.
template <int Dim>
KOKKOS_INLINE_FUNCTION std::int64_t firstOfCellsInRow(
  const geometry::IntervalSetView<Dim>& set, std::int64_t row, const geometry::Interval& cells) {
  if (row < 0) {
    return -1;
  }
  const std::int64_t i = set.lowerInterval(row, cells.begin);
  const bool within =
    i < set.rowOffsets[row + 1] && set.intervals[i].begin <= cells.begin && set.intervals[i].end >= cells.end;
  return within ? set.cellOffsets[i] + (std::int64_t{cells.begin} - set.intervals[i].begin) : -1;
}

/// The same of the row with a key.
template <int Dim>
KOKKOS_INLINE_FUNCTION std::int64_t firstOfCells(
  const geometry::IntervalSetView<Dim>& set, const geometry::RowKey<Dim>& key, const geometry::Interval& cells) {
  return firstOfCellsInRow(set, set.findRow(key), cells);
}

} // namespace spanwise::multilevel::detail
