#pragma once

#include "Core/Multilevel/Detail/LeafSplit.hpp"
#include "Core/Multilevel/Detail/MeshLevel.hpp"

#include <cstdint>

namespace spanwise::multilevel::detail {

// Which leaves of a mesh are split, and how: each gets a record and a table of the 9 or 27 places of its points.

template <int Dim>
struct MakeSplitLeaves {
  MeshLevel<Dim> level;
  geometry::IntervalSetView<Dim> split;
  geometry::IntervalSetView<Dim> deep;
  geometry::IntervalSetView<Dim> refined;
  int shift; ///< from the level to the finest one
  SplitLeaf<Dim>* records;
  std::int64_t* places;
  std::uint8_t* isSplit; ///< of each leaf

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t s) const {
    const geometry::RowKey<Dim> key = split.rowKeys[row];
    const geometry::Interval interval = split.intervals[s];
    const std::int64_t leafRow = level.leaves.findRow(key);
    const std::int64_t i = level.leaves.lowerInterval(leafRow, interval.begin);
    const std::int64_t deepRow = deep.numRows > 0 ? deep.findRow(key) : -1;
    constexpr int rowsAround = Dim == 2 ? 3 : 9;
    std::int64_t aroundRows[rowsAround];
    for (int r = 0; r < rowsAround; ++r) {
      aroundRows[r] = refined.findRow(geometry::RowKey<Dim>::fromYZ(key.y + r % 3 - 1, key.zOr0() + r / 3 - 1));
    }
    for (geometry::Coordinate x = interval.begin; x < interval.end; ++x) {
      const std::int64_t along = std::int64_t{x} - level.leaves.intervals[i].begin;
      const std::int64_t cell = level.leaves.cellOffsets[i] + along;
      const std::int64_t n = split.cellOffsets[s] + (x - interval.begin);
      SplitLeaf<Dim> record{};
      record.lowest = {{std::int64_t{x} * (std::int64_t{1} << shift), std::int64_t{key.y} * (std::int64_t{1} << shift),
        std::int64_t{key.zOr0()} * (std::int64_t{1} << shift)}};
      record.leaf = level.firstLeaf + cell;
      record.level = static_cast<std::uint8_t>(level.level);
      record.deep = deepRow >= 0 && deep.findCellInRow(deepRow, x) >= 0;
      record.owned = level.firstOwned <= cell && cell < level.endOwned;
      std::uint32_t around = 0;
      for (int r = 0; r < rowsAround; ++r) {
        around |= aroundRows[r] < 0 ? 0U : bitsAround(aroundRows[r], x) << (3 * r);
      }
      record.cuts = cutsOf<Dim>(around);
      records[n] = record;
      isSplit[record.leaf] = 1;
      std::int64_t* const placesOfLeaf = places + n * numPlaces<Dim>;
      for (int k = 0; k < numCorners<Dim>; ++k) {
        placesOfLeaf[2 * (k & 1) + 6 * (k >> 1 & 1) + 18 * (k >> 2)] = level.corner(i, along, k);
      }
    }
  }

  /// Which of the cells x - 1, x and x + 1 of a row are refined.
  [[nodiscard]] KOKKOS_FUNCTION std::uint32_t bitsAround(std::int64_t row, geometry::Coordinate x) const {
    std::uint32_t bits = 0;
    for (std::int64_t i = refined.lowerInterval(row, x - 1);
      i < refined.rowOffsets[row + 1] && refined.intervals[i].begin <= x + 1; ++i) {
      for (int k = 0; k < 3; ++k) {
        const geometry::Coordinate at = x - 1 + k;
        bits |= static_cast<std::uint32_t>(refined.intervals[i].begin <= at && at < refined.intervals[i].end) << k;
      }
    }
    return bits;
  }
};

} // namespace spanwise::multilevel::detail
