#pragma once

#include <Kokkos_Core.hpp>

#include <utility>

namespace spanwise {

/// A number that is known to the compiler. It differs from std::integral_constant in that kernels on devices can take
/// it as a number.
template <int number>
struct Constant {
  static constexpr int value = number;
  KOKKOS_FORCEINLINE_FUNCTION constexpr operator int() const { return number; } // NOLINT(google-explicit-constructor)
};

namespace detail {

#ifdef KOKKOS_COMPILER_NVCC
#pragma nv_exec_check_disable // a body is for where it is called, be it the host alone
#endif
template <class Body, int... numbers>
KOKKOS_FORCEINLINE_FUNCTION void callWith(const Body& body, std::integer_sequence<int, numbers...> /*all*/) {
  (body(Constant<numbers>()), ...);
}

} // namespace detail

/// Calls body(n) with the numbers 0 ... count - 1 as constants of their types.
template <int count, class Body>
KOKKOS_FORCEINLINE_FUNCTION void unrolled(const Body& body) {
  detail::callWith(body, std::make_integer_sequence<int, count>());
}

} // namespace spanwise
