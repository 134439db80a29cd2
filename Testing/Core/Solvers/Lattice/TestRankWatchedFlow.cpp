// Probes and the change of the velocity on ranks: the bits of one.

#include "Core/Solvers/Lattice/WatchedFlow.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Solvers/Lattice/LatticeCases.hpp"
#include "Testing/Core/Spaces.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace spanwise::lattice::testing {
namespace {

using spanwise::testing::AllSpaces;
using spanwise::testing::messageOf;
using spanwise::testing::oneThread;
using spanwise::testing::SpaceNames;
using spanwise::testing::world;

template <class Space>
class RankWatched : public ::testing::Test {
public:
  const Space space = oneThread<Space>();

  static LatticeOptions<3> options() {
    LatticeOptions<3> options;
    for (int d = 0; d < 3; ++d) {
      options.box.end[d] = 5 + d;
      options.repeats[d] = d > 0;
    }
    options.storage = Storage::Double;
    options.stepsPerFrame = 1;
    options.stepsPerRecord = 2;
    return options;
  }

  [[nodiscard]] std::vector<double> watchedOn(const Communicator& ranks, const LatticeOptions<3>& options) const {
    const Context<Space> context(space, ranks);
    LatticeFlow<Space, 3> flow(context, options);
    flow.start(ManyStates<3>());
    WatchedFlow<Space, 3> watched(
      context, flow, {{{}, {1.0, 1.0, 1.0}}, {{0.5, 0.5, 0.5}, {2.5, 3.5, 6.5}, {4.0, 1.0, 3.0}}, 3, 0.0});
    std::vector<double> found;
    for (int k = 0; k < 9; ++k) {
      watched.step();
      found.push_back(watched.change());
    }
    for (std::size_t r = 0; r < flow.history().upTo(9).size(); ++r) {
      for (const FluidState<3>& state : watched.readings(r)) {
        found.push_back(state.density);
        found.insert(found.end(), state.velocity, state.velocity + 3);
      }
    }
    found.push_back(static_cast<double>(flow.numLevelChanges()));
    return found;
  }
};
TYPED_TEST_SUITE(RankWatched, AllSpaces, SpaceNames);

TYPED_TEST(RankWatched, RanksHaveTheBitsOfOne) {
  const LatticeOptions<3> options = this->options();
  const std::vector<double> one = this->watchedOn(singleProcess(), options);
  EXPECT_EQ(one.size(), 9U + 5U * 3U * 4U + 1U);
  EXPECT_LT(one[8], std::numeric_limits<double>::infinity());
  EXPECT_EQ(this->watchedOn(world(), options), one);
}

// Levels change between some checks, and are those of the one before at others.
TYPED_TEST(RankWatched, RanksHaveTheBitsOfOneOnLevels) {
  LatticeOptions<3> options = this->options();
  options.refinement = {2, 1, false, 0.06, 2};
  const std::vector<double> one = this->watchedOn(singleProcess(), options);
  EXPECT_GT(one.back(), 1.0);
  EXPECT_LT(std::ranges::min(std::span(one).first(9)), std::numeric_limits<double>::infinity());
  EXPECT_EQ(this->watchedOn(world(), options), one);
}

TYPED_TEST(RankWatched, RanksRefuseAProbeTogether) {
  const Context<TypeParam> context(this->space, world());
  const LatticeFlow<TypeParam, 3> flow(context, this->options());
  const std::vector<std::array<double, 3>> points = {{0.5, 0.5, 0.5}, {0.5, 0.5, 7.5}};
  const std::string refusal =
    messageOf([&] { const FluidProbes<TypeParam, 3> probes(context, flow, {{}, {1.0, 1.0, 1.0}}, points); });
  EXPECT_NE(refusal.find("probe 1 at (0.5, 0.5, 7.5)"), std::string::npos) << refusal;
}

} // namespace
} // namespace spanwise::lattice::testing
