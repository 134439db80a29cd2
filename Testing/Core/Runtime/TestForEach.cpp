#include "Core/Runtime/ForEach.hpp"
#include "Testing/Core/Seed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

namespace spanwise::testing {
namespace {

struct Threads {
  int count;
  [[nodiscard]] int concurrency() const { return count; }
};

/// The items that the thread with most of them gets where pieces go to threads in equal numbers, one after the other.
std::int64_t mostItems(std::int64_t count, std::int64_t perPiece, int numThreads) {
  const std::int64_t numPieces = (count + perPiece - 1) / perPiece;
  const std::int64_t perThread = (numPieces + numThreads - 1) / numThreads;
  return std::min(perThread * perPiece, count);
}

TEST(ForEach, PiecesGiveEachThreadItsShare) {
  constexpr std::int64_t least = 64;
  constexpr std::int64_t most = 1000;
  std::mt19937_64 random(seed());
  for (int round = 0; round < 10000; ++round) {
    const Threads threads{std::uniform_int_distribution<int>(1, 200)(random)};
    const std::int64_t count = std::uniform_int_distribution<std::int64_t>(1, 1000000)(random);
    SCOPED_TRACE(::testing::Message() << count << " items, " << threads.count << " threads");
    const std::int64_t perPiece = itemsPerPiece(threads, count, least, most);
    ASSERT_GE(perPiece, least);
    ASSERT_LE(perPiece, most);
    const std::int64_t share = (count + threads.count - 1) / threads.count;
    if (perPiece > least) { // by rounding, an item more in each of a thread's pieces
      EXPECT_LE(
        mostItems(count, perPiece, threads.count), share + std::max<std::int64_t>(4, (share + most - 1) / most));
    } else {
      EXPECT_LE(share, 4 * least);
    }
  }
}

} // namespace
} // namespace spanwise::testing
