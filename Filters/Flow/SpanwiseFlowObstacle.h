#ifndef SpanwiseFlowObstacle_h
#define SpanwiseFlowObstacle_h

// What flow goes around, as cells of the flow's finest level. Not wrapped and not installed.

#include "SpanwiseInputCells.h"
#include "SpanwiseIntervalGrid.h"
#include "SpanwiseRankGroup.h"
#include "spanwiseFlowModule.h"

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/Interval.hpp"
#include "Core/Geometry/IntervalSet.hpp"

#include <array>

namespace spanwise {

/// Lower and upper ends along x, y, z.
using Bounds = std::array<double, 6>;

/// Collective. The bounds of the cells of all ranks; of a flat set those along z are its plane. Throws InvalidArgument,
/// on all ranks, if there are no cells.
Bounds boundsOfAll(const RankGroup& group, const InputCells& cells);

/// The cells of a lattice within `box` whose centres are in cells of this rank, of any lattice. O(cells of the box
/// around this rank's).
template <int Dim>
SPANWISEFLOW_EXPORT geometry::HostIntervalSet<Dim> sampledOn(const geometry::GridGeometry<Dim>& lattice,
  const geometry::Box<Dim>& box, const geometry::HostIntervalSet<Dim>& cells, const GridPlacement& placement);

} // namespace spanwise

#endif
