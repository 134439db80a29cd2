#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Geometry/Builders/Surface.hpp"
#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::eikonal {

/// distances [cells of `where`] = the Euclidean distance from the centre of each cell to the nearest place of a
/// triangulated surface; infinite where that is more than `most`, or there is no triangle. Exact, but for rounding. The
/// surface may be open, and a triangle a segment or a point. Of one that is flatter than 1e-8 of its length the sides
/// are taken.
///
/// A binary tree over the triangles along a Hilbert curve knows the box around those of a branch. Cells of a row begin
/// with the triangle that was nearest to the one before them, on the host. O(triangles log triangles + cells log
/// triangles) where triangles are spread, whatever the distance.
///
/// Throws InvalidArgument where `distances` has another length than `where` has cells, `most` is negative or NaN, a
/// spacing is not positive, there are 2^31 - 1 triangles or more, an index is not that of a point, or a point is not
/// finite or beyond 1e70.
template <class ExecutionSpace>
void distanceToSurface(const Context<ExecutionSpace>& context,
  const geometry::TriangleSurface<typename ExecutionSpace::memory_space>& surface,
  const geometry::GridGeometry<3>& lattice, const geometry::IntervalSetOn<3, ExecutionSpace>& where, double most,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& distances);

/// out = the cells of `planes` whose centres are within `width` of a surface, and their distances: a narrow band. They
/// are searched among the cells that triangles touch, dilated by a box that is as wide. Throws as makeTouchedCells(),
/// morph() and distanceToSurface(), and where the width is not finite.
template <class ExecutionSpace>
void makeSurfaceBand(const Context<ExecutionSpace>& context,
  const geometry::TriangleSurface<typename ExecutionSpace::memory_space>& surface,
  const geometry::GridGeometry<3>& lattice, double width, geometry::IntervalSetOn<3, ExecutionSpace>& out,
  field::FieldOn<double, ExecutionSpace>& distances, const parallel::PlaneRange& planes = {});

/// distances [cells of `where`] = minus themselves in the cells of `inside`, as of makeFromSurface(): signed distances,
/// negative inside. O(intervals + cells inside).
template <class ExecutionSpace>
void negateInside(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<3, ExecutionSpace>& inside,
  const geometry::IntervalSetOn<3, ExecutionSpace>& where, field::FieldOn<double, ExecutionSpace>& distances);

} // namespace spanwise::eikonal
