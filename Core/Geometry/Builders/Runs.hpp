#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>

namespace spanwise::geometry {

/// Cells side by side in a row: `first` and those to its right, `count` in all.
template <int Dim>
struct RowRun {
  Cell<Dim> first;
  std::int64_t count; ///< positive
};

/// out = the cells of disjoint runs, in any order. places[k] = the number of the first cell of run k in the set: how
/// values follow their cells where many pieces become one set. Throws InvalidArgument if a run is empty or reaches
/// beyond the coordinate limits, or if a cell is in two runs; `out` is then empty. O(runs log runs). A repeated call
/// allocates nothing.
template <class ExecutionSpace, int Dim>
void makeFromRuns(const Context<ExecutionSpace>& context,
  const Kokkos::View<const RowRun<Dim>*, typename ExecutionSpace::memory_space>& runs,
  IntervalSetOn<Dim, ExecutionSpace>& out,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& places);

} // namespace spanwise::geometry
