#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace spanwise::nbody::detail {

/// Makes an array longer and keeps its first entries. Kokkos::resize() would copy few of them by a kernel too.
template <class T, class MemorySpace>
void growList(Kokkos::View<T*, MemorySpace>& array, std::int64_t count) {
  if (static_cast<std::int64_t>(array.extent(0)) < count) {
    const Kokkos::View<T*, MemorySpace> longer(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, array.label()), static_cast<std::size_t>(count + count / 2));
    Kokkos::deep_copy(Kokkos::subview(longer, std::pair<std::size_t, std::size_t>(0, array.extent(0))), array);
    array = longer;
  }
}

} // namespace spanwise::nbody::detail
