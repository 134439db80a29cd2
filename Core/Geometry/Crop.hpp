#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// out = the cells of `set` that lie in `box`. `out` may be `set` itself; otherwise a repeated call allocates nothing.
/// O(rows log intervals of a row + intervals that are left times log rows). Waits for the totals.
template <class ExecutionSpace, int Dim>
void crop(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set, const Box<Dim>& box,
  IntervalSetOn<Dim, ExecutionSpace>& out);

} // namespace spanwise::geometry
