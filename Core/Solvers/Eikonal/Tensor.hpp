#pragma once

#include "Core/Mesh/MeshView.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::eikonal {

/// A symmetric 3 x 3 tensor: xx, yy, zz, xy, yz, xz, as VTK orders six components.
struct SymmetricTensor {
  double xx = 1.0;
  double yy = 1.0;
  double zz = 1.0;
  double xy = 0.0;
  double yz = 0.0;
  double xz = 0.0;

  /// factor * identity.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION static SymmetricTensor isotropic(double factor) {
    return {factor, factor, factor, 0.0, 0.0, 0.0};
  }

  /// e^T T e.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double product(const Point& e) const {
    return xx * e[0] * e[0] + yy * e[1] * e[1] + zz * e[2] * e[2] +
      2.0 * (xy * e[0] * e[1] + yz * e[1] * e[2] + xz * e[0] * e[2]);
  }

  /// T e.
  friend KOKKOS_INLINE_FUNCTION Point operator*(const SymmetricTensor& t, const Point& e) {
    return {{t.xx * e[0] + t.xy * e[1] + t.xz * e[2], t.xy * e[0] + t.yy * e[1] + t.yz * e[2],
      t.xz * e[0] + t.yz * e[1] + t.zz * e[2]}};
  }

  /// a^T T b.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double product(const Point& a, const Point& b) const {
    return dot(a, *this * b);
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION double determinant() const {
    return xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  }

  /// Whether all is finite and every eigenvalue positive (the leading minors are: J. J. Sylvester's criterion).
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool positiveDefinite() const {
    return xx > 0.0 && xx * yy - xy * xy > 0.0 && determinant() > 0.0 && Kokkos::isfinite(xx + yy + zz + xy + yz + xz);
  }

  /// The inverse of a positive definite tensor.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION SymmetricTensor inverse() const {
    const double scale = 1.0 / determinant();
    return {scale * (yy * zz - yz * yz), scale * (xx * zz - xz * xz), scale * (xx * yy - xy * xy),
      scale * (xz * yz - xy * zz), scale * (xy * xz - xx * yz), scale * (xy * yz - yy * xz)};
  }
};

} // namespace spanwise::eikonal
