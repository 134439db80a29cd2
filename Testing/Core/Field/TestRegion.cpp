#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/FieldAccessor.hpp"
#include "Core/Field/Region.hpp"
#include "Core/Field/Remap.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class Regions : public ::testing::Test {};
TYPED_TEST_SUITE(Regions, AllSpaces, SpaceNames);

TYPED_TEST(Regions, FollowTheGeometry) {
  const TypeParam space;
  Workspace<typename TypeParam::memory_space> workspace;
  IntervalSetOn<2, TypeParam> inlet;
  makeBox<TypeParam, 2>(space, {{0, 0}, {2, 100}}, inlet);
  RegionOn<2, TypeParam> region(inlet);
  IntervalSetOn<2, TypeParam> set;
  makeBox<TypeParam, 2>(space, {{-5, 0}, {10, 10}}, set);
  EXPECT_EQ(region.in(space, set, workspace).numCells(), 20);

  const CellRun* const found = region.in(space, set, workspace).runs().data();
  IntervalSetOn<2, TypeParam> same = set;
  EXPECT_EQ(region.in(space, same, workspace).runs().data(), found); // the same arrays: nothing is found again
  EXPECT_EQ(region.in(space, same, workspace).numCells(), 20);

  makeBox<TypeParam, 2>(space, {{-5, 0}, {1, 20}}, set); // written while the region knows it
  EXPECT_EQ(region.in(space, set, workspace).numCells(), 20);
  EXPECT_EQ(region.in(space, set, workspace).numCellsOfA(), 120);
  EXPECT_EQ(region.in(space, same, workspace).numCellsOfA(), 150);
  set.clear();
  EXPECT_EQ(region.in(space, set, workspace).numCells(), 0);
}

TYPED_TEST(Regions, LetGoOfASetThatIsForgotten) {
  const TypeParam space;
  Workspace<typename TypeParam::memory_space> workspace;
  IntervalSetOn<2, TypeParam> set;
  makeBox<TypeParam, 2>(space, {{0, 0}, {10, 10}}, set);
  RegionOn<2, TypeParam> region(toSet<TypeParam, 2>({{{1, 1}}}));
  region.in(space, set, workspace);
  region.forget();
  const Interval* const before = set.view().intervals;
  makeBox<TypeParam, 2>(space, {{0, 0}, {9, 9}}, set);
  EXPECT_EQ(set.view().intervals, before); // its memory is its own again
  EXPECT_EQ(region.in(space, set, workspace).numCells(), 1);
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
  Workspace<typename Space::memory_space> workspace;
  spanwise::CommonCells<typename Space::memory_space> common;
  commonCells<Space, Dim>(space, toSet<Space, Dim>(from), toSet<Space, Dim>(to), common, workspace);
  auto field = fieldOn<Space>("u", values);
  FieldOn<float, Space> out;
  remap(space, common, field, -77.0F, out);
  EXPECT_EQ(out.name(), "u");
  EXPECT_EQ(valuesOf(out), expected);
  extract(space, common, field, out);
  EXPECT_EQ(valuesOf(out), shared);
  fill(space, out = FieldOn<float, Space>("target", common.numCellsOfB(), 2), -77.0F);
  copyCommon(space, common, field, out);
  EXPECT_EQ(out.name(), "target");
  EXPECT_EQ(valuesOf(out), expected);
  remap(space, common, field, -77.0F, field); // onto itself
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
  Workspace<typename TypeParam::memory_space> workspace;
  const CellList<3> cells = randomCells<3>(random, 6, 0.5);
  const auto a = toSet<TypeParam, 3>(cells);
  const auto b = toSet<TypeParam, 3>(randomCells<3>(random, 6, 0.5));
  IntervalSetOn<3, TypeParam> both;
  combine<TypeParam, 3>(space, SetOperation::Union, a, b, both, workspace);
  spanwise::CommonCells<typename TypeParam::memory_space> there;
  spanwise::CommonCells<typename TypeParam::memory_space> back;
  commonCells<TypeParam, 3>(space, a, both, there, workspace);
  commonCells<TypeParam, 3>(space, both, a, back, workspace);
  const ValueLists<std::int64_t> values = randomValues<std::int64_t>(random, cells.size(), 1);
  FieldOn<std::int64_t, TypeParam> field = fieldOn<TypeParam>("n", values);
  remap(space, there, field, -1, field);
  EXPECT_EQ(field.numCells(), both.numCells());
  remap(space, back, field, -2, field);
  EXPECT_EQ(valuesOf(field), values);
}

TYPED_TEST(Regions, RemapRefusesAFieldOfAnotherSet) {
  const TypeParam space;
  Workspace<typename TypeParam::memory_space> workspace;
  const auto set = toSet<TypeParam, 2>({{{0, 0}}, {{4, 0}}});
  spanwise::CommonCells<typename TypeParam::memory_space> common;
  commonCells<TypeParam, 2>(space, set, set, common, workspace);
  FieldOn<int, TypeParam> out;
  const FieldOn<int, TypeParam> field("n", 3);
  EXPECT_TRUE(contains(messageOf([&] { remap(space, common, field, 0, out); }), "'n' has 3 cells, its set 2"));
  EXPECT_TRUE(contains(messageOf([&] { extract(space, common, field, out); }), "'n' has 3 cells, its set 2"));
  const FieldOn<int, TypeParam> fits("fits", 2);
  out.resize(2, 2);
  EXPECT_TRUE(contains(messageOf([&] { copyCommon(space, common, fits, out); }), "has 2 components; it must have 1"));
}

template <class Space>
struct ReadThroughSet {
  FieldAccessor<2, const int> values;
  int* found;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Interval interval = values.set.intervals[i];
    const Coordinate y = values.set.rowKeys[values.set.rowOfInterval(i)].y;
    for (Coordinate x = interval.begin; x < interval.end; ++x) {
      const int* const byCell = values.find({{x, y}}, 1);
      const bool same = byCell != nullptr && *byCell == values.at(i, x, 1);
      found[values.set.cellOffsets[i] + (x - interval.begin)] = same ? *byCell : -1;
    }
    if (values.find({{interval.end, y}}) != nullptr || values.find({{interval.begin - 1, y}}) != nullptr) {
      found[values.set.cellOffsets[i]] = -2;
    }
  }
};

TYPED_TEST(Regions, AccessorFindsValuesByIntervalAndByCoordinates) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const CellList<2> cells = randomCells<2>(random, 20, 0.6);
  const auto set = toSet<TypeParam, 2>(cells);
  std::vector<int> numbers(cells.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    numbers[k] = static_cast<int>(k);
  }
  const auto field = fieldOn<TypeParam, int>("n", {numbers, numbers});
  FieldOn<int, TypeParam> found("found", field.numCells());
  Kokkos::parallel_for("read", IndexRange<TypeParam>(TypeParam(), 0, set.numIntervals()),
    ReadThroughSet<TypeParam>{{set.view(), field.view()}, found.view().values});
  EXPECT_EQ(valuesOf(found).front(), numbers);
}

} // namespace
} // namespace spanwise::testing
