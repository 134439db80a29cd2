#pragma once

#include "Core/Solvers/Lattice/Detail/StepFields.hpp"

#include <cstdint>

namespace spanwise::lattice::detail {

/// Gives populations that a wall bounces back what they get from its motion (Ladd 1994), where they wait to be read by
/// the next step: 6 w_q c_q . u with the density at rest.
template <class Set, class T>
struct MoveWall {
  using Pattern = typename Set::Pattern;
  using Real = Arithmetic<T>;
  using Neighbours = field::StencilSegment<Pattern::count>;

  geometry::SegmentsView lengths;
  const Neighbours* neighbours;
  const StreamSegment<Set>* segments;
  T* values;
  std::int64_t cellStride;
  unsigned side;
  Real velocity[Set::dimension];

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      unrolled<Set::count - 1>([&](auto n) {
        constexpr int q = decltype(n)::value + 1;
        constexpr int from = Pattern::indexOf({-Set::velocity(q, 0), -Set::velocity(q, 1), -Set::velocity(q, 2)});
        const std::int32_t distance = neighbours[s].distance[from];
        const auto sides = static_cast<unsigned>(distance - Neighbours::absent);
        if (Neighbours::isAbsent(distance) && (sides >> side & 1U) != 0) {
          const Real added = static_cast<Real>(6 * weightOf<Set, q>) * along<Set, q>(velocity);
          for (std::int64_t k = begin; k < end; ++k) {
            T& value = values[segments[s].source[n] + k * cellStride];
            value = static_cast<T>(static_cast<Real>(value) + added);
          }
        }
      });
    });
  }
};

} // namespace spanwise::lattice::detail
