#pragma once

#include "Core/Geometry/Detail/CombineInSegments.hpp"
#include "Core/Geometry/Detail/CombineOnHost.hpp"
#include "Core/Runtime/Spaces.hpp"

namespace spanwise::detail {

/// combine() on views, into arrays with room for the rows and intervals of both inputs, and one interval more. Waits
/// for the totals.
template <class Space, int Dim>
SetTotals combineInto(const Space& space, unsigned truthTable, const IntervalSetView<Dim>& a,
  const IntervalSetView<Dim>& b, const WritableIntervalSet<Dim>& target,
  Workspace<typename Space::memory_space>& workspace) {
  if constexpr (runsOnHost<Space>) {
    return combineOnHost<Space, Dim>(space, truthTable, a, b, target, workspace);
  } else {
    return combineInSegments<Space, Dim>(space, truthTable, a, b, target, workspace);
  }
}

} // namespace spanwise::detail
