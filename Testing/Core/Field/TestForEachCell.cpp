#include "Core/Field/ForEachCell.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <random>

namespace spanwise::testing {

/// Notes where a cell is, and how often it was asked for.
template <int Dim, class Space>
struct NoteCell {
  Kokkos::View<Cell<Dim>*, typename Space::memory_space> cells;
  Kokkos::View<int*, typename Space::memory_space> visits;
  KOKKOS_FUNCTION void operator()(std::int64_t number, const Cell<Dim>& cell) const {
    cells(static_cast<std::size_t>(number)) = cell;
    Kokkos::atomic_inc(&visits(static_cast<std::size_t>(number)));
  }
};

namespace {

template <class Space>
class EachCell : public ::testing::Test {
protected:
  template <int Dim>
  void expectAll(const IntervalSetOn<Dim, Space>& set, const CellList<Dim>& expected) {
    const Space space;
    const auto count = static_cast<std::size_t>(set.numCells());
    const Kokkos::View<Cell<Dim>*, typename Space::memory_space> cells("Testing::cells", count);
    const Kokkos::View<int*, typename Space::memory_space> visits("Testing::visits", count);
    forEachCell<Space, Dim>(space, SPANWISE_KERNEL("note cells"), set, NoteCell<Dim, Space>{cells, visits});
    space.fence();
    const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), cells);
    const auto times = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), visits);
    ASSERT_EQ(count, expected.size());
    std::size_t k = 0;
    for (const Cell<Dim>& cell : expected) { // in the order of their numbers
      EXPECT_EQ(times(k), 1);
      for (int d = 0; d < Dim; ++d) {
        ASSERT_EQ(found(k).at[d], cell.at[d]) << "cell " << k << ", axis " << d;
      }
      ++k;
    }
  }

  template <int Dim>
  void expectAllOfRandomSets() {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    std::mt19937 random(seed());
    for (const double density : {0.0, 0.1, 0.5, 0.9, 1.0}) {
      const CellList<Dim> cells = randomCells<Dim>(random, 6, density);
      this->template expectAll<Dim>(toSet<Space, Dim>(cells), cells);
    }
  }
};
TYPED_TEST_SUITE(EachCell, AllSpaces, SpaceNames);

TYPED_TEST(EachCell, IsVisitedOnceIn2D) { this->template expectAllOfRandomSets<2>(); }
TYPED_TEST(EachCell, IsVisitedOnceIn3D) { this->template expectAllOfRandomSets<3>(); }

/// Threads share what is more than a block; blocks begin and end within intervals.
TYPED_TEST(EachCell, IsVisitedOnceInManyBlocks) {
  shareLittleWork();
  IntervalSetOn<2, TypeParam> box;
  makeBox<TypeParam, 2>(Context<TypeParam>(), {{-7, 3}, {20000, 7}}, box);
  CellList<2> cells;
  for (Coordinate y = 3; y < 7; ++y) {
    for (Coordinate x = -7; x < 20000; ++x) {
      cells.insert({{x, y}});
    }
  }
  this->template expectAll<2>(box, cells);
}

} // namespace
} // namespace spanwise::testing
