#include "Core/Runtime/Checksum.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace spanwise {

namespace {

constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87U;
constexpr std::uint64_t prime2 = 0xC2B2AE3D27D4EB4FU;
constexpr std::uint64_t prime3 = 0x165667B19E3779F9U;
constexpr std::uint64_t prime4 = 0x85EBCA77C2B2AE63U;
constexpr std::uint64_t prime5 = 0x27D4EB2F165667C5U;

template <class Word>
std::uint64_t wordAt(const std::byte* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

std::uint64_t taken(std::uint64_t lane, std::uint64_t word) { return std::rotl(lane + word * prime2, 31) * prime1; }

std::uint64_t merged(std::uint64_t sum, std::uint64_t lane) { return (sum ^ taken(0, lane)) * prime1 + prime4; }

} // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  const std::byte* next = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t sum = prime5;
  if (left >= 32) {
    std::array<std::uint64_t, 4> lanes{prime1 + prime2, prime2, 0, std::uint64_t{0} - prime1};
    for (; left >= 32; left -= 32, next += 32) {
      for (std::size_t k = 0; k < 4; ++k) {
        lanes[k] = taken(lanes[k], wordAt<std::uint64_t>(next + 8 * k));
      }
    }
    sum = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (const std::uint64_t lane : lanes) {
      sum = merged(sum, lane);
    }
  }
  sum += bytes.size();
  for (; left >= 8; left -= 8, next += 8) {
    sum = std::rotl(sum ^ taken(0, wordAt<std::uint64_t>(next)), 27) * prime1 + prime4;
  }
  if (left >= 4) {
    sum = std::rotl(sum ^ (wordAt<std::uint32_t>(next) * prime1), 23) * prime2 + prime3;
    left -= 4;
    next += 4;
  }
  for (; left > 0; --left, ++next) {
    sum = std::rotl(sum ^ (std::to_integer<std::uint64_t>(*next) * prime5), 11) * prime1;
  }
  sum = (sum ^ (sum >> 33U)) * prime2;
  sum = (sum ^ (sum >> 29U)) * prime3;
  return sum ^ (sum >> 32U);
}

} // namespace spanwise
