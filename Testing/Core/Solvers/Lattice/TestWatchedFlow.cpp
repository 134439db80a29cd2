// What is watched of a flow: probes, the change of the velocity, and checkpoints that hold both.

#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Solvers/Lattice/SheddingFrequency.hpp"
#include "Core/Solvers/Lattice/WatchedFlow.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/Solvers/Lattice/LatticeCases.hpp"
#include "Testing/Core/Spaces.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <ranges>

namespace spanwise::lattice::testing {
namespace {

using spanwise::testing::AllSpaces;
using spanwise::testing::messageOf;
using spanwise::testing::seed;
using spanwise::testing::SpaceNames;

constexpr double infinite = std::numeric_limits<double>::infinity();

template <class Space>
class Watched : public ::testing::Test {
public:
  const Context<Space> context;
};
TYPED_TEST_SUITE(Watched, AllSpaces, SpaceNames);

template <int Dim>
LatticeOptions<Dim> boxOf(int size) {
  LatticeOptions<Dim> options;
  for (int d = 0; d < Dim; ++d) {
    options.box.end[d] = size + d;
    options.repeats[d] = true;
  }
  options.storage = Storage::Double;
  options.stepsPerFrame = 1;
  return options;
}

template <int Dim>
geometry::GridGeometry<Dim> unitLattice() {
  geometry::GridGeometry<Dim> lattice{};
  std::fill_n(lattice.spacing, Dim, 1.0);
  return lattice;
}

// Where nothing holds the fluid, a force makes it faster by as much in every step.
TYPED_TEST(Watched, AForceChangesTheVelocityByWhatItIs) {
  LatticeOptions<3> options = boxOf<3>(4);
  options.force[0] = 3e-5;
  options.force[2] = 4e-5;
  LatticeFlow<TypeParam, 3> flow(this->context, options);
  VelocityChange<TypeParam, 3> change;
  EXPECT_EQ(change.since(this->context, flow, 0.1), infinite);
  EXPECT_EQ(change.since(this->context, flow, 0.1), 0.0);
  for (const int count : {1, 6}) {
    for (int k = 0; k < count; ++k) {
      flow.step();
    }
    EXPECT_NEAR(change.since(this->context, flow, 0.1), count * 5e-5 / 0.1, 1e-8);
  }
  flow.step();
  const double speed = std::hypot(statesOf(flow).at({0, 0, 0})[1], statesOf(flow).at({0, 0, 0})[3]);
  EXPECT_NEAR(change.since(this->context, flow, 0.0), 5e-5 / speed, 1e-6);
}

TYPED_TEST(Watched, AFluidAtRestIsSteady) {
  LatticeFlow<TypeParam, 2> flow(this->context, boxOf<2>(5));
  VelocityChange<TypeParam, 2> change;
  EXPECT_EQ(change.since(this->context, flow, 0.0), infinite);
  flow.step();
  EXPECT_EQ(change.since(this->context, flow, 0.0), 0.0);
}

template <int Dim>
struct NoNumber {
  KOKKOS_FUNCTION FluidState<Dim> operator()(const double (&position)[Dim]) const {
    FluidState<Dim> state;
    state.velocity[0] = position[0] < 1.0 ? std::numeric_limits<double>::quiet_NaN() : 0.01;
    return state;
  }
};

TYPED_TEST(Watched, WhatIsNoNumberIsNotSteady) {
  LatticeFlow<TypeParam, 2> flow(this->context, boxOf<2>(5));
  flow.start(NoNumber<2>());
  VelocityChange<TypeParam, 2> change;
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(change.since(this->context, flow, 0.1), infinite);
  }
}

// Probes read the cell that holds the point, its lower faces among them.
TYPED_TEST(Watched, ProbesReadTheCellThatHoldsThem) {
  LatticeFlow<TypeParam, 3> flow(this->context, boxOf<3>(5));
  flow.start(ManyStates<3>());
  const geometry::GridGeometry<3> lattice{{10.0, 0.0, -1.0}, {0.5, 0.5, 0.5}};
  const std::vector<std::array<double, 3>> points = {{10.0, 0.0, -1.0}, {10.74, 1.5, 0.25}, {12.49, 2.99, 2.49}};
  const std::vector<At<3>> cells = {{0, 0, 0}, {1, 3, 2}, {4, 5, 6}};
  FluidProbes<TypeParam, 3> probes(this->context, flow, lattice, points);
  flow.step();
  const States<3> states = statesOf<TypeParam, 3>(flow);
  const auto read = probes.read(this->context, flow);
  ASSERT_EQ(read.size(), points.size());
  for (std::size_t p = 0; p < points.size(); ++p) {
    const auto& state = states.at(cells[p]);
    EXPECT_EQ(read[p].density, state[0]);
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_EQ(read[p].velocity[d], state[d + 1]);
    }
  }
}

