#pragma once

#include "Core/Geometry/Builders/Surface.hpp"
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

} // namespace spanwise::geometry::detail
