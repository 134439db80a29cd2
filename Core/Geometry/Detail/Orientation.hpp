#pragma once

#include "Core/Geometry/Detail/ExactArithmetic.hpp"

namespace spanwise::geometry::detail {

// Exact signs of orientation determinants. The determinant is first evaluated in double; its sign is right if its
// magnitude exceeds a bound on the rounding errors (Shewchuk 1997, section 4: 3 roundoffs of the sum of the products'
// magnitudes in 2D, 7 in 3D; 4 and 8 here leave room for the bound's own rounding). Otherwise it is summed exactly.
//
// The signs are exact for coordinates that are 0 or have a magnitude in [smallestExact, largestExact]: then no product
// of three differences, nor the rest of its rounding, underflows or overflows.

inline constexpr double smallestExact = 1e-70;
inline constexpr double largestExact = 1e70;
inline constexpr double roundoff = 0x1p-53;

/// Coordinates too small for exact signs become 0. The same number becomes the same number wherever it stands, so what
/// was one point stays one point.
KOKKOS_FORCEINLINE_FUNCTION double snappedToExact(double coordinate) {
  return Kokkos::abs(coordinate) < smallestExact ? 0.0 : coordinate;
}

KOKKOS_FORCEINLINE_FUNCTION int signOf(double value) {
  return static_cast<int>(value > 0.0) - static_cast<int>(value < 0.0);
}

KOKKOS_INLINE_FUNCTION int exactOrientation(const double (&a)[2], const double (&b)[2], const double (&c)[2]) {
  Expansion<16> determinant;
  for (int d = 0; d < 2; ++d) {
    const RoundedAndRest fromA = exactDifference(a[d], c[d]);
    const RoundedAndRest fromB = exactDifference(b[1 - d], c[1 - d]);
    const double sign = d == 0 ? 1.0 : -1.0;
    determinant.addProduct(sign * fromA.rest, fromB.rest);
    determinant.addProduct(sign * fromA.rest, fromB.value);
    determinant.addProduct(sign * fromA.value, fromB.rest);
    determinant.addProduct(sign * fromA.value, fromB.value);
  }
  return determinant.sign();
}

/// The sign of the area of the triangle a, b, c: 1 if c lies to the left of the line from a to b, -1 if to the right, 0
/// if on it.
KOKKOS_INLINE_FUNCTION int orientation(const double (&a)[2], const double (&b)[2], const double (&c)[2]) {
  const double ax = roundedDifference(a[0], c[0]);
  const double ay = roundedDifference(a[1], c[1]);
  const double bx = roundedDifference(b[0], c[0]);
  const double by = roundedDifference(b[1], c[1]);
  const double determinant = ax * by - ay * bx;
  const double bound = 4.0 * roundoff * (Kokkos::abs(ax * by) + Kokkos::abs(ay * bx));
  if (Kokkos::abs(determinant) > bound || bound == 0.0) {
    return signOf(determinant);
  }
  return exactOrientation(a, b, c);
}

KOKKOS_INLINE_FUNCTION int exactOrientation(
  const double (&a)[3], const double (&b)[3], const double (&c)[3], const double (&d)[3]) {
  Expansion<192> determinant;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (j == i) {
        continue;
      }
      const int k = 3 - i - j;
      const double sign = j == (i + 1) % 3 ? 1.0 : -1.0; // of the permutation (i, j, k)
      const RoundedAndRest fromA = exactDifference(a[i], d[i]);
      const RoundedAndRest fromB = exactDifference(b[j], d[j]);
      const RoundedAndRest fromC = exactDifference(c[k], d[k]);
      for (int parts = 0; parts < 8; ++parts) {
        determinant.addProduct(sign * ((parts & 1) != 0 ? fromA.value : fromA.rest),
          (parts & 2) != 0 ? fromB.value : fromB.rest, (parts & 4) != 0 ? fromC.value : fromC.rest);
      }
    }
  }
  return determinant.sign();
}

/// The sign of the determinant with the rows a - d, b - d, c - d: which side of the plane through a, b, c the point d
/// is on.
KOKKOS_INLINE_FUNCTION int orientation(
  const double (&a)[3], const double (&b)[3], const double (&c)[3], const double (&d)[3]) {
  double fromD[3][3];
  for (int i = 0; i < 3; ++i) {
    fromD[0][i] = roundedDifference(a[i], d[i]);
    fromD[1][i] = roundedDifference(b[i], d[i]);
    fromD[2][i] = roundedDifference(c[i], d[i]);
  }
  double determinant = 0.0;
  double permanent = 0.0;
  for (int row = 0; row < 3; ++row) {
    const double (&next)[3] = fromD[(row + 1) % 3];
    const double (&last)[3] = fromD[(row + 2) % 3];
    const double plus = next[1] * last[2];
    const double minus = next[2] * last[1];
    determinant += fromD[row][0] * (plus - minus);
    permanent += Kokkos::abs(fromD[row][0]) * (Kokkos::abs(plus) + Kokkos::abs(minus));
  }
  const double bound = 8.0 * roundoff * permanent;
  if (Kokkos::abs(determinant) > bound || bound == 0.0) {
    return signOf(determinant);
  }
  return exactOrientation(a, b, c, d);
}

} // namespace spanwise::geometry::detail
