#pragma once

#include "Core/Field/ForCells.hpp"
#include "Core/Geometry/NodeRows.hpp"
#include "Core/Multilevel/FinePoint.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Search.hpp"

#include <utility>
#include <vector>

namespace spanwise::multilevel::detail {

// The corners of cells of several levels as one ascending list of points, and the numbers of nodes in it. The nodes of
// a level are ascending already, so lists are merged, not sorted.

/// Node rows of a level, as points of the lattice of the finest one.
template <int Dim>
struct LevelNodeRows {
  geometry::IntervalSetView<Dim> rows;
  int shift; ///< from the level to the finest one

  /// Calls visit(n, point) for the nodes first ... last - 1.
  template <class Visit>
  KOKKOS_FUNCTION void forNodes(std::int64_t first, std::int64_t last, const Visit& visit) const {
    if (first >= last) {
      return;
    }
    std::int64_t i =
      firstTrue(0, rows.numIntervals, 0, [&](std::int64_t interval) { return firstNode(rows, interval + 1) > first; });
    for (std::int64_t row = rows.rowOfInterval(i); first < last; ++i) {
      row += static_cast<std::int64_t>(i == rows.rowOffsets[row + 1]);
      const geometry::RowKey<Dim> key = rows.rowKeys[row];
      FinePoint point{
        {0, std::int64_t{key.y} * (std::int64_t{1} << shift), std::int64_t{key.zOr0()} * (std::int64_t{1} << shift)}};
      const std::int64_t begin = firstNode(rows, i);
      const std::int64_t end = Kokkos::min(last, firstNode(rows, i + 1));
      for (; first < end; ++first) {
        point.at[0] = (rows.intervals[i].begin + (first - begin)) * (std::int64_t{1} << shift);
        visit(first, point);
      }
    }
  }
};

/// Points in an ascending list without repetition.
struct PointList {
  const FinePoint* points = nullptr;
  std::int64_t count = 0;

  /// The number of a point, or -1 if it is not there; it is not before `first`, nor behind `last`.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t find(const FinePoint& point, std::int64_t first, std::int64_t last) const {
    const std::int64_t end = Kokkos::min(last + 1, count);
    std::int64_t low = first;
    for (std::int64_t high = end; low < high;) {
      const std::int64_t middle = low + (high - low) / 2;
      if (points[middle] < point) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < end && points[low] == point ? low : -1;
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t find(const FinePoint& point) const { return find(point, 0, count - 1); }
};

/// The points that are there once of a sorted list. Waits.
template <class Space, class Frame>
PointList keepPoints(const Space& space, const FinePoint* sorted, std::int64_t count, Frame& frame) {
  FinePoint* const kept = frame.template array<FinePoint>(count).data();
  std::int64_t numKept = 0;
  if (count == 0) {
    return {kept, 0};
  }
  const auto keep = KOKKOS_LAMBDA(std::int64_t k, std::int64_t& place, bool final) {
    if (k == 0 || !(sorted[k - 1] == sorted[k])) {
      if (final) {
        kept[place] = sorted[k];
      }
      ++place;
    }
  };
  scan(SPANWISE_KERNEL("keep points"), IndexRange<Space>(space, 0, count), keep, numKept);
  return {kept, numKept};
}

/// The nodes of all levels, from the root's on: each list is merged with those of all coarser ones.
template <class Space, int Dim, class Frame>
PointList mergeNodes(
  const Space& space, const std::vector<geometry::IntervalSetOn<Dim, Space>>& nodeRows, int finest, Frame& frame) {
  std::int64_t total = 0;
  for (const auto& rows : nodeRows) {
    total += numNodes(rows.view());
  }
  FinePoint* points = frame.template array<FinePoint>(total).data();
  FinePoint* other = frame.template array<FinePoint>(total).data();
  std::int64_t count = 0;
  for (std::size_t l = 0; l < nodeRows.size(); ++l) {
    const std::int64_t added = numNodes(nodeRows[l].view());
    if (added == 0) {
      continue;
    }
    const LevelNodeRows<Dim> level{nodeRows[l].view(), finest - static_cast<int>(l)};
    FinePoint* const ofLevel = points + count;
    field::forCells(
      space, SPANWISE_KERNEL("write nodes"), added, KOKKOS_LAMBDA(std::int64_t first, std::int64_t last) {
        level.forNodes(first, last, [&](std::int64_t n, const FinePoint& point) { ofLevel[n] = point; });
      });
    const std::int64_t numLeft = count;
    count += added;
    if (mergeSorted(space, points, numLeft, count, other, Ascending()) == other) {
      std::swap(points, other);
    }
  }
  return keepPoints(space, points, count, frame);
}

/// numbers[n] = the number of node n in a list, or -1.
template <class Space, int Dim>
void numberNodes(const Space& space, const LevelNodeRows<Dim>& level, const PointList& list, std::int64_t* numbers) {
  field::forCells(
    space, SPANWISE_KERNEL("number nodes"), numNodes(level.rows), KOKKOS_LAMBDA(std::int64_t first, std::int64_t last) {
      std::int64_t found = list.count / 2;
      level.forNodes(first, last, [&](std::int64_t n, const FinePoint& point) {
        found = firstTrue(0, list.count, found, [&](std::int64_t k) { return !(list.points[k] < point); });
        numbers[n] = found < list.count && list.points[found] == point ? found : -1;
      });
    });
}

} // namespace spanwise::multilevel::detail
