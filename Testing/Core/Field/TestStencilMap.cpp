#include "Core/Field/Stencil.hpp"
#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Field/ReferenceValues.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <optional>

namespace spanwise::testing {
namespace {

template <class Space>
class StencilMaps : public ::testing::Test {};
TYPED_TEST_SUITE(StencilMaps, AllSpaces, SpaceNames);

// Every neighbour has a weight of its own, so that none can stand for another. Whole numbers: sums are exact.
template <class Pattern>
struct WeighNeighbours {
  KOKKOS_FUNCTION double operator()(const StencilPoint<Pattern, double>& p) const {
    double sum = 1000.0 * p.centre();
    for (int n = 0; n < Pattern::count; ++n) {
      sum += (n + 1) * (n + 3) * p.neighbour(n);
    }
    return sum;
  }
};

template <class Space, class Pattern>
void expectStencil(std::mt19937& random, const CellList<Pattern::dimension>& cells,
  const Boundary<Pattern::dimension>& boundary, const CellList<Pattern::dimension>* region = nullptr) {
  constexpr int Dim = Pattern::dimension;
  const Space space;
  const double outside = 12345.0;
  const ValueLists<double> in = randomValues<double>(random, cells.size(), 1);
  const ReferenceValues<Dim> values(cells, in.front(), boundary, outside);
  ValueLists<double> expected(1, std::vector<double>(cells.size(), -1.0));
  std::int64_t applied = 0;
  std::size_t k = 0;
  for (const Cell<Dim>& cell : cells) {
    double sum = 1000.0 * in.front()[k];
    bool complete = region == nullptr || region->contains(cell);
    for (int n = 0; n < Pattern::count && complete; ++n) {
      const auto value = values.at(cell, {Pattern::offset(n, 0), Pattern::offset(n, 1), Pattern::offset(n, 2)});
      complete = value.has_value();
      sum += (n + 1) * (n + 3) * value.value_or(0.0);
    }
    if (complete) {
      expected.front()[k] = sum;
      ++applied;
    }
    ++k;
  }
  const Context context(space);
  const auto set = toSet<Space, Dim>(cells);
  StencilMapOn<Pattern, Space> map;
  std::optional<RegionOn<Dim, Space>> seen;
  Within<typename Space::memory_space> within;
  if (region != nullptr) {
    seen.emplace(toSet<Space, Dim>(*region));
    within = seen->in(context, set);
  }
  buildStencilMap<Pattern, Space>(context, set, boundary, map, within);
  EXPECT_EQ(map.numCells(), applied);
  EXPECT_EQ(map.numCellsOfSet(), set.numCells());
  const auto field = fieldOn<Space>("in", in);
  auto out = fieldOn<Space>("out", ValueLists<double>(1, std::vector<double>(cells.size(), -1.0)));
  applyStencil<Space, Pattern, double>(space, map, field, outside, WeighNeighbours<Pattern>{}, out);
  EXPECT_EQ(valuesOf(out), expected);
}

template <class Space, class Pattern>
void expectAllPolicies(std::mt19937& random, Coordinate extent, double density) {
  constexpr int Dim = Pattern::dimension;
  const CellList<Dim> cells = randomCells<Dim>(random, extent, density);
  const CellList<Dim> region = randomCells<Dim>(random, extent, 0.5);
  Box<Dim> all{};
  Box<Dim> alongLast{};
  for (int axis = 0; axis < Dim; ++axis) {
    all.begin[axis] = -extent;
    all.end[axis] = extent;
  }
  alongLast.begin[Dim - 1] = -extent;
  alongLast.end[Dim - 1] = extent;
  for (const Boundary<Dim>& boundary :
    {Boundary<Dim>{BoundaryPolicy::Value}, Boundary<Dim>{BoundaryPolicy::Mirror}, Boundary<Dim>{BoundaryPolicy::Skip},
      Boundary<Dim>{BoundaryPolicy::Periodic, all}, Boundary<Dim>{BoundaryPolicy::Periodic, alongLast}}) {
    SCOPED_TRACE("policy " + std::to_string(static_cast<int>(boundary.policy)));
    expectStencil<Space, Pattern>(random, cells, boundary);
    expectStencil<Space, Pattern>(random, cells, boundary, &region);
  }
}

template <class Space, class Pattern>
void expectPattern() {
  constexpr Coordinate extent = Pattern::dimension == 2 ? 9 : 4;
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const double density : {0.0, 0.2, 0.7, 0.97, 1.0}) {
    SCOPED_TRACE("density " + std::to_string(density));
    expectAllPolicies<Space, Pattern>(random, extent, density);
  }
  expectAllPolicies<Space, Pattern>(random, 1, 1.0); // a period shorter than a star is wide
}

TYPED_TEST(StencilMaps, FaceNeighboursAreThoseOfEachCell) {
  expectPattern<TypeParam, FacePattern<2>>();
  expectPattern<TypeParam, FacePattern<3>>();
}
TYPED_TEST(StencilMaps, LowerFaceNeighboursAreThoseOfEachCell) {
  expectPattern<TypeParam, LowerFacePattern<2>>();
  expectPattern<TypeParam, LowerFacePattern<3>>();
}
TYPED_TEST(StencilMaps, FullNeighbourhoodsAreThoseOfEachCell) {
  expectPattern<TypeParam, BoxPattern<2>>();
  expectPattern<TypeParam, BoxPattern<3>>();
  expectPattern<TypeParam, EdgePattern>();
}
TYPED_TEST(StencilMaps, WideStarsAreThoseOfEachCell) {
  expectPattern<TypeParam, StarPattern<2, 2>>();
  expectPattern<TypeParam, StarPattern<3, 2>>();
  expectPattern<TypeParam, StarPattern<2, 4>>();
  expectPattern<TypeParam, StarPattern<3, 3>>();
}

TYPED_TEST(StencilMaps, LongIntervalsAreCutInEqualPieces) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  CellList<2> cells;
  for (Coordinate x = -2000; x < 3000; ++x) {
    cells.insert({{x, 0}});
    if (x % 777 != 0) {
      cells.insert({{x, 1}});
    }
  }
  expectStencil<TypeParam, FacePattern<2>>(random, cells, {BoundaryPolicy::Value});
  expectStencil<TypeParam, BoxPattern<2>>(random, cells, {BoundaryPolicy::Mirror});
  expectStencil<TypeParam, StarPattern<2, 3>>(random, cells, {BoundaryPolicy::Periodic, {{-2000, 0}, {3000, 2}}});
}

