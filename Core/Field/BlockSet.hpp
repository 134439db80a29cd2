#pragma once

#include "Core/Field/BlockShape.hpp"
#include "Core/Field/StencilMap.hpp"
#include "Core/Field/SubsetGroup.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Reserve.hpp"

#include <cstddef>
#include <cstdint>

namespace spanwise::field {

/// How blocks follow each other in memory.
enum class BlockOrder {
  Row,     ///< by z, y, x, as rows of a set do
  Morton,  ///< along the Morton curve
  Hilbert, ///< along the Hilbert curve
};

/// How the cells of a subset, those with a boundary condition for example, get a kernel of their own (Table II of
/// Meneghin and Mahmoud 2025). A block belongs to the group With if it has one of them.
enum class BlockGrouping {
  Naive,      ///< one kernel over all blocks, with a branch; data of the subset for all places
  BitMask,    ///< a kernel for each group over all blocks, of which it skips some; data for the subset's cells alone
  Contiguous, ///< blocks of With come first in memory, a kernel for each group over its own; data for the places of
              ///< With
};

struct BlockOptions {
  BlockOrder order = BlockOrder::Row;
  BlockGrouping grouping = BlockGrouping::Contiguous;
};

/// What kernels see of a block set. The cell k of block b has the number 64 b + k, which is its place in fields; blocks
/// are full or not, so some places have no cell.
template <int Dim>
struct BlockSetView {
  using Shape = BlockShape<Dim>;

  const geometry::Cell<Dim>* blocks = nullptr; ///< [numBlocks] block coordinates: floor(cell / side)
  const std::uint64_t* cells = nullptr;        ///< [numBlocks] which cells of a block exist
  const std::uint64_t* subset = nullptr;       ///< [numBlocks] which of them are of the subset
  const std::int64_t* subsetBefore = nullptr;  ///< [numBlocks + 1] cells of the subset in the blocks before
  const std::int32_t* around = nullptr;        ///< [numBlocks][3^Dim] the blocks around each; -1 where there is none
  geometry::IntervalSetView<Dim> rows;         ///< the blocks' coordinates as a set
  const std::int32_t* ofRows = nullptr;        ///< [numBlocks] the blocks in its order
  std::int64_t numBlocks = 0;
  BlockGrouping grouping = BlockGrouping::Naive;

  [[nodiscard]] KOKKOS_FUNCTION bool has(std::int64_t block, int k) const { return (cells[block] >> k & 1U) != 0; }
  [[nodiscard]] KOKKOS_FUNCTION const std::int32_t* aroundBlock(std::int64_t block) const {
    return around + block * Shape::numAround;
  }

  /// The coordinates of a cell. O(1).
  [[nodiscard]] KOKKOS_FUNCTION geometry::Cell<Dim> cellAt(std::int64_t number) const {
    geometry::Cell<Dim> cell = blocks[number / Shape::numCells];
    for (int d = 0; d < Dim; ++d) {
      cell.at[d] = cell.at[d] * Shape::side + Shape::coordinate(static_cast<int>(number % Shape::numCells), d);
    }
    return cell;
  }

  /// The number of a cell, or -1 if it is not in the set. O(log rows + log intervals of a row) of blocks.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t findCell(const geometry::Cell<Dim>& cell) const {
    geometry::Cell<Dim> of{};
    int k = 0;
    for (int d = 0; d < Dim; ++d) {
      of.at[d] = cell.at[d] >> Shape::log2Side;
      k |= (cell.at[d] & (Shape::side - 1)) << (Shape::log2Side * d);
    }
    const std::int64_t found = rows.findCell(of);
    if (found < 0) {
      return -1;
    }
    const std::int64_t block = ofRows[found];
    return has(block, k) ? block * Shape::numCells + k : -1;
  }

  /// Where data of a cell of the subset is; -1 for a cell that is not in it.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t subsetPlace(std::int64_t number) const {
    const std::int64_t block = number / Shape::numCells;
    const std::uint64_t bit = std::uint64_t{1} << (number % Shape::numCells);
    if ((subset[block] & bit) == 0) {
      return -1;
    }
    return grouping == BlockGrouping::BitMask ? subsetBefore[block] + Kokkos::popcount(subset[block] & (bit - 1))
                                              : number; // blocks of With come first where they are contiguous
  }

  /// Whether a block is of a group.
  [[nodiscard]] KOKKOS_FUNCTION bool isIn(std::int64_t block, SubsetGroup group) const {
    return group == SubsetGroup::All || (subset[block] != 0) == (group == SubsetGroup::With);
  }
};

/// Any interval set as blocks of 64 cells: 72 bytes a block in 2D and 148 in 3D, of which most are the numbers of the
/// blocks around. A neighbour of a cell is found by a block's number and a constant, without a search.
/// Fields on it have a value for each place, numPlaces(). Keeps its memory; copies share it.
template <int Dim, class MemorySpace>
class BlockSet {
public:
  using memory_space = MemorySpace;
  using Shape = BlockShape<Dim>;
  static constexpr int dimension = Dim;

