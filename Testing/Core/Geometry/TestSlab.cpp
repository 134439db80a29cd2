#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class Slabs : public ::testing::Test {};
TYPED_TEST_SUITE(Slabs, AllSpaces, SpaceNames);

template <int Dim>
CellList<Dim> cellsIn(const CellList<Dim>& cells, const PlaneRange& planes) {
  CellList<Dim> result;
  for (const Cell<Dim>& cell : cells) {
    if (planes.contains(planeOf(cell.row()))) {
      result.insert(cell);
    }
  }
  return result;
}

template <class Space, int Dim>
void expectRestriction(Coordinate extent) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const CellList<Dim> cells = randomCells<Dim>(random, extent, 0.3);
  const auto set = toSet<Space, Dim>(cells);
  for (std::int64_t begin = -extent - 2; begin < extent + 2; ++begin) {
    for (std::int64_t end = begin - 1; end < extent + 2; ++end) {
      IntervalSetOn<Dim, Space> slab;
      restrictRows<Space, Dim>(Context<Space>(), set, {begin, end}, slab);
      expectCells<Space, Dim>(slab, cellsIn(cells, {begin, end}));
    }
  }
  IntervalSetOn<Dim, Space> all;
  restrictRows<Space, Dim>(Context<Space>(), set, {}, all);
  expectCells<Space, Dim>(all, cells);
}

TYPED_TEST(Slabs, RestrictRowsKeepsTheCellsOfThePlanes) {
  expectRestriction<TypeParam, 2>(8);
  expectRestriction<TypeParam, 3>(4);
}

TYPED_TEST(Slabs, TheSlabOfASetCanReplaceIt) {
  std::mt19937 random(seed());
  const CellList<3> cells = randomCells<3>(random, 5, 0.4);
  auto set = toSet<TypeParam, 3>(cells);
  restrictRows<TypeParam, 3>(Context<TypeParam>(), set, {-2, 3}, set);
  expectCells<TypeParam, 3>(set, cellsIn(cells, {-2, 3}));
}

TYPED_TEST(Slabs, NothingComesFromNothing) {
  IntervalSetOn<2, TypeParam> out;
  restrictRows<TypeParam, 2>(Context<TypeParam>(), {}, {}, out);
  EXPECT_TRUE(out.empty());
  EXPECT_TRUE((planesOf<TypeParam, 2>(Context<TypeParam>(), {}).empty()));
  EXPECT_EQ((slabOf<TypeParam, 2>(Context<TypeParam>(), {}, {}).numCells()), 0);
}

TYPED_TEST(Slabs, PlanesReachFromTheFirstRowToTheLast) {
  const auto set = toSet<TypeParam, 3>({{{0, 9, -4}}, {{5, 1, 3}}});
  EXPECT_EQ((planesOf<TypeParam, 3>(Context<TypeParam>(), set)), (PlaneRange{-4, 4}));
  const auto flat = toSet<TypeParam, 2>({{{0, minCoordinate}}, {{0, maxRowKey}}});
  EXPECT_EQ(
    (planesOf<TypeParam, 2>(Context<TypeParam>(), flat)), (PlaneRange{minCoordinate, std::int64_t{maxRowKey} + 1}));
}

TYPED_TEST(Slabs, ASlabsCellsAreContiguous) {
  const auto set = toSet<TypeParam, 2>({{{0, 0}}, {{1, 0}}, {{4, 0}}, {{0, 1}}, {{7, 3}}, {{8, 3}}});
  const Slab slab = slabOf<TypeParam, 2>(Context<TypeParam>(), set, {1, 4});
  EXPECT_EQ(slab.firstCell, 3);
  EXPECT_EQ(slab.endCell, 6);
  EXPECT_EQ(slab.firstInterval, 2);
  EXPECT_EQ(slab.endRow, 3);
}

TYPED_TEST(Slabs, CountsAreOfTheCellsOfEachPlane) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const CellList<3> cells = randomCells<3>(random, 6, 0.5);
  const auto set = toSet<TypeParam, 3>(cells);
  for (const std::int64_t width : {1, 2, 5}) {
    PlaneCounts counts{-6, width, std::vector<std::int64_t>(static_cast<std::size_t>((12 + width - 1) / width), 0)};
    countPlanes<TypeParam, 3>(Context<TypeParam>(), set, counts);
    for (std::size_t k = 0; k < counts.cells.size(); ++k) {
      const std::int64_t begin = counts.first + static_cast<std::int64_t>(k) * width;
      EXPECT_EQ(counts.cells[k], static_cast<std::int64_t>(cellsIn(cells, {begin, begin + width}).size()));
    }
  }
}

} // namespace
} // namespace spanwise::testing
