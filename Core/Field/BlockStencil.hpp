#pragma once

#include "Core/Field/BlockStencilMap.hpp"
#include "Core/Field/BlockTile.hpp"
#include "Core/Field/Checks.hpp"
#include "Core/Field/Field.hpp"
#include "Core/Field/ForEachBlockCell.hpp"
#include "Core/Field/NeighboursByOffset.hpp"
#include "Core/Field/Stencil.hpp"

#include <type_traits>

namespace spanwise::field {

/// What a stencil sees of a field at a cell of a block: what StencilPoint shows at a cell of an interval. A functor
/// that takes its point as a template parameter runs on both.
template <class Pattern, class T, int NumComponents = 1>
class BlockPoint : public NeighboursByOffset<BlockPoint<Pattern, T, NumComponents>, Pattern, T> {
public:
  using value_type = T;
  using Map = BlockStencilView<Pattern>;
  using Listed = typename Map::Listed;
  using Shape = typename Map::Shape;
  using Tile = BlockTile<Pattern, T>;

  /// A cell that has all neighbours: on the host in tiles, one for each component, at an index of these.
  KOKKOS_FORCEINLINE_FUNCTION BlockPoint(const Map& map, std::int64_t cell, const Tile* tiles, int index)
    : map_(&map), tiles_(tiles), cell_(cell), index_(index) {}
  /// Any cell, from the field, which is in columns. `listed`: its neighbours, if it lacks some.
  KOKKOS_FORCEINLINE_FUNCTION BlockPoint(
    const Map& map, std::int64_t cell, const FieldView<const T>& field, const Listed* listed, T outside)
    : map_(&map), field_(&field), listed_(listed), cell_(cell), outside_(outside) {}

  /// The number of the cell in the block set, and its coordinates.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t cell() const { return cell_; }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION geometry::Cell<Pattern::dimension> cellAt() const {
    return map_->set.cellAt(cell_);
  }

  // Of neighbour n: see StencilPlace.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool has(int n) const {
    return listed_ == nullptr || !Listed::isAbsent(listed_->distance[n]);
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION DomainSides crossed(int n) const {
    return {static_cast<std::uint8_t>(has(n) ? 0 : listed_->distance[n] - Listed::absent)};
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t neighbourCell(int n) const {
    if (listed_ != nullptr) {
      return has(n) ? cell_ + listed_->distance[n] : -1;
    }
    return map_->neighbourOf(cell_ / Shape::numCells, static_cast<int>(cell_ % Shape::numCells), n);
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T centre(int component = 0) const {
    KOKKOS_IF_ON_HOST((if (tiles_ != nullptr) { return tiles_[component][index_]; }))
    return (*field_)(cell_, component);
  }

  /// The value at neighbour n of the pattern.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T neighbour(int n, int component = 0) const {
    KOKKOS_IF_ON_HOST((if (tiles_ != nullptr) { return tiles_[component][index_ + Tile::distance(n)]; }))
    return has(n) ? (*field_)(neighbourCell(n), component) : outside_;
  }

private:
  const Map* map_;
  const Tile* tiles_ = nullptr;
  const FieldView<const T>* field_ = nullptr;
  const Listed* listed_ = nullptr;
  std::int64_t cell_;
  int index_ = 0;
  T outside_{};
};

namespace detail {

/// Calls the body with each cell of a group of blocks: a block on the host, a cell on a device.
template <class Pattern, class T, int NumComponents, class Body, int NumOut = 0>
struct ApplyToBlocks {
  using Point = BlockPoint<Pattern, T, NumComponents>;
  using Map = typename Point::Map;
  using Shape = typename Point::Shape;
  using Tile = typename Point::Tile;
  static constexpr int numOut = NumOut > 0 ? NumOut : 1;

  Map map;
  SubsetGroup group;
  std::int64_t firstBlock;
  FieldView<const T> in;
  T outside;
  Body body;
  FieldView<T> out{};

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    KOKKOS_IF_ON_HOST((onHost(firstBlock + i);))
    KOKKOS_IF_ON_DEVICE((onDevice(firstBlock + i / Shape::numCells, static_cast<int>(i % Shape::numCells));))
  }

