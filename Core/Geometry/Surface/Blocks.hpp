#pragma once

#include "Core/Geometry/Surface/SurfaceCells.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::geometry {

/// Which cells of a set are in which block of 2^shift cells along each axis. A block is there if any of its cells is.
struct BlockMap {
  using Numbers = Kokkos::View<std::int64_t*, Kokkos::HostSpace>;

  int shift = 0;
  Numbers rows;       ///< rows of the set in the order of the rows of blocks
  Numbers rowOffsets; ///< [rows of blocks + 1] into `rows`
  Numbers firstBlock; ///< the block that holds the first cell of each interval of the set
  Numbers cells;      ///< one cell of each block, by its number in the grid: the one in the middle if that is there

  [[nodiscard]] std::int64_t numRows() const { return static_cast<std::int64_t>(rowOffsets.extent(0)) - 1; }
  [[nodiscard]] std::int64_t numBlocks() const { return static_cast<std::int64_t>(cells.extent(0)); }
};

/// blocks = the blocks of cells.set, a block as a cell of 2^shift times the size. `shift` is from 0 to 30. O(rows log
/// rows + intervals log intervals + blocks). The same for any number of threads.
template <int Dim>
BlockMap makeBlocks(
  const Context<HostExecutionSpace>& context, const SurfaceCells<Dim>& cells, int shift, HostIntervalSet<Dim>& blocks);

/// visit(interval, row key) for each interval of the set in row b of blocks.
template <int Dim, class Visit>
void visitBlockRow(const IntervalSetView<Dim>& set, const BlockMap& map, std::int64_t b, const Visit& visit) {
  const auto index = static_cast<std::size_t>(b);
  for (std::int64_t k = map.rowOffsets[index]; k < map.rowOffsets[index + 1]; ++k) {
    const std::int64_t r = map.rows[static_cast<std::size_t>(k)];
    for (std::int64_t i = set.rowOffsets[r]; i < set.rowOffsets[r + 1]; ++i) {
      visit(i, set.rowKeys[r]);
    }
  }
}

} // namespace spanwise::geometry
