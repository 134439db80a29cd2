#include "Core/Geometry/Copy.hpp"

#include "Core/Geometry/Validation.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/Sharing.hpp"

namespace spanwise::geometry {

template <int Dim, class From, class To>
void copy(const IntervalSet<Dim, From>& set, IntervalSet<Dim, To>& out) {
  SPANWISE_REGION("Geometry::copy");
  const auto kept = sharing(set);
  const IntervalSetView<Dim> from = kept.view();
  const auto to = out.prepare(from.numRows, from.numIntervals);
  if (from.numRows > 0) {
    copyBetween<From, To>(from.rowKeys, from.numRows, to.rowKeys);
    copyBetween<From, To>(from.rowOffsets, from.numRows + 1, to.rowOffsets);
    copyBetween<From, To>(from.intervals, from.numIntervals, to.intervals);
    copyBetween<From, To>(from.cellOffsets, from.numIntervals + 1, to.cellOffsets);
  }
  out.finish({from.numRows, from.numIntervals, from.numCells});
}

template <int Dim, class MemorySpace>
IntervalSet<Dim, MemorySpace> compacted(const IntervalSet<Dim, MemorySpace>& set) {
  if (set.bytes() <= set.bytesUsed() + set.bytesUsed() / 4 + 64) {
    return set;
  }
  IntervalSet<Dim, MemorySpace> result;
  // The system gives large arrays page by page, as they are written.
  constexpr std::size_t large = std::size_t{4} << 20U;
  constexpr std::size_t fewTimes = 4;
  if (std::is_same_v<MemorySpace, Kokkos::HostSpace> && set.bytesUsed() >= large &&
    set.bytes() <= fewTimes * set.bytesUsed()) {
    result = set;
    result.shrink();
  } else {
    copy(set, result);
  }
  return result;
}

template <int Dim>
HostIntervalSet<Dim> fromArrays(const std::vector<RowKey<Dim>>& rowKeys, const std::vector<std::int64_t>& rowOffsets,
  const std::vector<Interval>& intervals) {
  const auto numRows = static_cast<std::int64_t>(rowKeys.size());
  const auto numIntervals = static_cast<std::int64_t>(intervals.size());
  const std::string wrong = validateArrays<HostExecutionSpace, Dim>(Context<HostExecutionSpace>(),
    {rowKeys.data(), numRows, rowOffsets.data(), static_cast<std::int64_t>(rowOffsets.size()), intervals.data(),
      numIntervals});
  if (!wrong.empty()) {
    throw InvalidArgument("these arrays are not an interval set: " + wrong);
  }
  HostIntervalSet<Dim> set;
  const auto out = set.prepare(numRows, numIntervals);
  std::copy(rowKeys.begin(), rowKeys.end(), out.rowKeys);
  std::copy(rowOffsets.begin(), rowOffsets.end(), out.rowOffsets);
  std::copy(intervals.begin(), intervals.end(), out.intervals);
  std::int64_t numCells = 0;
  for (std::int64_t i = 0; i < numIntervals; ++i) {
    out.cellOffsets[i] = numCells;
    numCells += static_cast<std::int64_t>(out.intervals[i].end) - out.intervals[i].begin;
  }
  out.cellOffsets[numIntervals] = numCells;
  set.finish({numRows, numIntervals, numCells});
  return set;
}

#define SPANWISE_COPY(Dim, From, To) template void copy(const IntervalSet<Dim, From>&, IntervalSet<Dim, To>&);
#define SPANWISE_COPIES(Dim)                                                                                           \
  SPANWISE_COPY(Dim, Kokkos::HostSpace, Kokkos::HostSpace)                                                             \
  SPANWISE_IF_CUDA(SPANWISE_COPY(Dim, Kokkos::HostSpace, Kokkos::CudaSpace))                                           \
  SPANWISE_IF_CUDA(SPANWISE_COPY(Dim, Kokkos::CudaSpace, Kokkos::HostSpace))                                           \
  SPANWISE_IF_CUDA(SPANWISE_COPY(Dim, Kokkos::CudaSpace, Kokkos::CudaSpace))                                           \
  SPANWISE_IF_HIP(SPANWISE_COPY(Dim, Kokkos::HostSpace, Kokkos::HIPSpace))                                             \
  SPANWISE_IF_HIP(SPANWISE_COPY(Dim, Kokkos::HIPSpace, Kokkos::HostSpace))                                             \
  SPANWISE_IF_HIP(SPANWISE_COPY(Dim, Kokkos::HIPSpace, Kokkos::HIPSpace))                                              \
  template HostIntervalSet<Dim> compacted(const HostIntervalSet<Dim>&);                                                \
  SPANWISE_IF_CUDA(                                                                                                    \
    template IntervalSet<Dim, Kokkos::CudaSpace> compacted(const IntervalSet<Dim, Kokkos::CudaSpace>&);)               \
  SPANWISE_IF_HIP(template IntervalSet<Dim, Kokkos::HIPSpace> compacted(const IntervalSet<Dim, Kokkos::HIPSpace>&);)   \
  template HostIntervalSet<Dim> fromArrays(                                                                            \
    const std::vector<RowKey<Dim>>&, const std::vector<std::int64_t>&, const std::vector<Interval>&);
SPANWISE_COPIES(2)
SPANWISE_COPIES(3)

} // namespace spanwise::geometry
