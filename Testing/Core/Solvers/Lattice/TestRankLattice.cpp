// Lattice Boltzmann flow that is cut among ranks: the bits of one rank, by the messages that the model has.

#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/Solvers/Lattice/LatticeCases.hpp"
#include "Testing/Core/Spaces.hpp"

namespace spanwise::lattice::testing {
namespace {

using spanwise::testing::AllSpaces;
using spanwise::testing::expectNoArrays;
using spanwise::testing::oneThread;
using spanwise::testing::seed;
using spanwise::testing::SpaceNames;
using spanwise::testing::world;

template <class Space>
class RankLattice : public ::testing::Test {
public:
  const Space space = oneThread<Space>();

  template <int Dim>
  States<Dim> statesAfter(const Communicator& ranks, const LatticeOptions<Dim>& options, int numSteps) const {
    const Context<Space> context(space, ranks);
    std::mt19937 random(seed());
    // Each rank knows some of the obstacle, and none knows where it is needed.
    const auto all = someCells<Space, Dim>(Context<Space>(space), options.box, Dim == 2 ? 20 : 150, random);
    IntervalSetOn<Dim, Space> obstacle;
    const parallel::PlaneRange planes = equalCut({options.box.begin[Dim - 1], options.box.end[Dim - 1]}, ranks.size())
                                          .part(ranks.size() - 1 - ranks.rank());
    restrictRows<Space, Dim>(context, all, planes, obstacle);
    LatticeFlow<Space, Dim> flow(context, options, obstacle);
    flow.start(ManyStates<Dim>());
    for (int k = 0; k < numSteps; ++k) {
      flow.step();
    }
    return statesOf<Space, Dim>(flow);
  }

  template <int Dim>
  void expectBitsOfOneRank(const LatticeOptions<Dim>& options, int numSteps) const {
    const States<Dim> expected = statesAfter<Dim>(singleProcess(), options, numSteps);
    std::int64_t count = 0;
    for (const auto& [at, state] : statesAfter<Dim>(world(), options, numSteps)) {
      ++count;
      EXPECT_EQ(state, expected.at(at)) << "after " << numSteps << " steps";
    }
    EXPECT_EQ(world().reduced(ReduceBy::Sum, count), static_cast<std::int64_t>(expected.size()));
  }
};
TYPED_TEST_SUITE(RankLattice, AllSpaces, SpaceNames);

template <int Dim>
LatticeOptions<Dim> manySides(bool repeats) {
  LatticeOptions<Dim> options;
  for (int d = 0; d < Dim; ++d) {
    options.box.begin[d] = -3;
    options.box.end[d] = 7 + 2 * d;
  }
  options.sides[0].side = Side::Inflow;
  options.sides[0].velocity[0] = 0.02;
  options.sides[1].side = Side::Outflow;
  options.sides[2].side = Side::Slip;
  options.sides[2 * Dim - 1].velocity[0] = 0.04;
  options.repeats[Dim - 1] = repeats;
  options.force[0] = 1e-5;
  options.viscosity = 0.02;
  options.storage = Storage::Double;
  return options;
}

TYPED_TEST(RankLattice, RanksHaveTheBitsOfOne) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const bool repeats : {false, true}) {
    for (const Update update : {Update::TwoPopulations, Update::InPlace}) {
      SCOPED_TRACE(
        (update == Update::InPlace ? "in place" : "two populations") + std::string(repeats ? ", periodic" : ""));
      LatticeOptions<2> flat = manySides<2>(repeats);
      flat.update = update;
      LatticeOptions<3> solid = manySides<3>(repeats);
      solid.update = update;
      for (const int numSteps : {1, 2, 7}) {
        this->template expectBitsOfOneRank<2>(flat, numSteps);
        for (const Velocities velocities : {Velocities::Fewest, Velocities::All}) {
          solid.velocities = velocities;
          this->template expectBitsOfOneRank<3>(solid, numSteps);
        }
      }
    }
  }
}

// Each rank sends a neighbour one message a step, of the populations that cross alone: 5 of 19, 9 of 27.
TYPED_TEST(RankLattice, SendsWhatCrossesInOneMessage) {
  for (const Velocities velocities : {Velocities::Fewest, Velocities::All}) {
    for (const Update update : {Update::TwoPopulations, Update::InPlace}) {
      LatticeOptions<3> options;
      for (int d = 0; d < 3; ++d) {
        options.box.end[d] = 8;
      }
      options.velocities = velocities;
      options.update = update;
      const Context<TypeParam> context(this->space, world());
      LatticeFlow<TypeParam, 3> flow(context, options);
      const MessageReport before = flow.messages();
      const int numSteps = 4;
      for (int k = 0; k < numSteps; ++k) {
        flow.step();
      }
      const MessageReport after = flow.messages();
      const int neighbours =
        world().size() == 1 ? 0 : (world().rank() == 0 || world().rank() + 1 == world().size() ? 1 : 2);
      const int crossing = velocities == Velocities::All ? 9 : 5;
      EXPECT_EQ(after.messages - before.messages, neighbours * numSteps);
      EXPECT_EQ(after.pieces - before.pieces, neighbours * numSteps);
      EXPECT_EQ(after.bytes - before.bytes, neighbours * numSteps * crossing * 64 * 4);
    }
  }
}

// Values of the neighbours beyond a cut are there, too.
TYPED_TEST(RankLattice, DerivativesHaveTheBitsOfOne) {
  const LatticeOptions<3> options = manySides<3>(true);
  const auto valuesOn = [&](const Communicator& ranks) {
    const Context<TypeParam> context(this->space, ranks);
    LatticeFlow<TypeParam, 3> flow(context, options);
    flow.start(ManyStates<3>());
    flow.step();
    HostIntervalSet<3> cells;
    HostField<double> values;
    copy(flow.cells(), cells);
    copy(flow.values(), values);
    std::map<At<3>, std::vector<double>> result;
    const IntervalSetView<3> set = cells.view();
    for (std::int64_t cell = 0; cell < set.numCells; ++cell) {
      const Cell<3> at = cellOf(set, cell);
      std::vector<double>& of = result[{at.at[0], at.at[1], at.at[2]}];
      for (int c = 0; c < FluidValue<3>::count; ++c) {
        of.push_back(std::as_const(values).view()(cell, c));
      }
    }
    return result;
  };
  const auto expected = valuesOn(singleProcess());
  for (const auto& [at, values] : valuesOn(world())) {
    EXPECT_EQ(values, expected.at(at));
  }
}

} // namespace
} // namespace spanwise::lattice::testing
