#ifndef SpanwiseCellSurface_h
#define SpanwiseCellSurface_h

// The surface on which every cell can be told. Not wrapped.

#include "SpanwiseDrawnCells.h"
#include "SpanwiseGeometry.h"

namespace spanwise {

/// How many quads cellSurface() makes. O(rows + intervals).
template <int Dim>
std::int64_t countFaces(const DrawnCells<Dim>& drawn);

/// One quad for each exposed face of each drawn cell; in 2D for each drawn cell. Points are shared. Where all cells of
/// a 2D grid are drawn, cells and nodes keep their numbers, so that their arrays can be shared.
template <int Dim>
SurfaceGeometry cellSurface(const DrawnCells<Dim>& drawn);

} // namespace spanwise

#endif
