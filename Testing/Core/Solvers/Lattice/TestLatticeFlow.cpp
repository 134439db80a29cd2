// Lattice Boltzmann flow against exact solutions and published tables, and what has the same bits whatever the update,
// the threads and the storage of fields.

#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Lattice/DescribeLattice.hpp"
#include "Core/Solvers/Lattice/LatticeUnits.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/Solvers/Lattice/LatticeCases.hpp"
#include "Testing/Core/Spaces.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

namespace spanwise::lattice::testing {
namespace {

using spanwise::testing::AllSpaces;
using spanwise::testing::seed;
using spanwise::testing::SpaceNames;

constexpr Collision allCollisions[] = {
  Collision::SingleRelaxation, Collision::TwoRelaxation, Collision::Regularised, Collision::Entropic};

template <class Space>
class Lattice : public ::testing::Test {
public:
  const Context<Space> context;
};
TYPED_TEST_SUITE(Lattice, AllSpaces, SpaceNames);

template <class Space, int Dim>
void steps(LatticeFlow<Space, Dim>& flow, int count) {
  for (int k = 0; k < count; ++k) {
    flow.step();
  }
}

// Flow between two plates, driven by a force: a parabola. Two relaxation times with 3/16 have it to round-off at any
// viscosity (Ginzburg and d'Humieres 2003), whichever way it flows.
template <class Space, int Dim>
void expectParabola(const Context<Space>& context, int along, int across, Velocities velocities) {
  SCOPED_TRACE("along " + std::to_string(along) + ", across " + std::to_string(across));
  const int height = 8;
  LatticeOptions<Dim> options;
  for (int d = 0; d < Dim; ++d) {
    options.box.end[d] = d == across ? height : 3;
    options.repeats[d] = d != across;
  }
  options.velocities = velocities;
  options.storage = Storage::Double;
  options.viscosity = 0.9;
  options.force[along] = 1e-5;
  LatticeFlow<Space, Dim> flow(context, options);
  steps(flow, 1200);
  for (const auto& [at, state] : statesOf<Space, Dim>(flow)) {
    const double y = at[static_cast<std::size_t>(across)] + 0.5;
    const double exact = options.force[along] / (2.0 * options.viscosity) * y * (height - y);
    EXPECT_NEAR(state[static_cast<std::size_t>(along) + 1], exact, 1e-8 * options.force[along]);
  }
}

TYPED_TEST(Lattice, AForceBetweenPlatesMakesAParabola) {
  expectParabola<TypeParam, 2>(this->context, 0, 1, Velocities::Fewest);
  expectParabola<TypeParam, 2>(this->context, 1, 0, Velocities::Fewest);
  for (const Velocities velocities : {Velocities::Fewest, Velocities::All}) {
    expectParabola<TypeParam, 3>(this->context, 0, 2, velocities);
    expectParabola<TypeParam, 3>(this->context, 2, 1, velocities);
  }
}

// A moving plate over a resting one drags the fluid along: a straight line, for every collision.
TYPED_TEST(Lattice, AMovingPlateMakesALine) {
  const int height = 6;
  for (const Collision collision : allCollisions) {
    LatticeOptions<2> options;
    options.box.end[0] = height;
    options.box.end[1] = 2;
    options.repeats[1] = true;
    options.sides[1].velocity[1] = 0.05;
    options.collision = collision;
    options.storage = Storage::Double;
    LatticeFlow<TypeParam, 2> flow(this->context, options);
    steps(flow, 1500);
    for (const auto& [at, state] : statesOf<TypeParam, 2>(flow)) {
      EXPECT_NEAR(state[2], 0.05 * (at[0] + 0.5) / height, 1e-12) << static_cast<int>(collision);
    }
  }
}

struct Stream {
  KOKKOS_FUNCTION FluidState<3> operator()(const double (& /*position*/)[3]) const { return {1.0, {0.07, 0.0, 0.0}}; }
};

// Between slip sides the same fluid goes on as it is.
TYPED_TEST(Lattice, SlipSidesHoldNothingBack) {
  LatticeOptions<3> options;
  for (int d = 0; d < 3; ++d) {
    options.box.end[d] = 4 + d;
    options.repeats[d] = d == 0;
  }
  for (auto& side : options.sides) {
    side.side = Side::Slip;
  }
  options.storage = Storage::Double;
  for (const Update update : {Update::InPlace, Update::TwoPopulations}) {
    options.update = update;
    LatticeFlow<TypeParam, 3> flow(this->context, options);
    flow.start(Stream());
    steps(flow, 51);
    for (const auto& [at, state] : statesOf<TypeParam, 3>(flow)) {
      EXPECT_NEAR(state[0], 1.0, 1e-14);
      EXPECT_NEAR(state[1], 0.07, 1e-14);
      EXPECT_NEAR(state[2], 0.0, 1e-14);
      EXPECT_NEAR(state[3], 0.0, 1e-14);
    }
  }
}

struct StraightStream {
  KOKKOS_FUNCTION FluidState<2> operator()(const double (& /*position*/)[2]) const { return {1.0, {0.08, 0.0}}; }
};

// A stream comes in, and leaves as it came.
TYPED_TEST(Lattice, StreamsGoThroughSides) {
  for (const Collision collision : allCollisions) {
    LatticeOptions<2> options;
    options.box.end[0] = 10;
    options.box.end[1] = 4;
    options.repeats[1] = true;
    options.sides[0] = {Side::Inflow, {0.08, 0.0}};
    options.sides[1].side = Side::Outflow;
    options.collision = collision;
    options.storage = Storage::Double;
    LatticeFlow<TypeParam, 2> flow(this->context, options);
    flow.start(StraightStream());
    steps(flow, 100);
    for (const auto& [at, state] : statesOf<TypeParam, 2>(flow)) {
      EXPECT_NEAR(state[0], 1.0, 1e-14);
      EXPECT_NEAR(state[1], 0.08, 1e-14);
      EXPECT_NEAR(state[2], 0.0, 1e-14);
    }
  }
}

/// Sound on its way along an axis, in a stream.
template <int Dim>
struct Sound {
  int axis;
  double centre;
  double speed; ///< of the stream
  double way;   ///< 1: up the axis
  double height;

