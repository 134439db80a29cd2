#pragma once

#include "Core/Field/StencilMap.hpp"
#include "Core/Multilevel/Prolongation.hpp"

#include <cstdint>
#include <type_traits>

namespace spanwise::multilevel::detail {

/// The slopes at the coarse cells of a stencil segment: one an axis, then one for x y, x z and y z if the method has
/// them. A neighbour that is missing is replaced by the cell itself, for the whole segment at once: limited slopes and
/// terms of two axes are then 0, and differences one-sided.
template <int Dim, class T, Prolongation method>
class ParentSlopes {
public:
  static constexpr int count = numSlopes<Dim>(method);
  using Pattern =
    std::conditional_t<method == Prolongation::ThirdOrder, field::BoxPattern<Dim>, field::FacePattern<Dim>>;
  using Segment = field::StencilSegment<Pattern::count>;

  KOKKOS_FORCEINLINE_FUNCTION ParentSlopes(const T* coarse, const Segment& segment) : centre_(coarse + segment.cell) {
    setAxis<1, 0, 0>(0, segment);
    setAxis<0, 1, 0>(1, segment);
    if constexpr (Dim == 3) {
      setAxis<0, 0, 1>(2, segment);
    }
    if constexpr (count > Dim) {
      setPair<1, 0, 0, 0, 1, 0>(0, segment);
      if constexpr (Dim == 3) {
        setPair<1, 0, 0, 0, 0, 1>(1, segment);
        setPair<0, 1, 0, 0, 0, 1>(2, segment);
      }
    }
  }

  /// Slope number n at the k-th cell of the segment.
  template <int n>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T at(std::int64_t k) const {
    if constexpr (n < Dim) {
      return slope<method, T>(low_[n][k], centre_[k], high_[n][k], weight_[n]);
    } else {
      const auto& corner = corner_[n - Dim];
      return mixedSlope<T>(corner[0][k], corner[1][k], corner[2][k], corner[3][k]);
    }
  }

  /// Of the neighbours along an axis, the one of the segment's first cell that lies farthest on in memory.
  [[nodiscard]] const T* farthest() const { return high_[Dim - 1]; }

private:
  template <int x, int y, int z>
  static KOKKOS_FORCEINLINE_FUNCTION std::int32_t distance(const Segment& segment) {
    constexpr int n = Pattern::indexOf({x, y, z});
    return segment.distance[n];
  }

  template <int x, int y, int z>
  KOKKOS_FORCEINLINE_FUNCTION void setAxis(int axis, const Segment& segment) {
    const std::int32_t low = distance<-x, -y, -z>(segment);
    const std::int32_t high = distance<x, y, z>(segment);
    low_[axis] = centre_ + (low == Segment::absent ? 0 : low);
    high_[axis] = centre_ + (high == Segment::absent ? 0 : high);
    weight_[axis] = low == Segment::absent || high == Segment::absent ? T{0.25} : T{0.125};
  }

  /// Of the axes a and b.
  template <int ax, int ay, int az, int bx, int by, int bz>
  KOKKOS_FORCEINLINE_FUNCTION void setPair(int pair, const Segment& segment) {
    const std::int32_t at[4] = {distance<-ax - bx, -ay - by, -az - bz>(segment),
      distance<ax - bx, ay - by, az - bz>(segment), distance<bx - ax, by - ay, bz - az>(segment),
      distance<ax + bx, ay + by, az + bz>(segment)};
    const bool complete =
      at[0] != Segment::absent && at[1] != Segment::absent && at[2] != Segment::absent && at[3] != Segment::absent;
    for (int c = 0; c < 4; ++c) {
      corner_[pair][c] = centre_ + (complete ? at[c] : 0);
    }
  }

  static constexpr int numPairs = count > Dim ? count - Dim : 0;

  const T* centre_;
  const T* low_[Dim];
  const T* high_[Dim];
  T weight_[Dim];
  const T* corner_[numPairs > 0 ? numPairs : 1][4];
};

/// The values of the two children along x that are lower (-1) or upper (1) ones along y and z.
template <class T>
struct PairOfChildren {
  T lower;
  T upper;
};

template <int Dim, Prolongation method, class T, int count>
KOKKOS_FORCEINLINE_FUNCTION PairOfChildren<T> pairOfChildren(T centre, const T (&slopes)[count], T y, T z) {
  if constexpr (method == Prolongation::Injection) {
    return {centre, centre};
  } else {
    T middle = centre + y * slopes[1];
    T alongX = slopes[0];
    if constexpr (Dim == 3) {
      middle += z * slopes[2];
    }
    if constexpr (method == Prolongation::ThirdOrder) {
      alongX += y * slopes[Dim];
      if constexpr (Dim == 3) {
        alongX += z * slopes[4];
        middle += y * z * slopes[5];
      }
    }
    return {middle - alongX, middle + alongX};
  }
}

} // namespace spanwise::multilevel::detail
