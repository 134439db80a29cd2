#pragma once

#include "Core/Runtime/Label.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace spanwise {

namespace detail {

template <class From, class To, class ExecutionSpace, class T>
void copyAfterKernels(const ExecutionSpace& space, const T* from, std::int64_t count, T* to, const std::string& label) {
  if constexpr (std::is_same_v<From, To>) {
    space.fence(label);
    std::copy_n(from, count, to);
  } else {
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    const auto length = static_cast<std::size_t>(count);
    Kokkos::deep_copy(
      space, Kokkos::View<T*, To, Unmanaged>(to, length), Kokkos::View<const T*, From, Unmanaged>(from, length));
    space.fence(label);
  }
}

} // namespace detail

/// `count` elements from the memory of `space` to the host's, after all kernels of `space`. Waits. O(count).
template <class ExecutionSpace, class T>
void copyToHost(const ExecutionSpace& space, const T* from, std::int64_t count, T* to) {
  detail::copyAfterKernels<typename ExecutionSpace::memory_space, Kokkos::HostSpace>(
    space, from, count, to, SPANWISE_LABEL("Runtime::copyToHost"));
}

/// The other way.
template <class ExecutionSpace, class T>
void copyFromHost(const ExecutionSpace& space, const T* from, std::int64_t count, T* to) {
  detail::copyAfterKernels<Kokkos::HostSpace, typename ExecutionSpace::memory_space>(
    space, from, count, to, SPANWISE_LABEL("Runtime::copyFromHost"));
}

} // namespace spanwise
