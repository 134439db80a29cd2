#pragma once

#include "Core/Geometry/Interval.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::geometry {

/// The box that holds nothing, from which the box around cells grows.
template <int Dim>
[[nodiscard]] KOKKOS_INLINE_FUNCTION Box<Dim> boxOfNothing() {
  Box<Dim> box{};
  for (int d = 0; d < Dim; ++d) {
    box.begin[d] = Kokkos::Experimental::finite_max_v<Coordinate>;
    box.end[d] = Kokkos::Experimental::finite_min_v<Coordinate>;
  }
  return box;
}

/// Makes a box the least one that holds another too. Both may be boxOfNothing().
template <int Dim>
KOKKOS_INLINE_FUNCTION void grow(Box<Dim>& box, const Box<Dim>& other) {
  for (int d = 0; d < Dim; ++d) {
    box.begin[d] = Kokkos::min(box.begin[d], other.begin[d]);
    box.end[d] = Kokkos::max(box.end[d], other.end[d]);
  }
}

/// The box of the cells from `begin` to end - 1 of a row.
template <int Dim>
[[nodiscard]] KOKKOS_INLINE_FUNCTION Box<Dim> boxOfRow(const RowKey<Dim>& key, Coordinate begin, Coordinate end) {
  Box<Dim> box{};
  const Coordinate low[3] = {begin, key.y, key.zOr0()};
  const Coordinate high[3] = {end, key.y + 1, key.zOr0() + 1};
  for (int d = 0; d < Dim; ++d) {
    box.begin[d] = low[d];
    box.end[d] = high[d];
  }
  return box;
}

} // namespace spanwise::geometry