  KOKKOS_FORCEINLINE_FUNCTION void callWith(
    const Body& call, const Point& point, const StencilOutput<T, numOut>& output) const {
    if constexpr (NumOut == 0) {
      call(point);
    } else {
      call(point, output);
    }
  }

  KOKKOS_FUNCTION void onDevice(std::int64_t block, int k) const {
    if (!map.set.isIn(block, group) || (map.applied[block] >> k & 1U) == 0) {
      return;
    }
    const std::int64_t cell = block * Shape::numCells + k;
    callWith(body, Point(map, cell, in, map.listedOf(block, k), outside), StencilOutput<T, numOut>(out, cell, 0));
  }

  SPANWISE_WIDE_VECTORS void onHost(std::int64_t block) const;

  /// Asks for what a later block will read of those above it, which lie anywhere. (A ball of 10 million cells takes 1.2
  /// to 1.3 times as long without, where blocks follow a curve 1.3 to 1.4 times.)
  void prefetchAround(std::int64_t block) const {
    constexpr std::int64_t blocksAhead = 4;
    if (block + blocksAhead < map.set.numBlocks) {
      const std::int32_t* const around = map.set.aroundBlock(block + blocksAhead);
      for (int axis = 0; axis < Pattern::dimension; ++axis) {
        const std::int64_t above = around[Shape::around(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0)];
        for (int c = 0; c < NumComponents && above >= 0; ++c) {
          spanwise::detail::prefetch(
            in.values + (c * in.componentStride + above * Shape::numCells), std::int64_t{Shape::numCells});
        }
      }
    }
  }
};

template <class Pattern, class T, int NumComponents, class Body, int NumOut>
SPANWISE_WIDE_VECTORS void ApplyToBlocks<Pattern, T, NumComponents, Body, NumOut>::onHost(std::int64_t block) const {
  const std::uint64_t applied = map.applied[block];
  if (applied == 0 || !map.set.isIn(block, group)) {
    return;
  }
  prefetchAround(block);
  const Body call = body; // of its own, so that nothing that is written can change it
  const std::int64_t first = block * Shape::numCells;
  T* results[numOut] = {};
  for (int c = 0; c < NumOut; ++c) {
    results[c] = out.values + (c * out.componentStride + first);
  }
  const std::uint64_t complete = applied & ~map.incomplete[block];
  Tile tiles[NumComponents];
  if (complete != 0) {
    for (int c = 0; c < NumComponents; ++c) {
      tiles[c].fill(in.values + c * in.componentStride, block, map.set.aroundBlock(block));
    }
  }
  for (int r = 0; r < Shape::numRows; ++r) {
    const int row = r * Shape::side;
    const int index = Tile::indexOfRow(r);
    const std::uint64_t cells = complete >> row & Shape::firstRow;
    if (cells == Shape::firstRow) {
      SPANWISE_INDEPENDENT
      for (int x = 0; x < Shape::side; ++x) {
        callWith(call, Point(map, first + row + x, tiles, index + x), StencilOutput<T, numOut>(results, row + x));
      }
      continue;
    }
    for (std::uint64_t left = cells; left != 0; left &= left - 1) {
      const int x = Kokkos::countr_zero(left);
      callWith(call, Point(map, first + row + x, tiles, index + x), StencilOutput<T, numOut>(results, row + x));
    }
  }
  const auto* listed = map.listed + map.listedBefore[block];
  for (std::uint64_t left = applied & ~complete; left != 0; left &= left - 1) {
    const int k = Kokkos::countr_zero(left);
    callWith(call, Point(map, first + k, in, listed, outside), StencilOutput<T, numOut>(results, k));
    ++listed;
  }
}

template <int NumComponents, int NumOut, class ExecutionSpace, class Pattern, class T, class Body>
void applyToBlocks(const ExecutionSpace& space,
  const BlockStencilMap<Pattern, typename ExecutionSpace::memory_space>& map, SubsetGroup group,
  const FieldView<const T>& in, T outside, const Body& body, const FieldView<T>& out = {}) {
  const auto blocks = map.blocksOf(group);
  const std::int64_t count = blocks.end - blocks.begin;
  forEach(SPANWISE_KERNEL("block stencil"), rangeOfBlocks(space, count),
    ApplyToBlocks<Pattern, T, NumComponents, Body, NumOut>{map.view(), group, blocks.begin, in, outside, body, out},
    Work{count * BlockShape<Pattern::dimension>::numCells * (NumComponents + NumOut)});
}

} // namespace detail

