#pragma once

#include <Kokkos_Core.hpp>

namespace spanwise::multilevel {

/// How values of a coarse cell become values of its children. s is +1 for the upper and -1 for the lower child along an
/// axis; L, C, R are the coarse values below, at and above along it. What is added for one child is taken from its
/// sibling, so the mean of the children is the coarse value, to round-off.
enum class Prolongation {
  /// C.
  Injection,
  /// C + sum over axes of s (R - L) / 8: the linear prediction of central slopes. Where one neighbour is missing the
  /// slope is one-sided, (R - C) / 4, and where both are it is 0. Exact for linear functions.
  Linear,
  /// As Linear, with the slope that is the smaller one of R - C and C - L, and 0 if their signs differ or a neighbour
  /// is missing: along each axis no child is beyond its neighbours (A. Harten, J. Comput. Phys. 49, 1983: minmod).
  Minmod,
  /// As Minmod, with the smallest of 2 (R - C), (R - L) / 2 and 2 (C - L) (B. van Leer, J. Comput. Phys. 23, 1977).
  MonotonizedCentral,
  /// As Linear, and for each pair of axes s s' (U++ - U+- - U-+ + U--) / 64 from the diagonal neighbours, 0 where one
  /// of the four is missing. Exact for the cell averages of quadratic functions: third order (A. Harten, Comm. Pure
  /// Appl. Math. 48, 1995; B. L. Bihari, A. Harten, SIAM J. Sci. Comput. 18, 1997, with one neighbour on each side).
  /// A term of all three axes would be of a higher order, and is left out.
  ThirdOrder,
};

namespace detail {

/// How many slopes of a coarse cell a method uses: one an axis, and one a pair of axes.
template <int Dim>
constexpr int numSlopes(Prolongation method) {
  return method == Prolongation::Injection ? 0 : method == Prolongation::ThirdOrder ? Dim + Dim * (Dim - 1) / 2 : Dim;
}

/// The value nearest to 0 of some of one sign, otherwise 0. Written with minima and maxima, which compilers make vector
/// instructions of. Where a difference is NaN, `sum` (a sum of both of them) is, and the result is 0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T nearestToZero(T a, T b, T sum) {
  const T low = a < b ? a : b;
  const T high = a > b ? a : b;
  const T least = low < sum ? low : sum; // a NaN is handed on if it is the second one
  const T most = high > sum ? high : sum;
  return (least > T{0} ? least : T{0}) + (most < T{0} ? most : T{0});
}

/// What an upper child has more than its parent: a quarter of the difference to the next cell. A missing neighbour has
/// the centre's value; `weight` is 1/8 if both are there, otherwise 1/4.
template <Prolongation method, class T>
KOKKOS_FORCEINLINE_FUNCTION T slope(T low, T centre, T high, T weight) {
  if constexpr (method == Prolongation::Minmod || method == Prolongation::MonotonizedCentral) {
    const T below = centre - low;
    const T above = high - centre;
    const T sum = below + above;
    return T{0.25} *
      (method == Prolongation::Minmod ? nearestToZero(below, above, sum)
                                      : nearestToZero(T{2} * below, T{2} * above, sum / T{2}));
  } else {
    return (high - low) * weight;
  }
}

/// The term of two axes. Of values that are all the centre's it is 0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T mixedSlope(T lowLow, T highLow, T lowHigh, T highHigh) {
  return ((highHigh - lowHigh) - (highLow - lowLow)) / T{64};
}

} // namespace detail

} // namespace spanwise::multilevel
