#pragma once

#include "Readers/Hdf5/Dataset.hpp"

#include "Core/Geometry/Interval.hpp"

#include <cstdint>

namespace spanwise::icsr {

/// The rows of a level as its file orders them: keys, and how many cells stand before each. Searches read only the
/// chunks that they need. In a damaged file a search ends somewhere, and what is found is checked by those who read it.
struct RowTable {
  hdf5::Dataset keys;
  hdf5::Dataset cells;
  int dimension;

  [[nodiscard]] std::uint64_t numRows() const { return keys.rows(); }

  /// y in 2D, z in 3D.
  [[nodiscard]] geometry::Coordinate slowest(std::uint64_t row) const {
    return keys.at<geometry::Coordinate>(row, static_cast<std::uint64_t>(dimension - 2));
  }

  /// The first row of [begin, end) for which `isBehind` is true; `end` if there is none.
  template <class Predicate>
  static std::uint64_t firstRow(std::uint64_t begin, std::uint64_t end, const Predicate& isBehind) {
    while (begin < end) {
      const std::uint64_t middle = begin + (end - begin) / 2;
      if (isBehind(middle)) {
        end = middle;
      } else {
        begin = middle + 1;
      }
    }
    return begin;
  }

  [[nodiscard]] std::uint64_t planeBegin(std::uint64_t row) const {
    const geometry::Coordinate key = slowest(row);
    return firstRow(0, row, [&](std::uint64_t r) { return slowest(r) >= key; });
  }
  [[nodiscard]] std::uint64_t planeEnd(std::uint64_t row) const {
    const geometry::Coordinate key = slowest(row);
    return firstRow(row + 1, numRows(), [&](std::uint64_t r) { return slowest(r) > key; });
  }

  /// The border between planes that has the nearest to `target` cells before it.
  [[nodiscard]] std::uint64_t border(std::int64_t target) const {
    const std::uint64_t row =
      firstRow(0, numRows(), [&](std::uint64_t r) { return cells.at<std::int64_t>(r) >= target; });
    if (row == 0) {
      return 0;
    }
    const std::uint64_t low = planeBegin(row - 1);
    const std::uint64_t high = planeEnd(row - 1);
    // As doubles: in a damaged file the differences may be anything.
    const double below = static_cast<double>(target) - static_cast<double>(cells.at<std::int64_t>(low));
    const double above = static_cast<double>(cells.at<std::int64_t>(high)) - static_cast<double>(target);
    return below <= above ? low : high;
  }
};

} // namespace spanwise::icsr
