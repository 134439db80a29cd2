#pragma once

#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/Interval.hpp"
#include "Core/Runtime/Error.hpp"

#include <cstdint>

// What boundary policies put in the place of neighbours that are not in a set, for maps of intervals and of blocks.

namespace spanwise::field::detail {

/// A coordinate of a neighbour, brought back into the period.
template <int Dim>
struct Wrap {
  geometry::Box<Dim> period;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t operator()(int axis, std::int64_t at) const {
    const std::int64_t length = period.extent(axis);
    if (length == 0) {
      return at;
    }
    const std::int64_t past = (at - period.begin[axis]) % length;
    return period.begin[axis] + (past < 0 ? past + length : past);
  }
};

/// Which sides of a domain a coordinate is beyond.
template <int Dim>
struct Sides {
  geometry::Box<Dim> domain;

  [[nodiscard]] KOKKOS_FUNCTION int operator()(int axis, std::int64_t at) const {
    if (domain.extent(axis) == 0) {
      return 0;
    }
    return (static_cast<int>(at < domain.begin[axis]) | static_cast<int>(at >= domain.end[axis]) << 1) << 2 * axis;
  }
  /// The first coordinate beyond `at` from which a neighbour is beyond other sides.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t nextChange(int axis, std::int64_t at) const {
    if (domain.extent(axis) > 0 && at < domain.end[axis]) {
      return at < domain.begin[axis] ? domain.begin[axis] : domain.end[axis];
    }
    return std::int64_t{1} << 40; // farther than any coordinate
  }
};

/// The distance of what BoundaryPolicy::Mirror shows in the place of the absent neighbour n.
template <class Pattern>
KOKKOS_FUNCTION std::int32_t mirrored(const StencilSegment<Pattern::count>& found, int n) {
  using Segment = StencilSegment<Pattern::count>;
  int at[3] = {0, 0, 0};
  bool moved = false;
  for (int axis = 0; axis < Pattern::dimension; ++axis) {
    const int offset = Pattern::offset(n, axis);
    const int side = offset < 0 ? -1 : 1;
    at[axis] = offset;
    for (int step = 1; step <= side * offset; ++step) {
      int onAxis[3] = {0, 0, 0};
      onAxis[axis] = side * step;
      if (Segment::isAbsent(found.distance[Pattern::indexOf(onAxis)])) {
        at[axis] = side * (2 * step - 1) - offset; // the face is side (step - 1/2) away
        moved = true;
        break;
      }
    }
  }
  const int shown = moved ? Pattern::indexOf(at) : -1; // -1: the centre
  return shown < 0 || Segment::isAbsent(found.distance[shown]) ? 0 : found.distance[shown];
}

/// Replaces absent neighbours by the cells that BoundaryPolicy::Mirror shows.
template <class Pattern>
KOKKOS_FUNCTION void mirror(StencilSegment<Pattern::count>& segment) {
  const StencilSegment<Pattern::count> found = segment;
  for (int n = 0; n < Pattern::count; ++n) {
    if (StencilSegment<Pattern::count>::isAbsent(found.distance[n])) {
      segment.distance[n] = mirrored<Pattern>(found, n);
    }
  }
}

/// Throws unless the period can be that of a set, whose bounding box boundingBoxOf() gives; an empty set fits any.
template <int Dim, class BoundingBoxOf>
void checkPeriod(const Boundary<Dim>& boundary, bool isEmpty, const BoundingBoxOf& boundingBoxOf) {
  const geometry::Box<Dim>& period = boundary.period;
  bool any = false;
  for (int axis = 0; axis < Dim; ++axis) {
    any = any || period.extent(axis) != 0;
  }
  if (!any && boundary.policy == BoundaryPolicy::Periodic) {
    throw InvalidArgument(
      "the period " + toString(period) + " is empty along all axes: one at least must be longer than 0");
  }
  if (!any || isEmpty) {
    return;
  }
  const geometry::Box<Dim> box = boundingBoxOf();
  for (int axis = 0; axis < Dim; ++axis) {
    if (period.extent(axis) != 0 && (box.begin[axis] < period.begin[axis] || box.end[axis] > period.end[axis])) {
      throw InvalidArgument("the period " + toString(period) + " does not hold all cells of the set, which are in " +
        toString(box) + ": cells beyond the period would be there twice");
    }
  }
}

} // namespace spanwise::field::detail
