#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>

#if defined(__GNUC__) && !defined(__CUDACC__)
#define SPANWISE_HAS_LANES

namespace spanwise {

// Instructions for Pack on the vectors that GCC and Clang have in the language. What is compiled for one processor must
// not be shared with code for another, so `Tag` is a type of the file that the instructions are used in.

namespace detail {

template <class Real>
struct BitsOf;
template <>
struct BitsOf<float> {
  using Signed = std::int32_t;
  static constexpr int mantissa = 23;
  static constexpr Signed bias = 127;
  static constexpr float minNormal = 1.17549435e-38F;
  static constexpr float minExponent = -87.0F; // of e, that makes a normal number
  static constexpr int termsOfExponential = 7;
  static constexpr int termsOfLogarithm = 5;
};
template <>
struct BitsOf<double> {
  using Signed = std::int64_t;
  static constexpr int mantissa = 52;
  static constexpr Signed bias = 1023;
  static constexpr double minNormal = 2.2250738585072014e-308;
  static constexpr double minExponent = -708.0;
  static constexpr int termsOfExponential = 13;
  static constexpr int termsOfLogarithm = 11;
};

template <class Real, int bytes>
struct VectorOf {
  typedef Real Type __attribute__((vector_size(bytes), aligned(sizeof(Real)), may_alias));
  typedef Real Aligned __attribute__((vector_size(bytes)));
};

} // namespace detail

/// Vectors of so many bytes.
template <int bytes, class Tag>
struct LanesOf {
  template <class Real>
  using Vector = typename detail::VectorOf<Real, bytes>::Aligned;
  template <class Real>
  using Bits = typename detail::VectorOf<typename detail::BitsOf<Real>::Signed, bytes>::Aligned;
  template <class Real>
  static constexpr int width = bytes / static_cast<int>(sizeof(Real));
  /// Whether a singular interaction gives something that is not finite where the distance is 0, instead of 0.
  static constexpr bool failsAtZero = false;
  static constexpr int numRegisters = bytes == 64 ? 32 : 16;

  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> all(Real value) {
    return value - Vector<Real>{}; // of all lanes
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> load(const Real* from) {
    return *reinterpret_cast<const typename detail::VectorOf<Real, bytes>::Type*>(from);
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION void store(Real* to, const Vector<Real>& value) {
    *reinterpret_cast<typename detail::VectorOf<Real, bytes>::Type*>(to) = value;
  }
  /// The sum of all lanes, in an order of halves.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Real sum(const Vector<Real>& value) {
    Real lanes[width<Real>];
    store(lanes, value);
    for (int half = width<Real> / 2; half > 0; half /= 2) {
      for (int lane = 0; lane < half; ++lane) {
        lanes[lane] += lanes[lane + half];
      }
    }
    return lanes[0];
  }
  /// a, and 0 where x <= 0.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> wherePositive(const Vector<Real>& x, const Vector<Real>& a) {
    return reinterpret_cast<Vector<Real>>(reinterpret_cast<Bits<Real>>(a) & (x > Vector<Real>{}));
  }
  /// a, and 0 where x == y.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> whereOther(
    const Vector<Real>& x, const Vector<Real>& y, const Vector<Real>& a) {
    return reinterpret_cast<Vector<Real>>(reinterpret_cast<Bits<Real>>(a) & (x != y));
  }

  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> squareRoot(const Vector<Real>& x) {
    Vector<Real> result = x;
    for (int lane = 0; lane < width<Real>; ++lane) {
      if constexpr (sizeof(Real) == sizeof(float)) {
        result[lane] = __builtin_sqrtf(x[lane]);
      } else {
        result[lane] = __builtin_sqrt(x[lane]);
      }
    }
    return result;
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> inverseSqrt(const Vector<Real>& x) {
    return wherePositive<Real>(x, Real(1) / squareRoot<Real>(x));
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> inverse(const Vector<Real>& x) {
    return wherePositive<Real>(x, Real(1) / x);
  }

  /// x = k ln 2 + rest, |rest| <= ln 2 / 2, and the series of e^rest. Below the least normal number it is 0.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> exponential(const Vector<Real>& x) {
    using B = detail::BitsOf<Real>;
    // adding it rounds to whole numbers, which are then the low bits
    constexpr Real rounder = Real(3) * Real(typename B::Signed(1) << (B::mantissa - 1));
    constexpr Real log2e = Real(1.4426950408889634074);
    // ln 2 in two parts, of which the first has few bits, so that k times it is exact
    constexpr Real high = sizeof(Real) == sizeof(float) ? Real(0.693359375) : Real(0.693145751953125);
    constexpr Real low =
      sizeof(Real) == sizeof(float) ? Real(-2.1219444005469058277e-4) : Real(1.42860682030941723212e-6);
    const Vector<Real> clamped = x > B::minExponent ? x : all<Real>(B::minExponent);
    const Vector<Real> shifted = clamped * log2e + rounder;
    const Vector<Real> k = shifted - rounder;
    const Vector<Real> rest = (clamped - k * high) - k * low;
    Vector<Real> sum = all<Real>(Real(1));
    for (int n = B::termsOfExponential; n >= 1; --n) { // Horner's scheme: 1 + rest / n * (...)
      sum = Real(1) + sum * (rest * (Real(1) / Real(n)));
    }
    const Bits<Real> power = reinterpret_cast<Bits<Real>>(sum) + (reinterpret_cast<Bits<Real>>(shifted) << B::mantissa);
    return reinterpret_cast<Vector<Real>>(power & (x >= B::minExponent));
  }

  /// x = 2^k m, sqrt(1/2) <= m < sqrt(2), and the series of ln m = 2 artanh((m - 1) / (m + 1)).
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> logarithm(const Vector<Real>& x) {
    using B = detail::BitsOf<Real>;
    using Signed = typename B::Signed;
    constexpr Real ln2 = Real(0.69314718055994530942);
    constexpr Real scale = Real(Signed(1) << (B::mantissa + 1));
    const Vector<Real> normal = x < B::minNormal ? x * scale : x;
    const Vector<Real> scaledBy = x < B::minNormal ? all<Real>(Real(B::mantissa + 1)) : Vector<Real>{};
    const Bits<Real> bits = reinterpret_cast<Bits<Real>>(normal);
    constexpr Signed one = B::bias << B::mantissa;
    constexpr Signed mask = (Signed(1) << B::mantissa) - 1;
    const Vector<Real> full = reinterpret_cast<Vector<Real>>((bits & mask) | one); // 1 <= full < 2
    const Bits<Real> isLarge = full > Real(1.41421356237309504880);
    const Vector<Real> m = isLarge ? full * Real(0.5) : full;
    const Vector<Real> k = __builtin_convertvector((bits >> B::mantissa) - B::bias - isLarge, Vector<Real>) - scaledBy;
    const Vector<Real> s = (m - Real(1)) / (m + Real(1));
    const Vector<Real> s2 = s * s;
    Vector<Real> sum{};
    for (int n = B::termsOfLogarithm; n >= 1; --n) {
      sum = s2 * (Real(1) / Real(2 * n + 1) + sum);
    }
    return wherePositive<Real>(x, k * ln2 + (Real(2) * s + Real(2) * s * sum));
  }
};

} // namespace spanwise

#endif
