#pragma once

// Numbers for formulas of interactions without looking for r = 0, and where that fails, once more with it.

#include "Core/Solvers/NBody/Pack.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::nbody::detail {

/// 1 / sqrt(x) for normal x > 0 to about two last bits; what it is of other x, 0 among them, is not finite, or is what
/// inverseSqrt() says. On a device the processor's estimate is a float as it should be; for a double, which it gives
/// to 20 bits or more, one step of third order follows: e = 1 - x y^2, y (1 + e / 2 + 3 e^2 / 8).
KOKKOS_FORCEINLINE_FUNCTION float inverseSqrtOfPositive(float x) {
#if defined(__CUDA_ARCH__)
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return Kokkos::rsqrt(x);
#endif
}
KOKKOS_FORCEINLINE_FUNCTION double inverseSqrtOfPositive(double x) {
#if defined(__CUDA_ARCH__)
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  const double e = Kokkos::fma(-x * y, y, 1.0);
  return Kokkos::fma(Kokkos::fma(0.375, e, 0.5), e * y, y);
#else
  return Kokkos::rsqrt(x);
#endif
}

/// A number to compute interactions with, in the place of a Pack. Unguarded, its 1 / sqrt(x) and 1 / x are those of
/// x > 0 alone: what they make of r = 0 is not finite, and so is every sum that it is added to. Guarded, they have the
/// same bits wherever these are finite, and elsewhere are what nbody::inverseSqrt() and inverse() say.
template <class Real, bool isGuarded>
struct PairNumber {
  Real value;

  PairNumber() = default;
  KOKKOS_FORCEINLINE_FUNCTION PairNumber(Real of) : value(of) {}

  friend KOKKOS_FORCEINLINE_FUNCTION PairNumber operator+(PairNumber a, PairNumber b) { return {a.value + b.value}; }
  friend KOKKOS_FORCEINLINE_FUNCTION PairNumber operator-(PairNumber a, PairNumber b) { return {a.value - b.value}; }
  friend KOKKOS_FORCEINLINE_FUNCTION PairNumber operator*(PairNumber a, PairNumber b) { return {a.value * b.value}; }
  friend KOKKOS_FORCEINLINE_FUNCTION PairNumber operator/(PairNumber a, PairNumber b) { return {a.value / b.value}; }
  friend KOKKOS_FORCEINLINE_FUNCTION PairNumber operator-(PairNumber a) { return {-a.value}; }
  KOKKOS_FORCEINLINE_FUNCTION PairNumber& operator+=(PairNumber other) {
    value += other.value;
    return *this;
  }
  KOKKOS_FORCEINLINE_FUNCTION PairNumber& operator-=(PairNumber other) {
    value -= other.value;
    return *this;
  }

  friend KOKKOS_FORCEINLINE_FUNCTION PairNumber inverseSqrt(PairNumber x) {
    const Real estimate = inverseSqrtOfPositive(x.value);
    if constexpr (isGuarded) {
      return {Kokkos::isfinite(estimate) ? estimate : nbody::inverseSqrt(x.value)};
    } else {
      return {estimate};
    }
  }
  friend KOKKOS_FORCEINLINE_FUNCTION PairNumber inverse(PairNumber x) {
    if constexpr (isGuarded) {
      return {nbody::inverse(x.value)};
    } else {
      return {Real(1) / x.value};
    }
  }
  friend KOKKOS_FORCEINLINE_FUNCTION PairNumber logarithm(PairNumber x) { return {nbody::logarithm(x.value)}; }
  friend KOKKOS_FORCEINLINE_FUNCTION PairNumber exponential(PairNumber x) { return {nbody::exponential(x.value)}; }
};

} // namespace spanwise::nbody::detail
