#pragma once

#include "Core/Geometry/IntervalSet.hpp"

namespace spanwise::detail {

/// A set that shares the arrays of `set`. While it lives they stay as they are, even if the output that is written
/// meanwhile is `set` itself: that gets arrays of its own.
template <int Dim, class MemorySpace>
IntervalSet<Dim, MemorySpace> sharing(const IntervalSet<Dim, MemorySpace>& set) {
  return set;
}

} // namespace spanwise::detail
