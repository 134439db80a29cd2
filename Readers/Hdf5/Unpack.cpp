#include "Readers/Hdf5/Checksums.hpp"
#include "Readers/Hdf5/Dataset.hpp"

#include "Core/Runtime/Error.hpp"

#include <cstring>

#include <vtk_zlib.h>

namespace spanwise::hdf5 {

namespace {

// Inflates to exactly `bytes` bytes: a stream that holds more is never unpacked further.
void inflateExactly(
  const std::byte* packed, std::uint64_t packedBytes, std::byte* to, std::uint64_t bytes, const std::string& what) {
  z_stream stream = {};
  if (inflateInit(&stream) != Z_OK) {
    throw FileError(what + " cannot be unpacked: zlib has no memory");
  }
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed)); // zlib's interface is older than const
  stream.avail_in = static_cast<uInt>(packedBytes);
  stream.next_out = reinterpret_cast<Bytef*>(to);
  stream.avail_out = static_cast<uInt>(bytes);
  const int status = inflate(&stream, Z_FINISH);
  const bool whole = status == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  if (!whole) {
    throw FileError(what + " does not unpack to " + std::to_string(bytes) + " bytes");
  }
}

// The first bytes of all elements stand first, then all second bytes, and so on; what does not fill an element stands
// last.
template <std::size_t Width>
void unshuffle(const std::byte* from, std::uint64_t elements, std::byte* to) {
  for (std::uint64_t e = 0; e < elements; ++e) {
    for (std::size_t b = 0; b < Width; ++b) {
      to[e * Width + b] = from[b * elements + e];
    }
  }
}

void unshuffle(const std::byte* from, std::uint64_t bytes, std::uint32_t elementBytes, std::byte* to) {
  const std::uint64_t elements = bytes / elementBytes;
  switch (elementBytes) {
  case 2:
    return unshuffle<2>(from, elements, to);
  case 4:
    return unshuffle<4>(from, elements, to);
  case 8:
    return unshuffle<8>(from, elements, to);
  default:
    for (std::uint64_t e = 0; e < elements; ++e) {
      for (std::uint64_t b = 0; b < elementBytes; ++b) {
        to[e * elementBytes + b] = from[b * elements + e];
      }
    }
  }
}

} // namespace

void unpack(const std::vector<std::byte>& stored, const ChunkForm& form, std::byte* to, const std::string& what) {
  std::size_t packedBytes = stored.size();
  if (form.filters.fletcher32) {
    std::uint32_t checksum = 0;
    packedBytes -= sizeof(checksum);
    std::memcpy(&checksum, stored.data() + packedBytes, sizeof(checksum));
    if (checksum != fletcher32(std::span(stored).first(packedBytes))) {
      throw FileError(what + " is damaged: its checksum is wrong");
    }
  }
  const bool shuffled = form.filters.shuffle && form.elementBytes > 1;
  const std::byte* plain = stored.data();
  std::vector<std::byte> inflated;
  if (form.filters.deflated) {
    if (shuffled) {
      inflated.resize(static_cast<std::size_t>(form.bytes));
      inflateExactly(stored.data(), packedBytes, inflated.data(), form.bytes, what);
      plain = inflated.data();
    } else {
      return inflateExactly(stored.data(), packedBytes, to, form.bytes, what);
    }
  }
  if (shuffled) {
    unshuffle(plain, form.bytes, form.elementBytes, to);
  } else {
    std::memcpy(to, plain, static_cast<std::size_t>(form.bytes));
  }
}

} // namespace spanwise::hdf5
