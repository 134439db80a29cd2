#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_SIMD.hpp>

namespace spanwise::nbody::detail {

/// Instructions for Pack on Kokkos's own vectors. They are as wide as the architecture that Kokkos is compiled for says
/// (KOKKOS_ARCH_AVX2, KOKKOS_ARCH_AVX512XEON ...); where it says nothing, as in Debian's packages, a single number.
struct KokkosLanes {
  template <class Real>
  using Vector = Kokkos::Experimental::simd<Real>;
  template <class Real>
  static constexpr int width = static_cast<int>(Vector<Real>::size());
  static constexpr bool failsAtZero = false;
  static constexpr int numRegisters = width<float> >= 16 ? 32 : 16;

  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> all(Real value) {
    return Vector<Real>(value);
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> load(const Real* from) {
    return Vector<Real>(from, Kokkos::Experimental::simd_flag_default);
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION void store(Real* to, const Vector<Real>& value) {
    for (int lane = 0; lane < width<Real>; ++lane) {
      to[lane] = value[lane];
    }
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> negative(const Vector<Real>& x) {
    return -x;
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Real sum(const Vector<Real>& value) {
    Real result = value[0];
    for (int lane = 1; lane < width<Real>; ++lane) {
      result += value[lane];
    }
    return result;
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> wherePositive(const Vector<Real>& x, const Vector<Real>& a) {
    return Kokkos::Experimental::condition(x > Vector<Real>(Real(0)), a, Vector<Real>(Real(0)));
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> whereOther(
    const Vector<Real>& x, const Vector<Real>& y, const Vector<Real>& a) {
    return Kokkos::Experimental::condition(x == y, Vector<Real>(Real(0)), a);
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> inverseSqrt(const Vector<Real>& x) {
    return wherePositive<Real>(x, Vector<Real>(Real(1)) / Kokkos::sqrt(x));
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> inverse(const Vector<Real>& x) {
    return wherePositive<Real>(x, Vector<Real>(Real(1)) / x);
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> exponential(const Vector<Real>& x) {
    return Kokkos::exp(x);
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> logarithm(const Vector<Real>& x) {
    return wherePositive<Real>(x, Kokkos::log(x));
  }
};

} // namespace spanwise::nbody::detail
