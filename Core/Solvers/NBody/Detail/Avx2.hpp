#pragma once

#include "Core/Runtime/LanesOf.hpp"
#include "Core/Solvers/NBody/Detail/NoLanes.hpp"

#if defined(SPANWISE_HAS_LANES) && defined(__AVX2__) && defined(__FMA__)

#include <type_traits>

#include <immintrin.h>

namespace spanwise::nbody::detail {
namespace {

struct Avx2Tag {};
struct SafeAvx2;
struct Avx2Roots;
struct SafeAvx2Roots;

/// Vectors of 32 bytes. Square roots from estimates of 12 bits and a step of Newton's method in floats. With h = 1 - x
/// y^2, 1 / sqrt(x) is y (1 - h)^(-1/2), whose series up to h^2 makes 22 bits those of a double. Where x is 0, or no
/// normal float, the result is not a number.
struct Avx2 : LanesOf<32, Avx2Tag> {
  using Safe = SafeAvx2;
  static constexpr bool failsAtZero = true;
  template <class Real>
  using Alternate = std::conditional_t<std::is_same_v<Real, double>, Avx2Roots, Avx2>;

  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> squareRoot(const Vector<Real>& x) {
    if constexpr (sizeof(Real) == sizeof(float)) {
      return _mm256_sqrt_ps(x);
    } else {
      return _mm256_sqrt_pd(x);
    }
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> inverseSqrt(const Vector<Real>& x) {
    if constexpr (sizeof(Real) == sizeof(float)) {
      const Vector<Real> y = _mm256_rsqrt_ps(x);
      const Vector<Real> h = Real(1) - x * (y * y);
      return y + (Real(0.5) * y) * h;
    } else {
      const __m128 rounded = _mm256_cvtpd_ps(x);
      const __m128 estimate = _mm_rsqrt_ps(rounded);
      const __m128 step = 1.0F - rounded * (estimate * estimate);
      const Vector<Real> y = _mm256_cvtps_pd(estimate + (0.5F * estimate) * step);
      const Vector<Real> h = Real(1) - x * (y * y);
      return y + y * (h * (Real(0.5) + h * Real(0.375)));
    }
  }
};

/// The same bits where those of Avx2 are a number, so that what is in the same place changes nothing for others.
struct SafeAvx2 : Avx2 {
  static constexpr bool failsAtZero = false;
  template <class Real>
  using Alternate = std::conditional_t<std::is_same_v<Real, double>, SafeAvx2Roots, SafeAvx2>;

  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> inverseSqrt(const Vector<Real>& x) {
    const Vector<Real> fast = Avx2::inverseSqrt<Real>(x);
    return fast == fast ? fast : wherePositive<Real>(x, Real(1) / squareRoot<Real>(x));
  }
};

/// Roots and divisions of doubles take as long as estimates that are made exact, but of a unit that is idle then.
struct Avx2Roots : Avx2 {
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> inverseSqrt(const Vector<Real>& x) {
    return Real(1) / squareRoot<Real>(x);
  }
};

struct SafeAvx2Roots : SafeAvx2 {
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> inverseSqrt(const Vector<Real>& x) {
    return wherePositive<Real>(x, Avx2Roots::inverseSqrt<Real>(x));
  }
};

} // namespace
} // namespace spanwise::nbody::detail

#else

namespace spanwise::nbody::detail {
namespace {

struct Avx2 : NoLanes {};

} // namespace
} // namespace spanwise::nbody::detail

#endif
