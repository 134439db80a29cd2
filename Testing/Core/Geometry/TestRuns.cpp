// Sets from runs of cells in any order, and where the runs stand then.

#include "Core/Geometry/Builders/Runs.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Arrays.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>

namespace spanwise::testing {
namespace {

template <class Space>
class Runs : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};
  std::vector<std::int64_t> places;

  template <int Dim>
  IntervalSetOn<Dim, Space> setOf(const std::vector<RowRun<Dim>>& runs) {
    IntervalSetOn<Dim, Space> set;
    const Kokkos::View<std::int64_t*, typename Space::memory_space> found("Testing::places", runs.size());
    makeFromRuns<Space, Dim>(context, arrayOn<Space>(runs), set, found);
    space.fence();
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
    places.assign(host.data(), host.data() + host.extent(0));
    return set;
  }

  /// Cells of random sets, cut into runs and shuffled.
  template <int Dim>
  void checkRandom() {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    std::mt19937 random(seed());
    for (int round = 0; round < 200; ++round) {
      const CellList<Dim> cells = randomCells<Dim>(random, 1 + round % 6, 0.7);
      std::vector<RowRun<Dim>> runs;
      Cell<Dim> right{};
      for (const Cell<Dim>& cell : cells) {
        if (!runs.empty() && right == cell && random() % 3 > 0) {
          ++runs.back().count;
        } else {
          runs.push_back({cell, 1});
        }
        right = cell;
        ++right.at[0];
      }
      std::shuffle(runs.begin(), runs.end(), random);
      expectCells<Space, Dim>(setOf<Dim>(runs), cells);
      for (std::size_t k = 0; k < runs.size(); ++k) {
        ASSERT_EQ(places[k], std::distance(cells.begin(), cells.find(runs[k].first)));
      }
    }
  }
};
TYPED_TEST_SUITE(Runs, AllSpaces, SpaceNames);

TYPED_TEST(Runs, MakeTheirCellsIn2D) { this->template checkRandom<2>(); }
TYPED_TEST(Runs, MakeTheirCellsIn3D) { this->template checkRandom<3>(); }

TYPED_TEST(Runs, MayReachAcrossTheWholeLattice) {
  constexpr std::int64_t length = std::int64_t{maxIntervalEnd} - minCoordinate;
  const auto set = this->template setOf<2>({{{{minCoordinate, maxRowKey}}, length}});
  EXPECT_EQ(validate(this->context, set), "");
  EXPECT_EQ(set.numCells(), length);
  EXPECT_TRUE((this->template setOf<3>({}).empty()));
}

TYPED_TEST(Runs, WrongRunsAreErrors) {
  EXPECT_THROW((this->template setOf<2>({{{{0, 0}}, 3}, {{{2, 0}}, 1}})), InvalidArgument);
  EXPECT_THROW((this->template setOf<2>({{{{0, 0}}, 3}, {{{0, 0}}, 3}})), InvalidArgument);
  EXPECT_THROW((this->template setOf<2>({{{{0, 0}}, 9}, {{{2, 0}}, 1}, {{{5, 0}}, 1}})), InvalidArgument);
  EXPECT_THROW((this->template setOf<2>({{{{0, 0}}, 0}})), InvalidArgument);
  EXPECT_THROW((this->template setOf<2>({{{{maxRowKey, 0}}, 2}})), InvalidArgument);
  EXPECT_THROW((this->template setOf<3>({{{{0, 0, maxIntervalEnd}}, 1}})), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
