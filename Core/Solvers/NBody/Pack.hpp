#pragma once

#include "Core/Runtime/Pack.hpp"

#include <Kokkos_MathematicalFunctions.hpp>

namespace spanwise::nbody {

// What the formulas of an interaction compute with: a number, or several side by side. A formula is a template over
// that type and uses + - * / and the functions below, called without a namespace before them.

using spanwise::Pack;

/// 1 / sqrt(x) for x >= 0, to about two last bits; 0 for x = 0.
KOKKOS_FORCEINLINE_FUNCTION float inverseSqrt(float x) { return x > 0.0F ? Kokkos::rsqrt(x) : 0.0F; }
KOKKOS_FORCEINLINE_FUNCTION double inverseSqrt(double x) { return x > 0.0 ? Kokkos::rsqrt(x) : 0.0; }
template <class Real, class Instructions>
KOKKOS_FORCEINLINE_FUNCTION Pack<Real, Instructions> inverseSqrt(const Pack<Real, Instructions>& x) {
  return Pack<Real, Instructions>(Instructions::template inverseSqrt<Real>(x.vector));
}

/// 1 / x for x >= 0; 0 for x = 0.
KOKKOS_FORCEINLINE_FUNCTION float inverse(float x) { return x > 0.0F ? 1.0F / x : 0.0F; }
KOKKOS_FORCEINLINE_FUNCTION double inverse(double x) { return x > 0.0 ? 1.0 / x : 0.0; }
template <class Real, class Instructions>
KOKKOS_FORCEINLINE_FUNCTION Pack<Real, Instructions> inverse(const Pack<Real, Instructions>& x) {
  return Pack<Real, Instructions>(Instructions::template inverse<Real>(x.vector));
}

/// The natural logarithm of x >= 0; 0 for x = 0.
KOKKOS_FORCEINLINE_FUNCTION float logarithm(float x) { return x > 0.0F ? Kokkos::log(x) : 0.0F; }
KOKKOS_FORCEINLINE_FUNCTION double logarithm(double x) { return x > 0.0 ? Kokkos::log(x) : 0.0; }
template <class Real, class Instructions>
KOKKOS_FORCEINLINE_FUNCTION Pack<Real, Instructions> logarithm(const Pack<Real, Instructions>& x) {
  return Pack<Real, Instructions>(Instructions::template logarithm<Real>(x.vector));
}

/// e^x for x <= 0.
KOKKOS_FORCEINLINE_FUNCTION float exponential(float x) { return Kokkos::exp(x); }
KOKKOS_FORCEINLINE_FUNCTION double exponential(double x) { return Kokkos::exp(x); }
template <class Real, class Instructions>
KOKKOS_FORCEINLINE_FUNCTION Pack<Real, Instructions> exponential(const Pack<Real, Instructions>& x) {
  return Pack<Real, Instructions>(Instructions::template exponential<Real>(x.vector));
}

} // namespace spanwise::nbody
