#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>

namespace spanwise::geometry {

/// out[k] = the number in `set` of the cell in one period of which cell k of `copies` is a copy (unwrap()), or -1 where
/// the set does not have it. `out` gets at least as many entries as `copies` has cells. Does not wait. O(cells log
/// rows). A repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void findOriginals(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& copies,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const Periods<Dim>& periods,
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& out);

} // namespace spanwise::geometry
