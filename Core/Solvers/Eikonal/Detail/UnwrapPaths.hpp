#pragma once

// Paths across seams. Not installed with what users call.

#include "Core/Runtime/ForEach.hpp"
#include "Core/Solvers/Eikonal/Paths.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal::detail {

/// Moves what comes behind a step of more than half a period by periods, so that lines go on beyond the period.
struct UnwrapPath {
  const std::int64_t* begins;
  double* points;
  double periods[3];

  KOKKOS_FUNCTION void operator()(std::int64_t path) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (!(periods[axis] > 0.0)) {
        continue;
      }
      for (std::int64_t i = begins[path] + 1; i < begins[path + 1]; ++i) {
        const double step = points[3 * i + axis] - points[3 * (i - 1) + axis];
        points[3 * i + axis] -= periods[axis] * Kokkos::round(step / periods[axis]);
      }
    }
  }
};

template <class ExecutionSpace>
void unwrapPaths(const ExecutionSpace& space, const double (&periods)[3], std::int64_t numPaths,
  const Paths<typename ExecutionSpace::memory_space>& paths) {
  if (periods[0] > 0.0 || periods[1] > 0.0 || periods[2] > 0.0) {
    forEach(SPANWISE_KERNEL("unwrap paths"), IndexRange<ExecutionSpace>(space, 0, numPaths),
      UnwrapPath{paths.begins.data(), paths.points.data(), {periods[0], periods[1], periods[2]}});
  }
}

} // namespace spanwise::eikonal::detail
