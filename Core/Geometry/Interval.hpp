#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <string>

namespace spanwise::geometry {

/// Coordinates of cells and nodes. They may be negative.
using Coordinate = std::int32_t;

/// The largest end of an interval: the node at an interval's end must have a coordinate of its own.
inline constexpr Coordinate maxIntervalEnd = std::numeric_limits<Coordinate>::max();
/// The largest row key component: the nodes above the row must have a coordinate of their own.
inline constexpr Coordinate maxRowKey = std::numeric_limits<Coordinate>::max() - 1;
/// The smallest coordinate of a cell.
inline constexpr Coordinate minCoordinate = std::numeric_limits<Coordinate>::min();

/// The cells begin, begin + 1, ... end - 1 of one row.
struct Interval {
  Coordinate begin;
  Coordinate end;

  friend KOKKOS_FUNCTION constexpr bool operator==(const Interval& a, const Interval& b) {
    return a.begin == b.begin && a.end == b.end;
  }
};

/// What tells one row from another: y in 2D, (z, y) in 3D. Rows are ordered by z, then y.
template <int Dim>
struct RowKey;

template <>
struct RowKey<2> {
  Coordinate y;

  /// A number that orders keys as rows are ordered.
  [[nodiscard]] KOKKOS_FUNCTION constexpr std::int64_t rank() const { return y; }
  KOKKOS_FUNCTION static constexpr RowKey fromYZ(Coordinate y, Coordinate /*z*/) { return {y}; }
  [[nodiscard]] KOKKOS_FUNCTION constexpr Coordinate zOr0() const { return 0; }
};

template <>
struct RowKey<3> {
  Coordinate y;
  Coordinate z;

  [[nodiscard]] KOKKOS_FUNCTION constexpr std::int64_t rank() const {
    // y counted from its smallest value: then the whole range of z and y just fits
    return static_cast<std::int64_t>(z) * (std::int64_t{1} << 32) + (static_cast<std::int64_t>(y) - minCoordinate);
  }
  KOKKOS_FUNCTION static constexpr RowKey fromYZ(Coordinate y, Coordinate z) { return {y, z}; }
  [[nodiscard]] KOKKOS_FUNCTION constexpr Coordinate zOr0() const { return z; }
};

template <int Dim>
KOKKOS_FUNCTION constexpr bool operator==(const RowKey<Dim>& a, const RowKey<Dim>& b) {
  return a.rank() == b.rank();
}

template <int Dim>
KOKKOS_FUNCTION constexpr bool operator<(const RowKey<Dim>& a, const RowKey<Dim>& b) {
  return a.rank() < b.rank();
}

/// A cell by its coordinates, x first.
template <int Dim>
struct Cell {
  Coordinate at[Dim];

  KOKKOS_FUNCTION constexpr Coordinate x() const { return at[0]; }
  KOKKOS_FUNCTION constexpr RowKey<Dim> row() const {
    if constexpr (Dim == 2) {
      return {at[1]};
    } else {
      return {at[1], at[2]};
    }
  }

  friend KOKKOS_FUNCTION constexpr bool operator==(const Cell& a, const Cell& b) {
    return a.row() == b.row() && a.x() == b.x();
  }
  /// The order of cells in an interval set: by row, then x.
  friend KOKKOS_FUNCTION constexpr bool operator<(const Cell& a, const Cell& b) {
    return a.row() < b.row() || (a.row() == b.row() && a.x() < b.x());
  }
};

/// The cells begin[d] <= c[d] < end[d]. Empty when an end does not exceed its begin.
template <int Dim>
struct Box {
  Coordinate begin[Dim];
  Coordinate end[Dim];

  [[nodiscard]] KOKKOS_FUNCTION constexpr bool empty() const {
    for (int d = 0; d < Dim; ++d) {
      if (end[d] <= begin[d]) {
        return true;
      }
    }
    return false;
  }
  /// Cells along axis `d`; 0 when the box is empty along it.
  [[nodiscard]] KOKKOS_FUNCTION constexpr std::int64_t extent(int d) const {
    return end[d] > begin[d] ? static_cast<std::int64_t>(end[d]) - begin[d] : 0;
  }
  [[nodiscard]] KOKKOS_FUNCTION constexpr std::int64_t numRows() const {
    return empty() ? 0 : (Dim == 2 ? extent(1) : extent(1) * extent(Dim - 1));
  }
  /// The key of the row with index `r` in row order.
  [[nodiscard]] KOKKOS_FUNCTION constexpr RowKey<Dim> row(std::int64_t r) const {
    if constexpr (Dim == 2) {
      return {static_cast<Coordinate>(begin[1] + r)};
    } else {
      return {static_cast<Coordinate>(begin[1] + r % extent(1)), static_cast<Coordinate>(begin[2] + r / extent(1))};
    }
  }

  friend constexpr bool operator==(const Box& a, const Box& b) {
    for (int d = 0; d < Dim; ++d) {
      if (a.begin[d] != b.begin[d] || a.end[d] != b.end[d]) {
        return false;
      }
    }
    return true;
  }
};

/// "[0, 4) x [-2, 3)", for messages.
template <int Dim>
std::string toString(const Box<Dim>& box) {
  std::string text;
  for (int d = 0; d < Dim; ++d) {
    text += (d == 0 ? "[" : " x [") + std::to_string(box.begin[d]) + ", " + std::to_string(box.end[d]) + ")";
  }
  return text;
}

/// "y = 3" or "y = 3, z = -1", for messages.
template <int Dim>
std::string toString(const RowKey<Dim>& key) {
  std::string text = "y = " + std::to_string(key.y);
  if constexpr (Dim == 3) {
    text += ", z = " + std::to_string(key.z);
  }
  return text;
}

/// Whether `value` is a coordinate that a cell may have; the node on its far side must have one too.
KOKKOS_FUNCTION constexpr bool isCellCoordinate(std::int64_t value) {
  return value >= minCoordinate && value <= maxRowKey;
}

// A half-open int32 box never leaves the limits: its last cell is at most end - 1 <= 2^31 - 2.
static_assert(maxRowKey == maxIntervalEnd - 1);

} // namespace spanwise::geometry
