#include "Core/Geometry/CommonCells.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class CommonCells : public ::testing::Test {};
TYPED_TEST_SUITE(CommonCells, AllSpaces, SpaceNames);

struct FindSegment {
  SegmentsView segments;
  std::int64_t* found;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const { found[k] = segments.segmentOf(k); }
};

template <class Space>
std::vector<std::int64_t> segmentsOfCells(const SegmentsView& segments) {
  const Kokkos::View<std::int64_t*, typename Space::memory_space> found(
    "Testing::found", static_cast<std::size_t>(segments.numCells));
  Kokkos::parallel_for("find", IndexRange<Space>(Space(), 0, segments.numCells), FindSegment{segments, found.data()});
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  return {host.data(), host.data() + host.extent(0)};
}

std::vector<std::int64_t> expectedSegments(const std::vector<std::int64_t>& firsts, std::int64_t cells) {
  std::vector<std::int64_t> result;
  for (std::size_t s = 0; s < firsts.size(); ++s) {
    result.resize(
      static_cast<std::size_t>(s + 1 < firsts.size() ? firsts[s + 1] : cells), static_cast<std::int64_t>(s));
  }
  return result;
}

template <class Space, int Dim>
void expectRuns(const CellList<Dim>& a, const CellList<Dim>& b) {
  const auto runs = Kokkos::create_mirror_view_and_copy(
    Kokkos::HostSpace(), commonCells<Space, Dim>(Context<Space>(), toSet<Space, Dim>(a), toSet<Space, Dim>(b)));
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
  EXPECT_EQ((commonCells<TypeParam, 2>(Context<TypeParam>(), set, set).extent(0)),
    static_cast<std::size_t>(set.numIntervals()));
}

TYPED_TEST(CommonCells, AreNumberedAsTheCellsOfTheIntersection) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Context<TypeParam> context;
  geometry::CommonCells<typename TypeParam::memory_space> common;
  const CellList<2> wide = randomCells<2>(random, 40, 0.98); // long runs and many short ones, and memory used again
  for (const double density : {0.9, 0.02, 0.5}) {
    const CellList<2> a = randomCells<2>(random, 40, density);
    commonCells<TypeParam, 2>(context, toSet<TypeParam, 2>(a), toSet<TypeParam, 2>(wide), common);
    EXPECT_EQ(common.numCellsOfA(), static_cast<std::int64_t>(a.size()));
    EXPECT_EQ(common.numCellsOfB(), static_cast<std::int64_t>(wide.size()));
    const auto runs = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), common.runs());
    std::vector<std::int64_t> firsts;
    std::int64_t cells = 0;
    for (std::size_t k = 0; k < runs.extent(0); ++k) {
      firsts.push_back(cells);
      cells += runs(k).count;
    }
    EXPECT_EQ(common.numCells(), cells);
    EXPECT_EQ(segmentsOfCells<TypeParam>(common.segments()), expectedSegments(firsts, cells));
  }
}

TYPED_TEST(CommonCells, OfNothingIsNothing) {
  expectRuns<TypeParam, 2>({}, {});
  expectRuns<TypeParam, 2>({{{0, 0}}}, {});
  expectRuns<TypeParam, 2>({}, {{{0, 0}}});
  expectRuns<TypeParam, 3>({{{0, 0, 1}}}, {{{0, 0, 2}}});
}

} // namespace
} // namespace spanwise::testing
