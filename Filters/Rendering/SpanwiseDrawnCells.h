#ifndef SpanwiseDrawnCells_h
#define SpanwiseDrawnCells_h

// Which cells of a grid are drawn. Not wrapped.

#include "SpanwiseIntervalGrid.h"
#include "spanwiseRenderingModule.h"

class vtkUnsignedCharArray;

namespace spanwise {

/// Which faces of cells are meant: bit f is the face f of Faces (SpanwiseFaceRuns.h): -x, +x, -y, +y, -z, +z.
using FaceSet = unsigned;
inline constexpr FaceSet allFaces = 0x3f;

/// The cells of a grid that are drawn, and those that hide faces.
template <int Dim>
struct DrawnCells {
  IntervalGridPointer<Dim> grid;
  HostIntervalSet<Dim> set;
  /// The cells that hide the faces that they share with drawn ones: the drawn ones themselves, those outside the
  /// region, and ghosts. Cells marked hidden are not there at all.
  HostIntervalSet<Dim> hiding;
  /// The interval of the grid that holds interval i of `set`; empty if `set` is the grid's own.
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> intervalOfGrid;

  /// The faces that are drawn of cells in 3D. A 2D cell is its own and only face.
  FaceSet faces = allFaces;

  /// Whether every cell of the grid is drawn.
  [[nodiscard]] bool all() const { return intervalOfGrid.extent(0) == 0 && set.numCells() == grid->set().numCells(); }

  [[nodiscard]] std::int64_t sourceOf(std::int64_t i) const {
    return intervalOfGrid.extent(0) == 0 ? i : intervalOfGrid[static_cast<std::size_t>(i)];
  }
  /// The cell x of interval i has the number cellBase(i) + x in the grid.
  [[nodiscard]] std::int64_t cellBase(std::int64_t i) const {
    const std::int64_t s = sourceOf(i);
    return grid->cells().cellOffsets[s] - grid->cells().intervals[s].begin;
  }
  /// The node at the corner of the cell x of interval i has the number nodeBase(i, corner) + x in the grid. Bit 0 of
  /// `corner` adds one to x, bit 1 to y, bit 2 to z.
  [[nodiscard]] std::int64_t nodeBase(std::int64_t i, int corner) const {
    const std::int64_t s = sourceOf(i);
    return grid->nodeBase(s, corner >> 1) + (corner & 1) - grid->cells().intervals[s].begin;
  }
};

/// The cells of a grid that are drawn. `ghosts`, if not null, is the grid's vtkGhostType: neither duplicate nor hidden
/// cells are drawn. `region`, if not null, is the part of the grid that is drawn. O(rows + intervals), and O(cells)
/// with ghosts.
template <int Dim>
SPANWISERENDERING_EXPORT DrawnCells<Dim> drawnCells(
  const IntervalGridPointer<Dim>& grid, vtkUnsignedCharArray* ghosts = nullptr, const Box<Dim>* region = nullptr);

} // namespace spanwise

#endif
