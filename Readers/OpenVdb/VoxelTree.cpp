#include "Readers/OpenVdb/VoxelTree.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <unordered_map>

namespace spanwise::vdb {

using geometry::Coordinate;
using geometry::IntervalSetView;

namespace {

using Origin = std::array<Coordinate, 3>;

constexpr int log2Leaf = 3;
constexpr int log2Lower = 7;  // cells of a lower node along an edge
constexpr int log2Upper = 12; // of an upper one

Origin alignedTo(const Origin& at, int log2Size) {
  Origin result = at;
  for (Coordinate& c : result) {
    c &= -(1 << log2Size);
  }
  return result;
}

/// The place of what begins at `at` among the children, of 2^log2Child cells along an edge, of a node of 2^log2Size.
std::uint32_t placeIn(const Origin& at, int log2Size, int log2Child) {
  const int bits = log2Size - log2Child;
  std::uint32_t place = 0;
  for (const Coordinate c : at) {
    place = (place << bits) | ((static_cast<std::uint32_t>(c) >> log2Child) & ((1U << bits) - 1U));
  }
  return place;
}

bool comesBefore(const Origin& a, const Origin& b) {
  if (const Origin rootA = alignedTo(a, log2Upper), rootB = alignedTo(b, log2Upper); rootA != rootB) {
    return rootA < rootB;
  }
  const auto key = [](const Origin& at) {
    return std::tuple(placeIn(at, log2Upper, log2Lower), placeIn(at, log2Lower, log2Leaf));
  };
  return key(a) < key(b);
}

/// The leaves that cells lie in, in the order of the tree.
std::vector<Leaf> leavesOf(const IntervalSetView<3>& cells) {
  std::vector<Leaf> leaves;
  std::unordered_map<std::uint64_t, std::size_t> ofLayer; // by y and x; of the 8 planes that rows lie in
  Coordinate layer = 0;
  for (std::int64_t r = 0; r < cells.numRows; ++r) {
    const auto key = cells.rowKeys[r];
    if (r == 0 || key.z >> log2Leaf != layer) {
      ofLayer.clear();
      layer = key.z >> log2Leaf;
    }
    const std::uint64_t yBits = static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.y >> log2Leaf)) << 32;
    const std::uint64_t row = std::uint64_t{1} << (leafSize * (key.y & 7) + (key.z & 7));
    for (std::int64_t i = cells.rowOffsets[r]; i < cells.rowOffsets[r + 1]; ++i) {
      for (std::int64_t x = cells.intervals[i].begin; x < cells.intervals[i].end;) {
        const std::int64_t end = std::min<std::int64_t>((x | 7) + 1, cells.intervals[i].end);
        const auto block = static_cast<Coordinate>(x) >> log2Leaf;
        const auto [found, isNew] = ofLayer.try_emplace(yBits | static_cast<std::uint32_t>(block), leaves.size());
        if (isNew) {
          leaves.push_back({alignedTo({static_cast<Coordinate>(x), key.y, key.z}, log2Leaf), {}});
        }
        for (auto& active = leaves[found->second].active; x < end; ++x) {
          active[static_cast<std::size_t>(x & 7)] |= row;
        }
      }
    }
  }
  std::sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) { return comesBefore(a.origin, b.origin); });
  return leaves;
}

bool isFull(const Leaf& leaf) {
  return std::all_of(
    leaf.active.begin(), leaf.active.end(), [](std::uint64_t word) { return word == ~std::uint64_t{0}; });
}

/// Nodes, and for each what it is in the node above.
struct Level {
  std::vector<VoxelTree::Node> nodes;
  std::vector<VoxelTree::Part> parts; ///< those nodes, and tiles between them
};

/// Puts the parts of one level into nodes of 2^log2Size cells along an edge. A node whose children are all tiles of one
/// value becomes a tile.
template <class SameValue>
Level gather(const std::vector<VoxelTree::Part>& parts, int log2Size, int log2Child, const SameValue& same) {
  Level level;
  const std::size_t numPlaces = std::size_t{1} << (3 * (log2Size - log2Child));
  for (std::size_t p = 0; p < parts.size();) {
    VoxelTree::Node node{alignedTo(parts[p].origin, log2Size), {}};
    bool isTile = true;
    for (; p < parts.size() && alignedTo(parts[p].origin, log2Size) == node.origin; ++p) {
      const VoxelTree::Part& part = parts[p];
      node.children.push_back({placeIn(part.origin, log2Size, log2Child), part.isTile, part.index});
      isTile = isTile && part.isTile && same(node.children.front().index, part.index);
    }
    if (isTile && node.children.size() == numPlaces) {
      level.parts.push_back({node.origin, true, node.children.front().index});
    } else {
      level.parts.push_back({node.origin, false, static_cast<std::int64_t>(level.nodes.size())});
      level.nodes.push_back(std::move(node));
    }
  }
  return level;
}

} // namespace

LeafRowCells rowCellsOf(const IntervalSetView<3>& cells, const Origin& leafOrigin) {
  LeafRowCells result;
  result.before.fill(-1);
  for (int z = 0; z < leafSize; ++z) {
    const Coordinate plane = leafOrigin[2] + z;
    for (std::int64_t r = cells.lowerRow({leafOrigin[1], plane}); r < cells.numRows && cells.rowKeys[r].z == plane;
      ++r) {
      const std::int64_t y = std::int64_t{cells.rowKeys[r].y} - leafOrigin[1];
      if (y >= leafSize) {
        break;
      }
      const auto row = static_cast<std::size_t>(leafSize * z + y);
      const std::int64_t i = cells.lowerInterval(r, leafOrigin[0]);
      if (i < cells.rowOffsets[r + 1]) {
        const std::int64_t skipped = std::int64_t{leafOrigin[0]} - cells.intervals[i].begin;
        result.first[row] = cells.cellOffsets[i] + std::max<std::int64_t>(0, skipped);
      }
      result.before[row] = i > cells.rowOffsets[r] ? cells.cellOffsets[i] - 1 : -1;
    }
  }
  return result;
}

VoxelTree makeVoxelTree(const IntervalSetView<3>& cells, const std::byte* values, std::size_t valueBytes) {
  const auto same = [&](std::int64_t a, std::int64_t b) {
    return valueBytes == 0 ||
      std::memcmp(values + static_cast<std::size_t>(a) * valueBytes, values + static_cast<std::size_t>(b) * valueBytes,
        valueBytes) == 0;
  };
  VoxelTree tree;
  std::vector<VoxelTree::Part> parts; // leaves, and tiles of their size
  for (const Leaf& leaf : leavesOf(cells)) {
    if (isFull(leaf)) {
      const LeafRowCells rows = rowCellsOf(cells, leaf.origin);
      const std::int64_t cell = rows.first.front();
      bool isTile = true;
      forEachCellOf(leaf, rows, [&](std::int64_t c) { isTile = isTile && same(cell, c); });
      if (isTile) {
        parts.push_back({leaf.origin, true, cell});
        continue;
      }
    }
    parts.push_back({leaf.origin, false, static_cast<std::int64_t>(tree.leaves.size())});
    tree.leaves.push_back(leaf);
  }
  Level lower = gather(parts, log2Lower, log2Leaf, same);
  Level upper = gather(lower.parts, log2Upper, log2Lower, same);
  tree.lower = std::move(lower.nodes);
  tree.upper = std::move(upper.nodes);
  tree.root = std::move(upper.parts);
  return tree;
}

} // namespace spanwise::vdb
