#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class Measures : public ::testing::Test {};
TYPED_TEST_SUITE(Measures, AllSpaces, SpaceNames);

TYPED_TEST(Measures, BoundingBoxIsTheLeastBox) {
  const auto set = toSet<TypeParam, 3>({{{-7, 4, 2}}, {{3, -9, 2}}, {{0, 0, 5}}});
  EXPECT_EQ((boundingBox<TypeParam, 3>(Context<TypeParam>(), set)), (Box<3>{{-7, -9, 2}, {4, 5, 6}}));
}

TYPED_TEST(Measures, BoundingBoxOfNothingIsEmpty) {
  EXPECT_TRUE((boundingBox<TypeParam, 2>(Context<TypeParam>(), {})).empty());
}

TYPED_TEST(Measures, EqualityIsOfCells) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const CellList<2> cells = randomCells<2>(random, 10, 0.5);
  const auto set = toSet<TypeParam, 2>(cells);
  EXPECT_TRUE((equal<TypeParam, 2>(Context<TypeParam>(), set, toSet<TypeParam, 2>(cells))));
  // the same counts, one cell elsewhere
  CellList<2> other = cells;
  const Cell<2> last = *other.rbegin();
  other.erase(last);
  other.insert({{last.x(), last.row().y + 100}});
  EXPECT_FALSE((equal<TypeParam, 2>(Context<TypeParam>(), set, toSet<TypeParam, 2>(other))));
  EXPECT_TRUE((equal<TypeParam, 2>(Context<TypeParam>(), {}, {})));
  EXPECT_FALSE((equal<TypeParam, 2>(Context<TypeParam>(), set, {})));
}

template <class Space, int Dim>
void expectLookup(Coordinate extent) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const CellList<Dim> inside = randomCells<Dim>(random, extent, 0.5);
  const auto set = toSet<Space, Dim>(inside);
  const CellList<Dim> asked = randomCells<Dim>(random, extent + 2, 1.1);

  using Memory = typename Space::memory_space;
  Kokkos::View<Cell<Dim>*, Memory> cells("cells", asked.size());
  Kokkos::View<std::int64_t*, Memory> numbers("numbers", asked.size());
  const auto hostCells = Kokkos::create_mirror_view(cells);
  std::copy(asked.begin(), asked.end(), hostCells.data());
  Kokkos::deep_copy(cells, hostCells);
  findCells<Space, Dim>(Context<Space>(), set, cells, numbers);
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), numbers);

  // Cells are numbered in their order.
  std::size_t k = 0;
  std::int64_t number = 0;
  for (const Cell<Dim>& cell : asked) {
    EXPECT_EQ(found(k++), inside.contains(cell) ? number++ : -1);
  }
}

TYPED_TEST(Measures, LookupFindsEveryCellAndNoOther) {
  expectLookup<TypeParam, 2>(20);
  expectLookup<TypeParam, 3>(6);
}

TEST(SetView, GoesFromCellsBackToIntervalsAndRows) {
  std::mt19937 random(seed());
  const auto set = toHostSet<3>(randomCells<3>(random, 5, 0.5));
  const IntervalSetView<3> view = set.view();
  for (std::int64_t r = 0; r < view.numRows; ++r) {
    for (std::int64_t i = view.rowOffsets[r]; i < view.rowOffsets[r + 1]; ++i) {
      EXPECT_EQ(view.rowOfInterval(i), r);
      for (std::int64_t c = view.cellOffsets[i]; c < view.cellOffsets[i + 1]; ++c) {
        EXPECT_EQ(view.intervalOfCell(c), i);
      }
    }
  }
}

} // namespace
} // namespace spanwise::testing
