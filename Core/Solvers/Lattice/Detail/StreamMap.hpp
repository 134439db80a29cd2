#pragma once

#include "Core/Field/StencilMap.hpp"
#include "Core/Runtime/FieldView.hpp"
#include "Core/Solvers/Lattice/VelocitySet.hpp"

#include <cstdint>

namespace spanwise::lattice::detail {

/// Cells side by side whose populations come from places that are side by side too. Places count values from the
/// beginning of a field; those of cell k of the segment are k (or k strides) farther on.
template <class Set>
struct StreamSegment {
  std::int64_t own;       ///< of population 0 of the first cell
  std::int64_t ownStride; ///< from a population of a cell to the next
  /// Where population q + 1 is before it comes here: at the cell that it comes from; at this one, as the population
  /// that goes there, where that cell is absent.
  std::int64_t source[Set::count - 1];
};

/// Where populations come from, for cells of a set: what fluxes through the faces are to other methods. There is no
/// branch in it: walls bounce populations back, and slip sides reflect them, since these are read from where a wall
/// left them. For one layout of fields. Keeps its memory; copies share it.
template <class Set, class MemorySpace>
class StreamMap {
public:
  using Segment = StreamSegment<Set>;

  [[nodiscard]] std::int64_t numCells() const { return lengths_.numCells(); }
  [[nodiscard]] geometry::SegmentsView lengths() const { return lengths_.view(); }
  [[nodiscard]] const Segment* segments() const { return segments_.data(); }
  [[nodiscard]] std::size_t bytes() const { return segments_.span() * sizeof(Segment); }

  /// By the neighbours of the cells, with the policy Value and sides, of which those of `slip` reflect. In `swapped`
  /// fields a population is where its opposite would be.
  template <class ExecutionSpace, class T>
  void build(const ExecutionSpace& space, const field::StencilMap<typename Set::Pattern, MemorySpace>& neighbours,
    const FieldView<const T>& layout, field::DomainSides slip, bool swapped);

private:
  Kokkos::View<Segment*, MemorySpace> segments_;
  geometry::Segments<MemorySpace> lengths_;
};

/// The place of population q of cell number 0 of a segment before it streams, q from 0 on.
template <class Set>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t sourceOf(const StreamSegment<Set>& segment, int q) {
  return q == 0 ? segment.own : segment.source[q - 1];
}

template <int q, class Set>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t sourceOf(const StreamSegment<Set>& segment) {
  if constexpr (q == 0) {
    return segment.own;
  } else {
    return segment.source[q - 1];
  }
}

/// What slip sides reflect.
template <class Set>
struct SlipSides {
  using Pattern = typename Set::Pattern;
  using Neighbours = field::StencilSegment<Pattern::count>;

  field::DomainSides slip;

  /// Where a population that goes to an absent neighbour beyond slip sides is reflected: calls call(mask) with the axes
  /// across them, as bits in a constant of its type. `q` is a population that comes from there.
  template <int q, class Call>
  KOKKOS_FUNCTION void forReflection(std::int32_t distance, const Call& call) const {
    if (const unsigned axes = axesBeyond(distance); axes != 0) {
      unrolled<8>([&](auto mask) {
        constexpr int m = decltype(mask)::value;
        if constexpr (canReflect<q, m>) {
          if (axes == m) {
            call(mask);
          }
        }
      });
    }
  }

  /// The neighbour that such a population comes from instead, of the same side; less than 0: the cell itself.
  template <int q, int mask>
  static constexpr int beside = Pattern::indexOf({(mask & 1) != 0 ? 0 : -Set::velocity(q, 0),
    (mask & 2) != 0 ? 0 : -Set::velocity(q, 1), (mask & 4) != 0 ? 0 : -Set::velocity(q, 2)});

private:
  /// Whether population q moves along all axes of a mask.
  template <int q, int mask>
  static constexpr bool canReflect = mask != 0 && ((mask & 1) == 0 || Set::velocity(q, 0) != 0) &&
    ((mask & 2) == 0 || Set::velocity(q, 1) != 0) && ((mask & 4) == 0 || Set::velocity(q, 2) != 0);

