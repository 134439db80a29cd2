#ifndef SpanwiseRunSurface_h
#define SpanwiseRunSurface_h

// The surface of merged runs. Not wrapped.

#include "SpanwiseDrawnCells.h"
#include "SpanwiseGeometry.h"

namespace spanwise {

/// How many triangles runSurface() makes. If there are more than `enough`, the number may be less, but more than
/// `enough`, and is found sooner. O(rows + intervals).
template <int Dim>
std::int64_t countRunTriangles(const DrawnCells<Dim>& drawn, std::int64_t enough);

/// The same surface as that of the cells, with each run of exposed faces along x as one strip of triangles. Every end
/// of a run is a vertex of all strips that it touches, so that no crack shows between them. O(rows + intervals);
/// nothing depends on the number of cells.
template <int Dim>
SurfaceGeometry runSurface(const DrawnCells<Dim>& drawn);

} // namespace spanwise

#endif
