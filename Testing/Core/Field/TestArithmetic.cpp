#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Region.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <limits>

namespace spanwise::testing {
namespace {

template <class Space>
class FieldArithmetic : public ::testing::Test {};
TYPED_TEST_SUITE(FieldArithmetic, AllSpaces, SpaceNames);

template <class Call>
void forEachType(const Call& call) {
  call(float{});
  call(double{});
  call(std::int32_t{});
  call(std::int64_t{});
  call(std::uint8_t{});
}

// All operations on all cells, or on those whose flag is set.
template <class Space, class T>
void expectOperations(std::mt19937& random, std::size_t numCells, int numComponents,
  const Within<typename Space::memory_space>& within, const std::vector<bool>& inside) {
  const Space space;
  const ValueLists<T> x = randomValues<T>(random, numCells, numComponents);
  const ValueLists<T> y = randomValues<T>(random, numCells, numComponents);
  const auto expect = [&](const FieldOn<T, Space>& field, const ValueLists<T>& before, const auto& operation) {
    ValueLists<T> expected = before;
    for (std::size_t c = 0; c < expected.size(); ++c) {
      for (std::size_t k = 0; k < numCells; ++k) {
        if (inside[k]) {
          expected[c][k] = static_cast<T>(operation(x[c][k], y[c][k]));
        }
      }
    }
    EXPECT_EQ(valuesOf(field), expected);
  };
  const auto fieldX = fieldOn<Space>("x", x);
  auto out = fieldOn<Space>("out", x);
  fill(Context(space), out, T{7}, within);
  expect(out, x, [](T, T) { return 7; });
  out = fieldOn<Space>("out", x);
  scale(Context(space), T{3}, out, within);
  expect(out, x, [](T a, T) { return a * 3; });
  out = fieldOn<Space>("out", y);
  copyValues(Context(space), fieldX, out, within);
  expect(out, y, [](T a, T) { return a; });
  out = fieldOn<Space>("out", y);
  axpy(Context(space), T{2}, fieldX, out, within);
  expect(out, y, [](T a, T b) { return 2 * a + b; });
  const auto fieldY = fieldOn<Space>("y", y);
  add(Context(space), fieldX, fieldY, out = fieldOn<Space>("out", y), within);
  expect(out, y, [](T a, T b) { return a + b; });
  multiply(Context(space), fieldX, fieldY, out = fieldOn<Space>("out", y), within);
  expect(out, y, [](T a, T b) { return a * b; });
  out = fieldOn<Space>("out", x);
  add(Context(space), out, fieldY, out, within); // in place
  expect(out, x, [](T a, T b) { return a + b; });
}

TYPED_TEST(FieldArithmetic, IsThatOfEachValue) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const std::size_t numCells : {0U, 1U, 1000U, 40000U}) {
    forEachType(
      [&]<class T>(T) { expectOperations<TypeParam, T>(random, numCells, 2, {}, std::vector<bool>(numCells, true)); });
  }
}

template <class Space, int Dim>
void expectOperationsWithin(std::mt19937& random, Coordinate extent, double densityOfSet, double densityOfRegion) {
  const CellList<Dim> cells = randomCells<Dim>(random, extent, densityOfSet);
  const CellList<Dim> region = randomCells<Dim>(random, extent + 2, densityOfRegion);
  std::vector<bool> inside;
  for (const Cell<Dim>& cell : cells) {
    inside.push_back(region.contains(cell));
  }
  const Context<Space> context;
  RegionOn<Dim, Space> seen(toSet<Space, Dim>(region));
  const auto set = toSet<Space, Dim>(cells);
  expectOperations<Space, double>(random, cells.size(), 3, seen.in(context, set), inside);
  expectOperations<Space, std::int64_t>(random, cells.size(), 1, seen.in(context, set), inside);
}

TYPED_TEST(FieldArithmetic, LeavesWhatIsOutsideOfARegion) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const double density : {0.03, 0.5, 0.97}) {
    expectOperationsWithin<TypeParam, 2>(random, 40, 0.8, density);
    expectOperationsWithin<TypeParam, 3>(random, 9, 0.4, density);
  }
  expectOperationsWithin<TypeParam, 2>(random, 120, 1.0, 1.0); // one long run a row
  expectOperationsWithin<TypeParam, 2>(random, 5, 0.5, 0.0);
  expectOperationsWithin<TypeParam, 3>(random, 5, 0.0, 0.5);
}

TYPED_TEST(FieldArithmetic, OfIntegersIsModuloTheirRange) {
  const TypeParam space;
  auto x = fieldOn<TypeParam, std::int32_t>("x", {{std::numeric_limits<std::int32_t>::max(), -5}});
  axpy(Context(space), 1, fieldOn<TypeParam, std::int32_t>("one", {{1, 1}}), x);
  EXPECT_EQ(valuesOf(x).front(), (std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min(), -4}));
  auto bytes = fieldOn<TypeParam, std::uint8_t>("bytes", {{200}});
  scale(Context(space), 2, bytes);
  EXPECT_EQ(valuesOf(bytes).front().front(), 144);
  auto wide = fieldOn<TypeParam, std::int64_t>("wide", {{std::int64_t{1} << 62}});
  scale(Context(space), 4, wide);
  EXPECT_EQ(valuesOf(wide).front().front(), 0);
}

TYPED_TEST(FieldArithmetic, RefusesFieldsThatDoNotFit) {
  const TypeParam space;
  const Context context(space);
  const FieldOn<double, TypeParam> x("x", 5);
  FieldOn<double, TypeParam> longer("longer", 6);
  FieldOn<double, TypeParam> wider("wider", 5, 2);
  EXPECT_TRUE(contains(messageOf([&] { copyValues(context, x, longer); }), "'longer' has 6 cells, field 'x' 5"));
  EXPECT_TRUE(contains(messageOf([&] { axpy(context, 1.0, x, wider); }), "'wider' has 2 components, field 'x' 1"));
  EXPECT_TRUE(contains(messageOf([&] { add(context, x, x, wider); }), "components"));
  EXPECT_TRUE(contains(messageOf([&] { multiply(context, x, longer, longer); }), "cells"));
  RegionOn<2, TypeParam> region(toSet<TypeParam, 2>({{{0, 0}}}));
  const auto& cells = region.in(context, toSet<TypeParam, 2>({{{0, 0}}, {{1, 0}}}));
  EXPECT_TRUE(
    contains(messageOf([&] { fill(context, longer, 1.0, cells); }), "'longer' has 6 cells, the set that the"));
}

} // namespace
} // namespace spanwise::testing
