#pragma once

#include "Core/Geometry/Connectivity.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Workspace.hpp"

namespace spanwise {

/// out = the connected component of `set` with the most cells; of equals the one with the first cell. The empty set if
/// there is none. As connectedComponents(), and O(components). `out` may share nothing with `set`. A repeated call
/// allocates nothing.
template <class ExecutionSpace, int Dim>
void largestComponent(const ExecutionSpace& space, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace);

} // namespace spanwise
