#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/ValueRange.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// out = the cells of `box` whose value is in `range`. `values` has one value a cell of the box, x fastest, then y,
/// then z. T is any arithmetic type of VTK's arrays. Values are compared exactly, 64-bit integers too. Throws
/// InvalidArgument if the number of values is not the number of cells, or lower > upper, or a bound is NaN. O(cells); a
/// value is read once, and once more in rows that have a cell of the set.
template <class T, class ExecutionSpace, int Dim>
void makeFromMask(const Context<ExecutionSpace>& context,
  const Kokkos::View<const T*, typename ExecutionSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>& values,
  const Box<Dim>& box, const ValueRange& range, IntervalSetOn<Dim, ExecutionSpace>& out);

} // namespace spanwise::geometry
