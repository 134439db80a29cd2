#include "Core/Field/SpreadIntervals.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <random>

namespace spanwise::testing {
namespace {

template <class Space>
class SpreadIntervals : public ::testing::Test {};
TYPED_TEST_SUITE(SpreadIntervals, AllSpaces, SpaceNames);

template <class Space, int Dim>
void expectNumbersOnCells(std::mt19937& random, Coordinate extent, double share) {
  const HostIntervalSet<Dim> set = toHostSet<Dim>(randomCells<Dim>(random, extent, share));
  const IntervalSetView<Dim> view = set.view();
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> numbers("numbers", static_cast<std::size_t>(view.numIntervals));
  for (std::int64_t i = 0; i < view.numIntervals; ++i) {
    numbers(static_cast<std::size_t>(i)) = static_cast<std::int64_t>(random()) - 1000;
  }
  IntervalSetOn<Dim, Space> there;
  copy(set, there);
  const Context<Space> context;
  FieldOn<std::int64_t, Space> field;
  spreadIntervals<Space, Dim>(
    context, there, Kokkos::create_mirror_view_and_copy(typename Space::memory_space(), numbers), field);
  context.space().fence();
  HostField<std::int64_t> found;
  copy(field, found);
  ASSERT_EQ(found.numCells(), view.numCells);
  for (std::int64_t i = 0; i < view.numIntervals; ++i) {
    for (std::int64_t c = view.cellOffsets[i]; c < view.cellOffsets[i + 1]; ++c) {
      ASSERT_EQ(found.view()(c), numbers(static_cast<std::size_t>(i))) << "cell " << c;
    }
  }
}

TYPED_TEST(SpreadIntervals, GiveEachCellTheNumberOfItsInterval) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const double share : {0.0, 0.1, 0.5, 0.95}) {
    expectNumbersOnCells<TypeParam, 2>(random, 150, share); // more cells than a block of a loop has
    expectNumbersOnCells<TypeParam, 3>(random, 30, share);
  }
}

TYPED_TEST(SpreadIntervals, NeedOneNumberForEachInterval) {
  const CellList<2> cells{{{0, 0}}, {{2, 0}}};
  IntervalSetOn<2, TypeParam> set;
  copy(toHostSet<2>(cells), set);
  const Kokkos::View<std::int64_t*, typename TypeParam::memory_space> one("numbers", 1);
  FieldOn<std::int64_t, TypeParam> field;
  EXPECT_THROW((spreadIntervals<TypeParam, 2>(Context<TypeParam>(), set, one, field)), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
