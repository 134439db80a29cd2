#include "Readers/OpenVdb/TreeTopology.hpp"

#include "Readers/Hdf5/Utf8.hpp"
#include "Readers/OpenVdb/Cursor.hpp"
#include "Readers/OpenVdb/NodeValues.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace spanwise::vdb {

namespace {

using Origin = std::array<geometry::Coordinate, 3>;

constexpr std::int32_t rootChildSize = 4096;

/// The nodes between root and leaves: 2^Log2Size children along an edge.
template <int Log2Size>
constexpr std::uint32_t numChildren = 1U << (3 * Log2Size);
template <int Log2Size>
using NodeMask = std::array<std::uint64_t, numChildren<Log2Size> / 64>;

template <class Mask>
std::uint32_t countOf(const Mask& mask) {
  std::uint32_t count = 0;
  for (const std::uint64_t word : mask) {
    count += static_cast<std::uint32_t>(std::popcount(word));
  }
  return count;
}

/// Calls body(position) for each bit that is set.
template <class Mask, class Body>
void forEachBit(const Mask& mask, const Body& body) {
  for (std::uint32_t w = 0; w < mask.size(); ++w) {
    for (std::uint64_t word = mask[w]; word != 0; word &= word - 1) {
      body(64 * w + static_cast<std::uint32_t>(std::countr_zero(word)));
    }
  }
}

/// Where child `n` of a node lies: z is the fastest.
template <int Log2Size>
Origin originOfChild(const Origin& node, std::uint32_t n, std::int32_t childSize) {
  constexpr std::uint32_t last = (1U << Log2Size) - 1;
  return {node[0] + static_cast<std::int32_t>(n >> (2 * Log2Size)) * childSize,
    node[1] + static_cast<std::int32_t>((n >> Log2Size) & last) * childSize,
    node[2] + static_cast<std::int32_t>(n & last) * childSize};
}

class TopologyReader {
public:
  TopologyReader(const hdf5::InputFile& file, const GridInfo& grid, const Progress& progress)
    : file_(file), grid_(grid), progress_(progress),
      cursor_(file, grid.tree, grid.end, "the grid " + hdf5::quotedName(grid.name)), begin_(cursor_.left()) {}

  TreeTopology read() {
    if (const auto buffers = cursor_.number<std::int32_t>(); buffers != 1) {
      throw damaged("its tree has " + std::to_string(buffers) + " buffers; it must have 1");
    }
    const std::uint32_t valueBytes = rootValueBytes(grid_);
    cursor_.skip(valueBytes); // of what is not active
    auto numTiles = cursor_.number<std::uint32_t>();
    auto numNodes = cursor_.number<std::uint32_t>();
    std::vector<Origin> origins;
    std::vector<std::byte> stored(valueBytes);
    for (; numTiles > 0; --numTiles) {
      origins.push_back(readOrigin());
      cursor_.read(stored.data(), stored.size());
      if (cursor_.number<std::int8_t>() != 0) {
        addTile(origins.back(), rootChildSize);
        convertRootValue(grid_, stored.data(), tree_.tileValues.data() + tree_.tileValues.size() - outBytes());
      }
    }
    for (; numNodes > 0; --numNodes) {
      origins.push_back(readOrigin());
      readNode<5>(origins.back(), rootChildSize);
    }
    std::sort(origins.begin(), origins.end());
    if (const auto twice = std::adjacent_find(origins.begin(), origins.end()); twice != origins.end()) {
      throw damaged("two of its nodes begin at " + text(*twice));
    }
    return std::move(tree_);
  }

private:
  [[nodiscard]] FileError damaged(const std::string& why) const {
    return FileError(cursor_.what() + " is damaged: " + why + ", before byte " + std::to_string(cursor_.position()));
  }
  static std::string text(const Origin& origin) {
    return "(" + std::to_string(origin[0]) + ", " + std::to_string(origin[1]) + ", " + std::to_string(origin[2]) + ")";
  }
  [[nodiscard]] std::size_t outBytes() const { return static_cast<std::size_t>(valueBytesOf(grid_.kind)); }

  Origin readOrigin() {
    Origin origin{};
    cursor_.read(origin.data(), sizeof(origin));
    for (const geometry::Coordinate c : origin) {
      if (c % rootChildSize != 0) {
        throw damaged("a node of its root begins at " + text(origin) + "; multiples of 4096 are possible");
      }
      if (c > geometry::maxIntervalEnd - rootChildSize) {
        throw FileError(cursor_.what() + " has a node from " + text(origin) +
          " on, which reaches beyond the coordinates of cells, up to 2147483646");
      }
    }
    return origin;
  }

  void addTile(const Origin& origin, std::int32_t size) {
    tree_.tiles.push_back({origin, size});
    tree_.tileValues.resize(tree_.tileValues.size() + outBytes());
  }

  template <int Log2Size>
  void readNode(const Origin& origin, std::int32_t size) {
    const std::int32_t childSize = size >> Log2Size;
    NodeMask<Log2Size> children;
    NodeMask<Log2Size> active;
    cursor_.read(children.data(), sizeof(children));
    cursor_.read(active.data(), sizeof(active));
    for (std::size_t w = 0; w < active.size(); ++w) {
      if ((active[w] & children[w]) != 0) {
        throw damaged("a tile of the node at " + text(origin) + " is a node too");
      }
    }
    const std::uint32_t numTiles = countOf(active);
    const StoredValues values = passValues(cursor_, grid_, numChildren<Log2Size>, numTiles);
    if (numTiles > 0) {
      const std::size_t before = tree_.tileValues.size();
      forEachBit(active, [&](std::uint32_t n) { addTile(originOfChild<Log2Size>(origin, n, childSize), childSize); });
      if (outBytes() > 0) {
        readActiveValues(file_, grid_, values, active, tree_.tileValues.data() + before);
      }
    }
    forEachBit(children, [&](std::uint32_t n) {
      const Origin child = originOfChild<Log2Size>(origin, n, childSize);
      if constexpr (Log2Size == 5) {
        readNode<4>(child, childSize);
        progress_.report(1.0 - static_cast<double>(cursor_.left()) / static_cast<double>(begin_));
      } else {
        tree_.leaves.push_back({child, {}});
        cursor_.read(tree_.leaves.back().active.data(), sizeof(Leaf::active));
      }
    });
  }

  const hdf5::InputFile& file_;
  const GridInfo& grid_;
  const Progress& progress_;
  Cursor cursor_;
  std::uint64_t begin_;
  TreeTopology tree_;
};

} // namespace

TreeTopology readTopology(const hdf5::InputFile& file, const GridInfo& grid, const Progress& progress) {
  return TopologyReader(file, grid, progress).read();
}

} // namespace spanwise::vdb
