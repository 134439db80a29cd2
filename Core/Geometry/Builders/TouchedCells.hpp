#pragma once

#include "Core/Geometry/Builders/Surface.hpp"
#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// out = the cells that triangles of a surface touch: all that have a point of one, and those that come nearer to one
/// than a millionth of a cell, or less than a few (conservative voxelisation by separating axes; M. Schwarz, H.-P.
/// Seidel, Fast parallel surface and solid voxelization on GPUs, ACM Trans. Graph. 29 (2010) 179). The surface may be
/// open; a triangle without area is a segment or a point.
///
/// Throws InvalidArgument if an index is not that of a point, a point is not finite or beyond 1e70, a spacing is not
/// positive, or the triangles reach beyond the coordinate limits of cells. Only cells in `planes` are made, but the
/// whole surface is checked. O(touched cells + rows of the boxes around triangles).
template <class ExecutionSpace>
void makeTouchedCells(const Context<ExecutionSpace>& context,
  const TriangleSurface<typename ExecutionSpace::memory_space>& surface, const GridGeometry<3>& lattice,
  IntervalSetOn<3, ExecutionSpace>& out, const parallel::PlaneRange& planes = {});

} // namespace spanwise::geometry
