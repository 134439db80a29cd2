#ifndef SpanwiseGeometry_h
#define SpanwiseGeometry_h

// The points and polygons of Core's surfaces as VTK has them. Not wrapped.

#include "SpanwiseDrawnCells.h"

#include <vtkCellArray.h>
#include <vtkIdTypeArray.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>

namespace spanwise {

/// A surface without its arrays.
struct SurfaceGeometry {
  vtkSmartPointer<vtkPoints> points;
  vtkSmartPointer<vtkCellArray> polygons;
  vtkSmartPointer<vtkIdTypeArray>
    cells; ///< the grid's cell behind each polygon; null: polygon p shows cell p, or nothing is known
  vtkSmartPointer<vtkIdTypeArray>
    nodes;                ///< the grid's node at each point; null: point p is node p, or nothing is known
  bool sameCells = false; ///< polygon p shows cell p
  bool sameNodes = false; ///< point p is node p
};

/// Whether positions of a grid need double: in float neighbouring nodes would be off by more than a hundredth of a
/// cell.
template <int Dim>
bool needsDoublePoints(const IntervalGrid<Dim>& grid);

/// The CellSurface of drawn cells.
template <int Dim>
SurfaceGeometry cellSurface(const DrawnCells<Dim>& drawn);

/// The RunSurface of drawn cells.
template <int Dim>
SurfaceGeometry runSurface(const DrawnCells<Dim>& drawn);

} // namespace spanwise

#endif
