#ifndef SpanwisePolyDataInput_h
#define SpanwisePolyDataInput_h

// Rings and triangles of polygonal data, from all ranks. Not wrapped and not installed.

#include "SpanwiseRankGroup.h"

#include "Core/Geometry/Builders/Polygons.hpp"
#include "Core/Geometry/Builders/Surface.hpp"

#include <vector>

class vtkPolyData;

namespace spanwise {

/// Closed rings: x, y and z of the points, one ring after the other.
struct RingList {
  std::vector<double> points;            ///< 3 a point
  std::vector<std::int64_t> ringLengths; ///< points of each ring
};

/// The polygons and closed polylines of `data`, without cells marked duplicate or hidden. Throws InvalidArgument for an
/// open polyline or a triangle strip, with its cell.
RingList ringsOf(vtkPolyData* data);

/// Triangles by their points.
struct TriangleList {
  std::vector<double> points;          ///< 3 a point
  std::vector<std::int64_t> triangles; ///< 3 a triangle
};

/// The polygons and strips of `data` cut into triangles, without cells marked duplicate or hidden. Lines and vertices
/// are ignored.
TriangleList trianglesOf(vtkPolyData* data);

/// Collective. What all ranks have.
void gatherFromAll(const RankGroup& group, RingList& rings);
void gatherFromAll(const RankGroup& group, TriangleList& triangles);

/// Makes points that are at most `distance` apart one point. A closed surface stays closed. Returns whether there were
/// any.
bool mergeClosePoints(TriangleList& triangles, double distance);

/// The bounds of the points that are used; all zero if there are none. Throws InvalidArgument for one that is not
/// finite.
void boundsOf(const RingList& rings, double bounds[6]);
void boundsOf(const TriangleList& triangles, double bounds[6]);

/// For Core's builders, which read the lists in place.
geometry::TriangleSurface<Kokkos::HostSpace> surfaceOf(const TriangleList& triangles);

} // namespace spanwise

#endif