  KOKKOS_FUNCTION FluidState<Dim> operator()(const double (&position)[Dim]) const {
    const double distance = (position[axis] - centre) / 12.0;
    const double more = height * Kokkos::exp(-distance * distance);
    FluidState<Dim> state{1.0 + more, {}};
    state.velocity[axis] = way * (speed + more / Kokkos::sqrt(3.0));
    return state;
  }
};

/// The greatest deviation of the density after sound has gone out of a long box, and would be back in its middle.
template <class Space, int Dim>
double soundLeft(const Context<Space>& context, int axis, bool upper, double speed) {
  constexpr double height = 1e-4;
  LatticeOptions<Dim> options;
  for (int d = 0; d < Dim; ++d) {
    options.box.end[d] = d == axis ? 160 : 3;
    options.repeats[d] = d != axis;
  }
  const double way = upper ? 1.0 : -1.0;
  auto& inflow = options.sides[static_cast<std::size_t>(2 * axis + (upper ? 0 : 1))];
  inflow.side = Side::Inflow;
  inflow.velocity[axis] = way * speed;
  options.sides[static_cast<std::size_t>(2 * axis + (upper ? 1 : 0))].side = Side::Outflow;
  options.viscosity = 0.01;
  options.storage = Storage::Double;
  LatticeFlow<Space, Dim> flow(context, options);
  flow.start(Sound<Dim>{axis, upper ? 80.0 : 79.0, speed, way, height});
  steps(flow, 270);
  double greatest = 0.0;
  for (const auto& [at, state] : statesOf<Space, Dim>(flow)) {
    greatest = std::max(greatest, std::abs(state[0] - 1.0) / height);
  }
  return greatest;
}

// Of sound that goes straight out a few percent come back.
TYPED_TEST(Lattice, SoundLeavesThroughOutflows) {
  for (const double speed : {0.0, 0.05}) {
    EXPECT_LT((soundLeft<TypeParam, 2>(this->context, 0, true, speed)), 0.05) << speed;
    EXPECT_LT((soundLeft<TypeParam, 2>(this->context, 1, false, speed)), 0.05) << speed;
    EXPECT_LT((soundLeft<TypeParam, 3>(this->context, 2, true, speed)), 0.05) << speed;
  }
}

// From rest to half of a lid's velocity in half of the ramp; by no sound, the same in the end as by a sudden start.
TYPED_TEST(Lattice, RampsEndWhereSuddenStartsDo) {
  LatticeOptions<2> options;
  options.box.end[0] = 3;
  options.box.end[1] = 6;
  options.repeats[0] = true;
  options.sides[3].velocity[0] = 0.04;
  options.storage = Storage::Double;
  options.rampSteps = 1000;
  LatticeFlow<TypeParam, 2> flow(this->context, options);
  steps(flow, 500);
  const States<2> half = statesOf<TypeParam, 2>(flow);
  EXPECT_NEAR(half.at({1, 5})[1], 0.5 * 0.04 * 5.5 / 6.0, 2e-3);
  steps(flow, 2000);
  for (const auto& [at, state] : statesOf<TypeParam, 2>(flow)) {
    EXPECT_NEAR(state[1], 0.04 * (at[1] + 0.5) / 6.0, 1e-12);
  }
}

struct TaylorGreen {
  double k;
  double speed;

