#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// out = the set of the listed cells, in any order, duplicates allowed. Throws InvalidArgument for a coordinate of
/// 2^31 - 1, whose far node would have none. O(n) where cells fill their box, by a bit for each cell of it; else
/// O(n log n).
template <class ExecutionSpace, int Dim>
void makeFromCells(const Context<ExecutionSpace>& context,
  const Kokkos::View<const Cell<Dim>*, typename ExecutionSpace::memory_space>& cells,
  IntervalSetOn<Dim, ExecutionSpace>& out);

} // namespace spanwise::geometry
