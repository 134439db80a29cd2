#include "Core/Geometry/Crop.hpp"

#include "Core/Geometry/SetTotals.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Search.hpp"
#include "Core/Runtime/Sharing.hpp"

namespace spanwise::geometry {

namespace {

/// A set, the box, and where what is left of it goes.
template <int Dim>
struct Cropping {
  IntervalSetView<Dim> from;
  Box<Dim> box;
  WritableIntervalSet<Dim> to;
  std::int64_t* sources; ///< [rows that are left] their first interval that is left

  [[nodiscard]] KOKKOS_FUNCTION bool hasRow(const RowKey<Dim>& key) const {
    const bool inY = box.begin[1] <= key.y && key.y < box.end[1];
    return inY && (Dim == 2 || (box.begin[Dim - 1] <= key.zOr0() && key.zOr0() < box.end[Dim - 1]));
  }
};

/// Places the rows that are left, and counts their intervals.
template <class ExecutionSpace, int Dim>
SetTotals cropRows(const ExecutionSpace& space, const Cropping<Dim>& cropping) {
  SetTotals totals;
  scan(
    SPANWISE_KERNEL("crop rows"), IndexRange<ExecutionSpace>(space, 0, cropping.from.numRows),
    KOKKOS_LAMBDA(std::int64_t r, SetTotals& sum, bool final) {
      const IntervalSetView<Dim>& from = cropping.from;
      const RowKey<Dim> key = from.rowKeys[r];
      if (cropping.hasRow(key)) {
        const std::int64_t first = from.lowerInterval(r, cropping.box.begin[0]);
        std::int64_t end = from.lowerInterval(r, cropping.box.end[0]);
        end +=
          static_cast<std::int64_t>(end < from.rowOffsets[r + 1] && from.intervals[end].begin < cropping.box.end[0]);
        if (end > first) {
          if (final) {
            cropping.to.rowKeys[sum.rows] = key;
            cropping.to.rowOffsets[sum.rows] = sum.intervals;
            cropping.sources[sum.rows] = first;
          }
          ++sum.rows;
          sum.intervals += end - first;
        }
      }
      if (final && r == from.numRows - 1) {
        cropping.to.rowOffsets[sum.rows] = sum.intervals;
      }
    },
    totals);
  return totals;
}

/// Places the intervals of these rows, and counts their cells.
template <class ExecutionSpace, int Dim>
std::int64_t cropIntervals(const ExecutionSpace& space, const Cropping<Dim>& cropping, const SetTotals& totals) {
  std::int64_t numCells = 0;
  scan(
    SPANWISE_KERNEL("crop intervals"), IndexRange<ExecutionSpace>(space, 0, totals.intervals + 1),
    KOKKOS_LAMBDA(std::int64_t i, std::int64_t& cells, bool final) {
      if (i < totals.intervals) {
        const std::int64_t row = firstAbove(cropping.to.rowOffsets, 0, totals.rows + 1, i) - 1;
        Interval interval = cropping.from.intervals[cropping.sources[row] + i - cropping.to.rowOffsets[row]];
        interval.begin = Kokkos::max(interval.begin, cropping.box.begin[0]);
        interval.end = Kokkos::min(interval.end, cropping.box.end[0]);
        if (final) {
          cropping.to.intervals[i] = interval;
          cropping.to.cellOffsets[i] = cells;
        }
        cells += static_cast<std::int64_t>(interval.end) - interval.begin;
      } else if (final) {
        cropping.to.cellOffsets[i] = cells;
      }
    },
    numCells);
  return numCells;
}

} // namespace

template <class ExecutionSpace, int Dim>
void crop(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set, const Box<Dim>& box,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Geometry::crop");
  if (set.empty() || box.empty()) {
    out.clear();
    return;
  }
  const bool inPlace = &out == &set;
  const auto kept = sharing(set);
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  Cropping<Dim> cropping{kept.view(), box, {}, nullptr};
  cropping.sources = frame.template array<std::int64_t>(set.numRows()).data();
  cropping.to = out.prepare(kept.numRows(), kept.numIntervals());
  SetTotals totals = cropRows<ExecutionSpace, Dim>(space, cropping);
  totals.cells = cropIntervals<ExecutionSpace, Dim>(space, cropping, totals);
  out.finish(totals);
  if (inPlace) {
    space.fence(SPANWISE_LABEL("Geometry::crop")); // `kept` may hold the last reference
  }
}

#define SPANWISE_CROP(Space, Dim)                                                                                      \
  template void crop<Space, Dim>(                                                                                      \
    const Context<Space>&, const IntervalSetOn<Dim, Space>&, const Box<Dim>&, IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_CROP)

} // namespace spanwise::geometry
