#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

/// The number along a Hilbert curve of a cell of a grid with 2^bits cells an axis, for 1 to 3 axes; bits * numAxes is
/// at most 64 and bits at most 32. `cell` is overwritten. (J. Skilling, Programming the Hilbert curve, AIP Conf. Proc.
/// 707 (2004) 381-387: the cube's corners are walked by a Gray code, and at each finer level the axes are exchanged and
/// turned so that neighbours along the curve are neighbours in the grid.)
KOKKOS_INLINE_FUNCTION std::uint64_t hilbertNumber(std::uint32_t* cell, int numAxes, int bits) {
  const std::uint32_t highest = std::uint32_t{1} << (bits - 1);
  for (std::uint32_t bit = highest; bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (int axis = 0; axis < numAxes; ++axis) {
      if ((cell[axis] & bit) != 0) {
        cell[0] ^= below; // turned
      } else {
        const std::uint32_t differing = (cell[0] ^ cell[axis]) & below; // exchanged
        cell[0] ^= differing;
        cell[axis] ^= differing;
      }
    }
  }
  for (int axis = 1; axis < numAxes; ++axis) {
    cell[axis] ^= cell[axis - 1];
  }
  std::uint32_t turned = 0;
  for (std::uint32_t bit = highest; bit > 1; bit >>= 1) {
    if ((cell[numAxes - 1] & bit) != 0) {
      turned ^= bit - 1;
    }
  }
  std::uint64_t number = 0;
  for (int bit = bits - 1; bit >= 0; --bit) {
    for (int axis = 0; axis < numAxes; ++axis) {
      number = (number << 1) | (((cell[axis] ^ turned) >> bit) & 1U);
    }
  }
  return number;
}

} // namespace spanwise