  [[nodiscard]] std::int64_t numBlocks() const { return numBlocks_; }
  [[nodiscard]] std::int64_t numCells() const { return numCells_; }
  /// How many values fields have.
  [[nodiscard]] std::int64_t numPlaces() const { return numBlocks_ * Shape::numCells; }
  /// The smallest box that holds all cells.
  [[nodiscard]] const geometry::Box<Dim>& boundingBox() const { return boundingBox_; }

  [[nodiscard]] const BlockOptions& options() const { return options_; }
  [[nodiscard]] std::int64_t numSubsetCells() const { return numSubsetCells_; }
  /// How many values there are for the subset's data: BlockSetView::subsetPlace() is less.
  [[nodiscard]] std::int64_t numSubsetPlaces() const {
    switch (options_.grouping) {
    case BlockGrouping::Naive:
      return numSubsetCells_ > 0 ? numPlaces() : 0;
    case BlockGrouping::BitMask:
      return numSubsetCells_;
    default:
      return numBlocksWith_ * Shape::numCells;
    }
  }
  /// Whether the groups have kernels of their own.
  [[nodiscard]] bool separatesGroups() const {
    return options_.grouping != BlockGrouping::Naive && numSubsetCells_ > 0;
  }

  /// The blocks that a kernel for a group goes through: all, unless they are contiguous.
  struct Range {
    std::int64_t begin;
    std::int64_t end;
  };
  [[nodiscard]] Range blocksOf(SubsetGroup group) const {
    if (group == SubsetGroup::All || options_.grouping != BlockGrouping::Contiguous) {
      return {0, numBlocks_};
    }
    return group == SubsetGroup::With ? Range{0, numBlocksWith_} : Range{numBlocksWith_, numBlocks_};
  }

  [[nodiscard]] BlockSetView<Dim> view() const {
    return {blocks_.data(), cells_.data(), subset_.data(), subsetBefore_.data(), around_.data(), rows_.view(),
      ofRows_.data(), numBlocks_, options_.grouping};
  }
  /// Bytes of the arrays that kernels read, used or reserved.
  [[nodiscard]] std::size_t bytes() const {
    return blocks_.span() * sizeof(geometry::Cell<Dim>) + (cells_.span() + subset_.span()) * sizeof(std::uint64_t) +
      subsetBefore_.span() * sizeof(std::int64_t) + (around_.span() + ofRows_.span()) * sizeof(std::int32_t) +
      rows_.bytes();
  }

private:
  template <class ExecutionSpace, int D>
  friend class BlockSetBuilder;

  Kokkos::View<geometry::Cell<Dim>*, MemorySpace> blocks_;
  Kokkos::View<std::uint64_t*, MemorySpace> cells_;
  Kokkos::View<std::uint64_t*, MemorySpace> subset_;
  Kokkos::View<std::int64_t*, MemorySpace> subsetBefore_;
  Kokkos::View<std::int32_t*, MemorySpace> around_;
  Kokkos::View<std::int32_t*, MemorySpace> ofRows_;
  geometry::IntervalSet<Dim, MemorySpace> rows_;
  StencilMap<BoxPattern<Dim>, MemorySpace> neighbours_; ///< of the blocks in the order of rows
  geometry::Box<Dim> boundingBox_{};
  BlockOptions options_;
  std::int64_t numBlocks_ = 0;
  std::int64_t numBlocksWith_ = 0;
  std::int64_t numCells_ = 0;
  std::int64_t numSubsetCells_ = 0;
};

/// Blocks in the memory of an execution space.
template <int Dim, class ExecutionSpace>
using BlockSetOn = BlockSet<Dim, typename ExecutionSpace::memory_space>;

/// out = a set as blocks, with the cells that it shares with `subset` as its subset. Throws InvalidArgument where there
/// are more than 2^25 - 1 blocks, with `out` empty: places are told apart by 31 bits. The curves of Morton and Hilbert
/// tell 2^31 (2D) or 2^21 (3D) blocks along an axis apart; in a wider box blocks that they do not are ordered as rows.
/// A repeated call allocates nothing. O(p log p + blocks log blocks), where p counts the blocks of each interval.
template <class ExecutionSpace, int Dim>
void buildBlocks(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& subset, const BlockOptions& options,
  BlockSetOn<Dim, ExecutionSpace>& out);

/// The same without a subset.
template <class ExecutionSpace, int Dim>
void buildBlocks(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  BlockOrder order, BlockSetOn<Dim, ExecutionSpace>& out) {
  buildBlocks<ExecutionSpace, Dim>(context, set, {}, {order, BlockGrouping::Naive}, out);
}

} // namespace spanwise::field