  KOKKOS_FUNCTION FluidState<2> operator()(const double (&position)[2]) const {
    const double x = k * position[0];
    const double y = k * position[1];
    FluidState<2> state;
    state.density = 1.0 - 0.75 * speed * speed * (Kokkos::cos(2.0 * x) + Kokkos::cos(2.0 * y));
    state.velocity[0] = -speed * Kokkos::cos(x) * Kokkos::sin(y);
    state.velocity[1] = speed * Kokkos::sin(x) * Kokkos::cos(y);
    return state;
  }
};

/// The error of a vortex that decays, with the speed as 1 / size and the time as its square.
template <class Space>
double errorOfTaylorGreen(const Context<Space>& context, int size, Collision collision) {
  LatticeOptions<2> options;
  options.box.end[0] = options.box.end[1] = size;
  options.repeats[0] = options.repeats[1] = true;
  options.collision = collision;
  options.viscosity = 0.05;
  options.storage = Storage::Double;
  const TaylorGreen exact{2.0 * std::numbers::pi / size, 0.64 / size};
  LatticeFlow<Space, 2> flow(context, options);
  flow.start(exact);
  const int count = size * size / 4;
  steps(flow, count);
  const double decay = std::exp(-2.0 * options.viscosity * exact.k * exact.k * count);
  double square = 0.0;
  double all = 0.0;
  for (const auto& [at, state] : statesOf<Space, 2>(flow)) {
    const FluidState<2> is = exact({at[0] + 0.5, at[1] + 0.5});
    for (int d = 0; d < 2; ++d) {
      const double wanted = decay * is.velocity[d];
      square += std::pow(state[static_cast<std::size_t>(d) + 1] - wanted, 2);
      all += wanted * wanted;
    }
  }
  return std::sqrt(square / all);
}

template <class Space>
HostField<double> valuesOf(LatticeFlow<Space, 2>& flow) {
  HostField<double> values;
  copy(flow.values(), values);
  return values;
}

// Central differences of sines and cosines: their own with sin(k) in the place of k.
TYPED_TEST(Lattice, VorticityIsThatOfTheVortices) {
  const int size = 16;
  LatticeOptions<2> options;
  options.box.end[0] = options.box.end[1] = size;
  options.repeats[0] = options.repeats[1] = true;
  options.storage = Storage::Double;
  const TaylorGreen exact{2.0 * std::numbers::pi / size, 0.04};
  LatticeFlow<TypeParam, 2> flow(this->context, options);
  flow.start(exact);
  const HostField<double> values = valuesOf(flow);
  using Value = FluidValue<2>;
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      const std::int64_t cell = i + size * j; // in the order of the set
      const double x = exact.k * (i + 0.5);
      const double y = exact.k * (j + 0.5);
      const double slope = exact.speed * std::sin(exact.k);
      EXPECT_NEAR(values.view()(cell, Value::vorticity), 2.0 * slope * std::cos(x) * std::cos(y), 1e-15);
      const double strain = std::pow(std::sin(x) * std::sin(y), 2);
      const double spin = std::pow(std::cos(x) * std::cos(y), 2);
      EXPECT_NEAR(values.view()(cell, Value::qCriterion), slope * slope * (spin - strain), 1e-15);
      EXPECT_NEAR(values.view()(cell, Value::velocity), exact({i + 0.5, j + 0.5}).velocity[0], 1e-15);
    }
  }
}

