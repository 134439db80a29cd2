#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Periods.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace spanwise::eikonal::detail {

/// Cells of a row that are all in the set, or all not in it, around one of them.
struct RunOfCells {
  bool inside;
  std::int64_t end; ///< the first cell after it, seams of periods aside
  double lower;     ///< where it begins and ends, as numbers of the cells there; infinite where it does not
  double upper;

  /// How many cells it is from x, one of them, to the nearest cell that is none.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double cellsOut(std::int64_t x) const {
    const auto at = static_cast<double>(x);
    return Kokkos::min(at - lower + 1.0, upper - at);
  }
};

/// A set whose rows are asked for their runs.
template <int Dim>
struct RunsOfRows {
  geometry::IntervalSetView<Dim> set;
  geometry::Periods<Dim> periods;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t wrapped(int axis, std::int64_t at) const {
    if (!periods.along[axis]) {
      return at;
    }
    const std::int64_t length = periods.box.extent(axis);
    const std::int64_t past = (at - periods.box.begin[axis]) % length;
    return periods.box.begin[axis] + (past < 0 ? past + length : past);
  }

  /// The row at (y, z), or -1.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t find(std::int64_t y, std::int64_t z) const {
    y = wrapped(1, y);
    if constexpr (Dim == 3) {
      z = wrapped(2, z);
    }
    return geometry::isCellCoordinate(y) && geometry::isCellCoordinate(z)
      ? set.findRow(
          geometry::RowKey<Dim>::fromYZ(static_cast<geometry::Coordinate>(y), static_cast<geometry::Coordinate>(z)))
      : -1;
  }

  /// The first interval of a row, which may be none, that ends after x.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t lowerInterval(std::int64_t row, std::int64_t x) const {
    return row < 0 ? 0 : set.lowerInterval(row, static_cast<geometry::Coordinate>(x));
  }

  /// The run around x, which is in the period; i is the first interval of the row that ends after x.
  [[nodiscard]] KOKKOS_FUNCTION RunOfCells runAt(std::int64_t row, std::int64_t i, std::int64_t x) const {
    constexpr double infinite = Kokkos::Experimental::infinity_v<double>;
    RunOfCells run{false, std::numeric_limits<std::int64_t>::max(), -infinite, infinite};
    if (row < 0) {
      return run;
    }
    const geometry::Interval lowest = set.intervals[set.rowOffsets[row]];
    const std::int64_t end = set.rowOffsets[row + 1];
    const geometry::Interval highest = set.intervals[end - 1];
    const auto length = static_cast<double>(periods.along[0] ? periods.box.extent(0) : 0);
    run.inside = i < end && set.intervals[i].begin <= x;
    if (run.inside) {
      const geometry::Interval in = set.intervals[i];
      run = {true, in.end, static_cast<double>(in.begin), static_cast<double>(in.end)};
      if (periods.along[0] && lowest.begin == periods.box.begin[0] && highest.end == periods.box.end[0]) {
        if (lowest.end == highest.end) { // all of the period
          run.lower = -infinite;
          run.upper = infinite;
        } else if (in.begin == lowest.begin) {
          run.lower = static_cast<double>(highest.begin) - length;
        } else if (in.end == highest.end) {
          run.upper = static_cast<double>(lowest.end) + length;
        }
      }
      return run;
    }
    if (i > set.rowOffsets[row]) {
      run.lower = static_cast<double>(set.intervals[i - 1].end);
    } else if (periods.along[0]) {
      run.lower = static_cast<double>(highest.end) - length;
    }
    if (i < end) {
      run.end = set.intervals[i].begin;
      run.upper = static_cast<double>(run.end);
    } else if (periods.along[0]) {
      run.upper = static_cast<double>(lowest.begin) + length;
    }
    return run;
  }
};

/// The squared distance along an axis to a cell so many cells away, in units of the spacing.
KOKKOS_FORCEINLINE_FUNCTION double squaredGap(double cells) {
  const double gap = Kokkos::max(cells - 0.5, 0.0);
  return gap * gap;
}

} // namespace spanwise::eikonal::detail
