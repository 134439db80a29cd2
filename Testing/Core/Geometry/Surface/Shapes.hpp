#pragma once

#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Rooms.hpp"

#include <random>
#include <vector>

namespace spanwise::testing {

/// Test shapes: nothing, one cell, sparse, half full, solid with a few holes.
template <int Dim>
std::vector<CellList<Dim>> shapes(std::mt19937& random, Coordinate extent) {
  Cell<Dim> corner{};
  for (Coordinate& at : corner.at) {
    at = -extent;
  }
  return {CellList<Dim>{}, CellList<Dim>{corner}, randomCells<Dim>(random, extent, 0.05),
    randomCells<Dim>(random, extent, 0.5), randomCells<Dim>(random, extent, 0.97)};
}

} // namespace spanwise::testing
