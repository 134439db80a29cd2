#pragma once

// Arrays of tests in the memory of an execution space.

#include <Kokkos_Core.hpp>

#include <array>
#include <vector>

namespace spanwise::testing {

/// A copy of `values`.
template <class Space, class T>
Kokkos::View<T*, typename Space::memory_space> arrayOn(const std::vector<T>& values) {
  Kokkos::View<T*, typename Space::memory_space> array("Testing::array", values.size());
  const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
    values.data(), values.size());
  Kokkos::deep_copy(array, host);
  return array;
}

/// A copy of rows of N values, one after the other.
template <class Space, class T, std::size_t N>
Kokkos::View<T* [N], Kokkos::LayoutRight, typename Space::memory_space> rowsOn(
  const std::vector<std::array<T, N>>& rows) {
  Kokkos::View<T* [N], Kokkos::LayoutRight, typename Space::memory_space> array("Testing::rows", rows.size());
  const auto host = Kokkos::create_mirror_view(array);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t k = 0; k < N; ++k) {
      host(r, k) = rows[r][k];
    }
  }
  Kokkos::deep_copy(array, host);
  return array;
}

} // namespace spanwise::testing
