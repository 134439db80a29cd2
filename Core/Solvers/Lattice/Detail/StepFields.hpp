#pragma once

#include "Core/Solvers/Lattice/Detail/StreamMap.hpp"
#include "Core/Solvers/Lattice/LatticeSide.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace spanwise::lattice::detail {

/// What is computed with where populations are stored as T.
template <class T>
using Arithmetic = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// Where a step takes populations from, and where it leaves them.
enum class Streaming {
  /// From the sources, of one field, to the own places of another.
  Pull,
  /// In place, every second step: from own places to own places of the opposite populations.
  Stay,
  /// Not at all: what has come to own places collides there.
  None,
  /// In place, in the steps between: from the sources to where they are the sources of others ("AA": Bailey, Myre,
  /// Walsh, Lilja and Saar 2009). The map is for swapped fields.
  PullAndPush,
};

template <class T>
struct StepFields {
  const T* from;
  T* to;
  Streaming streaming;
  std::int64_t cellStride;
  std::int64_t numValues; ///< that lie in memory from `from` on
  /// Of each cell of the field: 1 where it only gets what streams to it, as ghost cells do, 0 where it collides too;
  /// null where all of them collide.
  const std::uint8_t* onlyStream = nullptr;
};

/// Where a step writes population q of cell 0 of a segment.
template <class Set>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t writtenAt(const StreamSegment<Set>& segment, Streaming streaming, int q) {
  const int opposite = Set::opposite(q);
  if (streaming == Streaming::PullAndPush) {
    return sourceOf(segment, opposite);
  }
  return segment.own + (streaming == Streaming::Stay ? opposite : q) * segment.ownStride;
}

/// What is given at the cells of a group at a side: number n of the group has velocity[d * count + n], or all have a
/// density.
template <class T>
struct GivenAtCells {
  int side = -1; ///< 2 axis + 1 for the upper side; -1: no side
  bool isVelocity = false;
  const T* velocity = nullptr;
  std::int64_t count = 0;
  T part = 1; ///< of the velocity that is given now
  T density = 0;
  T* sound = nullptr; ///< of each cell, as in GivenAtSide
  T back = 1;

  template <int Dim>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION GivenAtSide<Dim, T> at(std::int64_t number) const {
    GivenAtSide<Dim, T> given{isVelocity, {}, density, sound == nullptr ? nullptr : sound + number, back};
    if (isVelocity) {
      for (int d = 0; d < Dim; ++d) {
        given.velocity[d] = part * velocity[d * count + number];
      }
    }
    return given;
  }
};

/// applySide() with a side that is known when the program runs.
template <class Set, class T>
KOKKOS_FORCEINLINE_FUNCTION void applySideNumber(
  T (&f)[Set::count], int side, const GivenAtSide<Set::dimension, T>& given) {
  unrolled<2 * Set::dimension>([&](auto n) {
    constexpr int number = decltype(n)::value;
    if (side == number) {
      applySide<Set, number / 2, number % 2 == 1>(f, given);
    }
  });
}

/// Values side by side at a place that their size divides.
template <class T, int count>
struct alignas(count * sizeof(T)) Together {
  T values[count];
};

} // namespace spanwise::lattice::detail
