#pragma once

#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// Takes times away that are after the last one asked for, and counts those that are left.
struct DropLate {
  double* times;
  double stopTime;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& numReached) const {
    if (times[i] > stopTime) {
      times[i] = notReached;
    }
    numReached += times[i] < notReached ? 1 : 0;
  }
};

} // namespace spanwise::eikonal
