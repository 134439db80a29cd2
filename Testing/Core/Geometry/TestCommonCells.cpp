#include "Core/Geometry/CommonCells.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class CommonCells : public ::testing::Test {};
TYPED_TEST_SUITE(CommonCells, AllSpaces, SpaceNames);

template <class Space, int Dim>
void expectRuns(const CellList<Dim>& a, const CellList<Dim>& b) {
  const auto runs = Kokkos::create_mirror_view_and_copy(
    Kokkos::HostSpace(), commonCells<Space, Dim>(Space(), toSet<Space, Dim>(a), toSet<Space, Dim>(b)));
  const std::vector<Cell<Dim>> cellsOfA(a.begin(), a.end());
  const std::vector<Cell<Dim>> cellsOfB(b.begin(), b.end());
  CellList<Dim> found;
  std::int64_t next = 0;
  for (std::size_t k = 0; k < runs.extent(0); ++k) {
    const CellRun run = runs(k);
    EXPECT_GT(run.count, 0);
    EXPECT_GE(run.a, next);
    next = run.a + run.count;
    for (std::int64_t c = 0; c < run.count; ++c) {
      const Cell<Dim> cell = cellsOfA[static_cast<std::size_t>(run.a + c)];
      EXPECT_EQ(cell, cellsOfB[static_cast<std::size_t>(run.b + c)]);
      found.insert(cell);
    }
  }
  CellList<Dim> expected;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(expected, expected.end()));
  EXPECT_TRUE(found == expected);
}

TYPED_TEST(CommonCells, AreTheIntersectionWithTheNumbersInBothSets) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const double density : {0.05, 0.5, 0.95}) {
    expectRuns<TypeParam, 2>(randomCells<2>(random, 15, density), randomCells<2>(random, 12, 0.6));
    expectRuns<TypeParam, 3>(randomCells<3>(random, 5, density), randomCells<3>(random, 6, 0.6));
  }
}

TYPED_TEST(CommonCells, OfEqualSetsIsOneRunAnInterval) {
  std::mt19937 random(seed());
  const auto set = toSet<TypeParam, 2>(randomCells<2>(random, 10, 0.5));
  EXPECT_EQ((commonCells<TypeParam, 2>(TypeParam(), set, set).extent(0)), static_cast<std::size_t>(set.numIntervals()));
}

TYPED_TEST(CommonCells, OfNothingIsNothing) {
  expectRuns<TypeParam, 2>({}, {});
  expectRuns<TypeParam, 2>({{{0, 0}}}, {});
  expectRuns<TypeParam, 2>({}, {{{0, 0}}});
  expectRuns<TypeParam, 3>({{{0, 0, 1}}}, {{{0, 0, 2}}});
}

} // namespace
} // namespace spanwise::testing
