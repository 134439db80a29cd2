#pragma once

#include "Core/Field/ForCells.hpp"
#include "Core/Runtime/KernelResult.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Solvers/Lattice/Detail/StepFields.hpp"
#include "Core/Solvers/Lattice/WallLink.hpp"

#include <cstdint>

namespace spanwise::lattice::detail {

/// Counts the links of each cell to obstacles, or writes them.
template <class Set>
struct FindWallLinks {
  using Pattern = typename Set::Pattern;
  using Neighbours = field::StencilSegment<Pattern::count>;

  geometry::SegmentsView lengths;
  const Neighbours* neighbours;
  const StreamSegment<Set>* segments;
  std::int64_t cellStride;
  SlipSides<Set> slip;
  bool swapped;
  std::int64_t* counts; ///< of each cell; then its first link
  WallLink* links;      ///< nullptr: they are counted

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        const std::int64_t cell = lengths.offsets[s] + k;
        std::int64_t count = 0;
        unrolled<Set::count - 1>([&](auto n) {
          constexpr int q = decltype(n)::value + 1;
          if (distanceFrom<q>(neighbours[s]) == Neighbours::absent) {
            if (links != nullptr) {
              links[counts[cell] + count] = linkOf<q>(cell, segments[s], neighbours[s], k);
            }
            ++count;
          }
        });
        if (links == nullptr) {
          counts[cell] = count;
        }
      }
    });
  }

private:
  /// The neighbour that population q comes from.
  template <int q>
  static constexpr int neighbourOf =
    Pattern::indexOf({-Set::velocity(q, 0), -Set::velocity(q, 1), -Set::velocity(q, 2)});

  /// How far away the cell is that population q comes from, or of which it is a mirror image beyond slip sides; or what
  /// says that it is absent.
  template <int q>
  [[nodiscard]] KOKKOS_FUNCTION std::int32_t distanceFrom(const Neighbours& from) const {
    std::int32_t distance = from.distance[neighbourOf<q>];
    if (Neighbours::isAbsent(distance)) {
      slip.template forReflection<q>(distance, [&](auto mask) {
        constexpr int beside = SlipSides<Set>::template beside<q, decltype(mask)::value>;
        if constexpr (beside >= 0) {
          distance = from.distance[beside];
        } else {
          distance = 0; // of itself
        }
      });
    }
    return distance;
  }

  template <int q>
  KOKKOS_FUNCTION WallLink linkOf(
    std::int64_t cell, const StreamSegment<Set>& segment, const Neighbours& from, std::int64_t k) const {
    constexpr int opposite = Set::opposite(q);
    const std::int64_t at = k * cellStride;
    WallLink link{cell, segment.source[q - 1] + at, segment.own + (swapped ? opposite : q) * segment.ownStride + at, 0,
      0.5F, Neighbours::isAbsent(distanceFrom<opposite>(from)), {}};
    if (!link.isAlone) { // the population that comes here from the next cell is the one that goes into the wall
      link.far = segment.source[opposite - 1] + at;
    }
    unrolled<3>(
      [&](auto d) { link.velocity[d] = static_cast<std::int8_t>(constant<Set::velocity(q, decltype(d)::value)>); });
    return link;
  }
  template <int value>
  static constexpr int constant = value;
};

/// Lets walls that lie elsewhere than halfway give back what they should.
template <class T>
struct BounceBack {
  WallLink const* links;
  T* values;
  bool pushed;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    using Real = Arithmetic<T>;
    const Real back = comesBack<Real>(links[k], values, pushed);
    values[links[k].place] = static_cast<T>(back);
  }
};

/// Sums what walls get: the momentum that goes in, and that which comes back.
template <int Dim, class T>
struct SumForce {
  const WallLink* links;
  const T* values;
  bool pushed;
  geometry::IntervalSetView<Dim> cells;
  double about[Dim];

  KOKKOS_FUNCTION void operator()(std::int64_t k, WallForce<Dim>& sum) const {
    const WallLink& link = links[k];
    const double exchanged = static_cast<double>(static_cast<Arithmetic<T>>(values[link.place])) +
      static_cast<double>(comesBack<Arithmetic<T>>(link, values, pushed));
    const geometry::Cell<Dim> cell = cellOf(cells, link.cell);
    double force[3] = {};
    double arm[3] = {};
    for (int d = 0; d < Dim; ++d) {
      force[d] = -exchanged * link.velocity[d];
      arm[d] = cell.at[d] + 0.5 - static_cast<double>(link.fraction) * link.velocity[d] - about[d];
      sum.force[d] += force[d];
    }
    for (int d = 0; d < 3; ++d) {
      sum.torque[d] += arm[(d + 1) % 3] * force[(d + 2) % 3] - arm[(d + 2) % 3] * force[(d + 1) % 3];
    }
  }
};

} // namespace spanwise::lattice::detail
