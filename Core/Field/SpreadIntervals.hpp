#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::field {

/// A number for each interval of a set, in the memory of an execution space.
template <class ExecutionSpace>
using NumbersOfIntervals = Kokkos::View<const std::int64_t*, typename ExecutionSpace::memory_space>;

/// out = the field of one component in which each cell has the number of its interval: which component it is in, for
/// instance. The memory of `out` is used again. Throws InvalidArgument if there is not one number an interval. O(cells)
/// on the host, O(cells log intervals) on a device. Does not wait.
template <class ExecutionSpace, int Dim>
void spreadIntervals(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const NumbersOfIntervals<ExecutionSpace>& numbers, FieldOn<std::int64_t, ExecutionSpace>& out);

} // namespace spanwise::field
