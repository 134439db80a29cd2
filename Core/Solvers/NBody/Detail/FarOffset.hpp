#pragma once

#include <Kokkos_Core.hpp>

namespace spanwise::nbody::detail {

/// From a target to a source whose parents are colleagues, by their places in these: which of FarOperators' classes it
/// is of, and which axes are turned.
struct FarOffset {
  int number = 0;
  int turned = 0;
  bool isFar = false; ///< not adjacent

  KOKKOS_FUNCTION FarOffset(int numAxes, int direction, int source, int target) {
    for (int axis = 0, rest = direction; axis < numAxes; ++axis, rest /= 3) {
      const int t = 2 * (rest % 3 - 1) + ((source >> axis) & 1) - ((target >> axis) & 1);
      number |= Kokkos::abs(t) << (2 * axis);
      turned |= static_cast<int>(t < 0) << axis;
      isFar = isFar || Kokkos::abs(t) > 1;
    }
  }
};

} // namespace spanwise::nbody::detail
