#pragma once

#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/LargePages.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace spanwise {

/// The length of the array that takes the place of one of `length` elements, which are too few: with room for an eighth
/// more, unless it is the first one. What has grown once, as levels that follow a flow do, often grows again, and on a
/// device an allocation waits for all kernels.
inline std::size_t lengthToGrowTo(std::size_t needed, std::size_t length) {
  return length == 0 ? needed : needed + needed / 8;
}

/// Makes `array` at least `count` long, with undefined contents. Its memory is used again if it is large enough and
/// nobody else shares it. Throws as arrayLength(), or if there is no memory.
template <class T, class MemorySpace>
void reserve(Kokkos::View<T*, MemorySpace>& array, std::int64_t count, const std::string& label) {
  const std::size_t needed = arrayLength<T>(count);
  const std::size_t length = array.extent(0);
  if (length < needed || array.use_count() > 1) {
    array = {}; // give back first: the peak is lower
    array = Kokkos::View<T*, MemorySpace>(Kokkos::view_alloc(Kokkos::WithoutInitializing, label),
      length < needed ? lengthToGrowTo(needed, length) : needed);
    if constexpr (std::is_same_v<MemorySpace, Kokkos::HostSpace>) {
      preferLargePages(array.data(), array.span() * sizeof(T));
    }
  }
}

} // namespace spanwise
