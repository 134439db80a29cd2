#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetTotals.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <algorithm>

namespace spanwise::multilevel::detail {

// The children of a row stand in two (2D) or four (3D) rows of as many intervals, twice as long. Where they stand is a
// closed form of what stands before the row and in its plane, so all of them are written at once, without a scan.

/// Where the children of a row go: those of child row k = j + 2 h are in row `row + j + h * rowsOfPlane`, and so on.
struct ChildPlaces {
  std::int64_t row;
  std::int64_t rowsOfPlane; ///< of the result, in one of the two planes (3D)
  std::int64_t interval;
  std::int64_t intervalsOfRow;
  std::int64_t intervalsOfPlane;
  std::int64_t cell;
  std::int64_t cellsOfRow;
  std::int64_t cellsOfPlane;
};

/// Walks over rows of a set and knows the plane of each. In 2D a row is a plane.
template <int Dim>
class PlaneCursor {
public:
  KOKKOS_FUNCTION PlaneCursor(const geometry::IntervalSetView<Dim>& set, std::int64_t row) : set_(set) {
    if constexpr (Dim == 3) {
      const geometry::Coordinate z = set.rowKeys[row].z;
      first_ = firstTrue(0, row, row, [&](std::int64_t r) { return set_.rowKeys[r].z >= z; });
      findEnd(row);
    }
  }

  KOKKOS_FUNCTION ChildPlaces childrenOf(std::int64_t row) {
    if constexpr (Dim == 2) {
      first_ = row;
      end_ = row + 1;
    } else if (row >= end_) {
      first_ = row;
      findEnd(row);
    }
    constexpr std::int64_t copies = childRows<Dim>;
    ChildPlaces places{};
    places.row = copies * first_ + 2 * (row - first_);
    places.rowsOfPlane = 2 * (end_ - first_);
    places.intervalsOfRow = intervalsBefore(row + 1) - intervalsBefore(row);
    places.intervalsOfPlane = 2 * (intervalsBefore(end_) - intervalsBefore(first_));
    places.interval = copies * intervalsBefore(first_) + 2 * (intervalsBefore(row) - intervalsBefore(first_));
    places.cellsOfRow = 2 * (cellsBefore(row + 1) - cellsBefore(row));
    places.cellsOfPlane = 4 * (cellsBefore(end_) - cellsBefore(first_));
    places.cell = 2 * copies * cellsBefore(first_) + 4 * (cellsBefore(row) - cellsBefore(first_));
    return places;
  }

private:
  KOKKOS_FUNCTION void findEnd(std::int64_t row) {
    const std::int64_t z = set_.rowKeys[row].zOr0();
    end_ = firstTrue(
      row + 1, set_.numRows, row + (end_ - first_), [&](std::int64_t r) { return set_.rowKeys[r].zOr0() > z; });
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t intervalsBefore(std::int64_t row) const { return set_.rowOffsets[row]; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t cellsBefore(std::int64_t row) const {
    return set_.cellOffsets[set_.rowOffsets[row]];
  }

  const geometry::IntervalSetView<Dim>& set_;
  std::int64_t first_ = 0; ///< row of the plane
  std::int64_t end_ = 0;
};

/// Writes the child intervals of the k-th interval of a row.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION void refineInterval(const geometry::IntervalSetView<Dim>& from,
  const geometry::WritableIntervalSet<Dim>& to, const ChildPlaces& places, std::int64_t firstOfRow, std::int64_t k) {
  const geometry::Interval interval = from.intervals[firstOfRow + k];
  const geometry::Interval fine{2 * interval.begin, 2 * interval.end};
  const std::int64_t cell = places.cell + 2 * (from.cellOffsets[firstOfRow + k] - from.cellOffsets[firstOfRow]);
  for (int c = 0; c < childRows<Dim>; ++c) {
    const std::int64_t i = places.interval + k + (c & 1) * places.intervalsOfRow + (c >> 1) * places.intervalsOfPlane;
    to.intervals[i] = fine;
    to.cellOffsets[i] = cell + (c & 1) * places.cellsOfRow + (c >> 1) * places.cellsOfPlane;
  }
}

template <int Dim>
struct RefineInterval {
  geometry::IntervalSetView<Dim> from;
  geometry::WritableIntervalSet<Dim> to;
  const ChildPlaces* places;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t k, std::int64_t /*interval*/) const {
    refineInterval(from, to, places[row], from.rowOffsets[row], k);
  }
};

inline constexpr std::int64_t rowsPerRefineBlock = 16;

/// Refines the rows of one block; their intervals too, unless another kernel will: then `places` is kept for it.
template <int Dim>
struct RefineRows {
  geometry::IntervalSetView<Dim> from;
  geometry::WritableIntervalSet<Dim> to;
  std::int64_t rowsPerBlock;
  ChildPlaces* places; ///< [rows], or null to write the intervals here

