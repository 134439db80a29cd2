#include "Readers/OpenVdb/Compression.hpp"

#include "Core/Runtime/Error.hpp"

#include <string>

#ifdef SPANWISE_HAS_BLOSC
#include <blosc.h>
#endif
#include <vtk_zlib.h>

namespace spanwise::vdb {

namespace {

[[noreturn]] void refuse(std::size_t bytes) {
  throw FileError("the values of a node do not unpack to " + std::to_string(bytes) + " bytes: the file is damaged");
}

} // namespace

bool hasBlosc() {
#ifdef SPANWISE_HAS_BLOSC
  return true;
#else
  return false;
#endif
}

void unpack(std::uint32_t compression, std::span<const std::byte> packed, std::span<std::byte> to) {
  if ((compression & blosc) != 0) {
#ifdef SPANWISE_HAS_BLOSC
    std::size_t bytes = 0;
    if (blosc_cbuffer_validate(packed.data(), packed.size(), &bytes) != 0 || bytes != to.size() ||
      blosc_decompress_ctx(packed.data(), to.data(), to.size(), 1) != static_cast<int>(to.size())) {
      refuse(to.size());
    }
    return;
#else
    throw FileError("its values are compressed with Blosc, and Spanwise was built without it: build it with Blosc's "
                    "development files, or write the file again with zip compression");
#endif
  }
  uLongf bytes = to.size();
  if (uncompress(reinterpret_cast<Bytef*>(to.data()), &bytes, reinterpret_cast<const Bytef*>(packed.data()),
        packed.size()) != Z_OK ||
    bytes != to.size()) {
    refuse(to.size());
  }
}

std::vector<std::byte> pack(std::uint32_t compression, std::span<const std::byte> plain) {
  std::vector<std::byte> packed;
#ifdef SPANWISE_HAS_BLOSC
  if ((compression & blosc) != 0) {
    packed.resize(plain.size() + BLOSC_MAX_OVERHEAD);
    constexpr int level = 9; // as OpenVDB has it, and the rest too
    const int bytes = blosc_compress_ctx(level, BLOSC_SHUFFLE, sizeof(float), plain.size(), plain.data(), packed.data(),
      packed.size(), BLOSC_LZ4_COMPNAME, plain.size(), 1);
    packed.resize(bytes > 0 && static_cast<std::size_t>(bytes) < plain.size() ? static_cast<std::size_t>(bytes) : 0);
    return packed;
  }
#endif
  if ((compression & zip) != 0) {
    uLongf bytes = compressBound(plain.size());
    packed.resize(bytes);
    const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &bytes,
      reinterpret_cast<const Bytef*>(plain.data()), plain.size(), Z_DEFAULT_COMPRESSION);
    packed.resize(status == Z_OK && bytes < plain.size() ? bytes : 0);
  }
  return packed;
}

} // namespace spanwise::vdb
