#pragma once

// Points and triangles that fronts start at: where they are, when they start, and whether they are as they have to be.

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/Bins.hpp"
#include "Core/Solvers/Eikonal/Sources.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace spanwise::eikonal::detail {

KOKKOS_FORCEINLINE_FUNCTION double timeOf(const double* times, std::int64_t i) {
  return times != nullptr ? times[i] : 0.0;
}

KOKKOS_FORCEINLINE_FUNCTION Point pointAt(const double* points, std::int64_t i) {
  return {{points[3 * i], points[3 * i + 1], points[3 * i + 2]}};
}

KOKKOS_INLINE_FUNCTION bool isInRange(const Point& point) {
  return Kokkos::abs(point[0]) <= farthestCoordinate && Kokkos::abs(point[1]) <= farthestCoordinate &&
    Kokkos::abs(point[2]) <= farthestCoordinate;
}

/// The triangles of a surface as items for bins.
struct SurfaceItems {
  SurfaceSources surface;

  KOKKOS_FUNCTION void corners(std::int64_t i, Point* points) const {
    for (int k = 0; k < 3; ++k) {
      points[k] = pointAt(surface.points, surface.triangles[3 * i + k]);
    }
  }
  KOKKOS_FUNCTION Bounds operator()(std::int64_t i) const {
    Point points[3];
    corners(i, points);
    Bounds bounds = Bounds::empty();
    for (const Point& point : points) {
      bounds.add(point);
    }
    return bounds;
  }
};

struct CheckSurface {
  SurfaceSources surface;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& firstWrong) const {
    bool wrong = !Kokkos::isfinite(timeOf(surface.times, i));
    for (int k = 0; k < 3 && !wrong; ++k) {
      const std::int64_t point = surface.triangles[3 * i + k];
      wrong = point < 0 || point >= surface.numPoints || !isInRange(pointAt(surface.points, point));
    }
    if (wrong) {
      firstWrong = Kokkos::min(firstWrong, i);
    }
  }
};

/// The number of the first wrong of `count` sources, or `count`.
template <class ExecutionSpace, class Check>
std::int64_t firstWrong(const ExecutionSpace& space, const Check& check, std::int64_t count) {
  std::int64_t first = count;
  if (count > 0) {
    reduceMin(SPANWISE_KERNEL("check sources"), IndexRange<ExecutionSpace>(space, 0, count), check, first);
  }
  return std::min(first, count);
}

template <class ExecutionSpace>
std::string startText(const ExecutionSpace& space, const double* times, std::int64_t i) {
  return " starts at " + numberText(times != nullptr ? fetch(space, times, i) : 0.0);
}

/// Throws InvalidArgument where a triangle names a point that is not there, or a time or a coordinate is not finite or
/// too large.
template <class ExecutionSpace>
void checkSurface(const ExecutionSpace& space, const SurfaceSources& surface) {
  const std::int64_t triangle = firstWrong(space, CheckSurface{surface}, surface.count);
  if (triangle < surface.count) {
    throw InvalidArgument("triangle " + std::to_string(triangle) + " of the source surface" +
      startText(space, surface.times, triangle) + ": times and coordinates must be finite, coordinates within " +
      numberText(farthestCoordinate) + " of 0, and numbers of points from 0 to " +
      std::to_string(surface.numPoints - 1));
  }
}

} // namespace spanwise::eikonal::detail
