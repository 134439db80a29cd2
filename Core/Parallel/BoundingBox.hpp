#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/Cut.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::parallel {

/// Collective. The smallest box around the cells that all ranks have of these sets; an empty box (all zero) if there
/// are none. O(rows).
template <class ExecutionSpace, int Dim>
geometry::Box<Dim> boundingBoxOfAll(const Context<ExecutionSpace>& context, const SetList<Dim, ExecutionSpace>& sets);

} // namespace spanwise::parallel
