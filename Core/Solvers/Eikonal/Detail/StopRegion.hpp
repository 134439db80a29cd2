#pragma once

// The region that an iteration stops at: vertices of a mesh, or cells of a grid.

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// The last time in a region, with the other sign, so that it is a minimum.
struct LastOfRegion {
  const std::int64_t* region;
  const double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t i, double& least) const {
    least = Kokkos::min(least, -times[region[i]]);
  }
};

/// Finds the first number in a region that there is no vertex, or cell, for.
struct CheckRegion {
  const std::int64_t* region;
  std::int64_t count;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& firstWrong) const {
    if (region[i] < 0 || region[i] >= count) {
      firstWrong = Kokkos::min(firstWrong, i);
    }
  }
};

} // namespace spanwise::eikonal
