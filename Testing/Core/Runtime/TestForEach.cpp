#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/ForEachInShares.hpp"
#include "Core/Runtime/Spaces.hpp"
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

struct CountItem {
  std::int64_t* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    for (std::int64_t i = k % 7; i < 2000; ++i) { // items differ in length, so that threads help each other
      Kokkos::atomic_add(&counts[k], i == 1999 ? 1 : 0);
    }
  }
};

TEST(ForEach, InSharesEachItemIsDoneOnce) {
  const HostExecutionSpace space;
  const Kokkos::View<std::int64_t*, Kokkos::HostSpace> next("Testing::next", 8 * space.concurrency());
  for (const std::int64_t numItems : {0, 1, 2, 3, 64, 1000}) {
    const Kokkos::View<std::int64_t*, Kokkos::HostSpace> counts("Testing::counts", numItems);
    for (int round = 1; round <= 3; ++round) {
      forEachInShares(space, "Testing::shares", numItems, next.data(), CountItem{counts.data()});
      for (std::int64_t k = 0; k < numItems; ++k) {
        EXPECT_EQ(counts(k), round);
      }
    }
  }
}

} // namespace
} // namespace spanwise::testing