TYPED_TEST(Watched, ProbesThatAreNotInTheFluidAreRefused) {
  IntervalSetOn<2, TypeParam> solid;
  makeBox<TypeParam, 2>(this->context, {{1, 1}, {3, 3}}, solid);
  const LatticeFlow<TypeParam, 2> flow(this->context, boxOf<2>(5), solid);
  const auto refusal = [&](double x, double y) {
    const std::vector<std::array<double, 2>> points = {{0.5, 0.5}, {x, y}};
    return messageOf([&] { const FluidProbes<TypeParam, 2> probes(this->context, flow, unitLattice<2>(), points); });
  };
  EXPECT_EQ(refusal(3.0, 2.5), "");
  for (const auto& [x, y] : {std::pair{1.5, 2.5}, std::pair{-0.5, 1.0}, std::pair{1.0, 6.5}}) {
    EXPECT_NE(
      refusal(x, y).find("in an obstacle or outside of the box; it must be in a cell with fluid"), std::string::npos);
    EXPECT_NE(refusal(x, y).find("probe 1 at (" + numberText(x)), std::string::npos);
  }
  for (const double far : {1e10, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_NE(refusal(far, 0.5).find("probe 1 lies at"), std::string::npos);
  }
}

/// A lid drags the fluid along, past an obstacle.
LatticeOptions<2> underALid(Storage storage, int numLevels = 1) {
  LatticeOptions<2> options = boxOf<2>(9);
  options.repeats[0] = options.repeats[1] = false;
  options.sides[3].velocity[0] = 0.08;
  options.storage = storage;
  options.stepsPerRecord = 3;
  options.refinement = {numLevels, 1, false, numLevels > 1 ? 0.004 : 0.0, 4};
  return options;
}

template <class Space, int Dim>
std::vector<States<Dim>> statesOfLevels(LatticeFlow<Space, Dim>& flow) {
  std::vector<States<Dim>> states;
  for (int l = 0; l < flow.numLevels(); ++l) {
    states.push_back(statesOf<Space, Dim>(flow, l));
  }
  return states;
}

// Leaves of levels that follow the flow.
TYPED_TEST(Watched, ProbesReadTheLeafThatHoldsThem) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  LatticeFlow<TypeParam, 2> flow(this->context, underALid(Storage::Double, 3));
  const geometry::GridGeometry<2> lattice{{10.0, -1.0}, {0.5, 0.5}};
  std::vector<std::array<double, 2>> points;
  for (int p = 0; p < 20; ++p) {
    points.push_back(
      {std::uniform_real_distribution(10.0, 14.5)(random), std::uniform_real_distribution(-1.0, 4.0)(random)});
  }
  FluidProbes<TypeParam, 2> probes(this->context, flow, lattice, points);
  for (int k = 0; k < 40; ++k) {
    flow.step();
    const auto states = statesOfLevels(flow);
    const auto read = probes.read(this->context, flow);
    for (std::size_t p = 0; p < points.size(); ++p) {
      int numLeaves = 0;
      for (std::size_t l = 0; l < states.size(); ++l) {
        const double size = std::ldexp(0.5, -static_cast<int>(l));
        const At<2> at{static_cast<int>(std::floor((points[p][0] - 10.0) / size)),
          static_cast<int>(std::floor((points[p][1] + 1.0) / size))};
        if (const auto leaf = states[l].find(at); leaf != states[l].end()) {
          ++numLeaves;
          EXPECT_EQ((std::array{read[p].density, read[p].velocity[0], read[p].velocity[1]}), leaf->second);
        }
      }
      EXPECT_EQ(numLeaves, 1);
    }
  }
  EXPECT_GT(flow.numLevelChanges(), 2);
}

// Where levels have changed there is nothing to compare with.
TYPED_TEST(Watched, LeavesOfTheSamePlaceAreCompared) {
  LatticeFlow<TypeParam, 2> flow(this->context, underALid(Storage::Double, 3));
  VelocityChange<TypeParam, 2> change;
  std::vector<States<2>> last;
  int numCompared = 0;
  int numChanged = 0;
  for (int k = 0; k < 100; ++k) {
    const auto now = statesOfLevels(flow);
    const double found = change.since(this->context, flow, 0.1);
    bool isSame = now.size() == last.size();
    double greatest = 0.0;
    for (std::size_t l = 0; isSame && l < now.size(); ++l) {
      isSame = std::ranges::equal(now[l] | std::views::keys, last[l] | std::views::keys);
      for (const auto& [at, state] : now[l]) {
        if (isSame) {
          const auto& before = last[l].at(at);
          greatest = std::max(greatest, std::hypot(state[1] - before[1], state[2] - before[2]));
        }
      }
    }
    if (isSame) {
      EXPECT_NEAR(found, greatest / 0.1, 1e-6);
      ++numCompared;
    } else {
      EXPECT_EQ(found, infinite);
      ++numChanged;
    }
    last = now;
    flow.step();
  }
  EXPECT_GT(numCompared, 50);
  EXPECT_GT(numChanged, 3);
}

