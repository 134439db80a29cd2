#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Search.hpp"

namespace spanwise::multilevel::detail {

/// Writes the parents of one interval of complete groups of siblings, and of its row.
template <int Dim>
struct PlaceParents {
  static constexpr std::int64_t copies = childRows<Dim>;
  geometry::IntervalSetView<Dim> from;
  geometry::WritableIntervalSet<Dim> to;
  geometry::SetTotals totals;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t k, std::int64_t i) const {
    const geometry::RowKey<Dim> key = from.rowKeys[row];
    if (i == 0) {
      to.rowOffsets[totals.rows] = totals.intervals;
      to.cellOffsets[totals.intervals] = totals.cells;
    }
    if ((key.y & 1) != 0 || (key.zOr0() & 1) != 0) { // not the first row of the children
      return;
    }
    std::int64_t first = row; // of the plane; in 2D a row is one
    if (Dim == 3) {
      const std::int64_t z = key.zOr0();
      first = firstTrue(0, row, row, [&](std::int64_t r) { return from.rowKeys[r].zOr0() >= z; });
    }
    const std::int64_t intervalsBefore = from.rowOffsets[first];
    const std::int64_t intervalsOfPlane = from.rowOffsets[row] - intervalsBefore;
    const std::int64_t cellsBefore = from.cellOffsets[intervalsBefore];
    const std::int64_t cellsOfPlane = from.cellOffsets[from.rowOffsets[row]] - cellsBefore;
    const std::int64_t cellsOfRow = from.cellOffsets[i] - from.cellOffsets[from.rowOffsets[row]];
    const std::int64_t begin = intervalsBefore / copies + intervalsOfPlane / 2;
    to.intervals[begin + k] = {from.intervals[i].begin >> 1, from.intervals[i].end >> 1};
    to.cellOffsets[begin + k] = cellsBefore / (2 * copies) + cellsOfPlane / 4 + cellsOfRow / 2;
    if (k == 0) {
      const std::int64_t parent = first / copies + (row - first) / 2;
      to.rowKeys[parent] = parentRow(key);
      to.rowOffsets[parent] = begin;
    }
  }
};

/// Writes the parents of a set of complete groups of siblings, as the levels of a hierarchy are, into arrays with room
/// for its rows and intervals. It undoes refineInto(): where a parent's row and intervals stand is a closed form of
/// where the first row of its children stands, so there is one launch and nothing to wait for; coarsening by groups of
/// rows takes five on a device, and waits. On the host balance takes as long as with coarsening (0.995 to 1.02 times).
/// Of a set that is no such the result is of no use, though nothing is written beyond the room.
template <class Space, int Dim>
geometry::SetTotals parentsOfFamilies(
  const Space& space, const geometry::IntervalSetView<Dim>& from, const geometry::WritableIntervalSet<Dim>& to) {
  constexpr std::int64_t copies = PlaceParents<Dim>::copies;
  if (from.numRows == 0) {
    return {};
  }
  const geometry::SetTotals totals{from.numRows / copies, from.numIntervals / copies, from.numCells / (2 * copies)};
  forEachPart(space, SPANWISE_KERNEL("parents"), from.rowOffsets, from.numRows, from.numIntervals,
    PlaceParents<Dim>{from, to, totals});
  return totals;
}

} // namespace spanwise::multilevel::detail
