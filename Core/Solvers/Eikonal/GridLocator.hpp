#pragma once

#include "Core/Solvers/Eikonal/GridView.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// Where places are among the cells of a set.
template <int Dim>
struct Locator {
  GridView<Dim> grid;
  geometry::IntervalSetView<Dim> set;

  /// The number of the cell that holds a place, or -1; `cell` has its coordinates, not brought back into a period.
  KOKKOS_FUNCTION std::int64_t find(const double (&place)[Dim], std::int64_t (&cell)[Dim]) const {
    bool valid = true;
    for (int axis = 0; axis < Dim; ++axis) {
      const double at = Kokkos::floor((place[axis] - grid.lattice.origin[axis]) / grid.lattice.spacing[axis]);
      valid = valid && at >= geometry::minCoordinate - 4e9 && at <= geometry::maxRowKey + 4e9; // not so if NaN
      cell[axis] = valid ? static_cast<std::int64_t>(at) : 0;
    }
    return valid ? number(cell) : -1;
  }

  /// The number of a cell, or -1.
  KOKKOS_FUNCTION std::int64_t number(const std::int64_t (&cell)[Dim]) const {
    geometry::Cell<Dim> at;
    for (int axis = 0; axis < Dim; ++axis) {
      std::int64_t c = cell[axis];
      if (grid.periods.along[axis]) {
        const std::int64_t length = grid.periods.box.extent(axis);
        const std::int64_t past = (c - grid.periods.box.begin[axis]) % length;
        c = grid.periods.box.begin[axis] + (past < 0 ? past + length : past);
      }
      if (!geometry::isCellCoordinate(c)) {
        return -1;
      }
      at.at[axis] = static_cast<geometry::Coordinate>(c);
    }
    return set.findCell(at);
  }
};

} // namespace spanwise::eikonal
