#ifndef SpanwisePolyDataInput_h
#define SpanwisePolyDataInput_h

// Rings and triangles of polygonal data, from all ranks, and the cells inside. Not wrapped and not installed.

#include "SpanwiseRankGroup.h"
#include "spanwiseGeometryModule.h"

#include "Core/Geometry/Builders/Polygons.hpp"
#include "Core/Geometry/Builders/Surface.hpp"
#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Progress.hpp"

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
SPANWISEGEOMETRY_EXPORT RingList ringsOf(vtkPolyData* data);

/// Triangles by their points.
struct TriangleList {
  std::vector<double> points;          ///< 3 a point
  std::vector<std::int64_t> triangles; ///< 3 a triangle
};

/// The polygons and strips of `data` cut into triangles, without cells marked duplicate or hidden. Lines and vertices
/// are ignored.
SPANWISEGEOMETRY_EXPORT TriangleList trianglesOf(vtkPolyData* data);

/// Collective. What all ranks have.
SPANWISEGEOMETRY_EXPORT void gatherFromAll(const RankGroup& group, RingList& rings);
SPANWISEGEOMETRY_EXPORT void gatherFromAll(const RankGroup& group, TriangleList& triangles);

/// The bounds of the points that are used; all zero if there are none. Throws InvalidArgument for one that is not
/// finite.
SPANWISEGEOMETRY_EXPORT void boundsOf(const RingList& rings, double bounds[6]);
SPANWISEGEOMETRY_EXPORT void boundsOf(const TriangleList& triangles, double bounds[6]);

/// For Core's functions, which read the list in place.
SPANWISEGEOMETRY_EXPORT geometry::TriangleSurface<Kokkos::HostSpace> surfaceOf(const TriangleList& list);

/// Makes points that are at most `distance` apart one point. A closed surface stays closed. Returns whether there were
/// any.
SPANWISEGEOMETRY_EXPORT bool mergeClosePoints(TriangleList& list, double distance);

/// Calls make(), which throws InvalidArgument for an open surface. If it does, points that are at most `distance` apart
/// become one, and it is tried again.
template <class Make>
void whereClosed(TriangleList& triangles, double distance, const Make& make) {
  try {
    make();
  } catch (const InvalidArgument&) {
    if (!(distance > 0.0) || !mergeClosePoints(triangles, distance)) {
      throw;
    }
    make();
  }
}

/// The cells inside rings (Core's makeFromPolygons()), among those of some planes.
SPANWISEGEOMETRY_EXPORT geometry::HostIntervalSet<2> cellsInside(const RingList& rings,
  const geometry::GridGeometry<2>& lattice, const parallel::PlaneRange& planes = {}, const Progress& progress = {});

/// The cells inside a surface (Core's makeFromSurface()), among those of some planes, whereClosed().
SPANWISEGEOMETRY_EXPORT geometry::HostIntervalSet<3> cellsInside(TriangleList& triangles, double distance,
  const geometry::GridGeometry<3>& lattice, const parallel::PlaneRange& planes = {}, const Progress& progress = {});

} // namespace spanwise

#endif
