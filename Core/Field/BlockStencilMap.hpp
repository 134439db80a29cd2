#pragma once

#include "Core/Field/BlockSet.hpp"
#include "Core/Field/StencilMap.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Reserve.hpp"

#include <cstddef>
#include <cstdint>

namespace spanwise::field {

/// What kernels see of a stencil's neighbours on blocks. A cell whose neighbours all exist needs no table: they are in
/// the blocks around, at constant offsets. What a boundary policy has put in the place of others is listed.
template <class Pattern>
struct BlockStencilView {
  static constexpr int Dim = Pattern::dimension;
  using Shape = BlockShape<Dim>;
  using Listed = StencilSegment<Pattern::count>;

  BlockSetView<Dim> set;
  const std::uint64_t* applied = nullptr;     ///< [numBlocks] the cells that the stencil is applied to
  const std::uint64_t* incomplete = nullptr;  ///< [numBlocks] those of them that lack a neighbour
  const std::int64_t* listedBefore = nullptr; ///< [numBlocks + 1] incomplete cells in the blocks before
  const Listed* listed = nullptr;             ///< the neighbours of each incomplete cell

  /// The neighbours of cell k of a block, if it is incomplete; otherwise nullptr.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION const Listed* listedOf(std::int64_t block, int k) const {
    const std::uint64_t bit = std::uint64_t{1} << k;
    return (incomplete[block] & bit) == 0
      ? nullptr
      : listed + listedBefore[block] + Kokkos::popcount(incomplete[block] & (bit - 1));
  }
  /// The number of neighbour n of a cell, which exists.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t neighbourOf(std::int64_t block, int k, int n) const {
    const auto at = Shape::placeOf(k, Pattern::offset(n, 0), Pattern::offset(n, 1), Pattern::offset(n, 2));
    return set.aroundBlock(block)[at.around] * std::int64_t{Shape::numCells} + at.cell;
  }
};

/// Where the neighbours of the cells of a block set are, for one pattern and one boundary policy: as StencilMap, with
/// the same meaning of all policies. 24 bytes a block, and 8 + 4 bytes a neighbour for each cell that lacks one. For
/// use as long as the blocks live and are not written. Keeps its memory; copies share it.
template <class Pattern, class MemorySpace>
class BlockStencilMap {
public:
  using Listed = StencilSegment<Pattern::count>;
  static constexpr int dimension = Pattern::dimension;

  /// The cells that the stencil is applied to.
  [[nodiscard]] std::int64_t numCells() const { return numCells_; }
  /// How many values fields have.
  [[nodiscard]] std::int64_t numPlaces() const { return set_.numBlocks * BlockShape<dimension>::numCells; }
  [[nodiscard]] typename BlockSet<dimension, MemorySpace>::Range blocksOf(SubsetGroup group) const {
    return blocksOf_[static_cast<int>(group)];
  }
  [[nodiscard]] BlockStencilView<Pattern> view() const {
    return {set_, applied_.data(), incomplete_.data(), listedBefore_.data(), listed_.data()};
  }
  [[nodiscard]] std::size_t bytes() const {
    return (applied_.span() + incomplete_.span()) * sizeof(std::uint64_t) +
      listedBefore_.span() * sizeof(std::int64_t) + listed_.span() * sizeof(Listed);
  }

  /// For buildStencilMap(): arrays for the blocks of a set, and for so many incomplete cells.
  struct Arrays {
    std::uint64_t* applied;
    std::uint64_t* incomplete;
    std::int64_t* listedBefore;
  };
  Arrays prepare(const BlockSet<dimension, MemorySpace>& set) {
    set_ = set.view();
    for (const SubsetGroup group : {SubsetGroup::All, SubsetGroup::Without, SubsetGroup::With}) {
      blocksOf_[static_cast<int>(group)] = set.blocksOf(group);
    }
    reserve(applied_, set_.numBlocks, SPANWISE_LABEL("Field::appliedCells"));
    reserve(incomplete_, set_.numBlocks, SPANWISE_LABEL("Field::incompleteCells"));
    reserve(listedBefore_, set_.numBlocks + 1, SPANWISE_LABEL("Field::listedBefore"));
    return {applied_.data(), incomplete_.data(), listedBefore_.data()};
  }
  Listed* prepareListed(std::int64_t count) {
    reserve(listed_, count, SPANWISE_LABEL("Field::listedNeighbours"));
    return listed_.data();
  }
  void finish(std::int64_t numCells) { numCells_ = numCells; }

private:
  BlockSetView<dimension> set_;
  typename BlockSet<dimension, MemorySpace>::Range blocksOf_[3]{};
  Kokkos::View<std::uint64_t*, MemorySpace> applied_;
  Kokkos::View<std::uint64_t*, MemorySpace> incomplete_;
  Kokkos::View<std::int64_t*, MemorySpace> listedBefore_;
  Kokkos::View<Listed*, MemorySpace> listed_;
  std::int64_t numCells_ = 0;
};

template <class Pattern, class ExecutionSpace>
using BlockStencilMapOn = BlockStencilMap<Pattern, typename ExecutionSpace::memory_space>;

/// out = the map of the cells of a block set. Patterns are those of StencilPattern.hpp. Throws InvalidArgument as for
/// interval sets, where the period is empty along all axes or a cell is outside of it. A repeated call allocates
/// nothing. O(neighbours blocks); O(neighbours log rows) more for each cell that lacks a neighbour, where there is a
/// period.
template <class Pattern, class ExecutionSpace>
void buildStencilMap(const Context<ExecutionSpace>& context, const BlockSetOn<Pattern::dimension, ExecutionSpace>& set,
  const Boundary<Pattern::dimension>& boundary, BlockStencilMapOn<Pattern, ExecutionSpace>& out);

} // namespace spanwise::field
