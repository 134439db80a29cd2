#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Progress.hpp"

namespace spanwise::geometry {

/// Closed rings in the plane: ring k has the points ringOffsets[k] ... ringOffsets[k + 1] - 1 of (x, y) pairs; its last
/// point is joined to its first, and may repeat it.
template <class MemorySpace>
struct Rings {
  Kokkos::View<const double* [2], Kokkos::LayoutRight, MemorySpace> points;
  Kokkos::View<const std::int64_t*, MemorySpace>
    ringOffsets; ///< [rings + 1] from 0 to the number of points; may be empty
};

/// out = the cells whose centres are inside the rings by the even-odd rule: an odd number of rings' edges lie to the
/// left of the centre. A ring within a ring is a hole, wherever it stands in the list; orientation does not matter.
///
/// The test is exact at cell centres. A centre that lies on an edge counts as on the right of it, one on a horizontal
/// edge as above it: it is as if centres were moved by an infinitely small step towards +x and a much smaller one
/// towards +y. So rings that share an edge neither overlap nor leave a gap. Coordinates below 1e-70 in magnitude count
/// as 0.
///
/// Throws InvalidArgument for a point that is not finite or beyond 1e70, a spacing that is not positive, offsets that
/// do not ascend from 0 to the number of points, or points beyond the coordinate limits of cells. Only cells in
/// `planes` are made. O(points log rings + crossings log crossings), where a crossing is that of an edge with a row of
/// cells in those planes.
template <class ExecutionSpace>
void makeFromPolygons(const Context<ExecutionSpace>& context, const Rings<typename ExecutionSpace::memory_space>& rings,
  const GridGeometry<2>& lattice, IntervalSetOn<2, ExecutionSpace>& out, const parallel::PlaneRange& planes = {});

} // namespace spanwise::geometry