// Between a moving plate and a resting one it is the same everywhere, also beside them.
TYPED_TEST(Lattice, VorticityKnowsWhereWallsAre) {
  LatticeOptions<2> options;
  options.box.end[0] = 3;
  options.box.end[1] = 8;
  options.repeats[0] = true;
  options.sides[3].velocity[0] = 0.02;
  options.storage = Storage::Double;
  IntervalSetOn<2, TypeParam> solid;
  makeBox<TypeParam, 2>(this->context, {{0, 0}, {3, 2}}, solid);
  LatticeFlow<TypeParam, 2> flow(this->context, options, solid);
  steps(flow, 3000);
  const HostField<double> values = valuesOf(flow);
  for (std::int64_t cell = 0; cell < values.numCells(); ++cell) {
    EXPECT_NEAR(values.view()(cell, FluidValue<2>::vorticity), -0.02 / 6.0, 1e-12);
    EXPECT_NEAR(values.view()(cell, FluidValue<2>::qCriterion), 0.0, 1e-12);
  }
}

TYPED_TEST(Lattice, VorticesDecayInSecondOrder) {
  for (const Collision collision : allCollisions) {
    const double coarse = errorOfTaylorGreen(this->context, 16, collision);
    const double fine = errorOfTaylorGreen(this->context, 32, collision);
    EXPECT_GT(std::log2(coarse / fine), 1.9) << static_cast<int>(collision) << ": " << coarse << ", " << fine;
    EXPECT_LT(fine, 1e-2);
  }
}

/// A box with random obstacles, and something else at each side.
template <int Dim>
LatticeOptions<Dim> manySides(bool closed) {
  LatticeOptions<Dim> options;
  for (int d = 0; d < Dim; ++d) {
    options.box.begin[d] = -3;
    options.box.end[d] = 7 + 2 * d;
  }
  options.sides[0].side = closed ? Side::Slip : Side::Inflow;
  options.sides[0].velocity[0] = closed ? 0.0 : 0.02;
  options.sides[1].side = closed ? Side::Wall : Side::Outflow;
  options.sides[2].side = Side::Slip;
  options.sides[3].velocity[0] = 0.04;
  options.repeats[Dim - 1] = Dim == 3;
  options.force[0] = 1e-5;
  options.viscosity = 0.02;
  options.storage = Storage::Double;
  return options;
}

struct WavySurface {
  KOKKOS_FUNCTION double operator()(const double (&position)[3]) const {
    return Kokkos::sin(5.0 * position[0] + 3.0 * position[1] + position[2]) * 0.5;
  }
};