template <int Dim>
bool operator==(const FluidState<Dim>& a, const FluidState<Dim>& b) {
  return a.density == b.density && std::ranges::equal(a.velocity, b.velocity);
}

// From a checkpoint on all is as if there had been none: the state, the history, probes, and what is steady when.
TYPED_TEST(Watched, CheckpointsHoldWhatIsWatched) {
  IntervalSetOn<2, TypeParam> solid;
  makeBox<TypeParam, 2>(this->context, {{2, 3}, {5, 5}}, solid);
  LatticeWatch<2> watch{unitLattice<2>(), {{7.5, 7.5}, {0.5, 8.0}}, 4, 0.08};
  for (const auto& [storage, numLevels] : {std::pair{Storage::Half, 1}, std::pair{Storage::Float, 1},
         std::pair{Storage::Double, 1}, std::pair{Storage::Double, 2}, std::pair{Storage::Half, 3}}) {
    for (const int at : {2, 9, 12}) {
      const LatticeOptions<2> options = underALid(storage, numLevels);
      LatticeFlow<TypeParam, 2> flow(this->context, options, solid);
      WatchedFlow<TypeParam, 2> watched(this->context, flow, watch);
      KeptFrame frame;
      KeptFrame history;
      for (int k = 0; k < 25; ++k) {
        if (k == at) {
          watched.store(frame);
          FrameWriter to(history);
          watched.storeHistory(at, to);
        }
        watched.step();
      }
      LatticeFlow<TypeParam, 2> again(this->context, options, solid);
      WatchedFlow<TypeParam, 2> continued(this->context, again, watch);
      FrameReader from(history);
      continued.restoreHistory(at, from);
      continued.restore(frame, {});
      EXPECT_EQ(again.numLevelChanges() > 0, numLevels > 1);
      if (at == 9 && numLevels == 1) {
        EXPECT_LT(continued.change(), infinite);
        EXPECT_GT(continued.change(), 0.0);
      }
      while (again.steps() < 25) {
        continued.step();
      }
      EXPECT_EQ(statesOfLevels(again), statesOfLevels(flow));
      EXPECT_EQ(continued.change(), watched.change());
      const auto records = flow.history().upTo(25);
      ASSERT_EQ(records.size(), 9U); // of the start, and after 3, 6 ... 24 steps
      ASSERT_EQ(again.history().upTo(25).size(), records.size());
      for (std::size_t r = 0; r < records.size(); ++r) {
        EXPECT_EQ(again.history().upTo(25)[r].steps, records[r].steps);
        EXPECT_EQ(again.history().upTo(25)[r].greatestSpeed, records[r].greatestSpeed);
        EXPECT_TRUE(std::ranges::equal(
          continued.readings(r), watched.readings(r), [](const auto& a, const auto& b) { return a == b; }));
      }
      EXPECT_GT(std::abs(watched.readings(8)[0].velocity[0]), 0.001);
    }
  }
}

