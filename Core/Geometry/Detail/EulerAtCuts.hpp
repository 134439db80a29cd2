#pragma once

#include "Core/Geometry/Connectivity.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>

namespace spanwise::geometry::detail {

/// Collective, on several ranks. eulerNumber() of a set of which `atCuts` has what PlanesAtCuts holds.
template <class ExecutionSpace, int Dim>
std::int64_t eulerNumberByRanks(const Context<ExecutionSpace>& context, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const SetDomain<Dim>& domain,
  const IntervalSetOn<Dim, ExecutionSpace>& atCuts);

} // namespace spanwise::geometry::detail
