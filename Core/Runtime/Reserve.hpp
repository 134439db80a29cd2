#pragma once

#include "Core/Runtime/ArrayLength.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace spanwise {

/// Makes `array` at least `count` long, with undefined contents. Its memory is used again if it is large enough and
/// nobody else shares it. Throws as arrayLength(), or if there is no memory.
template <class T, class MemorySpace>
void reserve(Kokkos::View<T*, MemorySpace>& array, std::int64_t count, const std::string& label) {
  const std::size_t needed = arrayLength<T>(count);
  if (array.extent(0) < needed || array.use_count() > 1) {
    array = {}; // give back first: the peak is lower
    array = Kokkos::View<T*, MemorySpace>(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), needed);
  }
}

} // namespace spanwise
