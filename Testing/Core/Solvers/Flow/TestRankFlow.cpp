// Compressible flow on levels that are cut among ranks: the bits of one rank, and of a run that was not interrupted;
// nothing is allocated once the levels have settled; bad input gives the same message on all ranks.

#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Parallel/SharedFolder.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Solvers/Flow/FlowCases.hpp"
#include "Testing/Core/Spaces.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

namespace spanwise::flow::testing {
namespace {

using spanwise::testing::AllSpaces;
using spanwise::testing::expectNoArrays;
using spanwise::testing::messageOf;
using spanwise::testing::oneThread;
using spanwise::testing::SpaceNames;
using spanwise::testing::world;

template <int Dim>
RowCut evenCut(const Box<Dim>& box) {
  return equalCut({box.begin[Dim - 1], box.end[Dim - 1]}, world().size());
}

template <int Dim>
using States = std::map<std::array<int, Dim + 1>, Conserved<double, Dim>>;

template <class Space, int Dim>
States<Dim> statesOf(CompressibleFlow<Space, Dim>& flow) {
  States<Dim> states;
  forLeaves<Space, Dim>(flow, [&](int l, const Cell<Dim>& cell, const Conserved<double, Dim>& state) {
    std::array<int, Dim + 1> key{l};
    std::copy(cell.at, cell.at + Dim, key.begin() + 1);
    states[key] = state;
  });
  return states;
}

template <int Dim>
bool haveSameBits(const States<Dim>& a, const States<Dim>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) {
    return x.first == y.first && std::memcmp(&x.second, &y.second, sizeof(x.second)) == 0;
  });
}

template <class Space>
class RankFlow : public ::testing::Test {
public:
  const Space space = oneThread<Space>();
  const Context<Space> alone{space};
  const Context<Space> context{space, world()};

  /// This rank's part of an obstacle.
  template <int Dim>
  IntervalSetOn<Dim, Space> partOf(
    const IntervalSetOn<Dim, Space>& obstacle, const RowCut& cut, const FlowOptions<Dim>& options) {
    IntervalSetOn<Dim, Space> part;
    const int finest = options.numLevels - 1;
    restrictRows<Space, Dim>(alone, obstacle, cutOfLevel(cut, finest).part(world().rank()), part);
    return part;
  }

  template <int Dim>
  void expectOneRanksBits(const FlowOptions<Dim>& options, const IntervalSetOn<Dim, Space>& obstacle) {
    const RowCut cut = evenCut<Dim>(options.box);
    CompressibleFlow<Space, Dim> whole(alone, options, obstacle);
    CompressibleFlow<Space, Dim> flow(context, options, partOf<Dim>(obstacle, cut, options), cut);
    whole.start(Blast<Dim>());
    flow.start(Blast<Dim>());
    while (flow.report().steps < 14) {
      whole.step();
      flow.step();
    }
    EXPECT_TRUE(world().alone() || !(flow.cut() == cut)); // the cells are not where the planes were cut evenly
    EXPECT_EQ(whole.time(), flow.time());
    EXPECT_EQ(whole.report().cellUpdates, flow.report().cellUpdates);
    const auto forceOfWhole = whole.force();
    const auto force = flow.force();
    for (std::size_t d = 0; d < Dim; ++d) {
      EXPECT_NEAR(force[d], forceOfWhole[d], 1e-13); // sums go by ranks
    }
    States<Dim> ofWhole = statesOf<Space, Dim>(whole);
    std::erase_if(ofWhole, [&](const auto& entry) {
      const PlaneRange own = cutOfLevel(flow.cut(), entry.first[0]).part(world().rank());
      return entry.first[Dim] < own.begin || entry.first[Dim] >= own.end;
    });
    const States<Dim> ofRank = statesOf<Space, Dim>(flow);
    EXPECT_TRUE(haveSameBits<Dim>(ofRank, ofWhole)) << ofRank.size() << " leaves, " << ofWhole.size();
  }
};
TYPED_TEST_SUITE(RankFlow, AllSpaces, SpaceNames);

