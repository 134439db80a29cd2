#pragma once

#include "Core/Geometry/NodeRows.hpp"

#include <cstdint>

namespace spanwise::geometry {

/// Which faces of cells are meant: bit f is the face f of Faces (FaceRuns.hpp): -x, +x, -y, +y, -z, +z.
using FaceSet = unsigned;
inline constexpr FaceSet allFaces = 0x3f;

/// The cells whose surface is made, and those that hide faces: views, which live as long as the sets do, and lie in
/// one memory.
template <int Dim>
struct SurfaceCells {
  CellsAndNodes<Dim> grid;  ///< all cells that there are: theirs are the numbers of cells and nodes
  IntervalSetView<Dim> set; ///< the cells whose surface is made
  /// The cells that hide the faces that they share with those of `set`: these themselves and others of the grid.
  IntervalSetView<Dim> hiding;
  /// The interval of grid.cells that holds interval i of `set`; null if `set` is all of the grid.
  const std::int64_t* intervalOfGrid = nullptr;
  /// The faces that are wanted of cells in 3D. A 2D cell is its own and only face.
  FaceSet faces = allFaces;

  /// Whether the surface is that of all cells of the grid.
  [[nodiscard]] KOKKOS_FUNCTION bool all() const {
    return intervalOfGrid == nullptr && set.numCells == grid.cells.numCells;
  }

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t sourceOf(std::int64_t i) const {
    return intervalOfGrid == nullptr ? i : intervalOfGrid[i];
  }
  /// The cell x of interval i has the number cellBase(i) + x in the grid.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t cellBase(std::int64_t i) const {
    const std::int64_t s = sourceOf(i);
    return grid.cells.cellOffsets[s] - grid.cells.intervals[s].begin;
  }
  /// The node at the corner of the cell x of interval i has the number nodeBase(i, corner) + x in the grid. Bit 0 of
  /// `corner` adds one to x, bit 1 to y, bit 2 to z.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t nodeBase(std::int64_t i, int corner) const {
    const std::int64_t s = sourceOf(i);
    return grid.nodeBase(s, corner >> 1) + (corner & 1) - grid.cells.intervals[s].begin;
  }
};

} // namespace spanwise::geometry
