// Compressible flow against exact solutions, and what holds to round-off: mass and energy, rest, streams, symmetry.

#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Flow/NormalShock.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Solvers/Flow/FlowCases.hpp"
#include "Testing/Core/Solvers/Flow/RiemannProblem.hpp"
#include "Testing/Core/Spaces.hpp"

#include <array>
#include <map>
#include <memory>
#include <utility>

namespace spanwise::flow::testing {
namespace {

using spanwise::testing::AllSpaces;
using spanwise::testing::SpaceNames;

template <class Space>
class Flow : public ::testing::Test {
public:
  const Context<Space> context;

  /// Of the density in Sod's tube along an axis at time 0.2.
  template <int Dim>
  double errorOfSod(FlowOptions<Dim> options, int axis) {
    std::swap(options.box.end[0], options.box.end[axis]);
    options.sides[2 * axis] = options.sides[2 * axis + 1] = Side::Outflow;
    CompressibleFlow<Space, Dim> flow(context, options);
    flow.start(SodTube<Dim>{axis});
    stepTo<Space, Dim>(flow, 0.2);
    const RiemannProblem exact({1.0, 0.0, 1.0}, {0.125, 0.0, 0.1}, options.gamma);
    return errorOfDensity<Space, Dim>(
      flow, [&](const double (&position)[Dim]) { return exact.at((position[axis] - 0.5) / 0.2).density; });
  }
};
TYPED_TEST_SUITE(Flow, AllSpaces, SpaceNames);

// Errors at a contact go with the power p / (p + 1) of the cell size for a scheme of order p (J. W. Banks, T. Aslam,
// W. J. Rider, J. Comput. Phys. 227, 2008): 1/2 and 2/3. The other waves are smaller at these sizes or sharper.
TYPED_TEST(Flow, SodsTubeConverges) {
  struct Case {
    Riemann riemann;
    Reconstruction reconstruction;
    double errorOf100;
    double leastOrder;
  };
  for (const Case& is : {Case{Riemann::Rusanov, Reconstruction::Constant, 0.026, 0.5},
         Case{Riemann::Hllc, Reconstruction::Constant, 0.020, 0.5},
         Case{Riemann::Rusanov, Reconstruction::Minmod, 0.0098, 2.0 / 3.0},
         Case{Riemann::Hllc, Reconstruction::Minmod, 0.0079, 2.0 / 3.0},
         Case{Riemann::Rusanov, Reconstruction::VanLeer, 0.0072, 2.0 / 3.0},
         Case{Riemann::Hllc, Reconstruction::VanLeer, 0.0055, 2.0 / 3.0}}) {
    FlowOptions<2> options = boxOf<2>(100, 4);
    options.riemann = is.riemann;
    options.reconstruction = is.reconstruction;
    const double coarse = this->template errorOfSod<2>(options, 0);
    options.box.end[0] = 400;
    options.lattice.spacing[0] = options.lattice.spacing[1] = 1.0 / 400;
    const double fine = this->template errorOfSod<2>(options, 0);
    EXPECT_LT(coarse, is.errorOf100);
    EXPECT_GT(0.5 * std::log2(coarse / fine), is.leastOrder) << coarse << ", " << fine;
  }
}

TYPED_TEST(Flow, LevelsAreAsGoodAsTheirFinest) {
  FlowOptions<2> options = boxOf<2>(100, 4);
  options.numLevels = 3;
  options.sensor.limit = 0.005;
  const double uniform = this->template errorOfSod<2>(boxOf<2>(400, 4), 0);
  EXPECT_LT(this->template errorOfSod<2>(options, 0), 1.1 * uniform);
  options.subcycles = true;
  EXPECT_LT(this->template errorOfSod<2>(options, 0), 1.1 * uniform);
  options.subcycles = false;
  options.sensor = {multilevel::TagCriterion::Loehner, 0.3, 0.02};
  EXPECT_LT(this->template errorOfSod<2>(options, 0), 1.2 * uniform);
}

TYPED_TEST(Flow, AxesAreAlike) {
  const double alongX = this->template errorOfSod<2>(boxOf<2>(100, 4), 0);
  EXPECT_NEAR(this->template errorOfSod<2>(boxOf<2>(100, 4), 1) / alongX, 1.0, 1e-12);
  const double alongX3d = this->template errorOfSod<3>(boxOf<3>(100, 4), 0);
  EXPECT_LT(alongX3d, 0.0055);
  for (const int axis : {1, 2}) {
    EXPECT_NEAR(this->template errorOfSod<3>(boxOf<3>(100, 4), axis) / alongX3d, 1.0, 1e-12);
  }
}

// On cells of one size, and where levels meet in the vortex: the region that is refined is the same for all sizes.
TYPED_TEST(Flow, VortexConvergesInSecondOrder) {
  struct Case {
    int numLevels;
    bool subcycles;
  };
  for (const Case& is : {Case{1, false}, Case{2, false}, Case{3, true}}) {
    double errors[3];
    for (int k = 0; k < 3; ++k) {
      const int n = 32 << k >> (is.numLevels - 1);
      FlowOptions<2> options = boxOf<2>(n, n);
      options.lattice.spacing[0] = options.lattice.spacing[1] = 10.0 / n;
      options.repeats[0] = options.repeats[1] = true;
      options.numLevels = is.numLevels;
      options.subcycles = is.subcycles;
      options.sensor.limit = 0.5 / n;
      options.buffer = 2 << k;
      CompressibleFlow<TypeParam, 2> flow(this->context, options);
      flow.start(Vortex());
      EXPECT_EQ(flow.levels().numLevels(), is.numLevels);
      stepTo<TypeParam, 2>(flow, 2.0);
      errors[k] =
        errorOfDensity<TypeParam, 2>(flow, [](const double (&position)[2]) { return Vortex{2.0}(position).density; });
    }
    EXPECT_GT(std::log2(errors[1] / errors[2]), 1.7)
      << is.numLevels << " levels: " << errors[0] << ", " << errors[1] << ", " << errors[2];
  }
}

// Finer levels take two steps for each of the level below: the cells of coarse levels are stepped less often, and the
// flow is the same but for the error.
TYPED_TEST(Flow, SubcyclingStepsCoarseCellsLessOften) {
  const auto run = [&](bool subcycles, int stepsPerRemesh) {
    FlowOptions<2> options = boxOf<2>(64, 8);
    options.sides[0] = options.sides[1] = Side::Outflow;
    options.numLevels = 4;
    options.subcycles = subcycles;
    options.stepsPerRemesh = stepsPerRemesh;
    auto flow = std::make_unique<CompressibleFlow<TypeParam, 2>>(this->context, options);
    flow->start(SodTube<2>{0});
    return flow;
  };
  const auto together = run(false, 8);
  const auto subcycled = run(true, 8);
  std::int64_t expected = 0;
  for (int l = 0; l < 4; ++l) {
    expected += subcycled->leaves(l).numCells() << l;
  }
  subcycled->step();
  EXPECT_EQ(subcycled->report().steps, 8);
  EXPECT_EQ(subcycled->report().cellUpdates, expected);
  stepTo<TypeParam, 2>(*together, 0.2);
  stepTo<TypeParam, 2>(*subcycled, 0.2);
  EXPECT_NEAR(static_cast<double>(subcycled->report().steps) / static_cast<double>(together->report().steps), 1.0, 0.1);
  EXPECT_LT(
    static_cast<double>(subcycled->report().cellUpdates), 0.75 * static_cast<double>(together->report().cellUpdates));
  for (const int component : {Component<2>::density, Component<2>::energy}) {
    EXPECT_NEAR(subcycled->total(component) / together->total(component), 1.0, 1e-14); // nothing has left yet
  }

  // Not more steps at once than lie between two remeshings: with less than two of them there is no difference.
  const auto remeshedOften = run(true, 1);
  const auto same = run(false, 1);
  for (int k = 0; k < 5; ++k) {
    remeshedOften->step();
    same->step();
  }
  EXPECT_EQ(remeshedOften->report().steps, 5);
  EXPECT_EQ(remeshedOften->time(), same->time());
  const auto remeshedAfterThree = run(true, 3);
  remeshedAfterThree->step();
  EXPECT_EQ(remeshedAfterThree->report().steps, 2);
}

template <class Space, int Dim>
void expectConservation(int n, const IntervalSetOn<Dim, Space>& obstacle, int numSteps) {
  for (const Reconstruction reconstruction : {Reconstruction::Constant, Reconstruction::VanLeer}) {
    for (const auto& [repeats, subcycles] :
      {std::pair(false, false), std::pair(false, true), std::pair(true, false), std::pair(true, true)}) {
      FlowOptions<Dim> options = boxOf<Dim>(n, n);
      options.reconstruction = reconstruction;
      options.subcycles = subcycles;
      options.numLevels = 3;
      options.stepsPerRemesh = repeats ? 2 : 4; // subcycled, with 2 levels 0 and 1 take the same steps
      std::fill(options.repeats, options.repeats + Dim, repeats);
      const Context<Space> context;
      CompressibleFlow<Space, Dim> flow(context, options, obstacle);
      flow.start(Blast<Dim>());
      const double mass = flow.total(Component<Dim>::density);
      const double energy = flow.total(Component<Dim>::energy);
      while (flow.report().steps < numSteps) {
        flow.step();
      }
      EXPECT_EQ(flow.levels().numLevels(), 3);
      EXPECT_LT(static_cast<double>(flow.levels().numLeaves()), std::pow(4.0 * n, Dim)); // there are jumps
      EXPECT_GT(flow.report().remeshes, 0);
      EXPECT_EQ(flow.report().raisedCells, 0);
      EXPECT_NEAR(flow.total(Component<Dim>::density) / mass, 1.0, 1e-14);
      EXPECT_NEAR(flow.total(Component<Dim>::energy) / energy, 1.0, 1e-14);
    }
  }
}

TYPED_TEST(Flow, ClosedBoxesKeepMassAndEnergy) {
  expectConservation<TypeParam, 2>(32, {}, 60);
  expectConservation<TypeParam, 3>(12, {}, 12);
  IntervalSetOn<2, TypeParam> disc;
  makeBall<TypeParam, 2>(this->context, {{90.0, 64.0}, 13.0}, disc);
  expectConservation<TypeParam, 2>(32, disc, 60);
  IntervalSetOn<3, TypeParam> ball;
  makeBall<TypeParam, 3>(this->context, {{33.0, 24.0, 24.0}, 6.5}, ball);
  expectConservation<TypeParam, 3>(12, ball, 12);
}

// In the frame of the disc: the gas streams around it, through a tunnel with walls that has no ends.
TYPED_TEST(Flow, ADiscThatFliesThroughATunnelKeepsMassAndEnergy) {
  for (const bool subcycles : {false, true}) {
    FlowOptions<2> options = boxOf<2>(48, 24);
    options.subcycles = subcycles;
    options.numLevels = 3;
    options.repeats[0] = true;
    options.inflow = {1.4, {2.0, 0.0}, 1.0};
    IntervalSetOn<2, TypeParam> disc;
    makeBall<TypeParam, 2>(this->context, {{70.0, 48.0}, 12.0}, disc);
    CompressibleFlow<TypeParam, 2> flow(this->context, options, disc);
    const double mass = flow.total(Component<2>::density);
    const double energy = flow.total(Component<2>::energy);
    const double momentum = flow.total(Component<2>::momentum);
    stepTo<TypeParam, 2>(flow, 0.5); // as far as the tunnel is long
    EXPECT_GT(flow.report().remeshes, 10);
    EXPECT_EQ(flow.report().raisedCells, 0);
    EXPECT_NEAR(flow.total(Component<2>::density) / mass, 1.0, 1e-13);
    EXPECT_NEAR(flow.total(Component<2>::energy) / energy, 1.0, 1e-13);
    EXPECT_LT(flow.total(Component<2>::momentum), 0.95 * momentum); // the disc drags the gas along
  }
}

/// Two streams that part: nothing is left in the middle.
struct Parting {
  double mach;

