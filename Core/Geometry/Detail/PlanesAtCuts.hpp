#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Core/Geometry/Slab.hpp"

namespace spanwise::detail {

/// out = the cells of a rank in its first and last plane: those that other ranks have neighbours of. O(rows +
/// intervals of these planes); allocates.
template <class ExecutionSpace, int Dim>
void planesAtCuts(const ExecutionSpace& space, const SetDomain<Dim>& domain,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  const PlaneRange own = domain.planes();
  IntervalSetOn<Dim, ExecutionSpace> first;
  IntervalSetOn<Dim, ExecutionSpace> last;
  if (!own.empty()) {
    restrictRows<ExecutionSpace, Dim>(space, set, {own.begin, own.begin + 1}, first);
    restrictRows<ExecutionSpace, Dim>(space, set, {own.end - 1, own.end}, last);
  }
  combine<ExecutionSpace, Dim>(space, SetOperation::Union, first, last, out, workspace);
}

} // namespace spanwise::detail
