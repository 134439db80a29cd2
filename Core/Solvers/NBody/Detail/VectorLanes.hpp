#pragma once

#include "Core/Solvers/NBody/Detail/NoLanes.hpp"
#include "Core/Solvers/NBody/InstructionSet.hpp"

#ifdef __CUDACC__ // which has no vectors in functions for both sides

#include "Core/Solvers/NBody/Detail/KokkosLanes.hpp"

namespace spanwise::nbody::detail {

using NativeLanes = KokkosLanes;
template <InstructionSet set>
using LanesFor = NoLanes;

} // namespace spanwise::nbody::detail

#else

#include <Kokkos_Macros.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

#ifndef HWY_DISABLE_PCLMUL_AES
#define HWY_DISABLE_PCLMUL_AES // x86-64-v3 is without
#endif
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_ALL_SVE | HWY_RVV) // vectors whose length is not known when a file is compiled
#endif
#include <hwy/highway.h>

/// Instructions for Pack on vectors of Highway, those of the processor that a file is compiled for: what is in this
/// namespace is not shared with files that are compiled for another.
namespace spanwise::nbody::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr InstructionSet compiledFor = HWY_TARGET <= HWY_AVX3 ? InstructionSet::Avx512
  : HWY_TARGET == HWY_AVX2                                           ? InstructionSet::Avx2
                                                                     : InstructionSet::Compiled;

/// How 1 / sqrt(x) is found: from the processor's estimate, or by a root and a division.
enum class Roots { Estimated, Divided };
/// Whether what a singular interaction gives where the distance is 0 is not finite, or is 0.
enum class AtZero { Fails, IsZero };

/// Numbers that series of Real take.
template <class Real>
struct SeriesOf;
template <>
struct SeriesOf<float> {
  static constexpr float minExponent = -87.0F; // of e, that makes a normal number
  static constexpr int termsOfExponential = 7;
  static constexpr int termsOfLogarithm = 5;
  // ln 2 in two parts, of which the first has few bits, so that k times it is exact
  static constexpr float ln2High = 0.693359375F;
  static constexpr float ln2Low = -2.1219444005469058277e-4F;
};
template <>
struct SeriesOf<double> {
  static constexpr double minExponent = -708.0;
  static constexpr int termsOfExponential = 13;
  static constexpr int termsOfLogarithm = 11;
  static constexpr double ln2High = 0.693145751953125;
  static constexpr double ln2Low = 1.42860682030941723212e-6;
};

