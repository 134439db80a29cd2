#pragma once

#include <Kokkos_Core.hpp>

#include <type_traits>
#include <utility>

namespace spanwise {

/// Calls body(n) with the numbers 0 ... count - 1 as constants of their types.
template <int count, class Body>
KOKKOS_FORCEINLINE_FUNCTION void unrolled(const Body& body) {
  const auto all = [&]<int... n>(
                     std::integer_sequence<int, n...> /*numbers*/) { (body(std::integral_constant<int, n>{}), ...); };
  all(std::make_integer_sequence<int, count>{});
}

} // namespace spanwise
