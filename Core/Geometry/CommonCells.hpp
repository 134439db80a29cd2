#pragma once

#include "Core/Geometry/IntervalSet.hpp"

namespace spanwise {

/// Consecutive cells that two sets share: the cells a, a + 1, ... of one set are the cells b, b + 1, ... of the other.
struct CellRun {
  std::int64_t a;
  std::int64_t b;
  std::int64_t count;
};

/// The cells that are in both sets, as runs in the order of the cells. This is how values follow their cells from one
/// set to another. O(rows of a log rows of b + intervals).
template <class ExecutionSpace, int Dim>
Kokkos::View<CellRun*, typename ExecutionSpace::memory_space> commonCells(const ExecutionSpace& space,
  const IntervalSetOn<Dim, ExecutionSpace>& a, const IntervalSetOn<Dim, ExecutionSpace>& b);

} // namespace spanwise