template <class Space, int Dim>
States<Dim> statesAfter(const Context<Space>& context, const LatticeOptions<Dim>& options,
  const IntervalSetOn<Dim, Space>& obstacle, int count) {
  LatticeFlow<Space, Dim> flow(context, options, obstacle);
  flow.start(ManyStates<Dim>());
  steps(flow, count);
  return statesOf<Space, Dim>(flow);
}

template <class Space, int Dim>
void expectSameInPlace(const Context<Space>& context, std::mt19937& random, Velocities velocities) {
  for (const bool closed : {false, true}) {
    LatticeOptions<Dim> options = manySides<Dim>(closed);
    const auto obstacle = someCells<Space, Dim>(context, options.box, Dim == 2 ? 15 : 150, random);
    options.velocities = velocities;
    for (const Collision collision : allCollisions) {
      options.collision = collision;
      for (const double smagorinsky : {0.0, 0.1}) {
        options.smagorinsky = smagorinsky;
        for (const int count : {0, 1, 2, 7}) {
          options.update = Update::TwoPopulations;
          const States<Dim> expected = statesAfter(context, options, obstacle, count);
          options.update = Update::InPlace;
          EXPECT_EQ(statesAfter(context, options, obstacle, count), expected)
            << "collision " << static_cast<int>(collision) << " after " << count << (closed ? ", closed" : "");
        }
      }
    }
  }
}

// On devices, too: both updates have the same operations.
TYPED_TEST(Lattice, UpdatesInPlaceHaveTheBitsOfTwoPopulations) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectSameInPlace<TypeParam, 2>(this->context, random, Velocities::Fewest);
  expectSameInPlace<TypeParam, 3>(this->context, random, Velocities::Fewest);
  expectSameInPlace<TypeParam, 3>(this->context, random, Velocities::All);
}

template <int Dim>
double massOf(const States<Dim>& states) {
  double mass = 0.0;
  for (const auto& [at, state] : states) {
    mass += state[0] - 1.0;
  }
  return mass;
}

TYPED_TEST(Lattice, ClosedBoxesKeepTheirMass) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const Collision collision : allCollisions) {
    LatticeOptions<3> options = manySides<3>(true);
    options.collision = collision;
    const auto obstacle = someCells<TypeParam, 3>(this->context, options.box, 200, random);
    const double before = massOf<3>(statesAfter(this->context, options, obstacle, 0));
    const States<3> after = statesAfter(this->context, options, obstacle, 200);
    EXPECT_NEAR(massOf<3>(after), before, 1e-15 * static_cast<double>(after.size()));
  }
}

template <int Dim>
std::array<double, Dim> momentumOf(const States<Dim>& states) {
  std::array<double, Dim> sum{};
  for (const auto& [at, state] : states) {
    for (int d = 0; d < Dim; ++d) {
      sum[static_cast<std::size_t>(d)] += state[0] * state[static_cast<std::size_t>(d) + 1];
    }
  }
  return sum;
}

// What the fluid loses is what the obstacle gets: in each step, to round-off, and neither half of it nor twice.
TYPED_TEST(Lattice, ObstaclesGetWhatTheFluidLoses) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const Update update : {Update::TwoPopulations, Update::InPlace}) {
    LatticeOptions<3> options = manySides<3>(true);
    for (int d = 0; d < 3; ++d) {
      options.repeats[d] = true;
    }
    options.force[2] = -2e-5;
    options.update = update;
    LatticeFlow<TypeParam, 3> flow(
      this->context, options, someCells<TypeParam, 3>(this->context, options.box, 100, random));
    flow.start(ManyStates<3>());
    if (update == Update::InPlace) { // also with walls elsewhere
      flow.setSurface(WavySurface());
    }
    for (int k = 0; k < 6; ++k) {
      const States<3> before = statesOf<TypeParam, 3>(flow);
      const WallForce<3> force = flow.force();
      flow.step();
      const States<3> after = statesOf<TypeParam, 3>(flow);
      for (std::size_t d = 0; d < 3; ++d) {
        const double lost = momentumOf<3>(before)[d] - momentumOf<3>(after)[d];
        const double given = options.force[d] * static_cast<double>(before.size());
        EXPECT_NEAR(force.force[d], lost + given, 1e-13) << "axis " << d << " step " << k;
        EXPECT_GT(std::abs(force.force[d]), 1e-4);
      }
    }
  }
}

