// Levels of lattice Boltzmann flow that are cut among ranks: the bits of one rank, also where levels follow the flow.

#include "Core/Geometry/Slab.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/Solvers/Lattice/LatticeCases.hpp"
#include "Testing/Core/Spaces.hpp"

namespace spanwise::lattice::testing {
namespace {

using spanwise::testing::AllSpaces;
using spanwise::testing::oneThread;
using spanwise::testing::seed;
using spanwise::testing::SpaceNames;
using spanwise::testing::world;

template <class Space>
class RankLatticeLevels : public ::testing::Test {
public:
  const Space space = oneThread<Space>();

  template <int Dim>
  std::vector<States<Dim>> statesAfter(
    const Communicator& ranks, const LatticeOptions<Dim>& options, std::size_t numObstacles, int numSteps) const {
    const Context<Space> context(space, ranks);
    std::mt19937 random(seed());
    Box<Dim> box = options.box;
    for (int d = 0; d < Dim; ++d) {
      box.begin[d] *= 1 << (options.refinement.numLevels - 1);
      box.end[d] *= 1 << (options.refinement.numLevels - 1);
    }
    // Each rank knows some of the obstacle, and none knows where it is needed.
    const auto all = someCells<Space, Dim>(Context<Space>(space), box, numObstacles, random);
    IntervalSetOn<Dim, Space> obstacle;
    const parallel::PlaneRange planes =
      equalCut({box.begin[Dim - 1], box.end[Dim - 1]}, ranks.size()).part(ranks.size() - 1 - ranks.rank());
    restrictRows<Space, Dim>(context, all, planes, obstacle);
    LatticeFlow<Space, Dim> flow(context, options, obstacle);
    flow.start(ManyStates<Dim>());
    for (int k = 0; k < numSteps; ++k) {
      flow.step();
    }
    std::vector<States<Dim>> states;
    for (int l = 0; l < flow.numLevels(); ++l) {
      states.push_back(statesOf<Space, Dim>(flow, l));
    }
    return states;
  }

  template <int Dim>
  void expectBitsOfOneRank(const LatticeOptions<Dim>& options, std::size_t numObstacles, int numSteps) const {
    const auto expected = statesAfter<Dim>(singleProcess(), options, numObstacles, numSteps);
    const auto found = statesAfter<Dim>(world(), options, numObstacles, numSteps);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t l = 0; l < expected.size(); ++l) {
      for (const auto& [at, state] : found[l]) {
        EXPECT_EQ(state, expected[l].at(at)) << "level " << l << " after " << numSteps << " steps";
      }
      EXPECT_EQ(world().reduced(ReduceBy::Sum, static_cast<std::int64_t>(found[l].size())),
        static_cast<std::int64_t>(expected[l].size()));
    }
  }
};
TYPED_TEST_SUITE(RankLatticeLevels, AllSpaces, SpaceNames);

template <int Dim>
LatticeOptions<Dim> manySides(bool repeats) {
  LatticeOptions<Dim> options;
  for (int d = 0; d < Dim; ++d) {
    options.box.begin[d] = -3;
    options.box.end[d] = Dim == 2 ? 30 + 2 * d : 15 + d;
  }
  options.sides[0].side = Side::Inflow;
  options.sides[0].velocity[0] = 0.02;
  options.sides[1].side = Side::Outflow;
  options.sides[2].side = Side::Slip;
  options.sides[2 * Dim - 1].velocity[0] = 0.04;
  options.repeats[Dim - 1] = repeats;
  options.force[0] = 1e-5;
  options.viscosity = 0.05;
  options.storage = Storage::Double;
  options.refinement.numLevels = Dim == 2 ? 3 : 2;
  options.refinement.buffer = 1;
  return options;
}

TYPED_TEST(RankLatticeLevels, HaveTheBitsOfOneRank) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const bool repeats : {false, true}) {
    SCOPED_TRACE(repeats ? "periodic" : "walls");
    LatticeOptions<2> flat = manySides<2>(repeats);
    this->template expectBitsOfOneRank<2>(flat, 5, 4);
    flat.refinement.atWalls = true;
    this->template expectBitsOfOneRank<2>(flat, 2, 3);
    LatticeOptions<3> solid = manySides<3>(repeats);
    solid.velocities = repeats ? Velocities::All : Velocities::Fewest;
    this->template expectBitsOfOneRank<3>(solid, 2, 3);
  }
}

TYPED_TEST(RankLatticeLevels, FollowTheFlowAlike) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  LatticeOptions<2> flat = manySides<2>(true);
  flat.refinement.vorticity = 0.02;
  flat.refinement.stepsPerRemesh = 2;
  this->template expectBitsOfOneRank<2>(flat, 1, 7);
  LatticeOptions<3> solid = manySides<3>(true);
  solid.refinement.vorticity = 0.06;
  solid.refinement.stepsPerRemesh = 2;
  this->template expectBitsOfOneRank<3>(solid, 1, 5);
}

} // namespace
} // namespace spanwise::lattice::testing
