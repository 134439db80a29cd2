#include "Readers/OpenVdb/NodeValues.hpp"

#include "Readers/OpenVdb/Compression.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

namespace spanwise::vdb {

namespace {

// What stands before the values of a node: how its inactive values can be found again.
enum Inactive : std::int8_t {
  background,
  minusBackground,
  one,
  maskOfBackgrounds,
  maskOfOne,
  maskOfTwo,
  all // stored with the others
};

bool isFloating(ValueKind kind) { return elementOf(kind) == Element::Float32 || elementOf(kind) == Element::Float64; }

// Bytes of a component in the nodes of a file.
std::uint32_t storedElementBytes(const GridInfo& grid) {
  const bool half = grid.kind == ValueKind::Half || (grid.halfFloats && isFloating(grid.kind));
  return half ? 2 : static_cast<std::uint32_t>(bytesOf(elementOf(grid.kind)));
}

// A mask's tiles have a byte, as those of bool.
std::uint32_t storedComponents(const GridInfo& grid) {
  return static_cast<std::uint32_t>(std::max(componentsOf(grid.kind), 1));
}

std::uint32_t storedValueBytes(const GridInfo& grid) { return storedElementBytes(grid) * storedComponents(grid); }

// IEEE 754 binary16.
float floatOfHalf(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fU;
  const std::uint32_t fraction = half & 0x3ffU;
  if (exponent == 0) { // zero or subnormal
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 0x1f ? 0xffU : exponent + 112;
  return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

template <class To>
void convertHalves(const std::byte* from, std::size_t count, std::byte* to) {
  for (std::size_t k = 0; k < count; ++k) {
    std::uint16_t half = 0;
    std::memcpy(&half, from + 2 * k, sizeof(half));
    const auto value = static_cast<To>(floatOfHalf(half));
    std::memcpy(to + sizeof(To) * k, &value, sizeof(To));
  }
}

void convert(
  const GridInfo& grid, std::uint32_t elementBytes, const std::byte* from, std::size_t values, std::byte* to) {
  const std::size_t count = values * storedComponents(grid);
  if (elementBytes != 2) {
    std::memcpy(to, from, count * elementBytes);
    if (elementOf(grid.kind) == Element::Bool) {
      std::transform(to, to + count, to, [](std::byte b) { return b == std::byte{0} ? b : std::byte{1}; });
    }
  } else if (elementOf(grid.kind) == Element::Float64) {
    convertHalves<double>(from, count, to);
  } else {
    convertHalves<float>(from, count, to);
  }
}

} // namespace

std::uint32_t rootValueBytes(const GridInfo& grid) {
  const std::uint32_t element =
    grid.kind == ValueKind::Half ? 2 : static_cast<std::uint32_t>(bytesOf(elementOf(grid.kind)));
  return element * storedComponents(grid);
}

void convertRootValue(const GridInfo& grid, const std::byte* stored, std::byte* to) {
  if (grid.kind != ValueKind::Mask) {
    convert(grid, rootValueBytes(grid) / storedComponents(grid), stored, 1, to);
  }
}

StoredValues passValues(Cursor& cursor, const GridInfo& grid, std::uint32_t numPositions, std::uint32_t numActive) {
  const auto inactive = cursor.number<std::int8_t>();
  if (inactive < background || inactive > all) {
    throw FileError(cursor.what() + " is damaged: a node has the inactive values " + std::to_string(inactive) +
      ", before byte " + std::to_string(cursor.position()) + "; 0 to 6 are known");
  }
  if (inactive == one || inactive == maskOfOne || inactive == maskOfTwo) {
    cursor.skip(rootValueBytes(grid) * (inactive == maskOfTwo ? 2U : 1U));
  }
  if (inactive == maskOfBackgrounds || inactive == maskOfOne || inactive == maskOfTwo) {
    cursor.skip(numPositions / 8);
  }
  StoredValues stored;
  stored.activeOnly = (grid.compression & activeMask) != 0 && inactive != all;
  stored.count = static_cast<std::uint16_t>(stored.activeOnly ? numActive : numPositions);
  const std::uint64_t bytes = std::uint64_t{stored.count} * storedValueBytes(grid);
  if (stored.count == 0 && grid.halfFloats && isFloating(grid.kind)) {
    return stored; // of halves there is not even a length
  }
  if ((grid.compression & (blosc | zip)) == 0) {
    stored.position = cursor.position();
    cursor.skip(bytes);
    return stored;
  }
  const auto packed = cursor.number<std::int64_t>(); // not positive: so many bytes, not packed
  constexpr std::int64_t most = 64;                  // by which packed values may be longer than others
  if (packed > static_cast<std::int64_t>(bytes) + most ||
    (packed <= 0 && packed != -static_cast<std::int64_t>(bytes))) {
    throw FileError(cursor.what() + " is damaged: the values of a node take " + std::to_string(packed) +
      " bytes before byte " + std::to_string(cursor.position()) + ", and unpacked " + std::to_string(bytes));
  }
  stored.position = cursor.position();
  stored.packedBytes = packed > 0 ? static_cast<std::uint32_t>(packed) : 0;
  cursor.skip(packed > 0 ? static_cast<std::uint64_t>(packed) : bytes);
  return stored;
}

void readActiveValues(const hdf5::InputFile& file, const GridInfo& grid, const StoredValues& stored,
  std::span<const std::uint64_t> active, std::byte* to) {
  if (stored.count == 0) {
    return;
  }
  const std::uint32_t valueBytes = storedValueBytes(grid);
  const std::string what = "the values of a node";
  std::vector<std::byte> plain(std::size_t{stored.count} * valueBytes);
  if (stored.packedBytes == 0) {
    file.read(stored.position, plain.size(), plain.data(), what);
  } else {
    unpack(grid.compression, file.read(stored.position, stored.packedBytes, what), plain);
  }
  std::size_t count = stored.count;
  if (!stored.activeOnly) {
    count = 0;
    for (std::size_t w = 0; w < active.size(); ++w) {
      for (std::uint64_t word = active[w]; word != 0; word &= word - 1) {
        const std::size_t at = 64 * w + static_cast<std::size_t>(std::countr_zero(word));
        std::memmove(plain.data() + count * valueBytes, plain.data() + at * valueBytes, valueBytes);
        ++count;
      }
    }
  }
  convert(grid, storedElementBytes(grid), plain.data(), count, to);
}

} // namespace spanwise::vdb
