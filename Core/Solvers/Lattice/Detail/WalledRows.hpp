#pragma once

#include "Core/Solvers/Lattice/Detail/StreamMap.hpp"
#include "Core/Solvers/Lattice/Detail/StreamRows.hpp"

#include <cstdint>

namespace spanwise::lattice::detail {

/// Cells side by side among walls, as in pores, where segments are a cell or two long. Each population comes from cells
/// at one distance, or from a wall: which is a bit of each cell.
template <class Set>
struct WalledRow : OwnRow {
  std::int32_t distance[Set::count - 1]; ///< in cells to where population q + 1 comes from, if it comes from a cell
};

/// Where population q is before it streams: how many populations and bytes from population 0 of a cell. In `swapped`
/// fields a population is where its opposite would be.
template <class Set, int q, bool swapped>
struct WalledSource {
  static constexpr int population = swapped ? Set::opposite(q) : q;
  static constexpr int bouncedBack = Set::opposite(population);

  template <class Row>
  static KOKKOS_FORCEINLINE_FUNCTION std::int64_t place(const Row& row, bool fromWall, std::int64_t bytesOfValue) {
    if constexpr (q == 0) {
      return row.own;
    } else {
      return row.own +
        (fromWall ? bouncedBack * row.ownStride : population * row.ownStride + row.distance[q - 1] * bytesOfValue);
    }
  }
};

/// Whether population q comes from a wall.
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool isFromWall(std::uint32_t walls, int q) {
  return (walls >> static_cast<unsigned>(q) & 1U) != 0;
}

/// Rows among walls as kernels see them.
template <class Set>
struct WalledRowsView : RowsView<WalledRow<Set>> {
  const std::uint32_t* walls; ///< of each cell: bit q says that population q comes from a wall
};

/// What is known of a row among walls while its segments are looked at. Counted in values.
template <class Set>
struct GrowingRow {
  std::int64_t own = 0;
  std::int64_t ownStride = 0;
  std::int64_t end = 0; ///< the own place after the last cell
  std::int32_t distance[Set::count - 1] = {};
  std::uint32_t known = 0; ///< bit q: the distance of population q is

  KOKKOS_FUNCTION explicit GrowingRow(const StreamSegment<Set>& first)
    : own(first.own), ownStride(first.ownStride), end(first.own) {}

  /// Adds a segment, and finds which of its populations come from a wall; does nothing where it does not fit.
  KOKKOS_FUNCTION bool add(const StreamSegment<Set>& segment, std::int64_t length, bool swapped, std::uint32_t& walls) {
    GrowingRow grown = *this;
    bool fits = segment.own == end && segment.ownStride == ownStride;
    walls = 0;
    for (int q = 1; q < Set::count; ++q) {
      const int population = swapped ? Set::opposite(q) : q;
      const std::int64_t source = segment.source[q - 1] - segment.own;
      if (source == Set::opposite(population) * ownStride) {
        walls |= 1U << static_cast<unsigned>(q);
        continue;
      }
      const std::int64_t away = source - population * ownStride;
      if ((grown.known >> static_cast<unsigned>(q) & 1U) == 0) {
        grown.known |= 1U << static_cast<unsigned>(q);
        grown.distance[q - 1] = static_cast<std::int32_t>(away);
      }
      fits = fits && grown.distance[q - 1] == away;
    }
    if (fits) {
      *this = grown;
      end += length;
    }
    return fits;
  }

  [[nodiscard]] KOKKOS_FUNCTION WalledRow<Set> row(std::int64_t bytesOfValue) const {
    WalledRow<Set> made;
    made.own = own * bytesOfValue;
    made.ownStride = ownStride * bytesOfValue;
    for (int q = 1; q < Set::count; ++q) {
      made.distance[q - 1] = distance[q - 1];
    }
    return made;
  }
};

} // namespace spanwise::lattice::detail
