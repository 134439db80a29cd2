#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class Translate : public ::testing::Test {};
TYPED_TEST_SUITE(Translate, AllSpaces, SpaceNames);

TYPED_TEST(Translate, MovesEveryCell) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const CellList<3> cells = randomCells<3>(random, 5, 0.5);
  const Cell<3> offset{{-3, 100, -7}};
  CellList<3> expected;
  for (const Cell<3>& cell : cells) {
    expected.insert({{cell.at[0] - 3, cell.at[1] + 100, cell.at[2] - 7}});
  }
  auto set = toSet<TypeParam, 3>(cells);
  IntervalSetOn<3, TypeParam> out;
  translate<TypeParam, 3>(Context<TypeParam>(), set, offset, out);
  expectCells<TypeParam, 3>(out, expected);
  translate<TypeParam, 3>(Context<TypeParam>(), set, offset, set); // onto itself
  expectCells<TypeParam, 3>(set, expected);
}

TYPED_TEST(Translate, RefusesToLeaveTheCoordinateRange) {
  IntervalSetOn<2, TypeParam> set;
  makeBox<TypeParam, 2>(
    Context<TypeParam>(), {{minCoordinate + 1, maxRowKey - 1}, {maxIntervalEnd - 1, maxRowKey}}, set);
  IntervalSetOn<2, TypeParam> out;
  translate<TypeParam, 2>(Context<TypeParam>(), set, {{1, 1}}, out); // just fits
  EXPECT_EQ(validate(Context<TypeParam>(), out), "");
  translate<TypeParam, 2>(Context<TypeParam>(), set, {{-1, 0}}, out);
  EXPECT_THROW((translate<TypeParam, 2>(Context<TypeParam>(), set, {{2, 0}}, out)), CoordinateOverflow);
  EXPECT_THROW((translate<TypeParam, 2>(Context<TypeParam>(), set, {{-2, 0}}, out)), CoordinateOverflow);
  EXPECT_THROW((translate<TypeParam, 2>(Context<TypeParam>(), set, {{0, 2}}, out)), CoordinateOverflow);
}

TYPED_TEST(Translate, OfNothingIsNothing) {
  IntervalSetOn<2, TypeParam> out;
  translate<TypeParam, 2>(Context<TypeParam>(), {}, {{maxIntervalEnd, minCoordinate}}, out);
  EXPECT_TRUE(out.empty());
}

} // namespace
} // namespace spanwise::testing
