#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace spanwise::vdb {

/// Flags of how the values of a grid's nodes are stored.
enum Compression : std::uint32_t { zip = 1, activeMask = 2, blosc = 4 };

/// Whether this build has Blosc.
bool hasBlosc();

/// Unpacks to all of `to`. Throws FileError where the bytes do not unpack to so many, or the build has no Blosc.
void unpack(std::uint32_t compression, std::span<const std::byte> packed, std::span<std::byte> to);

/// Packs as OpenVDB does: by Blosc if the flags say so, else by zlib. Empty if that saves nothing.
std::vector<std::byte> pack(std::uint32_t compression, std::span<const std::byte> plain);

} // namespace spanwise::vdb
