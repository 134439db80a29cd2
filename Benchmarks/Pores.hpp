#pragma once

#include "Core/Geometry/Interval.hpp"
#include "Testing/Rooms.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::benchmarks {

/// A pore space: half of the volume is outside of balls on a lattice of 16 cells that touch each other.
struct IsPore {
  Coordinate moved = 0; ///< the balls, along each axis

  KOKKOS_FUNCTION bool operator()(const Cell<3>& cell) const {
    double square = 0.0;
    for (const Coordinate at : cell.at) {
      const double x = ((at + moved) % 16) - 7.5;
      square += x * x;
    }
    return square > 64.0;
  }
};

} // namespace spanwise::benchmarks
