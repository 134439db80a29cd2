#pragma once

#include "Readers/OpenVdb/Cursor.hpp"
#include "Readers/OpenVdb/VdbFile.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace spanwise::vdb {

/// Where the values of a node stand, as far as active ones can be among them.
struct StoredValues {
  std::uint64_t position = 0;
  std::uint32_t packedBytes = 0; ///< 0: not compressed
  std::uint16_t count = 0;       ///< values there are, of at most 2^15
  bool activeOnly = false;       ///< those of active positions alone, in their order; otherwise those of all positions
};

/// Passes over the values of a node with so many positions, of which so many are active. Throws FileError where they do
/// not fit the grid or the file.
StoredValues passValues(Cursor& cursor, const GridInfo& grid, std::uint32_t numPositions, std::uint32_t numActive);

/// Reads and unpacks the values of a node, and writes those of the active positions to `to`, one after the other, as
/// valueBytesOf(grid.kind) bytes each. `active`: a bit for each position. For any thread. Throws FileError.
void readActiveValues(const hdf5::InputFile& file, const GridInfo& grid, const StoredValues& stored,
  std::span<const std::uint64_t> active, std::byte* to);

/// Bytes of a value in a grid's root, where it is neither packed nor made half.
std::uint32_t rootValueBytes(const GridInfo& grid);

/// A value as it stands in a grid's root, as valueBytesOf(grid.kind) bytes.
void convertRootValue(const GridInfo& grid, const std::byte* stored, std::byte* to);

} // namespace spanwise::vdb
