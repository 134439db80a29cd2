#pragma once

#include "Core/Geometry/Detail/CombineInSegments.hpp"
#include "Core/Geometry/Detail/CombineOnHost.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Spaces.hpp"

namespace spanwise::geometry::detail {

/// combine() on views, into arrays with room for the rows and intervals of both inputs, and one interval more. Waits
/// for the totals.
template <class Space, int Dim>
SetTotals combineInto(const Context<Space>& context, unsigned truthTable, const IntervalSetView<Dim>& a,
  const IntervalSetView<Dim>& b, const WritableIntervalSet<Dim>& target) {
  if constexpr (runsOnHost<Space>) {
    return combineOnHost<Space, Dim>(context, truthTable, a, b, target);
  } else {
    return combineInSegments<Space, Dim>(context, truthTable, a, b, target);
  }
}

} // namespace spanwise::geometry::detail
