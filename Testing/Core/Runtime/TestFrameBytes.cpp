#include "Core/Runtime/FrameBytes.hpp"
#include "Testing/Core/Seed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <new>
#include <random>
#include <utility>
#include <vector>

namespace spanwise::testing {
namespace {

std::vector<std::byte> bytesOf(const FrameBytes& bytes) { return {bytes.begin(), bytes.end()}; }

TEST(FrameBytes, KeepWhatWasWrittenWhileTheyGrowAndShrink) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  FrameBytes bytes;
  std::vector<std::byte> expected;
  for (int turn = 0; turn < 200; ++turn) {
    const std::size_t before = expected.size();
    const std::size_t size = random() % (turn % 20 == 0 ? 20'000'000 : 5'000);
    bytes.resize(size);
    expected.resize(size);
    for (std::size_t k = before; k < size; ++k) {
      bytes.begin()[k] = expected[k] = static_cast<std::byte>(random());
    }
    ASSERT_EQ(bytes.size(), size);
    ASSERT_TRUE(std::ranges::equal(bytes, expected)) << "from " << before << " to " << size;
  }
}

TEST(FrameBytes, CopiesAreOfTheirOwn) {
  FrameBytes bytes(3);
  std::ranges::fill(bytes, std::byte{7});
  FrameBytes copy = bytes;
  EXPECT_TRUE(copy == bytes);
  copy.begin()[1] = std::byte{8};
  EXPECT_FALSE(copy == bytes);
  EXPECT_EQ(bytesOf(bytes), std::vector<std::byte>(3, std::byte{7}));
  const std::byte* const there = copy.data();
  bytes = std::move(copy);
  EXPECT_EQ(bytes.data(), there);
  bytes.clear();
  EXPECT_EQ(bytes.size(), 0U);
  EXPECT_TRUE(bytes == FrameBytes());
}

TEST(FrameBytes, TooManyAreAnErrorAndChangeNothing) {
  FrameBytes bytes(3);
  std::ranges::fill(bytes, std::byte{7});
  for (const std::size_t size :
    {std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::size_t>::max() / 2}) {
    EXPECT_THROW(bytes.resize(size), std::bad_alloc);
    EXPECT_EQ(bytesOf(bytes), std::vector<std::byte>(3, std::byte{7}));
  }
}

// The memory is there, and what had it before is not written over: no zeros for gigabytes of a state that comes.
TEST(FrameBytes, MemoryIsUsedAgainAsItIs) {
  FrameBytes bytes(1000);
  std::ranges::fill(bytes, std::byte{5});
  const std::byte* const there = bytes.data();
  bytes.clear();
  bytes.resize(1000);
  EXPECT_EQ(bytes.data(), there);
  EXPECT_EQ(bytesOf(bytes), std::vector<std::byte>(1000, std::byte{5}));
}

} // namespace
} // namespace spanwise::testing
