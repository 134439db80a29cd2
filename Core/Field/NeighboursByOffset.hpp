#pragma once

#include <Kokkos_Core.hpp>

#include <utility>

namespace spanwise::field {

/// What users call a stencil's values by, for a class `Point` that has centre(component) and neighbour(n, component).
template <class Point, class Pattern, class T>
class NeighboursByOffset {
public:
  /// The value at an offset from the cell, which must be 0 or in the pattern: at<1, 0>() is the one on the right.
  template <int x, int y, int z = 0>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T at(int component = 0) const {
    if constexpr (x == 0 && y == 0 && z == 0) {
      return point().centre(component);
    } else {
      constexpr int n = Pattern::indexOf({x, y, z});
      static_assert(n >= 0, "the pattern has no neighbour at this offset");
      return point().neighbour(n, component);
    }
  }

  // The face neighbours: lower and upper along x, y and z.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T west(int component = 0) const { return at<-1, 0>(component); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T east(int component = 0) const { return at<1, 0>(component); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T south(int component = 0) const { return at<0, -1>(component); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T north(int component = 0) const { return at<0, 1>(component); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T down(int component = 0) const { return at<0, 0, -1>(component); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T up(int component = 0) const { return at<0, 0, 1>(component); }

  /// The face neighbour along an axis on the lower or the upper side.
  template <int axis>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T lower(int component = 0) const {
    return at<axis == 0 ? -1 : 0, axis == 1 ? -1 : 0, axis == 2 ? -1 : 0>(component);
  }
  template <int axis>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T upper(int component = 0) const {
    return at<axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0>(component);
  }

  /// The sum of the values at all neighbours, in their order.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T sumOfNeighbours(int component = 0) const {
    return sumOf(component, std::make_integer_sequence<int, Pattern::count>());
  }

private:
  friend Point;
  NeighboursByOffset() = default;

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION const Point& point() const { return static_cast<const Point&>(*this); }

  template <int... n>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T sumOf(int component, std::integer_sequence<int, n...> /*all*/) const {
    return (... + point().neighbour(n, component));
  }
};

} // namespace spanwise::field
