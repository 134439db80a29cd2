#pragma once

#include "Core/Geometry/Connectivity.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>

namespace spanwise::geometry::detail {

/// labels[i] = the number of the component that interval i is in, of the cells of this process alone, from 0 in the
/// order of their first cells; returns how many there are.
///
/// Runs are joined, not cells: a union-find forest of intervals, in which all rows are joined to their neighbours at
/// once without locks (as in J. Jaiganesh, M. Burtscher, A High-Performance Connected Components Implementation for
/// GPUs, HPDC 2018). About O(intervals + pairs of intervals that touch). Throws InvalidArgument if `labels` has another
/// length than there are intervals. The set lies within the periods.
template <class ExecutionSpace, int Dim>
std::int64_t labelIntervals(const Context<ExecutionSpace>& context, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& labels, const Periods<Dim>& periods);

} // namespace spanwise::geometry::detail
