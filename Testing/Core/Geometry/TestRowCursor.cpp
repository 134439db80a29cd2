// The cursor is the contract: a row stored as a bit mask goes through the same merge as one stored as intervals.

#include "Core/Geometry/Detail/MergeRows.hpp"
#include "Core/Geometry/RowCursor.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <bitset>

namespace spanwise::testing {
namespace {

constexpr Coordinate origin = -70;
constexpr int numWords = 3;
using Bits = std::bitset<64 * numWords>;

struct StoredRow {
  std::vector<Interval> intervals;
  std::array<std::uint64_t, numWords> words{};

  explicit StoredRow(const Bits& bits) {
    for (std::size_t b = 0; b < bits.size(); ++b) {
      if (!bits[b]) {
        continue;
      }
      words[b / 64] |= std::uint64_t{1} << (b % 64);
      const auto x = static_cast<Coordinate>(origin + static_cast<Coordinate>(b));
      if (!intervals.empty() && intervals.back().end == x) {
        ++intervals.back().end;
      } else {
        intervals.push_back({x, x + 1});
      }
    }
  }

  [[nodiscard]] IntervalRowCursor intervalCursor() const {
    return IntervalRow(intervals.data(), static_cast<std::int64_t>(intervals.size())).cursor();
  }
  [[nodiscard]] MaskRowCursor maskCursor() const { return MaskRow(origin, words.data(), numWords).cursor(); }
};

Bits randomBits(std::mt19937& random, double density) {
  std::bernoulli_distribution inside(density);
  Bits bits;
  for (std::size_t b = 0; b < bits.size(); ++b) {
    bits[b] = inside(random);
  }
  return bits;
}

template <class A, class B>
std::vector<Coordinate> merged(unsigned truthTable, A a, B b) {
  std::vector<Coordinate> endpoints(4 * 64 * numWords);
  geometry::detail::EndpointWriter writer(endpoints.data());
  geometry::detail::mergeRows(truthTable, a, b, writer);
  endpoints.resize(static_cast<std::size_t>(writer.end() - endpoints.data()));
  return endpoints;
}

TEST(RowCursor, MaskGivesTheEndpointsOfIntervals) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const double density : {0.0, 0.1, 0.5, 0.9, 1.1}) {
    const StoredRow row(randomBits(random, density));
    MaskRowCursor cursor = row.maskCursor();
    for (const Interval& interval : row.intervals) {
      ASSERT_FALSE(cursor.done());
      EXPECT_EQ(cursor.position(), interval.begin);
      EXPECT_EQ(cursor.inside(), 0U);
      cursor.advanceIf(false);
      EXPECT_EQ(cursor.position(), interval.begin);
      cursor.advanceIf(true);
      EXPECT_EQ(cursor.position(), interval.end);
      EXPECT_EQ(cursor.inside(), 1U);
      cursor.advanceIf(true);
    }
    EXPECT_TRUE(cursor.done());
  }
}

TEST(RowCursor, EveryMixOfStoragesMergesToTheBitwiseResult) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 50; ++round) {
    const Bits bitsA = randomBits(random, 0.02 * round);
    const Bits bitsB = randomBits(random, 0.5);
    const StoredRow a(bitsA);
    const StoredRow b(bitsB);
    for (const auto& [truthTable, bits] : {std::pair(0b1000U, bitsA & bitsB), std::pair(0b1110U, bitsA | bitsB),
           std::pair(0b0010U, bitsA & ~bitsB), std::pair(0b0110U, bitsA ^ bitsB)}) {
      std::vector<Coordinate> expected;
      for (const Interval& interval : StoredRow(bits).intervals) {
        expected.push_back(interval.begin);
        expected.push_back(interval.end);
      }
      EXPECT_EQ(merged(truthTable, a.intervalCursor(), b.intervalCursor()), expected);
      EXPECT_EQ(merged(truthTable, a.maskCursor(), b.intervalCursor()), expected);
      EXPECT_EQ(merged(truthTable, a.intervalCursor(), b.maskCursor()), expected);
      EXPECT_EQ(merged(truthTable, a.maskCursor(), b.maskCursor()), expected);
    }
  }
}

} // namespace
} // namespace spanwise::testing
