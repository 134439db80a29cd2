#pragma once

#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/StagedCopy.hpp"

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
    if (static_cast<std::size_t>(count) * sizeof(T) < minStagedBytes) {
      std::copy_n(from, count, to);
    } else {
      copyByThreads(
        reinterpret_cast<const char*>(from), static_cast<std::size_t>(count) * sizeof(T), reinterpret_cast<char*>(to));
    }
  } else {
    const auto length = static_cast<std::size_t>(count);
    if (length * sizeof(T) >= minStagedBytes) {
      space.fence(label);
      constexpr bool up = std::is_same_v<From, Kokkos::HostSpace>;
      if (up ? copyFromHostInStages<ExecutionSpace>(from, length * sizeof(T), to)
             : copyToHostInStages<ExecutionSpace>(from, length * sizeof(T), to)) {
        return;
      }
    }
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
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

/// `count` elements from one memory to another, after all kernels of all spaces. Waits. O(count).
template <class From, class To, class T>
void copyBetween(const T* from, std::int64_t count, T* to) {
  if constexpr (std::is_same_v<From, To>) {
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    const auto length = static_cast<std::size_t>(count);
    Kokkos::deep_copy(
      Kokkos::View<T*, To, Unmanaged>(to, length), Kokkos::View<const T*, From, Unmanaged>(from, length));
  } else {
    Kokkos::fence(SPANWISE_LABEL("Runtime::copyBetween"));
    using Device = typename std::conditional_t<std::is_same_v<From, Kokkos::HostSpace>, To, From>::execution_space;
    detail::copyAfterKernels<From, To>(Device(), from, count, to, SPANWISE_LABEL("Runtime::copyBetween"));
  }
}

} // namespace spanwise