  KOKKOS_FUNCTION Primitive<double, 2> operator()(const double (&position)[2]) const {
    return {1.4, {position[0] < 0.5 ? -mach : mach, 0.0}, 1.0};
  }
};

// A vacuum forms where streams part faster than by 2 / (gamma - 1) of the speed of sound each. Cells there are raised
// to the least state, and counted; nothing is raised where streams are slower.
TYPED_TEST(Flow, CountsCellsThatAreRaised) {
  const auto raised = [&](double mach) {
    FlowOptions<2> options = boxOf<2>(64, 4);
    options.sides[0] = options.sides[1] = Side::Outflow;
    CompressibleFlow<TypeParam, 2> flow(this->context, options);
    flow.start(Parting{mach});
    stepTo<TypeParam, 2>(flow, 0.4 / mach);
    forLeaves<TypeParam, 2>(flow, [](int /*level*/, const Cell<2>& /*cell*/, const Conserved<double, 2>& state) {
      for (const double value : state) {
        ASSERT_TRUE(std::isfinite(value));
      }
    });
    return flow.report().raisedCells;
  };
  EXPECT_EQ(raised(1.0), 0);
  EXPECT_EQ(raised(20.0), 0);
  EXPECT_GT(raised(1e8), 0);
}

// Behind a shock, in its frame, mass, momentum and energy flow as ahead of it. And it runs as fast as it should: the
// box fills with what is behind it.
TYPED_TEST(Flow, ShocksAreThoseOfRankineAndHugoniot) {
  for (const double gamma : {1.4, 5.0 / 3.0}) {
    for (const double mach : {1.0, 1.2, 2.0, 10.0}) {
      const double ahead[2] = {1.3, 0.7};
      const auto behind = behindShock<2>({gamma}, ahead[0], ahead[1], mach, {0.6, 0.8});
      EXPECT_NEAR(behind.velocity[0] * 0.8, behind.velocity[1] * 0.6, 1e-14);
      const double shock = mach * std::sqrt(gamma * ahead[1] / ahead[0]);
      const double speed = shock - std::hypot(behind.velocity[0], behind.velocity[1]);
      const auto flux = [&](double density, double velocity, double pressure) {
        return std::array{density * velocity, density * velocity * velocity + pressure,
          velocity * (gamma / (gamma - 1.0) * pressure + 0.5 * density * velocity * velocity)};
      };
      const auto in = flux(ahead[0], shock, ahead[1]);
      const auto out = flux(behind.density, speed, behind.pressure);
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(out[c] / in[c], 1.0, 1e-14) << "Mach " << mach << ", gamma " << gamma;
      }
    }
  }
  FlowOptions<2> options = boxOf<2>(128, 4);
  options.inflow = behindShock<2>({1.4}, 1.4, 1.0, 3.0, {1.0, 0.0});
  options.sides[0] = Side::Inflow;
  options.sides[1] = Side::Outflow;
  CompressibleFlow<TypeParam, 2> flow(this->context, options);
  flow.start(UniformState<2>{{1.4, {}, 1.0}});
  flow.step(); // what comes in is faster than what is there
  const double sound = IdealGas<double>().soundSpeed(options.inflow);
  EXPECT_NEAR(flow.time() * 128.0 * (options.inflow.velocity[0] + 2.0 * sound), options.cfl, 1e-12);
  stepTo<TypeParam, 2>(flow, 0.2);
  const double exact = 0.6 * options.inflow.density + 0.4 * 1.4;
  EXPECT_NEAR(flow.total(Component<2>::density) * 32.0, exact, options.inflow.density / 128.0);
}

/// The greatest difference of a component from what it was.
template <class Space, int Dim>
double greatestChange(CompressibleFlow<Space, Dim>& flow, const Conserved<double, Dim>& was) {
  double change = 0.0;
  forLeaves<Space, Dim>(flow, [&](int /*level*/, const Cell<Dim>& /*cell*/, const Conserved<double, Dim>& state) {
    for (std::size_t c = 0; c < Component<Dim>::count; ++c) {
      change = std::fmax(change, std::fabs(state[c] - was[c]));
    }
  });
  return change;
}

// The gas rests around a ball, and flows along a plate, across jumps between levels.
TYPED_TEST(Flow, RestAndStreamsStay) {
  const auto expectSteady = [&]<int Dim>(const IntervalSetOn<Dim, TypeParam>& obstacle, const double (&velocity)[Dim]) {
    for (const auto& [reconstruction, subcycles] :
      {std::pair(Reconstruction::Constant, false), std::pair(Reconstruction::Constant, true),
        std::pair(Reconstruction::VanLeer, false), std::pair(Reconstruction::VanLeer, true)}) {
      for (const Riemann riemann : {Riemann::Rusanov, Riemann::Hllc}) {
        FlowOptions<Dim> options = boxOf<Dim>(16, 16);
        options.numLevels = 3;
        options.reconstruction = reconstruction;
        options.riemann = riemann;
        options.subcycles = subcycles;
        options.inflow = {1.2, {}, 0.9};
        std::copy(velocity, velocity + Dim, options.inflow.velocity);
        options.sides[0] = velocity[0] > 0.0 ? Side::Inflow : Side::SlipWall;
        options.sides[1] = velocity[0] > 0.0 ? Side::Outflow : Side::SlipWall;
        CompressibleFlow<TypeParam, Dim> flow(this->context, options, obstacle);
        while (flow.report().steps < 25) {
          flow.step();
        }
        EXPECT_EQ(flow.levels().numLevels(), 3);
        EXPECT_LT(flow.levels().numLeaves(), 1 << (6 * Dim)); // there are jumps
        const Conserved<double, Dim> was = IdealGas<double>{options.gamma}.conserved(options.inflow);
        EXPECT_LT((greatestChange<TypeParam, Dim>(flow, was)), 1e-13);
      }
    }
  };
  IntervalSetOn<2, TypeParam> disc;
  makeBall<TypeParam, 2>(this->context, {{30.0, 31.0}, 9.0}, disc);
  expectSteady.template operator()<2>(disc, {0.0, 0.0});
  IntervalSetOn<2, TypeParam> plate;
  makeBox<TypeParam, 2>(this->context, {{0, 29}, {64, 33}}, plate);
  expectSteady.template operator()<2>(plate, {2.0, 0.0});
  IntervalSetOn<3, TypeParam> ball;
  makeBall<TypeParam, 3>(this->context, {{30.0, 31.0, 33.0}, 7.0}, ball);
  expectSteady.template operator()<3>(ball, {0.0, 0.0, 0.0});
  IntervalSetOn<3, TypeParam> slab;
  makeBox<TypeParam, 3>(this->context, {{0, 29, 0}, {64, 33, 64}}, slab);
  expectSteady.template operator()<3>(slab, {2.0, 0.0, 0.0});
}

// The pressure at the nose of a blunt body is that behind a normal shock, brought to rest (Rayleigh's pitot formula):
// 5.640 times that of a stream of Mach 2. The flow is symmetric about the axis to the last bit, on all levels.
TYPED_TEST(Flow, BowShockIsSymmetricWithThePressureOfRayleigh) {
  for (const auto& [numLevels, subcycles] : {std::pair(1, false), std::pair(3, false), std::pair(3, true)}) {
    BowShock<TypeParam> is(numLevels == 1 ? 10 : 5, numLevels);
    is.options.subcycles = subcycles;
    CompressibleFlow<TypeParam, 2> flow(this->context, is.options, is.disc);
    stepTo<TypeParam, 2>(flow, 20.0); // by then waves of the start are gone
    std::map<std::array<int, 3>, Conserved<double, 2>> states;
    forLeaves<TypeParam, 2>(flow, [&](int l, const Cell<2>& cell, const Conserved<double, 2>& state) {
      states[{l, cell.at[0], cell.at[1]}] = state;
    });
    const int height = is.options.box.end[1];
    double nose = 0.0;
    for (const auto& [key, state] : states) {
      const auto mirrored = states.find({key[0], key[1], (height << key[0]) - 1 - key[2]});
      ASSERT_NE(mirrored, states.end());
      for (const std::size_t c : {0, 1, 2, 3}) {
        const double expected = c == 2 ? -mirrored->second[c] : mirrored->second[c];
        // To the last bit; compilers for devices fuse operations, of which a mirror image has others.
        const double error = runsOnHost<TypeParam> ? 0.0 : 1e-9;
        ASSERT_NEAR(state[c], expected, error) << key[0] << " " << key[1] << " " << key[2];
      }
      if (key[0] == numLevels - 1 && key[2] == height << key[0] >> 1 && key[1] < 3 * is.cellsOfRadius << key[0]) {
        nose = IdealGas<double>().primitive<2>(state).pressure; // the last one before the disc
      }
    }
    EXPECT_NEAR(nose, 5.640, 0.02 * 5.640) << numLevels << " levels";
    EXPECT_EQ(flow.report().raisedCells, 0);
  }
}

} // namespace
} // namespace spanwise::flow::testing
