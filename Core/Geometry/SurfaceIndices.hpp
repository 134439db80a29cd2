#pragma once

#include "Core/Geometry/Builders/Surface.hpp"
#include "Core/Geometry/PointBounds.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace spanwise::geometry::detail {

template <class MemorySpace>
struct FindWrongIndices {
  TriangleSurface<MemorySpace> surface;

  KOKKOS_FUNCTION void operator()(std::int64_t t, std::int64_t& first) const {
    for (int c = 0; c < 3; ++c) {
      const std::int64_t point = surface.triangles(t, c);
      if (point < 0 || point >= static_cast<std::int64_t>(surface.points.extent(0))) {
        first = Kokkos::min(first, t);
      }
    }
  }
};

/// Throws InvalidArgument for a triangle of a point that is not there.
template <class ExecutionSpace>
void checkIndices(const ExecutionSpace& space, const TriangleSurface<typename ExecutionSpace::memory_space>& surface) {
  const auto numTriangles = static_cast<std::int64_t>(surface.triangles.extent(0));
  std::int64_t firstWrong = 0;
  reduceMin(SPANWISE_KERNEL("check indices"), IndexRange<ExecutionSpace>(space, 0, numTriangles),
    FindWrongIndices<typename ExecutionSpace::memory_space>{surface}, firstWrong);
  if (firstWrong < numTriangles) {
    throw InvalidArgument("triangle " + std::to_string(firstWrong) + " has a point that is not in [0, " +
      std::to_string(surface.points.extent(0)) + ")");
  }
}

/// The corners as a list of points: coordinate d of corner i % 3 of triangle i / 3.
template <class MemorySpace>
struct CornersOfTriangles {
  TriangleSurface<MemorySpace> surface;

  KOKKOS_FUNCTION double operator()(std::int64_t i, int d) const {
    return surface.points(surface.triangles(i / 3, i % 3), d);
  }
};

/// The bounds of the triangles, of which there is one at least; a surface may have other points. Throws InvalidArgument
/// for a wrong index, and a point that is not usable.
template <class ExecutionSpace>
PointBounds<3> checkedBounds(
  const ExecutionSpace& space, const TriangleSurface<typename ExecutionSpace::memory_space>& surface) {
  checkIndices(space, surface);
  usableBoundsOf<3>(space, surface.points);
  return boundsOf<3>(space, CornersOfTriangles<typename ExecutionSpace::memory_space>{surface},
    3 * static_cast<std::int64_t>(surface.triangles.extent(0)));
}

} // namespace spanwise::geometry::detail
