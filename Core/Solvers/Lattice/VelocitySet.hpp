#pragma once

#include "Core/Field/StencilPattern.hpp"
#include "Core/Runtime/Unrolled.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::lattice {

/// The velocities of populations: all steps to a neighbour whose squared length is at most MaxSquare, in cells, and
/// rest. Population 0 rests; 1 to `half` go up (or along an axis below the last where they stay in a plane), and
/// population q + half is the opposite of q. Those that go up come first, so that what crosses a cut of the last axis
/// is consecutive.
///
/// Weights are those of the quadrature of Gauss and Hermite (Qian, d'Humieres, Lallemand 1992): the speed of sound is
/// 1 / sqrt(3) in all of them.
template <int Dim, int MaxSquare>
struct VelocitySet {
  static constexpr int dimension = Dim;

private:
  struct Table {
    int count = 1;
    int velocity[27][3] = {};
  };

  static constexpr KOKKOS_FUNCTION Table table() {
    Table made;
    const int lowest = Dim == 3 ? -1 : 0;
    const int opposites = countUp();
    for (int above = Dim - 1; above >= 0; --above) { // the last axis along which they go, and they go up it
      for (int z = lowest; z <= -lowest; ++z) {
        for (int y = -1; y <= 1; ++y) {
          for (int x = -1; x <= 1; ++x) {
            if (lastAxis(x, y, z) == above && x * x + y * y + z * z <= MaxSquare) {
              const int up[3] = {x, y, z};
              for (int d = 0; d < 3; ++d) {
                made.velocity[made.count][d] = up[d];
                made.velocity[made.count + opposites][d] = -up[d];
              }
              ++made.count;
            }
          }
        }
      }
    }
    made.count += opposites;
    return made;
  }
  /// The last axis along which something goes, if it goes up there; -1 otherwise.
  static constexpr KOKKOS_FUNCTION int lastAxis(int x, int y, int z) {
    if (z != 0) {
      return z > 0 ? 2 : -1;
    }
    if (y != 0) {
      return y > 0 ? 1 : -1;
    }
    return x > 0 ? 0 : -1;
  }
  static constexpr KOKKOS_FUNCTION int countUp() { return Dim == 2 ? 4 : (MaxSquare == 2 ? 9 : 13); }

public:
  static constexpr int half = countUp();
  static constexpr int count = 2 * half + 1;
  /// How many go up along the last axis: the populations 1 ... numUp. Those that go down are half + 1 ... half + numUp.
  static constexpr int numUp = Dim == 2 ? 3 : (MaxSquare == 2 ? 5 : 9);

  /// The cells that are reached in a step.
  using Pattern =
    std::conditional_t<Dim == 3 && MaxSquare == 2, field::EdgePattern, field::BoxPattern<Dim == 2 ? 2 : 3>>;

  /// How far population q goes along an axis in a step: -1, 0 or 1. For kernels of a device q must be a constant.
  static constexpr KOKKOS_FUNCTION int velocity(int q, int axis) { return table().velocity[q][axis]; }
  static constexpr KOKKOS_FUNCTION int opposite(int q) { return q == 0 ? 0 : (q <= half ? q + half : q - half); }
  /// The squared length of a velocity.
  static constexpr KOKKOS_FUNCTION int square(int q) {
    return velocity(q, 0) * velocity(q, 0) + velocity(q, 1) * velocity(q, 1) + velocity(q, 2) * velocity(q, 2);
  }
  /// The part of the mass that a population has at rest.
  static constexpr KOKKOS_FUNCTION double weight(int q) {
    if (Dim == 3 && MaxSquare == 2) { // without corners
      return square(q) == 0 ? 1.0 / 3.0 : (square(q) == 1 ? 1.0 / 18.0 : 1.0 / 36.0);
    }
    double product = 1.0;
    for (int d = 0; d < Dim; ++d) {
      product *= velocity(q, d) == 0 ? 2.0 / 3.0 : 1.0 / 6.0;
    }
    return product;
  }
  /// The number of the population with a velocity, which must be one of them.
  static constexpr KOKKOS_FUNCTION int indexOf(int x, int y, int z = 0) {
    for (int q = 0; q < count; ++q) {
      if (velocity(q, 0) == x && velocity(q, 1) == y && velocity(q, 2) == z) {
        return q;
      }
    }
    return -1;
  }
};

using D2Q9 = VelocitySet<2, 2>;
using D3Q19 = VelocitySet<3, 2>;
using D3Q27 = VelocitySet<3, 3>;

/// Weights as constants, also in kernels of a device.
template <class Set, int q>
inline constexpr double weightOf = Set::weight(q);

namespace detail {

/// Velocities along an axis, each plus 1 in 2 bits.
template <class Set, int axis>
inline constexpr std::uint64_t velocityBits = [] {
  std::uint64_t bits = 0;
  for (int q = 0; q < Set::count; ++q) {
    bits |= static_cast<std::uint64_t>(Set::velocity(q, axis) + 1) << static_cast<unsigned>(2 * q);
  }
  return bits;
}();

} // namespace detail

/// How far population q goes along an axis, where q is known when the program runs: for kernels of a device too.
template <class Set, int axis>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION int velocityAlong(int q) {
  return static_cast<int>(detail::velocityBits<Set, axis> >> static_cast<unsigned>(2 * q) & 3U) - 1;
}

} // namespace spanwise::lattice
