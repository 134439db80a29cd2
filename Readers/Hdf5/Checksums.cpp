#include "Readers/Hdf5/Checksums.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace spanwise::hdf5 {

namespace {

// The three words of the hash's state.
struct Lookup3 {
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t c;

  void mix() {
    step(a, c, b, 4);
    step(b, a, c, 6);
    step(c, b, a, 8);
    step(a, c, b, 16);
    step(b, a, c, 19);
    step(c, b, a, 4);
  }

  void finish() {
    last(c, b, 14);
    last(a, c, 11);
    last(b, a, 25);
    last(c, b, 16);
    last(a, c, 4);
    last(b, a, 14);
    last(c, b, 24);
  }

private:
  // x -= y, x ^= y rotated, y += z
  static void step(std::uint32_t& x, std::uint32_t& y, std::uint32_t z, int turn) {
    x -= y;
    x ^= std::rotl(y, turn);
    y += z;
  }
  static void last(std::uint32_t& x, std::uint32_t y, int turn) {
    x ^= y;
    x -= std::rotl(y, turn);
  }
};

} // namespace

std::uint32_t metadataChecksum(std::span<const std::byte> data) {
  const std::uint32_t start = 0xdeadbeefU + static_cast<std::uint32_t>(data.size());
  Lookup3 state{start, start, start};
  constexpr std::size_t blockBytes = 12;
  // The last block, full or not, is added and then finished; the ones before it are added and mixed.
  while (!data.empty()) {
    std::uint32_t words[3] = {0, 0, 0};
    const std::size_t count = std::min(blockBytes, data.size());
    std::memcpy(words, data.data(), count);
    state.a += words[0];
    state.b += words[1];
    state.c += words[2];
    data = data.subspan(count);
    if (data.empty()) {
      state.finish();
    } else {
      state.mix();
    }
  }
  return state.c;
}

std::uint32_t fletcher32(std::span<const std::byte> data) {
  constexpr std::size_t wordsPerBlock = 360; // so many words cannot overflow the second sum
  const auto fold = [](std::uint32_t sum) { return (sum & 0xffffU) + (sum >> 16); };
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::size_t words = data.size() / 2;
  const std::byte* at = data.data();
  while (words > 0) {
    const std::size_t count = std::min(words, wordsPerBlock);
    for (std::size_t w = 0; w < count; ++w, at += 2) {
      first += (std::to_integer<std::uint32_t>(at[0]) << 8) | std::to_integer<std::uint32_t>(at[1]);
      second += first;
    }
    words -= count;
    first = fold(first);
    second = fold(second);
  }
  if (data.size() % 2 == 1) {
    first += std::to_integer<std::uint32_t>(*at) << 8;
    second += first;
    first = fold(first);
    second = fold(second);
  }
  return (fold(second) << 16) | fold(first);
}

} // namespace spanwise::hdf5
