#pragma once

#include "Core/Geometry/Builders/Lattice.hpp"
#include "Core/Geometry/Interval.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Multilevel/Sampling.hpp"
#include "Core/Runtime/Error.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace spanwise::detail {

/// Where a point is along an axis, in cells of the root. Times 2^l it is where it is on level l, without rounding.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION double rootCoordinate(const Lattice<Dim>& root, const Position<Dim>& point, int axis) {
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

/// The coordinate of the cell of level l at the whole number c, brought into the period if the axis repeats. False if
/// there is none.
template <int Dim>
KOKKOS_INLINE_FUNCTION bool cellCoordinate(
  const Periods<Dim>& periods, int axis, int l, double c, Coordinate& coordinate) {
  // comparisons with NaN are false
  if (!periods.along[axis]) {
    if (!(c >= minCoordinate && c <= maxRowKey)) {
      return false;
    }
    coordinate = static_cast<Coordinate>(c);
    return true;
  }
  constexpr double farthest = 4503599627370496.0; // 2^52: there are halves up to there
  if (!(c >= -farthest && c <= farthest)) {
    return false;
  }
  const std::int64_t scale = std::int64_t{1} << l;
  const std::int64_t begin = scale * periods.box.begin[axis];
  const std::int64_t length = scale * periods.box.extent(axis);
  const std::int64_t past = (static_cast<std::int64_t>(c) - begin) % length;
  coordinate = static_cast<Coordinate>(begin + (past < 0 ? past + length : past));
  return true;
}

} // namespace spanwise::detail
