#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class Copy : public ::testing::Test {};
TYPED_TEST_SUITE(Copy, AllSpaces, SpaceNames);

TYPED_TEST(Copy, ThereAndBackIsTheSameSet) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const CellList<3> cells = randomCells<3>(random, 6, 0.5);
  IntervalSetOn<3, TypeParam> there;
  copy(toHostSet<3>(cells), there);
  HostIntervalSet<3> back;
  copy(there, back);
  EXPECT_TRUE(toCells(back) == cells);
  EXPECT_EQ(validate(Context<HostExecutionSpace>(), back), "");
}

TYPED_TEST(Copy, OfASetOntoItsOwnSharedArraysIsRight) {
  std::mt19937 random(seed());
  const CellList<2> cells = randomCells<2>(random, 6, 0.5);
  const auto set = toSet<TypeParam, 2>(cells);
  IntervalSetOn<2, TypeParam> alias = set;
  copy(set, alias);
  expectCells<TypeParam, 2>(alias, cells);
  EXPECT_NE(alias.view().intervals, set.view().intervals);
}

TYPED_TEST(Copy, OfASetOntoItselfIsRight) {
  std::mt19937 random(seed());
  const CellList<2> cells = randomCells<2>(random, 6, 0.5);
  auto set = toSet<TypeParam, 2>(cells);
  copy(set, set);
  expectCells<TypeParam, 2>(set, cells);
}

TYPED_TEST(Copy, CompactedKeepsNothingInReserve) {
  std::mt19937 random(seed());
  const CellList<2> cells = randomCells<2>(random, 6, 0.5);
  auto set = toSet<TypeParam, 2>(cells);
  IntervalSetOn<2, TypeParam> roomy;
  roomy.prepare(100000, 100000);
  roomy.clear();
  copy(set, roomy);
  EXPECT_GT(roomy.bytes(), 1000000U);
  const auto slim = compacted(roomy);
  EXPECT_LE(slim.bytes(), slim.bytesUsed() + 64);
  expectCells<TypeParam, 2>(slim, cells);
}

TYPED_TEST(Copy, CompactedMovesNothingLargeOnTheHost) {
  const auto comb = [](std::int64_t numRows) { // of 512 intervals a row
    std::vector<RowKey<2>> keys;
    std::vector<std::int64_t> offsets{0};
    std::vector<Interval> intervals;
    for (std::int64_t r = 0; r < numRows; ++r) {
      keys.push_back({static_cast<Coordinate>(r)});
      for (Coordinate k = 0; k < 512; ++k) {
        intervals.push_back({3 * k, 3 * k + 1 + static_cast<Coordinate>(r % 2)});
      }
      offsets.push_back(static_cast<std::int64_t>(intervals.size()));
    }
    IntervalSetOn<2, TypeParam> set;
    copy(fromArrays<2>(keys, offsets, intervals), set);
    return set;
  };
  const Context<TypeParam> context;
  const auto set = comb(1000); // 8 MB
  IntervalSetOn<2, TypeParam> roomy;
  roomy.prepare(2 * set.numRows(), 2 * set.numIntervals());
  copy(set, roomy);
  auto slim = compacted(roomy);
  EXPECT_LE(slim.bytes(), slim.bytesUsed() + 64);
  EXPECT_EQ(slim.view().intervals == roomy.view().intervals, runsOnHost<TypeParam>);
  EXPECT_TRUE((equal<TypeParam, 2>(context, slim, set)));
  // Who writes one of them does not change the other.
  const auto other = comb(700);
  copy(other, roomy);
  EXPECT_TRUE((equal<TypeParam, 2>(context, slim, set)));
  EXPECT_TRUE((equal<TypeParam, 2>(context, roomy, other)));
  copy(other, slim);
  EXPECT_TRUE((equal<TypeParam, 2>(context, slim, other)));
}

TEST(FromArrays, NamesTheBrokenRule) {
  try {
    fromArrays<2>({{4}}, {0, 2}, {{0, 3}, {3, 5}});
    FAIL() << "touching intervals were accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("touches"), std::string::npos) << error.what();
  }
}

TEST(FromArrays, TakesAnEmptySet) {
  EXPECT_TRUE(fromArrays<3>({}, {}, {}).empty());
  EXPECT_TRUE(fromArrays<3>({}, {0}, {}).empty());
}

TEST(Memory, GeometryTakesSixteenBytesAnIntervalAndSixteenARow) {
  std::mt19937 random(seed());
  const auto set3 = toHostSet<3>(randomCells<3>(random, 16, 0.5));
  EXPECT_LE(set3.bytes(), static_cast<std::size_t>(16 * set3.numIntervals() + 16 * set3.numRows() + 64));
  const auto set2 = toHostSet<2>(randomCells<2>(random, 64, 0.5));
  EXPECT_LE(set2.bytes(), static_cast<std::size_t>(16 * set2.numIntervals() + 12 * set2.numRows() + 64));
}

} // namespace
} // namespace spanwise::testing
