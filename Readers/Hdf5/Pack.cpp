#include "Readers/Hdf5/Pack.hpp"

#include "Readers/Hdf5/Checksums.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cstring>

#include <vtk_zlib.h>

namespace spanwise::hdf5 {

namespace {

void shuffle(const std::vector<std::byte>& from, std::uint32_t elementBytes, std::vector<std::byte>& to) {
  const std::size_t elements = from.size() / elementBytes;
  for (std::size_t b = 0; b < elementBytes; ++b) {
    for (std::size_t e = 0; e < elements; ++e) {
      to[b * elements + e] = from[e * elementBytes + b];
    }
  }
}

// Deflates in place; false if that would make it longer.
bool deflateBytes(std::vector<std::byte>& bytes, int level) {
  uLongf size = static_cast<uLongf>(bytes.size());
  std::vector<std::byte> packed(bytes.size());
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
    reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), level);
  if (status == Z_BUF_ERROR) {
    return false;
  }
  if (status != Z_OK) {
    throw FileError("a chunk cannot be compressed: zlib has no memory");
  }
  packed.resize(static_cast<std::size_t>(size));
  bytes.swap(packed);
  return true;
}

} // namespace

PackedChunk pack(std::span<const std::byte> data, const ChunkForm& form, int level) {
  PackedChunk chunk;
  chunk.bytes.reserve(static_cast<std::size_t>(form.bytes) + 4);
  chunk.bytes.assign(data.begin(), data.end());
  chunk.bytes.resize(static_cast<std::size_t>(form.bytes));
  if (form.filters.shuffle && form.elementBytes > 1) {
    std::vector<std::byte> shuffled(chunk.bytes.size());
    shuffle(chunk.bytes, form.elementBytes, shuffled);
    chunk.bytes.swap(shuffled);
  }
  if (form.filters.deflated && !deflateBytes(chunk.bytes, level)) {
    chunk.skippedFilters = 1U << form.filters.deflateIndex;
  }
  const std::uint32_t checksum = fletcher32(chunk.bytes);
  const auto* const end = reinterpret_cast<const std::byte*>(&checksum);
  chunk.bytes.insert(chunk.bytes.end(), end, end + sizeof(checksum));
  return chunk;
}

} // namespace spanwise::hdf5
