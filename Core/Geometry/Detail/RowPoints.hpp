#pragma once

#include "Core/Geometry/GridGeometry.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::geometry::detail {

/// Writes positions of nodes of one row into an array of three numbers a point.
template <class Real>
class RowPoints {
public:
  KOKKOS_FUNCTION RowPoints(const GridGeometry<3>& lattice, std::int64_t y, std::int64_t z, Real* points)
    : lattice_(lattice), y_(static_cast<Real>(lattice.face(1, y))), z_(static_cast<Real>(lattice.face(2, z))),
      points_(points) {}

  /// Point p is the node x.
  KOKKOS_FUNCTION void set(std::int64_t p, std::int64_t x) const {
    points_[3 * p] = static_cast<Real>(lattice_.face(0, x));
    points_[3 * p + 1] = y_;
    points_[3 * p + 2] = z_;
  }

private:
  GridGeometry<3> lattice_;
  Real y_;
  Real z_;
  Real* points_;
};

} // namespace spanwise::geometry::detail
