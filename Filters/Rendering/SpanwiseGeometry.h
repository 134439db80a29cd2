#ifndef SpanwiseGeometry_h
#define SpanwiseGeometry_h

// The points and polygons of Core's surfaces as VTK has them. Not wrapped.

#include "SpanwiseDrawnCells.h"
#include "SpanwiseIdsOnSide.h"

#include <vtkCellArray.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>

namespace spanwise {

/// A surface without its arrays, made on a side.
template <ComputeSide side>
struct SurfaceGeometry {
  vtkSmartPointer<vtkPoints> points;
  vtkSmartPointer<vtkCellArray> polygons;
  IdsOnSide<side> cells;  ///< the grid's cell behind each polygon; none: polygon p shows cell p, or nothing is known
  IdsOnSide<side> nodes;  ///< the grid's node at each point; none: point p is node p, or nothing is known
  bool sameCells = false; ///< polygon p shows cell p
  bool sameNodes = false; ///< point p is node p
};

/// Whether positions of a grid need double: in float neighbouring nodes would be off by more than a hundredth of a
/// cell.
template <int Dim>
bool needsDoublePoints(const IntervalGrid<Dim>& grid);

/// The CellSurface of drawn cells.
template <ComputeSide side, int Dim>
SurfaceGeometry<side> cellSurface(const SideContext<side>& context, const DrawnCells<Dim>& drawn);

/// The RunSurface of drawn cells.
template <ComputeSide side, int Dim>
SurfaceGeometry<side> runSurface(const SideContext<side>& context, const DrawnCells<Dim>& drawn);

} // namespace spanwise

#endif