template <Roots roots, AtZero atZero>
struct LanesBy {
  template <class Real>
  using Tag = hn::ScalableTag<Real>;
  template <class Real>
  using Vector = hn::Vec<Tag<Real>>;
  template <class Real>
  static constexpr int width = static_cast<int>(hn::MaxLanes(Tag<Real>()));
  static constexpr int numRegisters = HWY_ARCH_X86 && compiledFor != InstructionSet::Avx512 ? 16 : 32;
  static constexpr bool failsAtZero = atZero == AtZero::Fails;
  /// The same bits where those of this are a number, so that what is in the same place changes nothing for others.
  using Safe = LanesBy<roots, AtZero::IsZero>;
  /// With AVX2 roots and divisions of doubles take as long as estimates that are made precise, but of a unit that is
  /// idle then.
  template <class Real>
  using Alternate =
    LanesBy<compiledFor == InstructionSet::Avx2 && std::is_same_v<Real, double> ? Roots::Divided : roots, atZero>;

  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> all(Real value) {
    return hn::Set(Tag<Real>(), value);
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> load(const Real* from) {
    return hn::LoadU(Tag<Real>(), from);
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION void store(Real* to, const Vector<Real>& value) {
    hn::StoreU(value, Tag<Real>(), to);
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> negative(const Vector<Real>& x) {
    return hn::Neg(x);
  }
  /// The sum of all lanes, in an order of halves.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Real sum(const Vector<Real>& value) {
    return sumOfHalves(Tag<Real>(), value);
  }
  /// a, and 0 where x <= 0.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> wherePositive(const Vector<Real>& x, const Vector<Real>& a) {
    return hn::IfThenElseZero(x > hn::Zero(Tag<Real>()), a);
  }
  /// a, and 0 where x == y.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> whereOther(
    const Vector<Real>& x, const Vector<Real>& y, const Vector<Real>& a) {
    return hn::IfThenZeroElse(x == y, a);
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> inverse(const Vector<Real>& x) {
    return wherePositive<Real>(x, all(Real(1)) / x);
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> inverseSqrt(const Vector<Real>& x) {
    const Vector<Real> divided = all(Real(1)) / hn::Sqrt(x);
    if constexpr (roots == Roots::Divided) {
      return failsAtZero ? divided : wherePositive<Real>(x, divided);
    } else {
      const Vector<Real> estimated = estimatedInverseSqrt(x);
      return failsAtZero ? estimated
                         : hn::IfThenElse(estimated == estimated, estimated, wherePositive<Real>(x, divided));
    }
  }

  /// x = k ln 2 + rest, |rest| <= ln 2 / 2, and the series of e^rest. Below the least normal number it is 0.
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> exponential(const Vector<Real>& x) {
    using Series = SeriesOf<Real>;
    constexpr int mantissa = hwy::MantissaBits<Real>();
    const hn::RebindToSigned<Tag<Real>> bits;
    // adding it rounds to whole numbers, which are then the low bits
    const auto rounder = all(Real(3) * Real(std::int64_t(1) << (mantissa - 1)));
    const auto clamped = hn::Max(x, all(Series::minExponent));
    const auto shifted = clamped * all(Real(1.4426950408889634074)) + rounder;
    const auto k = shifted - rounder;
    const auto rest = (clamped - k * all(Series::ln2High)) - k * all(Series::ln2Low);
    auto sum = all(Real(1));
    for (int n = Series::termsOfExponential; n >= 1; --n) { // Horner's scheme: 1 + rest / n * (...)
      sum = all(Real(1)) + sum * (rest * all(Real(1) / Real(n)));
    }
    const auto power = hn::BitCast(bits, sum) + hn::ShiftLeft<mantissa>(hn::BitCast(bits, shifted));
    return hn::IfThenElseZero(x >= all(Series::minExponent), hn::BitCast(Tag<Real>(), power));
  }

  /// x = 2^k m, sqrt(1/2) <= m < sqrt(2), and the series of ln m = 2 artanh((m - 1) / (m + 1)).
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Vector<Real> logarithm(const Vector<Real>& x) {
    constexpr int mantissa = hwy::MantissaBits<Real>();
    constexpr auto bias = static_cast<Real>(std::numeric_limits<Real>::max_exponent - 1);
    const Tag<Real> tag;
    const hn::RebindToUnsigned<Tag<Real>> bits;
    const auto one = all(Real(1));
    const auto isTiny = x < all(std::numeric_limits<Real>::min());
    const auto normal = hn::BitCast(bits, hn::IfThenElse(isTiny, x * all(Real(std::int64_t(2) << mantissa)), x));
    const auto exponent = hn::BitCast(hn::RebindToSigned<Tag<Real>>(), hn::ShiftRight<mantissa>(normal));
    const auto fraction = hn::And(normal, hn::Set(bits, hwy::MantissaMask<Real>()));
    const auto full = hn::BitCast(tag, hn::Or(fraction, hn::BitCast(bits, one))); // 1 <= full < 2
    const auto isLarge = full > all(Real(1.41421356237309504880));
    const auto m = hn::IfThenElse(isLarge, full * all(Real(0.5)), full);
    const auto k = hn::ConvertTo(tag, exponent) - all(bias) + hn::IfThenElseZero(isLarge, one) -
      hn::IfThenElseZero(isTiny, all(Real(mantissa + 1)));
    const auto s = (m - one) / (m + one);
    const auto s2 = s * s;
    auto sum = hn::Zero(tag);
    for (int n = SeriesOf<Real>::termsOfLogarithm; n >= 1; --n) {
      sum = s2 * (all(Real(1) / Real(2 * n + 1)) + sum);
    }
    const auto twice = all(Real(2)) * s;
    return wherePositive<Real>(x, k * all(Real(0.69314718055994530942)) + (twice + twice * sum));
  }

private:
  template <class D>
  static KOKKOS_FORCEINLINE_FUNCTION hn::TFromD<D> sumOfHalves(D /*tag*/, const hn::Vec<D>& value) {
    if constexpr (hn::MaxLanes(D()) == 1) {
      return hn::GetLane(value);
    } else {
      const hn::Half<D> half;
      return sumOfHalves(half, hn::LowerHalf(half, value) + hn::UpperHalf(half, value));
    }
  }

  /// An estimate y made precise: with h = 1 - x y^2, 1 / sqrt(x) is y (1 - h)^(-1/2), whose series up to h^terms makes
  /// terms + 1 times as many bits; up to h it is a step of Newton's method.
  template <int terms, class V>
  static KOKKOS_FORCEINLINE_FUNCTION V refined(const V& x, const V& y) {
    using Real = hn::TFromV<V>;
    constexpr hn::DFromV<V> tag;
    constexpr Real of[] = {Real(0.5), Real(0.375), Real(0.3125)};
    const V h = hn::Set(tag, Real(1)) - x * (y * y);
    if constexpr (terms == 1) { // with the shortest way from h to the result
      return y + (hn::Set(tag, of[0]) * y) * h;
    }
    V series = hn::Set(tag, of[terms - 1]);
    for (int n = terms - 2; n >= 0; --n) {
      series = hn::Set(tag, of[n]) + h * series;
    }
    return y + y * (h * series);
  }

  /// Estimates of AVX-512 have 14 bits; those of AVX2 have 12, of floats alone. Where x is 0, or no normal float, the
  /// result is not a number.
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION V estimatedInverseSqrt(const V& x) {
    static_assert(compiledFor != InstructionSet::Compiled, "how good estimates are depends on the processor");
    using Real = hn::TFromV<V>;
    if constexpr (sizeof(Real) == sizeof(float)) {
      return refined<1>(x, hn::ApproximateReciprocalSqrt(x));
    } else if constexpr (compiledFor == InstructionSet::Avx512) {
      return refined<3>(x, hn::ApproximateReciprocalSqrt(x));
    } else {
      const auto rounded = hn::DemoteTo(hn::Rebind<float, Tag<Real>>(), x);
      const auto y = refined<1>(rounded, hn::ApproximateReciprocalSqrt(rounded));
      return refined<2>(x, hn::PromoteTo(Tag<Real>(), y)); // makes 22 bits those of a double
    }
  }
};

} // namespace spanwise::nbody::detail::HWY_NAMESPACE

namespace spanwise::nbody::detail {

/// What any processor has that a file is compiled for.
using NativeLanes = HWY_NAMESPACE::LanesBy<HWY_NAMESPACE::Roots::Divided, HWY_NAMESPACE::AtZero::IsZero>;

/// The fastest for a set of instructions, in files that are compiled for it; elsewhere none.
template <InstructionSet set>
using LanesFor = std::conditional_t<set == HWY_NAMESPACE::compiledFor,
  HWY_NAMESPACE::LanesBy<HWY_NAMESPACE::Roots::Estimated, HWY_NAMESPACE::AtZero::Fails>, NoLanes>;

} // namespace spanwise::nbody::detail

#endif