TYPED_TEST(StencilMaps, HoldAtTheLimitsOfCoordinates) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  CellList<2> cells;
  for (Coordinate y = 0; y < 3; ++y) {
    for (Coordinate x = 0; x < 5; ++x) {
      cells.insert({{minCoordinate + x, minCoordinate + y}});
      cells.insert({{maxRowKey - x, maxRowKey - y}});
    }
  }
  for (const BoundaryPolicy policy : {BoundaryPolicy::Value, BoundaryPolicy::Mirror, BoundaryPolicy::Skip}) {
    expectStencil<TypeParam, BoxPattern<2>>(random, cells, {policy});
    expectStencil<TypeParam, StarPattern<2, 4>>(random, cells, {policy});
  }
  const Boundary<2> torus{BoundaryPolicy::Periodic, {{minCoordinate, minCoordinate}, {maxIntervalEnd, maxIntervalEnd}}};
  expectStencil<TypeParam, BoxPattern<2>>(random, cells, torus);
  expectStencil<TypeParam, StarPattern<2, 4>>(random, cells, torus);
  CellList<3> corner;
  corner.insert({{minCoordinate, minCoordinate, minCoordinate}});
  corner.insert({{maxRowKey, maxRowKey, maxRowKey}});
  expectStencil<TypeParam, BoxPattern<3>>(random, corner, {BoundaryPolicy::Value});
}

TYPED_TEST(StencilMaps, OfABoxHaveThreeSegmentsARow) {
  const TypeParam space;
  const Context context(space);
  IntervalSetOn<3, TypeParam> box;
  makeBox<TypeParam, 3>(context, {{0, 0, 0}, {100, 10, 10}}, box);
  StencilMapOn<FacePattern<3>, TypeParam> map;
  buildStencilMap<FacePattern<3>, TypeParam>(context, box, {BoundaryPolicy::Value}, map);
  EXPECT_EQ(map.numSegments(), 3 * 100);
  buildStencilMap<FacePattern<3>, TypeParam>(context, box, {BoundaryPolicy::Skip}, map);
  EXPECT_EQ(map.numSegments(), 8 * 8);
  EXPECT_EQ(map.numCells(), 98 * 8 * 8);
}

TYPED_TEST(StencilMaps, RefuseWhatHasNoMeaning) {
  const TypeParam space;
  using Map = StencilMapOn<FacePattern<2>, TypeParam>;
  const Context context(space);
  Map map;
  const auto build = [&](const IntervalSetOn<2, TypeParam>& set, const Boundary<2>& boundary,
                       const Within<typename TypeParam::memory_space>& within = {}) {
    return messageOf([&] { buildStencilMap<FacePattern<2>, TypeParam>(context, set, boundary, map, within); });
  };
  const auto set = toSet<TypeParam, 2>({{{0, 0}}, {{7, 0}}});
  EXPECT_TRUE(contains(build(set, {BoundaryPolicy::Periodic, {}}), "empty along all axes"));
  EXPECT_TRUE(contains(build(set, {BoundaryPolicy::Periodic, {{0, 0}, {7, 1}}}), "does not hold all cells"));
  RegionOn<2, TypeParam> region(set);
  const auto& elsewhere = region.in(context, toSet<TypeParam, 2>({{{0, 0}}}));
  EXPECT_TRUE(contains(build(set, {}, elsewhere), "seen in a set of 1 cells; the stencil's set has 2"));

  // the row below has 2^31 cells: as far apart are the two cells at the left
  IntervalSetOn<2, TypeParam> wide;
  copy(fromArrays<2>({{0}, {1}}, {0, 1, 2}, {{minCoordinate, 0}, {minCoordinate, minCoordinate + 1}}), wide);
  EXPECT_TRUE(contains(build(wide, {}), "more than 2^31 - 64 apart"));
  EXPECT_EQ(map.numCells(), 0);
}

} // namespace
} // namespace spanwise::testing
