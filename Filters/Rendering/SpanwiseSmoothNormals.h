#ifndef SpanwiseSmoothNormals_h
#define SpanwiseSmoothNormals_h

// Normals of the smooth surface that cells stand for. Not wrapped.

#include "SpanwiseDrawnCells.h"

#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkSmartPointer.h>

namespace spanwise {

/// The outward unit normal at each point of a surface of drawn cells, by the grid's node at each point, in ascending
/// order: minus the gradient of the occupancy, which is 1 in the cells of drawn.hiding and 0 elsewhere, smoothed by a
/// Gaussian over the cells up to three away along each axis. Where that is 0 the normal is +z. The same bits for any
/// number of threads. O(points + 36 rows of nodes log rows).
vtkSmartPointer<vtkFloatArray> smoothNormals(const DrawnCells<3>& drawn, vtkIdTypeArray* nodes);

} // namespace spanwise

#endif
