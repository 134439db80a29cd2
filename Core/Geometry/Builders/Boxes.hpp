#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Workspace.hpp"

namespace spanwise {

/// out = the cells of disjoint boxes, in any order; empty boxes have none. boxesOf() goes the other way. Throws
/// InvalidArgument if a cell is in two boxes, or if a box has more than 2^31 - 1 rows. O(rows log rows) for the rows of
/// all boxes. A repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void makeFromBoxes(const ExecutionSpace& space,
  const Kokkos::View<const Box<Dim>*, typename ExecutionSpace::memory_space>& boxes,
  IntervalSetOn<Dim, ExecutionSpace>& out, Workspace<typename ExecutionSpace::memory_space>& workspace);

} // namespace spanwise
