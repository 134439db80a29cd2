#pragma once

#include "Core/Runtime/Error.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace spanwise::eikonal {

/// Throws InvalidArgument unless an array has an entry for each cell of a grid, or several.
inline void checkCellCount(const char* what, std::size_t length, std::int64_t numCells, std::int64_t perCell = 1) {
  if (static_cast<std::int64_t>(length) != perCell * numCells) {
    throw InvalidArgument("there are " + std::to_string(length) + " " + what + ": for the grid's " +
      std::to_string(numCells) + " cells there must be " + std::to_string(perCell * numCells));
  }
}

} // namespace spanwise::eikonal
