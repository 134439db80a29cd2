#pragma once

#include "Core/Mesh/Detail/WeightedPoint.hpp"
#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Pack.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::detail {

// Four doubles that the processor handles at once, where a function is compiled for one that can. What is done to each
// is what is done to a double, with the same bits.

/// Instructions for Pack on the vectors that GCC and Clang have in the language.
struct FourDoubles {
  typedef double Doubles __attribute__((vector_size(32)));
  typedef double Unaligned __attribute__((vector_size(32), aligned(sizeof(double)), may_alias));
  template <class Real>
  using Vector = Doubles;
  template <class Real>
  static constexpr int width = 4;

  static KOKKOS_FORCEINLINE_FUNCTION Doubles all(double value) { return value - Doubles{}; }
  static KOKKOS_FORCEINLINE_FUNCTION Doubles load(const double* from) {
    return *reinterpret_cast<const Unaligned*>(from);
  }
  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Doubles negative(const Doubles& x) {
    return -x;
  }
};
using Lanes = Pack<double, FourDoubles>;

/// What comparisons of Lanes give.
struct LanesTruth {
  using Vector = long __attribute__((vector_size(32))); // all bits or none
  Vector of;

  KOKKOS_FORCEINLINE_FUNCTION explicit LanesTruth(const Vector& truths) : of(truths) {}
  KOKKOS_FORCEINLINE_FUNCTION explicit LanesTruth(bool truth) : of(Vector{} - static_cast<long>(truth)) {}

  KOKKOS_FORCEINLINE_FUNCTION LanesTruth& operator&=(const LanesTruth& other) {
    of &= other.of;
    return *this;
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool areAll() const { return (of[0] & of[1] & of[2] & of[3]) != 0; }
};

KOKKOS_FORCEINLINE_FUNCTION LanesTruth operator>(const Lanes& a, const Lanes& b) {
  return LanesTruth(LanesTruth::Vector(a.vector > b.vector));
}
KOKKOS_FORCEINLINE_FUNCTION Lanes abs(const Lanes& a) {
  return Lanes(Lanes::Vector(LanesTruth::Vector(a.vector) & (LanesTruth::Vector{} + 0x7fffffffffffffffL))); // no sign
}
KOKKOS_FORCEINLINE_FUNCTION Lanes sqrt(const Lanes& a) {
  Lanes result = a;
  for (int lane = 0; lane < Lanes::width; ++lane) {
    result.vector[lane] = __builtin_sqrt(a.vector[lane]);
  }
  return result;
}

/// Four points, of which each lane gets one.
KOKKOS_FORCEINLINE_FUNCTION PointOf<Lanes> lanesOf(
  const WeightedPoint& a, const WeightedPoint& b, const WeightedPoint& c, const WeightedPoint& d) {
  using V = Lanes::Vector;
  V rows[4];
  __builtin_memcpy(&rows[0], &a, sizeof(V));
  __builtin_memcpy(&rows[1], &b, sizeof(V));
  __builtin_memcpy(&rows[2], &c, sizeof(V));
  __builtin_memcpy(&rows[3], &d, sizeof(V));
  const V evenAB = __builtin_shufflevector(rows[0], rows[1], 0, 4, 2, 6);
  const V evenCD = __builtin_shufflevector(rows[2], rows[3], 0, 4, 2, 6);
  const V oddAB = __builtin_shufflevector(rows[0], rows[1], 1, 5, 3, 7);
  const V oddCD = __builtin_shufflevector(rows[2], rows[3], 1, 5, 3, 7);
  return {{Lanes(__builtin_shufflevector(evenAB, evenCD, 0, 1, 4, 5)),
    Lanes(__builtin_shufflevector(oddAB, oddCD, 0, 1, 4, 5)),
    Lanes(__builtin_shufflevector(evenAB, evenCD, 2, 3, 6, 7))}};
}

/// Writes one point of each lane to points[0 ... 3].
KOKKOS_FORCEINLINE_FUNCTION void store(const PointOf<Lanes>& point, const Lanes& weight, WeightedPoint* points) {
  using V = Lanes::Vector;
  const V xyEven = __builtin_shufflevector(point[0].vector, point[1].vector, 0, 4, 2, 6);
  const V xyOdd = __builtin_shufflevector(point[0].vector, point[1].vector, 1, 5, 3, 7);
  const V zwEven = __builtin_shufflevector(point[2].vector, weight.vector, 0, 4, 2, 6);
  const V zwOdd = __builtin_shufflevector(point[2].vector, weight.vector, 1, 5, 3, 7);
  const V rows[4] = {__builtin_shufflevector(xyEven, zwEven, 0, 1, 4, 5),
    __builtin_shufflevector(xyOdd, zwOdd, 0, 1, 4, 5), __builtin_shufflevector(xyEven, zwEven, 2, 3, 6, 7),
    __builtin_shufflevector(xyOdd, zwOdd, 2, 3, 6, 7)};
  __builtin_memcpy(&points[0], &rows[0], sizeof(V));
  __builtin_memcpy(&points[1], &rows[1], sizeof(V));
  __builtin_memcpy(&points[2], &rows[2], sizeof(V));
  __builtin_memcpy(&points[3], &rows[3], sizeof(V));
}

} // namespace spanwise::detail
