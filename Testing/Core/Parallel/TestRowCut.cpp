#include "Core/Parallel/RowCut.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace spanwise::testing {
namespace {

std::int64_t cellsIn(const PlaneCounts& counts, const PlaneRange& range) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < counts.cells.size(); ++k) {
    sum += range.contains(counts.first + static_cast<std::int64_t>(k) * counts.width) ? counts.cells[k] : 0;
  }
  return sum;
}

void expectWithinOnePlane(const PlaneCounts& counts, int parts) {
  const RowCut cut = balancedCut(counts, parts);
  ASSERT_EQ(cut.numParts(), parts);
  EXPECT_EQ(cut.part(0).begin, PlaneRange().begin);
  EXPECT_EQ(cut.part(parts - 1).end, PlaneRange().end);
  EXPECT_TRUE(std::is_sorted(cut.bounds.begin(), cut.bounds.end()));
  const std::int64_t total = std::accumulate(counts.cells.begin(), counts.cells.end(), std::int64_t{0});
  const std::int64_t plane = counts.cells.empty() ? 0 : *std::max_element(counts.cells.begin(), counts.cells.end());
  std::int64_t sum = 0;
  for (int k = 0; k < parts; ++k) {
    const std::int64_t cells = cellsIn(counts, cut.part(k));
    EXPECT_LE(
      std::abs(static_cast<double>(cells) - static_cast<double>(total) / parts), static_cast<double>(plane) + 1.0);
    sum += cells;
  }
  EXPECT_EQ(sum, total);
}

TEST(RowCut, EveryPartIsWithinOnePlaneOfTheIdeal) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int trial = 0; trial < 300; ++trial) {
    PlaneCounts counts;
    counts.first = std::uniform_int_distribution<std::int64_t>(-1000, 1000)(random);
    counts.width = std::uniform_int_distribution<std::int64_t>(1, 3)(random);
    counts.cells.resize(std::uniform_int_distribution<std::size_t>(0, 60)(random));
    for (std::int64_t& cells : counts.cells) {
      cells = std::max<std::int64_t>(0, std::uniform_int_distribution<std::int64_t>(-50, 100)(random));
    }
    for (const int parts : {1, 2, 3, 4, 7, 64}) {
      expectWithinOnePlane(counts, parts);
    }
  }
}

TEST(RowCut, EqualPlanesGiveEqualParts) {
  const PlaneCounts counts{-6, 1, std::vector<std::int64_t>(12, 100)};
  EXPECT_EQ(balancedCut(counts, 4).part(1), (PlaneRange{-3, 0}));
  EXPECT_EQ(balancedCut(counts, 4).part(2), (PlaneRange{0, 3}));
}

TEST(RowCut, OnePlaneHasOneOwnerAndTheOtherPartsAreEmpty) {
  const PlaneCounts counts{5, 1, {1000}};
  const RowCut cut = balancedCut(counts, 3);
  int owners = 0;
  for (int k = 0; k < 3; ++k) {
    owners += static_cast<int>(cut.part(k).contains(5));
  }
  EXPECT_EQ(owners, 1);
  EXPECT_TRUE(cut.part(cut.owner(5)).contains(5));
}

TEST(RowCut, EveryPlaneHasTheOwnerWhoseRangeHoldsIt) {
  const RowCut cut{{PlaneRange().begin, -4, -4, 0, 9, PlaneRange().end}}; // part 1 is empty
  for (std::int64_t plane = -10; plane < 20; ++plane) {
    EXPECT_TRUE(cut.part(cut.owner(plane)).contains(plane)) << plane;
  }
  EXPECT_EQ(cut.owner(PlaneRange().begin), 0);
  EXPECT_EQ(cut.owner(PlaneRange().end - 1), 4);
}

TEST(RowCut, CountsNearTheLimitDoNotOverflow) {
  const std::int64_t huge = std::int64_t{1} << 59;
  const PlaneCounts counts{0, 1, std::vector<std::int64_t>(8, huge)};
  const RowCut cut = balancedCut(counts, 4);
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(cellsIn(counts, cut.part(k)), 2 * huge);
  }
}

TEST(RowCut, EqualSharesPartitionTheRange) {
  for (const int parts : {1, 2, 3, 5, 8}) {
    for (const std::int64_t planes : {0, 1, 4, 17}) {
      const PlaneRange range{-3, -3 + planes};
      std::int64_t next = range.begin;
      for (int k = 0; k < parts; ++k) {
        const PlaneRange share = equalShare(range, k, parts);
        EXPECT_EQ(share.begin, next);
        EXPECT_GE(share.end - share.begin, planes / parts);
        EXPECT_LE(share.end - share.begin, planes / parts + 1);
        next = share.end;
      }
      EXPECT_EQ(next, range.end);
    }
  }
}

} // namespace
} // namespace spanwise::testing