  /// The axes along which an absent neighbour is beyond a slip side, as bits.
  [[nodiscard]] KOKKOS_FUNCTION unsigned axesBeyond(std::int32_t distance) const {
    const unsigned sides = static_cast<unsigned>(distance - Neighbours::absent) & slip.bits;
    unsigned axes = 0;
    for (unsigned d = 0; d < Set::dimension; ++d) {
      axes |= (sides >> (2 * d) & 3U) != 0 ? 1U << d : 0U;
    }
    return axes;
  }
};

/// Finds the sources of segments.
template <class Set, class T>
struct FindSources {
  using Pattern = typename Set::Pattern;
  using Neighbours = field::StencilSegment<Pattern::count>;

  const Neighbours* neighbours;
  FieldView<const T> layout;
  SlipSides<Set> slip;
  bool swapped;
  StreamSegment<Set>* segments;

  KOKKOS_FUNCTION void operator()(std::int64_t s) const {
    const Neighbours& from = neighbours[s];
    StreamSegment<Set>& to = segments[s];
    to.own = placeOf(from.cell, 0);
    to.ownStride = layout.piece(from.cell).componentStride;
    unrolled<Set::count - 1>([&](auto n) {
      constexpr int q = decltype(n)::value + 1;
      int population = Set::opposite(q); // of this cell: bounced back
      std::int64_t distance = 0;
      const std::int32_t d =
        from.distance[neighbourOf<-Set::velocity(q, 0), -Set::velocity(q, 1), -Set::velocity(q, 2)>];
      if (!Neighbours::isAbsent(d)) {
        population = q;
        distance = d;
      } else {
        slip.template forReflection<q>(
          d, [&](auto mask) { reflect<q, decltype(mask)::value>(from, population, distance); });
      }
      to.source[n] = placeOf(from.cell + distance, swapped ? Set::opposite(population) : population);
    });
  }

private:
  template <int x, int y, int z>
  static constexpr int neighbourOf = Pattern::indexOf({x, y, z});

  /// Population q comes from the neighbour along the slip sides, as the one that goes towards them. Where that one is
  /// absent, it stays bounced back.
  template <int q, int mask>
  KOKKOS_FUNCTION void reflect(const Neighbours& from, int& population, std::int64_t& distance) const {
    constexpr int x = Set::velocity(q, 0);
    constexpr int y = Set::velocity(q, 1);
    constexpr int z = Set::velocity(q, 2);
    constexpr bool alongX = (mask & 1) != 0;
    constexpr bool alongY = (mask & 2) != 0;
    constexpr bool alongZ = (mask & 4) != 0;
    constexpr int reflected = Set::indexOf(alongX ? -x : x, alongY ? -y : y, alongZ ? -z : z);
    constexpr int beside = SlipSides<Set>::template beside<q, mask>;
    if constexpr (beside < 0) {
      population = reflected;
    } else if (!Neighbours::isAbsent(from.distance[beside])) {
      population = reflected;
      distance = from.distance[beside];
    }
  }

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t placeOf(std::int64_t cell, int population) const {
    return layout.address(cell, population) - layout.values;
  }
};

template <class Set, class MemorySpace>
template <class ExecutionSpace, class T>
void StreamMap<Set, MemorySpace>::build(const ExecutionSpace& space,
  const field::StencilMap<typename Set::Pattern, MemorySpace>& neighbours, const FieldView<const T>& layout,
  field::DomainSides slip, bool swapped) {
  lengths_ = neighbours.sharedLengths();
  reserve(segments_, neighbours.numSegments(), SPANWISE_LABEL("Lattice::streamSegments"));
  forEach(SPANWISE_KERNEL("find sources"), IndexRange<ExecutionSpace>(space, 0, neighbours.numSegments()),
    FindSources<Set, T>{neighbours.segments(), layout, {slip}, swapped, segments_.data()},
    Work{neighbours.numSegments() * Set::count});
}

} // namespace spanwise::lattice::detail
