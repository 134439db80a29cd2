#ifndef SpanwiseDrawnCells_h
#define SpanwiseDrawnCells_h

// Which cells of a grid are drawn. Not wrapped.

#include "SpanwiseIntervalGrid.h"
#include "spanwiseRenderingModule.h"

#include "Core/Geometry/Surface/SurfaceCells.hpp"

class vtkUnsignedCharArray;

namespace spanwise {

/// The cells of a grid that are drawn, and those that hide faces.
template <int Dim>
struct DrawnCells {
  IntervalGridPointer<Dim> grid;
  geometry::HostIntervalSet<Dim> set;
  /// The cells that hide the faces that they share with drawn ones: the drawn ones themselves, those outside the
  /// region, and ghosts. Cells marked hidden are not there at all.
  geometry::HostIntervalSet<Dim> hiding;
  /// The interval of the grid that holds interval i of `set`; empty if `set` is the grid's own.
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> intervalOfGrid;

  /// The faces that are drawn of cells in 3D. A 2D cell is its own and only face.
  geometry::FaceSet faces = geometry::allFaces;

  /// Whether every cell of the grid is drawn.
  [[nodiscard]] bool all() const { return cells().all(); }

  /// What Core makes the surface of. It lives as long as this does.
  [[nodiscard]] geometry::SurfaceCells<Dim> cells() const {
    return {grid->cellsAndNodes(), set.view(), hiding.view(),
      intervalOfGrid.extent(0) == 0 ? nullptr : intervalOfGrid.data(), faces};
  }
};

/// The cells of a grid that are drawn. `ghosts`, if not null, is the grid's vtkGhostType: neither duplicate nor hidden
/// cells are drawn. `region`, if not null, is the part of the grid that is drawn. O(rows + intervals), and O(cells)
/// with ghosts.
template <int Dim>
SPANWISERENDERING_EXPORT DrawnCells<Dim> drawnCells(const IntervalGridPointer<Dim>& grid,
  vtkUnsignedCharArray* ghosts = nullptr, const geometry::Box<Dim>* region = nullptr);

} // namespace spanwise

#endif
