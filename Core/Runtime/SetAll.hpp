#pragma once

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace spanwise {

namespace detail {

template <class T>
struct SetEntry {
  T* array;
  T value;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { array[i] = value; }
};

} // namespace detail

/// values(i) = value for all of an array; does not wait. Kokkos::deep_copy() of a value would allocate the label of its
/// kernel at each call (of zero, too, before Kokkos 5).
template <class ExecutionSpace, class T, class... Properties>
void setAll(const ExecutionSpace& space, const Kokkos::View<T*, Properties...>& values, std::type_identity_t<T> value) {
  forEach(SPANWISE_KERNEL("set all"), IndexRange<ExecutionSpace>(space, 0, static_cast<std::int64_t>(values.extent(0))),
    detail::SetEntry<T>{values.data(), value});
}

} // namespace spanwise
