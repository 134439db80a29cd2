#pragma once

#include "Core/Mesh/MeshView.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::detail {

/// The barycentre of an element times its size, and its size; or a vertex, of weight 0. Half a cache line, and a sector
/// of a device's memory: it is read at once.
struct alignas(32) WeightedPoint {
  double x, y, z, weight;

  static KOKKOS_FORCEINLINE_FUNCTION WeightedPoint of(const Point& point, double weight) {
    return {point[0], point[1], point[2], weight};
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Point point() const { return {{x, y, z}}; }

  friend KOKKOS_FORCEINLINE_FUNCTION WeightedPoint operator+(const WeightedPoint& a, const WeightedPoint& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.weight + b.weight};
  }
};

} // namespace spanwise::detail
