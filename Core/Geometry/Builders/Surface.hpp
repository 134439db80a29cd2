#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Progress.hpp"

namespace spanwise::geometry {

/// A triangulated surface. Points with the same coordinates are the same point, whatever their numbers.
template <class MemorySpace>
struct TriangleSurface {
  Kokkos::View<const double* [3], Kokkos::LayoutRight, MemorySpace> points;
  Kokkos::View<const std::int64_t* [3], Kokkos::LayoutRight, MemorySpace> triangles;
};

/// out = the cells whose centres are inside a closed surface, by the parity of the triangles that a ray along x meets
/// left of the centre. Orientation does not matter; nested shells are hollow.
///
/// The test is exact at cell centres. Where a centre lies on the surface, or its ray meets an edge or a vertex, it is
/// as if centres were moved by an infinitely small step towards +x, a much smaller one towards +y and a still smaller
/// one towards +z. So surfaces that share triangles neither overlap nor leave a gap. Coordinates below 1e-70 in
/// magnitude count as 0.
///
/// Throws InvalidArgument if the surface is open (an edge has an odd number of triangles; the message gives the edge's
/// end points and how many such edges there are), an index is not that of a point, a point is not finite or beyond
/// 1e70, a spacing is not positive, or the triangles reach beyond the coordinate limits of cells. A triangle without
/// area meets no ray; it counts as one of its edges' triangles unless two of its points are the same. Only cells in
/// `planes` are made, but the whole surface is checked. O(points log points + triangles log triangles + crossings log
/// crossings), where a crossing is that of a triangle with a row of cells in those planes.
template <class ExecutionSpace>
void makeFromSurface(const Context<ExecutionSpace>& context,
  const TriangleSurface<typename ExecutionSpace::memory_space>& surface, const GridGeometry<3>& lattice,
  IntervalSetOn<3, ExecutionSpace>& out, const parallel::PlaneRange& planes = {});

} // namespace spanwise::geometry
