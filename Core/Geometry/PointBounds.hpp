#pragma once

#include "Core/Geometry/Detail/LatticeAxis.hpp"
#include "Core/Geometry/Detail/Orientation.hpp"
#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/Interval.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace spanwise::geometry::detail {

/// Whether predicates can be exact with this coordinate: finite, and at most largestExact in magnitude. Bits are
/// compared, since -ffast-math forgets about NaN.
KOKKOS_INLINE_FUNCTION bool isUsable(double coordinate) {
  return Kokkos::bit_cast<std::uint64_t>(Kokkos::abs(coordinate)) <=
    Kokkos::bit_cast<std::uint64_t>(double{largestExact});
}

/// The least and the greatest coordinates of points, and the first point that is not usable.
template <int Dim>
struct PointBounds {
  double low[Dim];
  double high[Dim];
  std::int64_t firstUnusable;
};

/// `Points` gives coordinate d of point i as points(i, d).
template <int Dim, class Points>
struct BoundPoints {
  using value_type = PointBounds<Dim>;
  Points points;

  KOKKOS_FUNCTION void init(value_type& bounds) const {
    for (int d = 0; d < Dim; ++d) {
      bounds.low[d] = Kokkos::Experimental::finite_max_v<double>;
      bounds.high[d] = Kokkos::Experimental::finite_min_v<double>;
    }
    bounds.firstUnusable = Kokkos::Experimental::finite_max_v<std::int64_t>;
  }
  KOKKOS_FUNCTION void join(value_type& bounds, const value_type& other) const {
    for (int d = 0; d < Dim; ++d) {
      bounds.low[d] = Kokkos::min(bounds.low[d], other.low[d]);
      bounds.high[d] = Kokkos::max(bounds.high[d], other.high[d]);
    }
    bounds.firstUnusable = Kokkos::min(bounds.firstUnusable, other.firstUnusable);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i, value_type& bounds) const {
    for (int d = 0; d < Dim; ++d) {
      const double coordinate = points(i, d);
      if (isUsable(coordinate)) {
        bounds.low[d] = Kokkos::min(bounds.low[d], coordinate);
        bounds.high[d] = Kokkos::max(bounds.high[d], coordinate);
      } else {
        bounds.firstUnusable = Kokkos::min(bounds.firstUnusable, i);
      }
    }
  }
};

/// The bounds of `count` points, at least one. Waits for them.
template <int Dim, class ExecutionSpace, class Points>
PointBounds<Dim> boundsOf(const ExecutionSpace& space, const Points& points, std::int64_t count) {
  PointBounds<Dim> bounds{};
  reduce(SPANWISE_KERNEL("bound points"), IndexRange<ExecutionSpace>(space, 0, count), BoundPoints<Dim, Points>{points},
    bounds);
  return bounds;
}

/// The bounds of all points of a View, at least one. Throws InvalidArgument if one is not usable.
template <int Dim, class ExecutionSpace, class Points>
PointBounds<Dim> usableBoundsOf(const ExecutionSpace& space, const Points& points) {
  const auto count = static_cast<std::int64_t>(points.extent(0));
  const PointBounds<Dim> bounds = boundsOf<Dim>(space, points, count);
  if (bounds.firstUnusable < count) {
    throw InvalidArgument("point " + std::to_string(bounds.firstUnusable) + ", " +
      pointText(space, points, bounds.firstUnusable) + ", is not finite or beyond 1e70 in magnitude");
  }
  return bounds;
}

/// Throws InvalidArgument unless the lattice has a usable origin, and spacings that are usable and positive.
template <int Dim>
void checkLattice(const GridGeometry<Dim>& lattice) {
  for (int d = 0; d < Dim; ++d) {
    if (!isUsable(lattice.origin[d])) {
      throw InvalidArgument(
        "the lattice's origin is " + pointText(lattice.origin, Dim) + "; it must be finite and within 1e70");
    }
    if (!isUsable(lattice.spacing[d]) || !(lattice.spacing[d] > 0.0)) {
      throw InvalidArgument(
        "the lattice's spacing is " + pointText(lattice.spacing, Dim) + "; it must be positive and within 1e70");
    }
  }
}

/// The cells along an axis whose centres are in [low, high). Throws InvalidArgument if they leave the coordinate
/// limits.
template <int Dim>
LatticeAxis axisWithin(const GridGeometry<Dim>& lattice, int d, const PointBounds<Dim>& bounds) {
  LatticeAxis axis{lattice.origin[d], lattice.spacing[d], minCoordinate, maxIntervalEnd};
  if (axis.centre(minCoordinate - std::int64_t{1}) >= bounds.low[d] || axis.centre(maxIntervalEnd) < bounds.high[d]) {
    throw InvalidArgument("points from " + pointText(bounds.low, Dim) + " to " + pointText(bounds.high, Dim) +
      " reach, along axis " + std::to_string(d) +
      ", beyond the cells [-2^31, 2^31 - 2] of the lattice with the origin " + pointText(lattice.origin, Dim) +
      " and the spacing " + pointText(lattice.spacing, Dim));
  }
  const std::int64_t begin = axis.firstNotBelow(bounds.low[d]);
  axis.end = axis.firstNotBelow(bounds.high[d]);
  axis.begin = begin;
  return axis;
}

} // namespace spanwise::geometry::detail