/// A straight wall above some rows of solid cells.
struct FlatSurface {
  double y;

  KOKKOS_FUNCTION double operator()(const double (&position)[2]) const { return position[1] - y; }
};

// Linear interpolation has a line exactly, wherever the wall is: a plate moves over a resting one.
TYPED_TEST(Lattice, WallsBetweenCellsAreWhereTheyAre) {
  for (const Update update : {Update::TwoPopulations, Update::InPlace}) {
    for (const double y : {1.55, 1.8, 2.0, 2.2, 2.45}) {
      LatticeOptions<2> options;
      options.box.end[0] = 3;
      options.box.end[1] = 8;
      options.repeats[0] = true;
      options.sides[3].velocity[0] = 0.02;
      options.storage = Storage::Double;
      options.update = update;
      IntervalSetOn<2, TypeParam> solid;
      makeBox<TypeParam, 2>(this->context, {{0, 0}, {3, 2}}, solid);
      LatticeFlow<TypeParam, 2> flow(this->context, options, solid);
      flow.setSurface(FlatSurface{y});
      steps(flow, 3000);
      for (const auto& [at, state] : statesOf<TypeParam, 2>(flow)) {
        EXPECT_NEAR(state[1], 0.02 * (at[1] + 0.5 - y) / (8.0 - y), 1e-8) << "wall at " << y;
      }
      // Friction: viscosity times the slope, on each of three cells.
      const double friction = 3 * options.viscosity * 0.02 / (8.0 - y);
      EXPECT_NEAR(flow.force().force[0], friction, 1e-8);
    }
  }
}

struct DiscSurface {
  double centre;
  double radius;

  KOKKOS_FUNCTION double operator()(const double (&position)[2]) const {
    const double x = position[0] - centre;
    const double y = position[1] - centre;
    return Kokkos::sqrt(x * x + y * y) - radius;
  }
};

// A disc that is held in a slow shear flow: 2 pi viscosity radius^2 times the shear, were the walls far away.
TYPED_TEST(Lattice, ShearTurnsADisc) {
  const int size = 64;
  LatticeOptions<2> options;
  options.box.end[0] = options.box.end[1] = size;
  options.repeats[0] = true;
  options.sides[2].velocity[0] = -0.01;
  options.sides[3].velocity[0] = 0.01;
  options.storage = Storage::Double;
  const DiscSurface disc{size / 2.0, 6.4};
  IntervalSetOn<2, TypeParam> solid;
  makeBall<TypeParam, 2>(this->context, Ball<2>{{disc.centre, disc.centre}, disc.radius}, solid);
  LatticeFlow<TypeParam, 2> flow(this->context, options, solid);
  flow.setSurface(disc);
  steps(flow, 12000);
  const double shear = 0.02 / size;
  const WallForce<2> force = flow.force({disc.centre, disc.centre});
  const double alone = -2.0 * std::numbers::pi * options.viscosity * disc.radius * disc.radius * shear;
  EXPECT_NEAR(force.torque[2] / alone, 1.0, 0.05);
  EXPECT_NEAR(force.force[0], 0.0, 1e-3 * std::abs(alone));
  EXPECT_NEAR(force.force[1], 0.0, 1e-3 * std::abs(alone));
}

