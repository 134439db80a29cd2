#include "Readers/Hdf5/Utf8.hpp"

#include <format>

namespace spanwise::hdf5 {

std::size_t characterBytes(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(at);
  if (first < 0x80) {
    return 1;
  }
  if (first >= 0xc2 && first <= 0xdf) {
    return follows(at + 1) ? 2 : 0;
  }
  if (first >= 0xe0 && first <= 0xef) { // neither overlong nor a surrogate
    return follows(at + 1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) && follows(at + 2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) { // at most U+10FFFF
    return follows(at + 1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf) && follows(at + 2) &&
        follows(at + 3)
      ? 4
      : 0;
  }
  return 0;
}

std::string quotedName(std::string_view name) {
  constexpr std::size_t maxBytes = 60;
  std::string shown = "'";
  std::size_t at = 0;
  while (at < name.size() && at < maxBytes) {
    const std::size_t bytes = characterBytes(name, at);
    const auto code = static_cast<unsigned char>(name[at]);
    if (bytes == 0 || code < 0x20 || code == 0x7f) {
      shown += std::format("\\x{:02x}", code);
      ++at;
    } else {
      shown += name.substr(at, bytes);
      at += bytes;
    }
  }
  return shown + (at < name.size() ? "...'" : "'");
}

} // namespace spanwise::hdf5
