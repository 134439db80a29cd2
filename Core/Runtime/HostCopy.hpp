#pragma once

#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace spanwise {

/// `count` elements from the memory of `space` to the host's, after all kernels of `space`. Waits. O(count).
template <class ExecutionSpace, class T>
void copyToHost(const ExecutionSpace& space, const T* from, std::int64_t count, T* to) {
  if constexpr (runsOnHost<ExecutionSpace>) {
    space.fence(SPANWISE_LABEL("Runtime::copyToHost"));
    std::copy_n(from, count, to);
  } else {
    using There =
      Kokkos::View<const T*, typename ExecutionSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    using Here = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    const auto length = static_cast<std::size_t>(count);
    Kokkos::deep_copy(space, Here(to, length), There(from, length));
    space.fence(SPANWISE_LABEL("Runtime::copyToHost"));
  }
}

/// The other way.
template <class ExecutionSpace, class T>
void copyFromHost(const ExecutionSpace& space, const T* from, std::int64_t count, T* to) {
  if constexpr (runsOnHost<ExecutionSpace>) {
    space.fence(SPANWISE_LABEL("Runtime::copyFromHost"));
    std::copy_n(from, count, to);
  } else {
    using There = Kokkos::View<T*, typename ExecutionSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    using Here = Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    const auto length = static_cast<std::size_t>(count);
    Kokkos::deep_copy(space, There(to, length), Here(from, length));
    space.fence(SPANWISE_LABEL("Runtime::copyFromHost"));
  }
}

} // namespace spanwise
