#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Multilevel/LeafCover.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>

namespace spanwise::multilevel {

/// A place in a leaf, and how far from it the point is for which it was looked for.
struct NearestPlace {
  double squaredDistance; ///< infinity: there is none
  double place[3];
};

/// out[k] = the place in leaves that is nearest to point k, points[k][3], of those within `reach`; the point itself
/// where it is in a leaf. Of equally near ones it is the least by x, then y, then z, so that the answer for leaves in
/// several parts is the least of those of the parts. `root` is the lattice of level 0; leaves in 2D lie in the plane z
/// = origin.
///
/// A point in a leaf takes O(levels log rows), another one O(rows within its reach) more. Arrays lie in the memory of
/// the execution space. Does not wait.
template <class ExecutionSpace, int Dim>
void nearestInLeaves(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const geometry::GridGeometry<3>& root, const double* points, std::int64_t count, double reach, NearestPlace* out);

} // namespace spanwise::multilevel
