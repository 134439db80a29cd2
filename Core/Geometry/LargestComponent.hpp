#pragma once

#include "Core/Geometry/Connectivity.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// Collective. out = the connected component of `set` with the most cells; of equals the one with the first cell. The
/// empty set if there is none. Each rank gives and gets the cells in the planes that it owns. As connectedComponents(),
/// and O(components). `out` may share nothing with `set`. With one process a repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void largestComponent(const Context<ExecutionSpace>& context, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out,
  const SetDomain<Dim>& domain = {});

} // namespace spanwise::geometry
