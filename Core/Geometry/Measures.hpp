#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// The smallest box that holds every cell; an empty box (all zero) for an empty set. O(rows).
template <class ExecutionSpace, int Dim>
Box<Dim> boundingBox(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set);

/// Whether two sets have the same cells. Sets are kept in one normal form, so this compares arrays: O(rows +
/// intervals).
template <class ExecutionSpace, int Dim>
bool equal(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& a,
  const IntervalSetOn<Dim, ExecutionSpace>& b);

/// numbers[k] = the number of cells[k] in the set, or -1. `numbers` must be as long as `cells`. O(log rows + log
/// intervals of a row) each, in parallel. Does not wait for the numbers.
template <class ExecutionSpace, int Dim>
void findCells(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Kokkos::View<const Cell<Dim>*, typename ExecutionSpace::memory_space>& cells,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& numbers);

} // namespace spanwise::geometry
