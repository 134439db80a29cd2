#pragma once

#include "Core/Multilevel/Detail/CoarsenInGroups.hpp"
#include "Core/Multilevel/Detail/CoarsenOnHost.hpp"
#include "Core/Runtime/Spaces.hpp"

namespace spanwise::multilevel::detail {

/// coarsen() with a reach, on views. Calls makeTarget(rows, intervals) for arrays with room for that many, at most
/// once. Scratch memory, and the target, may come from `frame`. Waits for the totals.
template <class Space, int Dim, class MakeTarget>
geometry::SetTotals coarsenInto(const Space& space, const geometry::IntervalSetView<Dim>& from,
  const CoarseReach& reach, typename Workspace<typename Space::memory_space>::Frame& frame,
  const MakeTarget& makeTarget) {
  if (from.numRows == 0) {
    return {};
  }
  if constexpr (runsOnHost<Space>) {
    return coarsenOnHost<Space, Dim>(space, from, reach, frame, makeTarget);
  } else {
    return coarsenInGroups<Space, Dim>(space, from, reach, frame, makeTarget);
  }
}

} // namespace spanwise::multilevel::detail
