#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// out = all cells of `box`; the empty set for an empty box. Throws InvalidArgument if the box has more than 2^63 - 1
/// cells or maxMadeRows (2^30) rows. O(rows).
template <class ExecutionSpace, int Dim>
void makeBox(const Context<ExecutionSpace>& context, const Box<Dim>& box, IntervalSetOn<Dim, ExecutionSpace>& out);

} // namespace spanwise::geometry
