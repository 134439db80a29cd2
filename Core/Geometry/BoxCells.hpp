#pragma once

#include "Core/Geometry/Interval.hpp"
#include "Core/Runtime/Error.hpp"

#include <cstdint>
#include <limits>

namespace spanwise::geometry {

/// The cell of a row at x.
template <int Dim>
KOKKOS_FUNCTION constexpr Cell<Dim> cellOf(const RowKey<Dim>& key, Coordinate x) {
  if constexpr (Dim == 2) {
    return {{x, key.y}};
  } else {
    return {{x, key.y, key.z}};
  }
}

/// The number of cells of `box`. Throws InvalidArgument if 64 bits do not hold it.
template <int Dim>
std::int64_t numCells(const Box<Dim>& box) {
  if (box.empty()) {
    return 0;
  }
  std::int64_t cells = 1;
  for (int d = 0; d < Dim; ++d) {
    if (box.extent(d) > std::numeric_limits<std::int64_t>::max() / cells) {
      throw InvalidArgument("the box " + toString(box) + " has more than 2^63 - 1 cells");
    }
    cells *= box.extent(d);
  }
  return cells;
}

} // namespace spanwise::geometry