  KOKKOS_FUNCTION void operator()(std::int64_t block) const {
    const std::int64_t begin = block * rowsPerBlock;
    const std::int64_t end = Kokkos::min(begin + rowsPerBlock, from.numRows);
    PlaneCursor<Dim> cursor(from, begin);
    for (std::int64_t r = begin; r < end; ++r) {
      const ChildPlaces here = cursor.childrenOf(r);
      for (int c = 0; c < childRows<Dim>; ++c) {
        const std::int64_t row = here.row + (c & 1) + (c >> 1) * here.rowsOfPlane;
        to.rowKeys[row] = childRow(from.rowKeys[r], c);
        to.rowOffsets[row] = here.interval + (c & 1) * here.intervalsOfRow + (c >> 1) * here.intervalsOfPlane;
      }
      if (places != nullptr) {
        places[r] = here;
      } else {
        for (std::int64_t k = 0; k < here.intervalsOfRow; ++k) {
          refineInterval(from, to, here, from.rowOffsets[r], k);
        }
      }
    }
    if (end == from.numRows) {
      to.rowOffsets[childRows<Dim> * from.numRows] = childRows<Dim> * from.numIntervals;
      to.cellOffsets[childRows<Dim> * from.numIntervals] = 2 * childRows<Dim> * from.numCells;
    }
  }
};

/// Writes the children of `from`, whose cells have coordinates that allow it, into arrays with room for childRows
/// times its rows and intervals. Does not wait. On the host it may go `asOnDevice` too, for tests.
template <class Space, int Dim, bool asOnDevice = !runsOnHost<Space>>
geometry::SetTotals refineInto(const Context<Space>& context, const geometry::IntervalSetView<Dim>& from,
  const geometry::WritableIntervalSet<Dim>& target) {
  const Space& space = context.space();

  if (from.numRows == 0) {
    return {};
  }
  typename Workspace<typename Space::memory_space>::Frame frame(context.workspace());
  ChildPlaces* places = nullptr;
  std::int64_t rowsPerBlock = rowsPerRefineBlock;
  if constexpr (asOnDevice) {
    places = frame.template array<ChildPlaces>(from.numRows).data();
  } else {
    rowsPerBlock = itemsPerPiece(space, from.numRows, rowsPerBlock, from.numRows);
  }
  forEach(SPANWISE_KERNEL("refine rows"), IndexRange<Space>(space, 0, (from.numRows + rowsPerBlock - 1) / rowsPerBlock),
    RefineRows<Dim>{from, target, rowsPerBlock, places}, Work{childRows<Dim> * from.numIntervals});
  if (places != nullptr) {
    forEachPart(space, SPANWISE_KERNEL("refine"), from.rowOffsets, from.numRows, from.numIntervals,
      RefineInterval<Dim>{from, target, places});
  }
  return {childRows<Dim> * from.numRows, childRows<Dim> * from.numIntervals, 2 * childRows<Dim> * from.numCells};
}

} // namespace spanwise::multilevel::detail
