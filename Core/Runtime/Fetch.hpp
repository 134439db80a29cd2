#pragma once

#include "Core/Runtime/Label.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

/// One element of an array in the memory of `space`, for messages. Waits for it.
template <class ExecutionSpace, class T>
T fetch(const ExecutionSpace& space, const T* array, std::int64_t index) {
  T value;
  const Kokkos::View<T, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> target(&value);
  const Kokkos::View<const T, typename ExecutionSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> source(
    array + index);
  Kokkos::deep_copy(space, target, source);
  space.fence(SPANWISE_LABEL("Runtime::fetch"));
  return value;
}

} // namespace spanwise
