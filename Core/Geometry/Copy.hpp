#pragma once

#include "Core/Geometry/IntervalSet.hpp"

#include <vector>

namespace spanwise::geometry {

/// out = a copy of `set` in the memory space of `out` with arrays of exact length. The bytes that cross between host
/// and device are counted in the memory report. Waits for the copy.
template <int Dim, class From, class To>
void copy(const IntervalSet<Dim, From>& set, IntervalSet<Dim, To>& out);

/// A copy of the set in the host's memory.
template <int Dim, class From>
HostIntervalSet<Dim> hostCopy(const IntervalSet<Dim, From>& set) {
  HostIntervalSet<Dim> result;
  copy(set, result);
  return result;
}

/// The set with no reserved memory: the set itself if at most a fifth of its memory is reserved; on the host, of 4 MiB
/// or more, the set in the same memory if at most three quarters are (IntervalSet::shrink()); otherwise a copy.
template <int Dim, class MemorySpace>
IntervalSet<Dim, MemorySpace> compacted(const IntervalSet<Dim, MemorySpace>& set);

/// A set in host memory from CSR arrays. Throws InvalidArgument with the broken rule and its place (see validate()).
/// rowOffsets has rowKeys.size() + 1 entries, the last of which is intervals.size(); all three may be empty.
template <int Dim>
HostIntervalSet<Dim> fromArrays(const std::vector<RowKey<Dim>>& rowKeys, const std::vector<std::int64_t>& rowOffsets,
  const std::vector<Interval>& intervals);

} // namespace spanwise::geometry
