#pragma once

#include <Kokkos_Core.hpp>

namespace spanwise::field {

// The neighbours that a stencil reads. A pattern numbers them from 0, each at an offset (x, y, z) from the centre, and
// the rows that they lie in, each at an offset (y, z). Patterns hold no data.

/// The neighbours at the distances 1 ... Radius along each axis: 2 Dim Radius of them. Radius 1 are the neighbours that
/// share a face. They are numbered by axis, distance and side, the lower side first.
template <int Dim, int Radius>
struct StarPattern {
  static_assert(Dim == 2 || Dim == 3, "patterns are 2D or 3D");
  static_assert(Radius >= 1 && Radius <= 4, "a star has a radius of 1 to 4");

  static constexpr int dimension = Dim;
  static constexpr int count = 2 * Dim * Radius;
  static constexpr int numRows = 2 * (Dim - 1) * Radius + 1; ///< row 0 is the centre's

  /// The number of the neighbour at a distance (1 ... Radius) along an axis, on the upper or the lower side.
  static constexpr KOKKOS_FUNCTION int index(int axis, int distance, bool upper) {
    return 2 * (axis * Radius + distance - 1) + static_cast<int>(upper);
  }
  /// The number of the neighbour at an offset, or -1 if it is not of the pattern.
  static constexpr KOKKOS_FUNCTION int indexOf(const int (&at)[3]) {
    for (int axis = 0; axis < Dim; ++axis) {
      const int distance = at[axis] < 0 ? -at[axis] : at[axis];
      if (distance > 0) {
        const bool alone = at[(axis + 1) % 3] == 0 && at[(axis + 2) % 3] == 0;
        return alone && distance <= Radius ? index(axis, distance, at[axis] > 0) : -1;
      }
    }
    return -1;
  }
  /// The offset of neighbour n along an axis.
  static constexpr KOKKOS_FUNCTION int offset(int n, int axis) {
    const int distance = n / 2 % Radius + 1;
    return n / (2 * Radius) == axis ? (n % 2 == 0 ? -distance : distance) : 0;
  }
  /// The row of neighbour n.
  static constexpr KOKKOS_FUNCTION int rowOf(int n) { return n < 2 * Radius ? 0 : n - 2 * Radius + 1; }
  /// The offset of a row along an axis.
  static constexpr KOKKOS_FUNCTION int rowOffset(int row, int axis) {
    return row == 0 ? 0 : offset(row - 1 + 2 * Radius, axis);
  }
};

/// The neighbours that share a face: 4 in 2D, 6 in 3D.
template <int Dim>
using FacePattern = StarPattern<Dim, 1>;

/// The neighbour below along each axis, numbered by axis: 2 in 2D, 3 in 3D. For sums of what is kept on upper faces.
template <int Dim>
struct LowerFacePattern {
  static_assert(Dim == 2 || Dim == 3, "patterns are 2D or 3D");

  static constexpr int dimension = Dim;
  static constexpr int count = Dim;
  static constexpr int numRows = Dim; ///< row 0 is the centre's

  static constexpr KOKKOS_FUNCTION int indexOf(const int (&at)[3]) {
    for (int n = 0; n < Dim; ++n) {
      if (at[n] == -1 && at[(n + 1) % 3] == 0 && at[(n + 2) % 3] == 0) {
        return n;
      }
    }
    return -1;
  }
  static constexpr KOKKOS_FUNCTION int offset(int n, int axis) { return n == axis ? -1 : 0; }
  static constexpr KOKKOS_FUNCTION int rowOf(int n) { return n; }
  static constexpr KOKKOS_FUNCTION int rowOffset(int row, int axis) { return row == 0 ? 0 : offset(row, axis); }
};

/// The full neighbourhood, the cells that share a vertex: 8 in 2D, 26 in 3D. They are numbered by z, y, x.
template <int Dim>
struct BoxPattern {
  static_assert(Dim == 2 || Dim == 3, "patterns are 2D or 3D");

  static constexpr int dimension = Dim;
  static constexpr int count = Dim == 2 ? 8 : 26;
  static constexpr int numRows = Dim == 2 ? 3 : 9;

  static constexpr KOKKOS_FUNCTION int indexOf(const int (&at)[3]) {
    for (const int step : at) {
      if (step < -1 || step > 1) {
        return -1;
      }
    }
    if (Dim == 2 && at[2] != 0) {
      return -1;
    }
    const int place = (at[0] + 1) + 3 * (at[1] + 1) + (Dim == 3 ? 9 * (at[2] + 1) : 0);
    return place == count / 2 ? -1 : place - static_cast<int>(place > count / 2);
  }
  static constexpr KOKKOS_FUNCTION int offset(int n, int axis) {
    const int place = n + static_cast<int>(n >= count / 2); // the centre has no number
    return axis == 0 ? place % 3 - 1 : rowOffset(place / 3, axis);
  }
  static constexpr KOKKOS_FUNCTION int rowOf(int n) { return (n + static_cast<int>(n >= count / 2)) / 3; }
  static constexpr KOKKOS_FUNCTION int rowOffset(int row, int axis) {
    return axis == 1 ? row % 3 - 1 : (axis == 2 && Dim == 3 ? row / 3 - 1 : 0);
  }
};

/// The neighbours that share a face or an edge in 3D: 18, numbered by z, y, x.
struct EdgePattern {
  static constexpr int dimension = 3;
  static constexpr int count = 18;
  static constexpr int numRows = 9;

  static constexpr KOKKOS_FUNCTION int indexOf(const int (&at)[3]) {
    for (int n = 0; n < count; ++n) {
      if (offset(n, 0) == at[0] && offset(n, 1) == at[1] && offset(n, 2) == at[2]) {
        return n;
      }
    }
    return -1;
  }
  static constexpr KOKKOS_FUNCTION int offset(int n, int axis) {
    return axis == 0 ? placeOf(n) % 3 - 1 : rowOffset(placeOf(n) / 3, axis);
  }
  static constexpr KOKKOS_FUNCTION int rowOf(int n) { return placeOf(n) / 3; }
  static constexpr KOKKOS_FUNCTION int rowOffset(int row, int axis) {
    return axis == 1 ? row % 3 - 1 : (axis == 2 ? row / 3 - 1 : 0);
  }

private:
  /// Among the 27 cells of the full neighbourhood, numbered by z, y, x: all but the corners and the centre.
  static constexpr KOKKOS_FUNCTION int placeOf(int n) {
    if (n >= 5 && n < 13) {
      return n < 9 ? n + 4 : n + 5;
    }
    const int inPlane = n < 5 ? n : n - 13;
    const int ofPlane = inPlane == 0 ? 1 : (inPlane == 4 ? 7 : inPlane + 2);
    return n < 5 ? ofPlane : ofPlane + 18;
  }
};

} // namespace spanwise::field
