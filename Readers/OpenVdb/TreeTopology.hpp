#pragma once

#include "Readers/OpenVdb/VdbFile.hpp"

#include "Core/Geometry/Interval.hpp"
#include "Core/Runtime/Progress.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace spanwise::vdb {

/// Cells along an edge of a leaf.
inline constexpr int leafSize = 8;

/// A leaf with its active cells: bit 8 y + z of word x is the cell origin + (x, y, z).
struct Leaf {
  std::array<geometry::Coordinate, 3> origin;
  std::array<std::uint64_t, leafSize> active;
};

/// A cube of active cells of one value.
struct Tile {
  std::array<geometry::Coordinate, 3> origin;
  std::int32_t size; ///< cells along an edge: 8, 128 or 4096
};

/// What of a tree is active. No cell is in two leaves or tiles.
struct TreeTopology {
  std::vector<Leaf> leaves; ///< in the file's order, in which their values stand too
  std::vector<Tile> tiles;
  std::vector<std::byte> tileValues; ///< valueBytesOf(kind) bytes for each tile
};

/// Reads the topology of a grid's tree and the values of its tiles. Throws FileError where they are damaged, and where
/// a node reaches beyond the coordinates of cells. O(bytes of the topology).
TreeTopology readTopology(const hdf5::InputFile& file, const GridInfo& grid, const Progress& progress);

} // namespace spanwise::vdb
