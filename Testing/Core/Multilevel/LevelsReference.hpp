#pragma once

// Brute-force references for levels: cells one by one.

#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {

/// floor(c / 2), by division.
inline Coordinate halfDown(Coordinate c) {
  const std::int64_t down = c < 0 && c % 2 != 0 ? 1 : 0;
  return static_cast<Coordinate>((std::int64_t{c} - down) / 2);
}

template <int Dim>
Cell<Dim> parentOf(const Cell<Dim>& cell) {
  Cell<Dim> parent{};
  for (int d = 0; d < Dim; ++d) {
    parent.at[d] = halfDown(cell.at[d]);
  }
  return parent;
}

/// Child k of a cell: bit d of k adds one along axis d.
template <int Dim>
Cell<Dim> childOf(const Cell<Dim>& cell, int k) {
  Cell<Dim> child{};
  for (int d = 0; d < Dim; ++d) {
    child.at[d] = 2 * cell.at[d] + ((k >> d) & 1);
  }
  return child;
}

template <int Dim>
CellList<Dim> childrenOf(const CellList<Dim>& cells) {
  CellList<Dim> result;
  for (const Cell<Dim>& cell : cells) {
    for (int k = 0; k < (1 << Dim); ++k) {
      result.insert(childOf(cell, k));
    }
  }
  return result;
}

template <int Dim>
CellList<Dim> parentsOf(const CellList<Dim>& cells) {
  CellList<Dim> result;
  for (const Cell<Dim>& cell : cells) {
    result.insert(parentOf(cell));
  }
  return result;
}

/// Parents all of whose children are in the list.
template <int Dim>
CellList<Dim> wholeParentsOf(const CellList<Dim>& cells) {
  CellList<Dim> result;
  for (const Cell<Dim>& parent : parentsOf(cells)) {
    bool whole = true;
    for (int k = 0; k < (1 << Dim); ++k) {
      whole = whole && cells.count(childOf(parent, k)) > 0;
    }
    if (whole) {
      result.insert(parent);
    }
  }
  return result;
}

/// All cells within a box of these radii around one of the list.
template <int Dim>
CellList<Dim> dilatedByBox(const CellList<Dim>& cells, const Cell<Dim>& radius) {
  CellList<Dim> result;
  for (const Cell<Dim>& cell : cells) {
    const Coordinate depth = Dim == 3 ? radius.at[Dim - 1] : 0;
    for (Coordinate z = -depth; z <= depth; ++z) {
      for (Coordinate y = -radius.at[1]; y <= radius.at[1]; ++y) {
        for (Coordinate x = -radius.at[0]; x <= radius.at[0]; ++x) {
          Cell<Dim> neighbour = cell;
          neighbour.at[0] += x;
          neighbour.at[1] += y;
          if constexpr (Dim == 3) {
            neighbour.at[2] += z;
          }
          result.insert(neighbour);
        }
      }
    }
  }
  return result;
}

} // namespace spanwise::testing
