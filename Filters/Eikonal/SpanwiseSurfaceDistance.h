#ifndef SpanwiseSurfaceDistance_h
#define SpanwiseSurfaceDistance_h

// Distances to a triangulated surface. Not wrapped and not installed.

#include "SpanwiseDistanceSign.h"
#include "SpanwiseIntervalGrid.h"
#include "SpanwisePolyDataInput.h"
#include "SpanwiseRankCells.h"

#include "Core/Geometry/Interval.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Progress.hpp"

#include <string>

namespace spanwise {

/// The surface, the same on all ranks, and where cells lie.
struct SurfaceDistance {
  const RankGroup& group;
  TriangleList triangles;
  GridPlacement placement;
  double mergeTolerance; ///< of points of an open surface, as a share of the diagonal of its bounds
  std::string name;      ///< of the array
  DistanceSign sign;
  Progress progress{};

  // All are collective, and give this rank's cells with the distance as an array, on the side where it is computed.

  /// All cells of these planes whose centres are within `width` of the surface.
  [[nodiscard]] RankCells<3> inBand(double width, const parallel::PlaneRange& planes);
  /// The cells of these planes that are inside.
  [[nodiscard]] RankCells<3> inside(const parallel::PlaneRange& planes);
  [[nodiscard]] RankCells<3> inBox(const geometry::Box<3>& box);
  /// In the cells `where`, whose values are kept.
  void inCells(RankCells<3>& where);
};

/// Collective. Throws InvalidArgument where the distances of all ranks' boxes take more bytes than they may.
void checkMemory(const RankGroup& group, const geometry::Box<3>& box, double limit);

} // namespace spanwise

#endif
