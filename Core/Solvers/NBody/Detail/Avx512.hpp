#pragma once

#include "Core/Runtime/LanesOf.hpp"
#include "Core/Solvers/NBody/Detail/NoLanes.hpp"

#if defined(SPANWISE_HAS_LANES) && defined(__AVX512F__) && defined(__AVX512DQ__)

#include <immintrin.h>

namespace spanwise::nbody::detail {
namespace {

struct Avx512Tag {};
struct SafeAvx512;

/// Vectors of 64 bytes. Square roots from estimates of 14 bits. With h = 1 - x y^2, 1 / sqrt(x) is y (1 - h)^(-1/2):
/// one step of Newton's method is its series up to h, and up to h^3 it is exact to 2^-54. At x = 0 the result is not a
/// number.
struct Avx512 : LanesOf<64, Avx512Tag> {
  using Safe = SafeAvx512;
  static constexpr bool failsAtZero = true;

  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Real sum(const Vector<Real>& value) {
    if constexpr (sizeof(Real) == sizeof(float)) {
      return _mm512_reduce_add_ps(value);
    } else {
      return _mm512_reduce_add_pd(value);
    }
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> inverseSqrt(const Vector<Real>& x) {
    if constexpr (sizeof(Real) == sizeof(float)) {
      const Vector<Real> y = _mm512_rsqrt14_ps(x);
      const Vector<Real> h = Real(1) - x * (y * y);
      return y + (Real(0.5) * y) * h;
    } else {
      const Vector<Real> y = _mm512_rsqrt14_pd(x);
      const Vector<Real> h = Real(1) - x * (y * y);
      return y + y * (h * (Real(0.5) + h * (Real(0.375) + h * Real(0.3125))));
    }
  }
};

/// The same bits where those of Avx512 are a number, so that what is in the same place changes nothing for others.
struct SafeAvx512 : Avx512 {
  static constexpr bool failsAtZero = false;

  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> inverseSqrt(const Vector<Real>& x) {
    const Vector<Real> fast = Avx512::inverseSqrt<Real>(x);
    Vector<Real> root;
    if constexpr (sizeof(Real) == sizeof(float)) {
      root = _mm512_sqrt_ps(x);
    } else {
      root = _mm512_sqrt_pd(x);
    }
    return fast == fast ? fast : wherePositive<Real>(x, Real(1) / root);
  }
};

} // namespace
} // namespace spanwise::nbody::detail

#else

namespace spanwise::nbody::detail {
namespace {

struct Avx512 : NoLanes {};

} // namespace
} // namespace spanwise::nbody::detail

#endif
