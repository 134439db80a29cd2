#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace spanwise::hdf5 {

/// The checksum of HDF5's metadata blocks: Bob Jenkins's lookup3 hash (hashlittle, 2006) with the start value 0.
std::uint32_t metadataChecksum(std::span<const std::byte> data);

/// The checksum of HDF5's filter 3: Fletcher's sum modulo 65535 over big-endian 16-bit words, both sums starting at 0.
/// An odd last byte counts as the upper half of a word.
std::uint32_t fletcher32(std::span<const std::byte> data);

} // namespace spanwise::hdf5
