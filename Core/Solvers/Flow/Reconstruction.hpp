#pragma once

#include "Core/Solvers/Flow/IdealGas.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::flow {

// What values are on the faces of a cell: limited slopes of the primitive state (B. van Leer, J. Comput. Phys. 32,
// 1979). They keep values on faces between those of the two cells beside it, so densities and pressures stay positive.

/// The cell's value on its faces: first order. Looks one cell far.
struct NoSlope {
  static constexpr int width = 1;

  template <class T>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static T slope(T /*below*/, T /*above*/) {
    return T(0);
  }
};

/// The smaller one of both differences where they have the same sign, otherwise 0. Second order, robust.
struct MinmodSlope {
  static constexpr int width = 2;

  template <class T>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static T slope(T below, T above) {
    const T least = Kokkos::min(Kokkos::abs(below), Kokkos::abs(above));
    return below * above > T(0) ? Kokkos::copysign(least, below) : T(0);
  }
};

/// The harmonic mean of both differences where they have the same sign, otherwise 0. Second order, sharper.
struct VanLeerSlope {
  static constexpr int width = 2;

  template <class T>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static T slope(T below, T above) {
    const T product = below * above;
    const T sum = below + above;
    return product > T(0) ? T(2) * product / sum : T(0);
  }
};

/// The state on the upper (sign 1) or lower (-1) face of a cell, by the cells below and above it.
template <class Slope, class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION Primitive<T, Dim> onFace(
  const Primitive<T, Dim>& below, const Primitive<T, Dim>& cell, const Primitive<T, Dim>& above, T sign) {
  const auto value = [&](T lower, T centre, T upper) {
    return centre + T(0.5) * sign * Slope::slope(centre - lower, upper - centre);
  };
  Primitive<T, Dim> result;
  result.density = value(below.density, cell.density, above.density);
  for (int d = 0; d < Dim; ++d) {
    result.velocity[d] = value(below.velocity[d], cell.velocity[d], above.velocity[d]);
  }
  result.pressure = value(below.pressure, cell.pressure, above.pressure);
  return result;
}

} // namespace spanwise::flow
