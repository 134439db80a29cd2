#pragma once

#include "Readers/Hdf5/Structure.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace spanwise::hdf5 {

/// A chunk as it is stored.
struct PackedChunk {
  std::vector<std::byte> bytes;
  std::uint32_t skippedFilters = 0; ///< deflate, where it would make the chunk longer
};

/// Does to a chunk what HDF5 would do to it: fills it up with zeros to form.bytes, shuffles and deflates it if the
/// filters say so, and adds Fletcher's checksum. `level` is deflate's.
PackedChunk pack(std::span<const std::byte> data, const ChunkForm& form, int level);

} // namespace spanwise::hdf5
