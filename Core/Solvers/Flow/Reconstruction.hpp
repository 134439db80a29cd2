#pragma once

#include "Core/Solvers/Flow/IdealGas.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace spanwise::flow {

// What values are on the faces of a cell: limited slopes of the primitive state (B. van Leer, J. Comput. Phys. 32,
// 1979). They keep values on faces between those of the two cells beside it, so densities and pressures stay positive.
// toFace() gives what the upper face has more than the centre, half a slope, for each of several values, by their
// differences from the cell below and to the cell above. The lower face has as much less.

/// The cell's value on its faces: first order. Looks one cell far.
struct NoSlope {
  static constexpr int width = 1;

  template <class T, std::size_t count>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static Kokkos::Array<T, count> toFace(
    const Kokkos::Array<T, count>& /*below*/, const Kokkos::Array<T, count>& /*above*/) {
    Kokkos::Array<T, count> result;
    for (std::size_t c = 0; c < count; ++c) {
      result[c] = T(0);
    }
    return result;
  }
};

/// The smaller one of both differences where they have the same sign, otherwise 0. Second order, robust.
struct MinmodSlope {
  static constexpr int width = 2;

  template <class T, std::size_t count>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static Kokkos::Array<T, count> toFace(
    const Kokkos::Array<T, count>& below, const Kokkos::Array<T, count>& above) {
    Kokkos::Array<T, count> result;
    for (std::size_t c = 0; c < count; ++c) {
      const T least = T(0.5) * Kokkos::min(Kokkos::abs(below[c]), Kokkos::abs(above[c]));
      result[c] = below[c] * above[c] > T(0) ? Kokkos::copysign(least, below[c]) : T(0);
    }
    return result;
  }
};

/// The harmonic mean of both differences where they have the same sign, otherwise 0. Second order, sharper.
///
/// Divisions take long, so there is one for all values: by the product of the sums of their differences. That is why
/// differences below 1e-60 count as none, and those above 1e60 are out of range.
struct VanLeerSlope {
  static constexpr int width = 2;

  template <class T, std::size_t count>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static Kokkos::Array<T, count> toFace(
    const Kokkos::Array<T, count>& below, const Kokkos::Array<T, count>& above) {
    static_assert(sizeof(T) == 8 && count <= 5, "the product of all sums has to be a number");
    Kokkos::Array<T, count> product; // of both differences
    Kokkos::Array<T, count> sum;
    for (std::size_t c = 0; c < count; ++c) {
      const T both = below[c] * above[c];
      const bool same = both > T(1e-120);
      product[c] = same ? both : T(0);
      sum[c] = same ? below[c] + above[c] : T(1);
    }
    divide<0, count>(T(1) / productOf<0, count>(sum), sum, product);
    return product;
  }

private:
  // Halves of halves: of products one after the other each would wait for the one before.
  template <std::size_t first, std::size_t last, class T, std::size_t count>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static T productOf(const Kokkos::Array<T, count>& values) {
    if constexpr (first + 1 == last) {
      return values[first];
    } else {
      constexpr std::size_t middle = (first + last) / 2;
      return productOf<first, middle>(values) * productOf<middle, last>(values);
    }
  }
  /// Divides values, by what is the inverse of the product of all divisors.
  template <std::size_t first, std::size_t last, class T, std::size_t count>
  KOKKOS_FORCEINLINE_FUNCTION static void divide(
    T inverse, const Kokkos::Array<T, count>& by, Kokkos::Array<T, count>& values) {
    if constexpr (first + 1 == last) {
      values[first] *= inverse;
    } else {
      constexpr std::size_t middle = (first + last) / 2;
      divide<first, middle>(inverse * productOf<middle, last>(by), by, values);
      divide<middle, last>(inverse * productOf<first, middle>(by), by, values);
    }
  }
};

/// The state on the upper (sign 1) or lower (-1) face of a cell, by the cells below and above it.
template <class Slope, int sign, class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION Primitive<T, Dim> onFace(
  const Primitive<T, Dim>& below, const Primitive<T, Dim>& cell, const Primitive<T, Dim>& above) {
  constexpr std::size_t count = Dim + 2;
  Kokkos::Array<T, count> fromBelow;
  Kokkos::Array<T, count> toAbove;
  fromBelow[0] = cell.density - below.density;
  toAbove[0] = above.density - cell.density;
  for (std::size_t d = 0; d < Dim; ++d) {
    fromBelow[1 + d] = cell.velocity[d] - below.velocity[d];
    toAbove[1 + d] = above.velocity[d] - cell.velocity[d];
  }
  fromBelow[count - 1] = cell.pressure - below.pressure;
  toAbove[count - 1] = above.pressure - cell.pressure;
  const Kokkos::Array<T, count> more = Slope::toFace(fromBelow, toAbove);
  const auto moved = [](T value, T by) { return sign > 0 ? value + by : value - by; };
  Primitive<T, Dim> result;
  result.density = moved(cell.density, more[0]);
  for (std::size_t d = 0; d < Dim; ++d) {
    result.velocity[d] = moved(cell.velocity[d], more[1 + d]);
  }
  result.pressure = moved(cell.pressure, more[count - 1]);
  return result;
}

} // namespace spanwise::flow
