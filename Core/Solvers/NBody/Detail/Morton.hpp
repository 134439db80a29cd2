#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::nbody::detail {

/// A box's place on its level: 0 ... 2^level - 1 along each axis.
template <int Dim>
struct BoxPlace {
  std::int32_t at[Dim];
};

/// The number along the Morton curve: bits of all axes in turn, those of the first axis lowest.
template <int Dim>
KOKKOS_INLINE_FUNCTION std::uint64_t mortonOf(const BoxPlace<Dim>& place, int level) {
  std::uint64_t number = 0;
  for (int bit = 0; bit < level; ++bit) {
    for (int axis = 0; axis < Dim; ++axis) {
      number |= static_cast<std::uint64_t>((place.at[axis] >> bit) & 1) << (bit * Dim + axis);
    }
  }
  return number;
}

template <int Dim>
KOKKOS_INLINE_FUNCTION BoxPlace<Dim> placeOf(std::uint64_t morton, int level) {
  BoxPlace<Dim> place{};
  for (int bit = 0; bit < level; ++bit) {
    for (int axis = 0; axis < Dim; ++axis) {
      place.at[axis] |= static_cast<std::int32_t>((morton >> (bit * Dim + axis)) & 1U) << bit;
    }
  }
  return place;
}

} // namespace spanwise::nbody::detail