TYPED_TEST(RankFlow, HasTheBitsOfOneRank) {
  IntervalSetOn<2, TypeParam> disc;
  makeBall<TypeParam, 2>(this->alone, {{90.0, 64.0}, 13.0}, disc);
  IntervalSetOn<3, TypeParam> ball;
  makeBall<TypeParam, 3>(this->alone, {{33.0, 24.0, 24.0}, 6.5}, ball);
  for (const auto& [repeats, subcycles] :
    {std::pair(false, false), std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
    FlowOptions<2> options = boxOf<2>(32, 32);
    options.numLevels = 3;
    options.subcycles = subcycles;
    options.stepsPerRemesh = repeats ? 2 : 4; // subcycled, with 2 levels 0 and 1 take the same steps
    options.toleratedImbalance = 1.01;
    std::fill(options.repeats, options.repeats + 2, repeats);
    this->template expectOneRanksBits<2>(options, disc);
    FlowOptions<3> options3d = boxOf<3>(12, 12);
    options3d.numLevels = 3;
    options3d.subcycles = subcycles;
    options3d.stepsPerRemesh = options.stepsPerRemesh;
    options3d.toleratedImbalance = 1.01;
    std::fill(options3d.repeats, options3d.repeats + 3, repeats);
    this->template expectOneRanksBits<3>(options3d, ball);
  }
}

template <int Dim>
bool haveSameHistory(const FlowHistory<Dim>& a, const FlowHistory<Dim>& b, std::int64_t steps) {
  const auto same = [](const auto& x, const auto& y) {
    return std::ranges::equal(x, y, [](const auto& u, const auto& v) { return std::memcmp(&u, &v, sizeof(u)) == 0; });
  };
  bool result = same(a.upTo(steps), b.upTo(steps));
  for (std::size_t k = 0; result && k < a.upTo(steps).size(); ++k) {
    result = same(a.probes(k), b.probes(k));
  }
  return result;
}

TYPED_TEST(RankFlow, GoesOnFromACheckpointWithTheSameBits) {
  for (const bool subcycles : {false, true}) {
    const BowShock<TypeParam> is(6, 3);
    const RowCut cut = evenCut<2>(is.options.box);
    const auto obstacle = this->template partOf<2>(is.disc, cut, is.options);
    FlowOptions<2> options = is.options;
    options.subcycles = subcycles;
    options.timePerFrame = 0.05;
    options.toleratedImbalance = 1.01;
    options.stepsPerRecord = 3;
    options.probes = {{1.9, 4.0}, {0.1, 7.9}};
    CompressibleFlow<TypeParam, 2> flow(this->context, options, obstacle, cut);
    Stepping frames;
    frames.start(world(), flow);
    frames.moveTo(world(), flow, 3);
    const spanwise::testing::SharedFolder folder;
    const CheckpointFiles files{folder / "flow", "a run"};
    frames.checkpoint(world(), flow, files, 3);
    const std::int64_t steps = flow.report().steps;
    frames.moveTo(world(), flow, 6);

    CompressibleFlow<TypeParam, 2> again(this->context, options, obstacle, cut);
    Stepping later;
    later.restart(world(), again, files);
    EXPECT_EQ(again.time(), 3 * options.timePerFrame);
    EXPECT_EQ(again.report().steps, steps);
    EXPECT_TRUE(haveSameHistory(again.history(), flow.history(), steps));
    later.moveTo(world(), again, 6);
    EXPECT_EQ(again.time(), 6 * options.timePerFrame);
    EXPECT_EQ(flow.time(), again.time());
    EXPECT_TRUE((haveSameBits<2>(statesOf<TypeParam, 2>(again), statesOf<TypeParam, 2>(flow))));
    EXPECT_TRUE(haveSameHistory(again.history(), flow.history(), flow.report().steps));
    EXPECT_GT(flow.history().upTo(flow.report().steps).size(), flow.history().upTo(steps).size());
  }
}

TYPED_TEST(RankFlow, HistoriesTellOfTheGasAndOfProbes) {
  BowShock<TypeParam> is(6, 3);
  is.options.stepsPerRecord = 4;
  // Beside the disc's nose, within it, and far away. At the disc levels are the finest, elsewhere not.
  is.options.probes = {{1.98, 4.01}, {3.0, 4.0}, {0.3, 0.3}};
  const RowCut cut = evenCut<2>(is.options.box);
  CompressibleFlow<TypeParam, 2> whole(this->alone, is.options, is.disc);
  CompressibleFlow<TypeParam, 2> flow(
    this->context, is.options, this->template partOf<2>(is.disc, cut, is.options), cut);
  for (int k = 0; k < 12; ++k) {
    whole.step();
    flow.step();
  }
  const auto records = flow.history().upTo(12);
  ASSERT_EQ(records.size(), 4);
  EXPECT_EQ(flow.history().upTo(7).size(), 2);
  EXPECT_EQ(records[0].time, 0.0);
  EXPECT_EQ(records[3].steps, 12);
  EXPECT_EQ(records[3].time, flow.time());
  EXPECT_EQ(records[3].mass, flow.total(Component<2>::density));
  EXPECT_EQ(records[3].energy, flow.total(Component<2>::energy));
  EXPECT_EQ(records[3].force[0], flow.force()[0]);
  EXPECT_GT(records[3].force[0], 0.0);
  for (std::size_t k = 0; k < records.size(); ++k) {
    EXPECT_EQ(records[k].cells, whole.history().upTo(12)[k].cells);
    const auto here = flow.history().probes(k);
    const auto expected = whole.history().probes(k);
    EXPECT_EQ(std::memcmp(here.data(), expected.data(), here.size_bytes()), 0);
  }
  const auto readings = flow.history().probes(3);
  EXPECT_GT(readings[0].pressure, 1.5); // the shock is on its way
  EXPECT_EQ(readings[1].density, 0.0);
  EXPECT_NEAR(readings[2].density, 1.4, 1e-12);
  EXPECT_NEAR(readings[2].velocity[0], 2.0, 1e-12);
  EXPECT_NEAR(readings[2].pressure, 1.0, 1e-12);
  // The nearest of all cells to the first one.
  double nearest = 1.0;
  double pressure = 0.0;
  forLeaves<TypeParam, 2>(whole, [&](int l, const Cell<2>& cell, const Conserved<double, 2>& state) {
    const auto lattice = whole.levels().lattice(l);
    const double distance = std::hypot(lattice.centre(0, cell.at[0]) - 1.98, lattice.centre(1, cell.at[1]) - 4.01);
    if (distance < nearest) {
      nearest = distance;
      pressure = IdealGas<double>().primitive<2>(state).pressure;
    }
  });
  EXPECT_NEAR(readings[0].pressure, pressure, 1e-14);
}

TYPED_TEST(RankFlow, SettledStepsMakeNoArrays) {
  for (const auto& [repeats, subcycles] : {std::pair(false, false), std::pair(true, false), std::pair(true, true)}) {
    BowShock<TypeParam> is(6, 3);
    is.options.repeats[1] = repeats;
    is.options.subcycles = subcycles;
    is.options.stepsPerRemesh = 2;
    is.options.inflow.velocity[0] = 0.0; // the gas rests, so levels stay
    const RowCut cut = evenCut<2>(is.options.box);
    CompressibleFlow<TypeParam, 2> flow(
      this->context, is.options, this->template partOf<2>(is.disc, cut, is.options), cut);
    expectNoArrays([&] {
      flow.step();
      flow.step();
    });
  }
}

TYPED_TEST(RankFlow, SaysWhatIsWrong) {
  const auto expectMessage = [&](const FlowOptions<2>& options, const std::string& text) {
    const std::string message = messageOf<InvalidArgument>(
      [&] { CompressibleFlow<TypeParam, 2>(this->context, options, {}, evenCut<2>(options.box)); });
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  const auto changed = [](const auto& change) {
    FlowOptions<2> options = boxOf<2>(8, 8);
    change(options);
    return options;
  };
  expectMessage(changed([](auto& o) { o.cfl = 1.5; }), "the CFL number is 1.5; it must be");
  expectMessage(changed([](auto& o) { o.gamma = 1.0; }), "gamma is 1; it must be");
  expectMessage(changed([](auto& o) { o.inflow.pressure = -2.0; }), "the pressure that flows in is -2; it must be");
  expectMessage(changed([](auto& o) { o.inflow.density = std::nan(""); }), "the density that flows in is nan");
  expectMessage(changed([](auto& o) { o.numLevels = 17; }), "the number of levels is 17; it must be 1 to 16");
  expectMessage(changed([](auto& o) { o.buffer = 1; }), "the buffer around refined cells is 1; it must be");
  expectMessage(changed([](auto& o) { o.timePerFrame = 0.0; }), "the time from one frame to the next is 0; it must be");
  expectMessage(
    changed([](auto& o) { o.toleratedImbalance = 1.0; }), "the imbalance that is tolerated is 1; it must be");
  expectMessage(changed([](auto& o) { o.stepsPerRecord = 0; }), "steps from one record to the next is 0; it must be");
  expectMessage(
    changed([](auto& o) { o.probes = {{0.5, 0.5}, {0.5, 1.5}}; }), "probe 1 lies at 1.5 along axis 1; it must be in");

  FlowOptions<2> options = boxOf<2>(8, 8);
  const RowCut cut = evenCut<2>(options.box);
  IntervalSetOn<2, TypeParam> everything;
  makeBox<TypeParam, 2>(this->alone, options.box, everything);
  EXPECT_NE(messageOf<InvalidArgument>([&] {
    CompressibleFlow<TypeParam, 2>(this->context, options, this->template partOf<2>(everything, cut, options), cut);
  }).find("the obstacle fills the box"),
    std::string::npos);
}

/// A state that is no state somewhere.
struct Wild {
  KOKKOS_FUNCTION Primitive<double, 2> operator()(const double (&position)[2]) const {
    const bool isThere = position[0] < 0.1 && position[1] < 0.1;
    return {1.0, {isThere ? std::numeric_limits<double>::quiet_NaN() : 0.0, 0.0}, 1.0};
  }
};

// All ranks learn of it, also those where nothing is wrong.
TYPED_TEST(RankFlow, StopsWhereAStateIsNone) {
  const FlowOptions<2> options = boxOf<2>(16, 16);
  CompressibleFlow<TypeParam, 2> flow(this->context, options, {}, evenCut<2>(options.box));
  flow.start(Wild());
  EXPECT_NE(messageOf<Error>([&] { flow.step(); }).find("has no finite speed"), std::string::npos);
}

} // namespace
} // namespace spanwise::flow::testing
