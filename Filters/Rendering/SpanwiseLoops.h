#ifndef SpanwiseLoops_h
#define SpanwiseLoops_h

// Loops over rows, on the host's threads, and the end of sets that they make. Not wrapped.

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace spanwise {

/// body(k) for k in [0, count), in parallel. Rows may differ much in length, so they are dealt out as threads come.
template <class Body>
void forEach(const std::string& label, std::int64_t count, const Body& body) {
  using Policy =
    Kokkos::RangePolicy<HostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  constexpr std::int64_t workOfRow = 64; // in small items
  forEach(label.c_str(), Policy(HostExecutionSpace(), 0, count), body, Work{workOfRow * count});
  HostExecutionSpace().fence(label);
}

/// counts[k] becomes the sum of the entries before k; the last entry, which is not read, the sum of all. Returns that.
inline std::int64_t sumUp(std::vector<std::int64_t>& counts) {
  std::int64_t sum = 0;
  for (std::int64_t& count : counts) {
    const std::int64_t next = sum + count;
    count = sum;
    sum = next;
  }
  return counts.empty() ? 0 : counts.back();
}

/// Ends the writing of a set, `out`, whose rows and intervals are there: counts its cells.
template <int Dim>
void finishSet(
  const WritableIntervalSet<Dim>& out, std::int64_t numRows, std::int64_t numIntervals, HostIntervalSet<Dim>& set) {
  std::int64_t numCells = 0;
  for (std::int64_t i = 0; i < numIntervals; ++i) {
    out.cellOffsets[i] = numCells;
    numCells += static_cast<std::int64_t>(out.intervals[i].end) - out.intervals[i].begin;
  }
  out.rowOffsets[numRows] = numIntervals;
  out.cellOffsets[numIntervals] = numCells;
  set.finish(numRows, numIntervals, numCells);
}

} // namespace spanwise

#endif
