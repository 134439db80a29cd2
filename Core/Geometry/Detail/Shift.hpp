#pragma once

#include "Core/Geometry/IntervalSet.hpp"

namespace spanwise::geometry::detail {

/// translate() without its check of the coordinate limits, for node rows, whose keys reach one further than those of
/// cells.
template <class ExecutionSpace, int Dim>
void shift(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set, const Cell<Dim>& offset,
  IntervalSetOn<Dim, ExecutionSpace>& out);

} // namespace spanwise::geometry::detail
