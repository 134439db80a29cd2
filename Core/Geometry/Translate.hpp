#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// out = `set` moved by `offset` cells. Throws CoordinateOverflow if a cell would leave the coordinate limits.
/// O(rows + intervals). `out` may be `set` itself; otherwise a repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void translate(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Cell<Dim>& offset, IntervalSetOn<Dim, ExecutionSpace>& out);

} // namespace spanwise::geometry
