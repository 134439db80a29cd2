#pragma once

#include "Core/Field/BlockSet.hpp"
#include "Core/Field/ForCells.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Spaces.hpp"

namespace spanwise::field {

namespace detail {

/// A block on the host, a cell on a device.
template <int Dim, class Body>
struct VisitCellsOfBlocks {
  using Shape = BlockShape<Dim>;

  BlockSetView<Dim> set;
  SubsetGroup group;
  std::int64_t firstBlock;
  Body body;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    KOKKOS_IF_ON_HOST((onHost(firstBlock + i);))
    KOKKOS_IF_ON_DEVICE((onDevice(firstBlock + i / Shape::numCells, static_cast<int>(i % Shape::numCells));))
  }

  SPANWISE_WIDE_VECTORS void onHost(std::int64_t block) const {
    if (!set.isIn(block, group)) {
      return;
    }
    const Body call = body; // of its own, so that nothing that is written can change it
    const std::int64_t first = block * Shape::numCells;
    const geometry::Cell<Dim> corner = set.cellAt(first);
    for (int row = 0; row < Shape::numCells; row += Shape::side) {
      const std::uint64_t cells = set.cells[block] >> row & Shape::firstRow;
      geometry::Cell<Dim> cell = corner;
      for (int d = 1; d < Dim; ++d) {
        cell.at[d] += Shape::coordinate(row, d);
      }
      if (cells == Shape::firstRow) {
        SPANWISE_INDEPENDENT
        for (int x = 0; x < Shape::side; ++x) {
          geometry::Cell<Dim> at = cell;
          at.at[0] = corner.at[0] + x;
          call(first + row + x, at);
        }
        continue;
      }
      for (std::uint64_t left = cells; left != 0; left &= left - 1) {
        const int x = Kokkos::countr_zero(left);
        cell.at[0] = corner.at[0] + x;
        call(first + row + x, cell);
      }
    }
  }

  KOKKOS_FUNCTION void onDevice(std::int64_t block, int k) const {
    if (set.isIn(block, group) && set.has(block, k)) {
      const std::int64_t number = block * Shape::numCells + k;
      body(number, set.cellAt(number));
    }
  }
};

/// What a kernel over blocks of so many items each goes through: the blocks on the host, their cells on a device.
template <class ExecutionSpace>
IndexRange<ExecutionSpace> rangeOfBlocks(const ExecutionSpace& space, std::int64_t numBlocks) {
  return {space, 0, runsOnHost<ExecutionSpace> ? numBlocks : numBlocks * BlockShape<3>::numCells};
}

} // namespace detail

/// Calls body(number, cell) for each cell of a block set, or of the blocks of a group, as forEachCell() does for those
/// of an interval set: its number, which is its place in fields, and its coordinates. Does not wait. O(blocks).
template <class ExecutionSpace, int Dim, class Body>
void forEachCell(const ExecutionSpace& space, const char* label,
  const BlockSet<Dim, typename ExecutionSpace::memory_space>& set, const Body& body,
  SubsetGroup group = SubsetGroup::All) {
  const auto blocks = set.blocksOf(group);
  const std::int64_t count = blocks.end - blocks.begin;
  forEach(label, detail::rangeOfBlocks(space, count),
    detail::VisitCellsOfBlocks<Dim, Body>{set.view(), group, blocks.begin, body},
    Work{count * BlockShape<Dim>::numCells});
}

} // namespace spanwise::field