// Frames from the first one on that hardly differs from the one before are that one, whatever they begin with.
TYPED_TEST(Watched, ASteadyFlowStaysAsItIs) {
  for (const int numLevels : {1, 2}) {
    LatticeOptions<2> options = underALid(Storage::Double, numLevels);
    options.stepsPerFrame = 20;
    options.stepsPerRecord = 8;
    const LatticeWatch<2> watch{unitLattice<2>(), {{4.5, 8.5}}, 0, 0.08, 1e-3};
    LatticeFlow<TypeParam, 2> flow(this->context, options);
    WatchedFlow<TypeParam, 2> watched(this->context, flow, watch);
    std::vector<std::vector<States<2>>> frames;
    std::vector<KeptFrame> kept(40);
    for (KeptFrame& frame : kept) {
      watched.store(frame);
      frames.push_back(statesOfLevels(flow));
      watched.advance({});
    }
    std::size_t steady = 1;
    const auto changeOf = [&](std::size_t n) {
      double greatest = frames[n].size() == frames[n - 1].size() ? 0.0 : infinite;
      for (std::size_t l = 0; l < frames[n].size() && greatest < infinite; ++l) {
        const bool isSame = std::ranges::equal(frames[n][l] | std::views::keys, frames[n - 1][l] | std::views::keys);
        greatest = isSame ? greatest : infinite;
        for (const auto& [at, state] : frames[n][l]) {
          const auto before = isSame ? frames[n - 1][l].at(at) : state;
          greatest = std::max(greatest, std::hypot(state[1] - before[1], state[2] - before[2]) / 0.08);
        }
      }
      return greatest;
    };
    while (changeOf(steady) > 1e-3) {
      ++steady;
    }
    EXPECT_GT(steady, 3U);
    ASSERT_LT(steady, 35U);
    EXPECT_EQ(flow.steps(), static_cast<std::int64_t>(20 * steady));
    EXPECT_TRUE(watched.isSteady());
    for (std::size_t n = steady; n < frames.size(); ++n) {
      EXPECT_EQ(frames[n], frames[steady]);
    }
    const auto records = flow.history().upTo(flow.steps());
    EXPECT_EQ(records.back().steps, flow.steps());
    for (const std::size_t at : {steady - 1, steady, steady + 2}) {
      KeptFrame history;
      FrameWriter to(history);
      watched.storeHistory(static_cast<std::int64_t>(at), to);
      LatticeFlow<TypeParam, 2> again(this->context, options);
      WatchedFlow<TypeParam, 2> continued(this->context, again, watch);
      FrameReader from(history);
      continued.restoreHistory(static_cast<std::int64_t>(at), from);
      continued.restore(kept[at], {});
      EXPECT_EQ(continued.isSteady(), at >= steady);
      for (int k = 0; k < 3; ++k) {
        continued.advance({});
      }
      EXPECT_EQ(statesOfLevels(again), frames[steady]);
      ASSERT_EQ(again.history().upTo(again.steps()).size(), records.size());
      for (std::size_t r = 0; r < records.size(); ++r) {
        EXPECT_TRUE(continued.readings(r)[0] == watched.readings(r)[0]);
      }
    }
  }
}

// A ramp begins so slowly that a flow would seem to be steady.
TYPED_TEST(Watched, ARampIsNotSteady) {
  LatticeOptions<2> options = underALid(Storage::Double);
  options.rampSteps = 10;
  LatticeFlow<TypeParam, 2> flow(this->context, options);
  WatchedFlow<TypeParam, 2> watched(this->context, flow, {unitLattice<2>(), {}, 2, 0.08});
  while (flow.steps() < 11) {
    watched.step();
    EXPECT_EQ(watched.change(), infinite);
  }
  watched.step();
  EXPECT_LT(watched.change(), infinite);
}

TYPED_TEST(Watched, WhatCannotBeWatchedIsRefused) {
  LatticeOptions<2> options = boxOf<2>(4);
  LatticeWatch<2> watch{unitLattice<2>(), {}, -1};
  LatticeFlow<TypeParam, 2> flow(this->context, options);
  const auto refusal = [&](LatticeFlow<TypeParam, 2>& of) {
    return messageOf([&] { const WatchedFlow<TypeParam, 2> watched(this->context, of, watch); });
  };
  EXPECT_EQ(refusal(flow), "the number of steps between checks is -1; it must be at least 0");
  watch = {unitLattice<2>(), {}, 0, 0.0, -1.0};
  EXPECT_EQ(refusal(flow), "the tolerance of a steady flow is -1; it must be at least 0, for none");
  watch = {unitLattice<2>(), {}, 3, 0.0, 0.1};
  EXPECT_EQ(refusal(flow), "the change of the velocity is to be found after steps and after frames; it must be one");
}

TYPED_TEST(Watched, ChecksAndProbesAllocateNothing) {
  LatticeFlow<TypeParam, 2> flow(this->context, boxOf<2>(40));
  flow.start(ManyStates<2>());
  const std::vector<std::array<double, 2>> points = {{1.5, 2.5}, {30.5, 7.5}};
  FluidProbes<TypeParam, 2> probes(this->context, flow, unitLattice<2>(), points);
  VelocityChange<TypeParam, 2> change;
  spanwise::testing::expectNoAllocations<TypeParam>([&] {
    static_cast<void>(change.since(this->context, flow, 0.1));
    static_cast<void>(probes.read(this->context, flow));
  });
}

TEST(SheddingFrequency, IsThatOfASine) {
  std::vector<double> times;
  std::vector<double> values;
  for (int k = 0; k < 1000; ++k) {
    times.push_back(0.1 * k);
    values.push_back(std::sin(2.0 * std::numbers::pi * 0.17 * times.back()));
  }
  EXPECT_NEAR(sheddingFrequency(times, values), 0.17, 1e-5);
  const std::span<const double> few(values);
  EXPECT_TRUE(std::isnan(sheddingFrequency(std::span(times).first(130), few.first(130)))); // two crossings
  EXPECT_TRUE(std::isnan(sheddingFrequency({}, {})));
}

} // namespace
} // namespace spanwise::lattice::testing
