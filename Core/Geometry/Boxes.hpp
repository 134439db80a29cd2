#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/List.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// out = boxes that together hold every cell of the set once: equal intervals of neighbouring rows become a rectangle,
/// and in 3D equal rectangles of neighbouring planes a box. In the order of their first cells, by row, then x. So they
/// are disjoint, their ends are ends of intervals, and no box could be joined with the one above it along y (2D) or z
/// (3D); there may be coverings with fewer boxes.
///
/// O(intervals * log height of a box): which interval lies below one is found in one pass, and where a chain of them
/// begins by doubling the steps. A repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void boxesOf(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  ListOn<Box<Dim>, ExecutionSpace>& out);

} // namespace spanwise::geometry
