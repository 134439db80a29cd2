#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry::detail {

/// out = the cells of a rank in its first and last plane: those that other ranks have neighbours of. O(rows +
/// intervals of these planes); allocates.
template <class ExecutionSpace, int Dim>
void planesAtCuts(const Context<ExecutionSpace>& context, const SetDomain<Dim>& domain,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out) {
  const parallel::PlaneRange own = domain.planes();
  IntervalSetOn<Dim, ExecutionSpace> first;
  IntervalSetOn<Dim, ExecutionSpace> last;
  if (!own.empty()) {
    restrictRows<ExecutionSpace, Dim>(context, set, {own.begin, own.begin + 1}, first);
    restrictRows<ExecutionSpace, Dim>(context, set, {own.end - 1, own.end}, last);
  }
  combine<ExecutionSpace, Dim>(context, SetOperation::Union, first, last, out);
}

} // namespace spanwise::geometry::detail
