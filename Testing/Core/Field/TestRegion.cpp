#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Region.hpp"
#include "Core/Field/Remap.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class Regions : public ::testing::Test {};
TYPED_TEST_SUITE(Regions, AllSpaces, SpaceNames);

TYPED_TEST(Regions, FollowTheGeometry) {
  const TypeParam space;
  const Context context(space);
  IntervalSetOn<2, TypeParam> inlet;
  makeBox<TypeParam, 2>(context, {{0, 0}, {2, 100}}, inlet);
  RegionOn<2, TypeParam> region(inlet);
  IntervalSetOn<2, TypeParam> set;
  makeBox<TypeParam, 2>(context, {{-5, 0}, {10, 10}}, set);
  EXPECT_EQ(region.in(context, set).numCells(), 20);

  const CellRun* const found = region.in(context, set).runs().data();
  IntervalSetOn<2, TypeParam> same = set;
  EXPECT_EQ(region.in(context, same).runs().data(), found); // the same arrays: nothing is found again
  EXPECT_EQ(region.in(context, same).numCells(), 20);

  makeBox<TypeParam, 2>(context, {{-5, 0}, {1, 20}}, set); // written while the region knows it
  EXPECT_EQ(region.in(context, set).numCells(), 20);
  EXPECT_EQ(region.in(context, set).numCellsOfA(), 120);
  EXPECT_EQ(region.in(context, same).numCellsOfA(), 150);
  set.clear();
  EXPECT_EQ(region.in(context, set).numCells(), 0);
}

TYPED_TEST(Regions, LetGoOfASetThatIsForgotten) {
  const TypeParam space;
  const Context context(space);
  IntervalSetOn<2, TypeParam> set;
  makeBox<TypeParam, 2>(context, {{0, 0}, {10, 10}}, set);
  RegionOn<2, TypeParam> region(toSet<TypeParam, 2>({{{1, 1}}}));
  region.in(context, set);
  region.forget();
  const Interval* const before = set.view().intervals;
  makeBox<TypeParam, 2>(context, {{0, 0}, {9, 9}}, set);
  EXPECT_EQ(set.view().intervals, before); // its memory is its own again
  EXPECT_EQ(region.in(context, set).numCells(), 1);
}

template <class Space, int Dim>
void expectRemap(std::mt19937& random, Coordinate extent, double density) {
  const CellList<Dim> from = randomCells<Dim>(random, extent, density);
  const CellList<Dim> to = randomCells<Dim>(random, extent, 0.6);
  const ValueLists<float> values = randomValues<float>(random, from.size(), 2);
  std::map<Cell<Dim>, std::vector<float>> byCell;
  std::size_t number = 0;
  for (const Cell<Dim>& cell : from) {
    byCell[cell] = {values[0][number], values[1][number]};
    ++number;
  }
  ValueLists<float> expected(2);
  ValueLists<float> shared(2);
  for (const Cell<Dim>& cell : to) {
    for (std::size_t c = 0; c < 2; ++c) {
      const bool there = byCell.contains(cell);
      expected[c].push_back(there ? byCell[cell][c] : -77.0F);
      if (there) {
        shared[c].push_back(byCell[cell][c]);
      }
    }
  }
  const Space space;
  const Context context(space);
  spanwise::geometry::CommonCells<typename Space::memory_space> common;
  commonCells<Space, Dim>(context, toSet<Space, Dim>(from), toSet<Space, Dim>(to), common);
  auto field = fieldOn<Space>("u", values);
  FieldOn<float, Space> out;
  remap(context, common, field, -77.0F, out);
  EXPECT_EQ(out.name(), "u");
  EXPECT_EQ(valuesOf(out), expected);
  extract(context, common, field, out);
  EXPECT_EQ(valuesOf(out), shared);
  fill(context, out = FieldOn<float, Space>("target", common.numCellsOfB(), 2), -77.0F);
  copyCommon(context, common, field, out);
  EXPECT_EQ(out.name(), "target");
  EXPECT_EQ(valuesOf(out), expected);
  remap(context, common, field, -77.0F, field); // onto itself
  EXPECT_EQ(valuesOf(field), expected);
}

TYPED_TEST(Regions, RemapCopiesTheOverlapAndSetsTheRest) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const double density : {0.0, 0.05, 0.6, 1.0}) {
    expectRemap<TypeParam, 2>(random, 25, density);
    expectRemap<TypeParam, 3>(random, 7, density);
  }
}

TYPED_TEST(Regions, RemapThereAndBackKeepsTheOverlap) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const TypeParam space;
  const Context context(space);
  const CellList<3> cells = randomCells<3>(random, 6, 0.5);
  const auto a = toSet<TypeParam, 3>(cells);
  const auto b = toSet<TypeParam, 3>(randomCells<3>(random, 6, 0.5));
  IntervalSetOn<3, TypeParam> both;
  combine<TypeParam, 3>(context, SetOperation::Union, a, b, both);
  spanwise::geometry::CommonCells<typename TypeParam::memory_space> there;
  spanwise::geometry::CommonCells<typename TypeParam::memory_space> back;
  commonCells<TypeParam, 3>(context, a, both, there);
  commonCells<TypeParam, 3>(context, both, a, back);
  const ValueLists<std::int64_t> values = randomValues<std::int64_t>(random, cells.size(), 1);
  FieldOn<std::int64_t, TypeParam> field = fieldOn<TypeParam>("n", values);
  remap(context, there, field, -1, field);
  EXPECT_EQ(field.numCells(), both.numCells());
  remap(context, back, field, -2, field);
  EXPECT_EQ(valuesOf(field), values);
}

TYPED_TEST(Regions, RemapRefusesAFieldOfAnotherSet) {
  const TypeParam space;
  const Context context(space);
  const auto set = toSet<TypeParam, 2>({{{0, 0}}, {{4, 0}}});
  spanwise::geometry::CommonCells<typename TypeParam::memory_space> common;
  commonCells<TypeParam, 2>(context, set, set, common);
  FieldOn<int, TypeParam> out;
  const FieldOn<int, TypeParam> field("n", 3);
  EXPECT_TRUE(contains(messageOf([&] { remap(context, common, field, 0, out); }), "'n' has 3 cells, its set 2"));
  EXPECT_TRUE(contains(messageOf([&] { extract(context, common, field, out); }), "'n' has 3 cells, its set 2"));
  const FieldOn<int, TypeParam> fits("fits", 2);
  out.resize(2, 2);
  EXPECT_TRUE(contains(messageOf([&] { copyCommon(context, common, fits, out); }), "has 2 components; it must have 1"));
}

} // namespace
} // namespace spanwise::testing