TYPED_TEST(Lattice, RunsThatGoOnHaveTheBitsOfThoseThatWereNotInterrupted) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const Storage storage : {Storage::Half, Storage::Float, Storage::Double}) {
    for (const Update update : {Update::TwoPopulations, Update::InPlace}) {
      LatticeOptions<3> options = manySides<3>(false);
      options.storage = storage;
      options.update = update;
      const auto obstacle = someCells<TypeParam, 3>(this->context, options.box, 100, random);
      LatticeFlow<TypeParam, 3> flow(this->context, options, obstacle);
      flow.start(ManyStates<3>());
      steps(flow, 3);
      KeptFrame frame;
      flow.store(frame);
      steps(flow, 3);
      LatticeFlow<TypeParam, 3> other(this->context, options, obstacle);
      other.restore(frame);
      EXPECT_EQ(other.steps(), 3);
      steps(other, 3);
      EXPECT_EQ((statesOf<TypeParam, 3>(other)), (statesOf<TypeParam, 3>(flow)));
    }
  }
}

// Storage with fewer bits changes results as little as they are rounded: of values of 0.03 at each of 20 steps.
TYPED_TEST(Lattice, StorageRounds) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  LatticeOptions<3> options = manySides<3>(false);
  const auto obstacle = someCells<TypeParam, 3>(this->context, options.box, 100, random);
  const States<3> exact = statesAfter(this->context, options, obstacle, 20);
  for (const auto& [storage, bound] : {std::pair{Storage::Float, 2e-7}, std::pair{Storage::Half, 1e-4}}) {
    options.storage = storage;
    double worst = 0.0;
    for (const auto& [at, state] : statesAfter(this->context, options, obstacle, 20)) {
      for (std::size_t c = 0; c < 4; ++c) {
        worst = std::max(worst, std::abs(state[c] - exact.at(at)[c]));
      }
    }
    EXPECT_LT(worst, bound);
    EXPECT_GT(worst, 0.0);
  }
}

TYPED_TEST(Lattice, StepsAllocateNothing) {
  for (const Update update : {Update::TwoPopulations, Update::InPlace}) {
    LatticeOptions<3> options = manySides<3>(false);
    options.update = update;
    LatticeFlow<TypeParam, 3> flow(this->context, options);
    steps(flow, 2);
    static_cast<void>(flow.moments());
    spanwise::testing::expectNoAllocations<TypeParam>([&] {
      steps(flow, 4);
      static_cast<void>(flow.moments());
    });
  }
}

// Frames as Stepping asks for them, and the records on the way.
TYPED_TEST(Lattice, FramesHaveSoManySteps) {
  LatticeOptions<2> options = manySides<2>(false);
  options.stepsPerFrame = 5;
  options.stepsPerRecord = 2;
  LatticeFlow<TypeParam, 2> flow(this->context, options);
  flow.advance({});
  flow.advance({});
  EXPECT_EQ(flow.steps(), 10);
  std::vector<std::int64_t> recorded;
  for (const LatticeRecord<2>& record : flow.history().upTo(10)) {
    recorded.push_back(record.steps);
  }
  EXPECT_EQ(recorded, (std::vector<std::int64_t>{0, 2, 4, 5, 6, 8, 10}));
  KeptFrame frame; // of all records, as checkpoints ask for them
  FrameWriter writer(frame);
  flow.storeHistory(std::numeric_limits<std::int64_t>::max(), writer);
  FrameReader reader(frame);
  LatticeHistory<2> restored;
  restored.restore(reader);
  EXPECT_EQ(restored.upTo(10).size(), recorded.size());
  const LatticeRecord<2> last = flow.history().upTo(10).back();
  double sum = 0.0;
  double greatest = 0.0;
  const States<2> states = statesOf<TypeParam, 2>(flow);
  for (const auto& [at, state] : states) {
    sum += state[1];
    greatest = std::max(greatest, std::hypot(state[1], state[2]));
  }
  EXPECT_NEAR(last.meanVelocity[0], sum / static_cast<double>(states.size()), 1e-15);
  EXPECT_NEAR(last.greatestSpeed, greatest, 1e-15);
  EXPECT_NEAR(last.massBeyondRest, massOf<2>(states), 1e-13);
}

