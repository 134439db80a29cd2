#pragma once

#include "Core/Multilevel/Blocks.hpp"
#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::multilevel::detail {

/// Blocks one after the other in a row of blocks: those that one thread sees to. On the host they are the row's, so
/// that its cells are walked once; on a device they are one, so that there are threads enough.
struct BlockSegment {
  std::int64_t row;        ///< of blocks
  std::int64_t interval;   ///< the interval of blocks that holds the first
  std::int64_t firstBlock; ///< by their numbers
  std::int64_t endBlock;
  std::int64_t begin; ///< the coordinates of their cells along x
  std::int64_t end;
};

/// Finds the cells of blocks: pieces of intervals.
template <int Dim>
class BlockPieces {
public:
  explicit BlockPieces(const CellsInBlocks<Dim>& in) : set_(in.cells.set), blocks_(in.blocks), shift_(in.shift) {}

  [[nodiscard]] KOKKOS_FUNCTION BlockSegment ofRow(std::int64_t row) const {
    const std::int64_t first = blocks_.rowOffsets[row];
    const std::int64_t last = blocks_.rowOffsets[row + 1];
    return {row, first, blocks_.cellOffsets[first], blocks_.cellOffsets[last], scaled(blocks_.intervals[first].begin),
      scaled(blocks_.intervals[last - 1].end)};
  }
  [[nodiscard]] KOKKOS_FUNCTION BlockSegment ofBlock(std::int64_t block) const {
    const std::int64_t i = blocks_.intervalOfCell(block);
    const std::int64_t x = blocks_.intervals[i].begin + (block - blocks_.cellOffsets[i]);
    return {blocks_.rowOfInterval(i), i, block, block + 1, scaled(x), scaled(x + 1)};
  }

  /// visit(block, row, interval, begin, end) for each piece of an interval of the set in a block of the segment: the
  /// cells begin ... end - 1. In the order of rows, then along x.
  template <class Visit>
  KOKKOS_FUNCTION void visit(const BlockSegment& segment, const Visit& visit) const {
    const geometry::RowKey<Dim> key = blocks_.rowKeys[segment.row];
    const std::int64_t endY = scaled(std::int64_t{key.y} + 1);
    const auto beginY = static_cast<geometry::Coordinate>(scaled(key.y));
    if constexpr (Dim == 2) {
      for (std::int64_t r = set_.lowerRow({beginY}); r < set_.numRows && set_.rowKeys[r].y < endY; ++r) {
        visitRow(segment, r, visit);
      }
    } else {
      const std::int64_t endZ = scaled(std::int64_t{key.z} + 1);
      for (std::int64_t z = scaled(key.z); z < endZ;) {
        std::int64_t r = set_.lowerRow({beginY, static_cast<geometry::Coordinate>(z)});
        for (; r < set_.numRows && set_.rowKeys[r].z == z && set_.rowKeys[r].y < endY; ++r) {
          visitRow(segment, r, visit);
        }
        // Layers without rows are skipped: there may be 2^30.
        z =
          r == set_.numRows ? endZ : Kokkos::max(z + (set_.rowKeys[r].z == z ? 1 : 0), std::int64_t{set_.rowKeys[r].z});
      }
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t scaled(std::int64_t c) const { return c * (std::int64_t{1} << shift_); }

  template <class Visit>
  KOKKOS_FUNCTION void visitRow(const BlockSegment& segment, std::int64_t r, const Visit& visit) const {
    const std::int64_t width = scaled(1);
    const std::int64_t last = set_.rowOffsets[r + 1];
    std::int64_t i = set_.rowOffsets[r];
    if (set_.intervals[i].end <= segment.begin) {
      i = set_.lowerInterval(r, static_cast<geometry::Coordinate>(segment.begin));
    }
    std::int64_t j = segment.interval;
    for (; i < last && set_.intervals[i].begin < segment.end; ++i) {
      std::int64_t x = Kokkos::max(std::int64_t{set_.intervals[i].begin}, segment.begin);
      const std::int64_t stop = Kokkos::min(std::int64_t{set_.intervals[i].end}, segment.end);
      while (blocks_.intervals[j].end <= (x >> shift_)) {
        ++j;
      }
      std::int64_t block = blocks_.cellOffsets[j] + ((x >> shift_) - blocks_.intervals[j].begin);
      for (; x < stop; ++block) {
        const std::int64_t end = Kokkos::min(stop, (x & ~(width - 1)) + width);
        visit(block, r, i, x, end);
        x = end;
      }
    }
  }

  geometry::IntervalSetView<Dim> set_;
  geometry::IntervalSetView<Dim> blocks_;
  int shift_;
};

/// body(segment) by item.
template <int Dim, bool byRow, class Body>
struct ForSegment {
  BlockPieces<Dim> pieces;
  Body body;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    body(pieces, byRow ? pieces.ofRow(item) : pieces.ofBlock(item));
  }
};

/// body(pieces, segment) for segments that hold each block once.
template <class ExecutionSpace, int Dim, class Body>
void forEachBlockSegment(
  const ExecutionSpace& space, const std::string& label, const CellsInBlocks<Dim>& in, const Body& body) {
  constexpr bool byRow = runsOnHost<ExecutionSpace>;
  forEachUneven(space, label, byRow ? in.blocks.numRows : in.blocks.numCells,
    ForSegment<Dim, byRow, Body>{BlockPieces<Dim>(in), body});
}

} // namespace spanwise::multilevel::detail
