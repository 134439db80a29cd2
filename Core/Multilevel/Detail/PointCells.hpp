#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/Interval.hpp"
#include "Core/Multilevel/Sampling.hpp"
#include "Core/Runtime/Error.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace spanwise::multilevel::detail {

/// Where a point is along an axis, in cells of the root. Times 2^l it is where it is on level l, without rounding.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION double rootCoordinate(
  const geometry::GridGeometry<Dim>& root, const Position<Dim>& point, int axis) {
  return (point.at[axis] - root.origin[axis]) / root.spacing[axis];
}

/// Throws InvalidArgument unless there are as many places as points.
template <class Points, class Places>
void checkPlaces(const Points& points, const Places& places) {
  if (places.extent(0) != points.extent(0)) {
    throw InvalidArgument("there are " + std::to_string(points.extent(0)) + " points, but room for the places of " +
      std::to_string(places.extent(0)));
  }
}

/// The coordinate of the cell at the whole number c. False if there is none.
KOKKOS_INLINE_FUNCTION bool cellCoordinate(double c, geometry::Coordinate& coordinate) {
  if (!(c >= geometry::minCoordinate && c <= geometry::maxRowKey)) { // comparisons with NaN are false
    return false;
  }
  coordinate = static_cast<geometry::Coordinate>(c);
  return true;
}

} // namespace spanwise::multilevel::detail
