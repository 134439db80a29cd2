#pragma once

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"

namespace spanwise {

namespace detail {

template <class T>
struct ExclusiveScan {
  using value_type = T;
  T* values;
  std::int64_t count;

  KOKKOS_FUNCTION void operator()(std::int64_t i, T& sum, bool final) const {
    const T value = i < count ? values[i] : T{};
    if (final) {
      values[i] = sum;
    }
    sum += value;
  }
};

/// The same, which writes the sum of all where kernels can.
template <class T>
struct ExclusiveScanAndTotal {
  using value_type = T;
  T* values;
  std::int64_t count;
  T* total;

  KOKKOS_FUNCTION void operator()(std::int64_t i, T& sum, bool final) const {
    ExclusiveScan<T>{values, count}(i, sum, final);
    if (final && i == count) {
      *total = sum;
    }
  }
};

} // namespace detail

/// Replaces values[i] by the sum of the values before i, for i in [0, count]; returns the sum of all, values[count].
/// `values` has count + 1 entries, the last of which need not be set. Waits for the sum.
template <class ExecutionSpace, class T>
T exclusiveScan(const ExecutionSpace& space, const char* label, T* values, std::int64_t count) {
  T total{};
  scan(label, IndexRange<ExecutionSpace>(space, 0, count + 1), detail::ExclusiveScan<T>{values, count}, total);
  return total;
}

/// The same, with the sum of all in *total, as of a KernelResult. Does not wait.
template <class ExecutionSpace, class T>
void exclusiveScan(const ExecutionSpace& space, const char* label, T* values, std::int64_t count, T* total) {
  scan(label, IndexRange<ExecutionSpace>(space, 0, count + 1), detail::ExclusiveScanAndTotal<T>{values, count, total});
}

} // namespace spanwise