// Stencils on blocks: as those on interval sets (Stencil.hpp), with BlockPoint in the place of StencilPoint, and fields
// in columns with a value for each place. `group` holds them to the blocks of a group. On the host blocks are gathered
// into tiles (BlockTile), whose rows are vectorised; a thread of a device takes a cell, so 64 cells of a block are two
// warps. All have the bits that they have on the interval set.

/// Calls body(point) for each cell of a map.
template <int NumComponents, class ExecutionSpace, class Pattern, class T, class Body>
void forEachStencil(const ExecutionSpace& space,
  const BlockStencilMap<Pattern, typename ExecutionSpace::memory_space>& map, const FieldOn<T, ExecutionSpace>& in,
  std::type_identity_t<T> outside, const Body& body, SubsetGroup group = SubsetGroup::All) {
  SPANWISE_REGION("Field::forEachStencil");
  checkCells(in, map.numPlaces(), "the stencil's blocks");
  checkComponents(in, NumComponents);
  checkColumns(in);
  detail::applyToBlocks<NumComponents, 0, ExecutionSpace, Pattern, T>(space, map, group, in.view(), outside, body);
}

/// Calls body(point, out) for each cell of a map.
template <int NumComponents, int NumOut, class ExecutionSpace, class Pattern, class T, class Body>
void forEachStencil(const ExecutionSpace& space,
  const BlockStencilMap<Pattern, typename ExecutionSpace::memory_space>& map, const FieldOn<T, ExecutionSpace>& in,
  std::type_identity_t<T> outside, const Body& body, FieldOn<T, ExecutionSpace>& out,
  SubsetGroup group = SubsetGroup::All) {
  SPANWISE_REGION("Field::forEachStencil");
  checkCells(in, map.numPlaces(), "the stencil's blocks");
  checkCells(out, map.numPlaces(), "the stencil's blocks");
  checkApart(in, out);
  checkComponents(in, NumComponents);
  checkComponents(out, NumOut);
  checkColumns(in);
  checkColumns(out);
  detail::applyToBlocks<NumComponents, NumOut, ExecutionSpace, Pattern, T>(
    space, map, group, in.view(), outside, body, out.view());
}

/// out = function(point) in each cell of a map, for each component by itself.
template <class ExecutionSpace, class Pattern, class T, class Function>
void applyStencil(const ExecutionSpace& space,
  const BlockStencilMap<Pattern, typename ExecutionSpace::memory_space>& map, const FieldOn<T, ExecutionSpace>& in,
  std::type_identity_t<T> outside, const Function& function, FieldOn<T, ExecutionSpace>& out,
  SubsetGroup group = SubsetGroup::All) {
  SPANWISE_REGION("Field::applyStencil");
  checkCells(in, map.numPlaces(), "the stencil's blocks");
  checkSameShape(in, out);
  checkApart(in, out);
  checkColumns(in);
  checkColumns(out);
  for (int c = 0; c < in.numComponents(); ++c) {
    FieldView<const T> from = in.view();
    FieldView<T> to = out.view();
    from.values += c * from.componentStride;
    to.values += c * to.componentStride;
    detail::applyToBlocks<1, 1, ExecutionSpace, Pattern, T>(
      space, map, group, from, outside, detail::WriteResult<Function, T>{function}, to);
  }
}

} // namespace spanwise::field
