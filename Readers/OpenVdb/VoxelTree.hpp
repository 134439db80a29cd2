#pragma once

#include "Readers/OpenVdb/TreeTopology.hpp"

#include "Core/Geometry/IntervalSet.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace spanwise::vdb {

/// A set of cells as a tree: a root, nodes with 32^3 children each, nodes with 16^3, and leaves with 8^3 cells. What
/// has all of its cells with one value is a tile in the node above.
struct VoxelTree {
  /// A node, a leaf or a tile.
  struct Part {
    std::array<geometry::Coordinate, 3> origin;
    bool isTile;
    std::int64_t index; ///< of the node or the leaf; of a tile: of a cell that has the value
  };
  /// A child of a node.
  struct Child {
    std::uint32_t place; ///< in the node: z is the fastest
    bool isTile;
    std::int64_t index; ///< as that of a part
  };
  struct Node {
    std::array<geometry::Coordinate, 3> origin;
    std::vector<Child> children; ///< by place
  };

  std::vector<Leaf> leaves; ///< in the order of the tree
  std::vector<Node> lower;  ///< with 16^3 leaves or tiles each; in the order of the tree
  std::vector<Node> upper;  ///< with 32^3 lower nodes or tiles each
  std::vector<Part> root;   ///< by x, y, z
};

/// Numbers of cells in the rows of a leaf, of row 8 z + y.
struct LeafRowCells {
  std::array<std::int64_t, leafSize * leafSize> first{}; ///< of its first cell, where it has some
  std::array<std::int64_t, leafSize * leafSize> before;  ///< the last one of the intervals before it; -1: none
};

/// O(log rows).
LeafRowCells rowCellsOf(
  const geometry::IntervalSetView<3>& cells, const std::array<geometry::Coordinate, 3>& leafOrigin);

/// Calls body(number of the cell) for the cells of a leaf in the order of its values: x is outside, z inside.
template <class Body>
void forEachCellOf(const Leaf& leaf, const LeafRowCells& rows, const Body& body) {
  auto next = rows.first;
  for (const std::uint64_t plane : leaf.active) {
    for (std::uint64_t word = plane; word != 0; word &= word - 1) {
      const int yz = std::countr_zero(word);
      body(next[static_cast<std::size_t>((yz & 7) * leafSize + (yz >> 3))]++);
    }
  }
}

/// The tree of a set. `values`: `valueBytes` for each cell, by whose bytes tiles are found; 0 bytes for a mask.
/// O(intervals + leaves log leaves), and O(cells) of full leaves.
VoxelTree makeVoxelTree(const geometry::IntervalSetView<3>& cells, const std::byte* values, std::size_t valueBytes);

} // namespace spanwise::vdb
