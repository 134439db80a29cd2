#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// A disk (2D) or ball (3D) in cell coordinates: the centre of the cell (i, j) lies at (i + 1/2, j + 1/2).
template <int Dim>
struct Ball {
  double centre[Dim];
  double radius;
};

/// out = the cells whose centres are within the ball: sum_d (c_d + 1/2 - centre_d)^2 <= radius^2, summed from x on,
/// with every operation rounded to double. The cells are the same for every compiler flag, on the host and on a device.
/// Throws InvalidArgument if the radius is negative or not finite, a centre is not finite, the ball leaves the
/// coordinate limits [-2^31, 2^31 - 1] along an axis, or its bounding box has more than maxMadeRows (2^30) rows. Only
/// cells in `planes` are made. O(rows of the ball's bounding box in those planes).
template <class ExecutionSpace, int Dim>
void makeBall(const Context<ExecutionSpace>& context, const Ball<Dim>& ball, IntervalSetOn<Dim, ExecutionSpace>& out,
  const parallel::PlaneRange& planes = {});

} // namespace spanwise::geometry