TYPED_TEST(Lattice, UnstableFlowsEndWithOneMessage) {
  LatticeOptions<2> options;
  options.box.end[0] = options.box.end[1] = 16;
  options.sides[3].velocity[0] = 0.29;
  options.viscosity = 1e-6;
  options.collision = Collision::SingleRelaxation;
  options.stepsPerRecord = 10;
  options.stepsPerFrame = 2000;
  LatticeFlow<TypeParam, 2> flow(this->context, options);
  EXPECT_NE(
    spanwise::testing::messageOf<Error>([&] { flow.advance({}); }).find("has become unstable"), std::string::npos);
}

TEST(LatticeOptions, AreChecked) {
  const auto messageOf = [](const auto& change) {
    LatticeOptions<2> options;
    options.box.end[0] = options.box.end[1] = 4;
    change(options);
    return spanwise::testing::messageOf([&] { checkOptions(options); });
  };
  const auto expectMessage = [&](const auto& change, const char* text) {
    const std::string message = messageOf(change);
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  expectMessage([](auto& o) { o.box.end[1] = 0; }, "has no cells");
  expectMessage([](auto& o) { o.viscosity = 0.0; }, "the viscosity is 0");
  expectMessage([](auto& o) { o.smagorinsky = -0.1; }, "Smagorinsky's constant is -0.1");
  expectMessage([](auto& o) { o.magic = 0.0; }, "the magic number is 0");
  expectMessage([](auto& o) { o.force[0] = 1.0; }, "a component of the force is 1");
  expectMessage([](auto& o) { o.stepsPerFrame = 0; }, "the number of steps from one frame to the next is 0");
  expectMessage([](auto& o) { o.sides[3].velocity[0] = 0.4; }, "the speed of a wall is 0.4");
  expectMessage([](auto& o) { o.sides[3].velocity[1] = 0.1; }, "walls move along themselves");
  expectMessage(
    [](auto& o) { o.sides[0] = {Side::Outflow, {}, Profile::Uniform, 2.0}; }, "the density at an outflow is 2");
}

// Water at 0.1 m/s around a pipe of 2 cm, with cells of 1 mm.
TEST(LatticeUnits, AreThoseOfTheUser) {
  const LatticeUnits units = latticeUnits({1e-3, 0.1, 1e-6, 0.05});
  EXPECT_NEAR(units.timeStep, 5e-4, 1e-18);
  EXPECT_NEAR(units.viscosity, 5e-4, 1e-18);
  EXPECT_NEAR(units.relaxationTime, 0.5015, 1e-15);
  EXPECT_NEAR(units.cellReynolds, 100.0, 1e-12);
  EXPECT_NEAR(units.velocity(0.1), 0.05, 1e-16);
  EXPECT_NEAR(units.physicalVelocity(0.05), 0.1, 1e-16);
  EXPECT_NEAR(units.acceleration(9.81), 9.81 * 2.5e-7 / 1e-3, 1e-16);
  checkStability(units, Collision::Entropic);
  const std::string message = spanwise::testing::messageOf([&] { checkStability(units, Collision::TwoRelaxation); });
  EXPECT_NE(message.find("Use the entropic collision, or cells 4.2 times smaller"), std::string::npos) << message;
}

// Bits do not depend on how many cells are taken together, nor on how many threads take them.
TYPED_TEST(Lattice, ThreadsHaveTheSameBits) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  LatticeOptions<3> options = manySides<3>(false);
  options.storage = Storage::Float;
  States<3> expected;
  for (const TypeParam& space : spanwise::testing::ofSeveralThreads<TypeParam>()) {
    std::mt19937 random(seed());
    const Context<TypeParam> context(space);
    const auto obstacle = someCells<TypeParam, 3>(context, options.box, 100, random);
    const States<3> states = statesAfter(context, options, obstacle, 5);
    if (expected.empty()) {
      expected = states;
    }
    EXPECT_EQ(states, expected);
  }
}

} // namespace
} // namespace spanwise::lattice::testing
