// Lattice Boltzmann flow on levels: what crosses from one to the next.

#include "Core/Runtime/Error.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/Solvers/Lattice/LatticeCases.hpp"
#include "Testing/Core/Spaces.hpp"

#include <cmath>
#include <iostream>
#include <numbers>

namespace spanwise::lattice::testing {
namespace {

using spanwise::testing::AllSpaces;
using spanwise::testing::seed;
using spanwise::testing::SpaceNames;

template <class Space>
class Levels : public ::testing::Test {
public:
  const Context<Space> context;
};
TYPED_TEST_SUITE(Levels, AllSpaces, SpaceNames);

template <class Space, int Dim>
void steps(LatticeFlow<Space, Dim>& flow, int count) {
  for (int k = 0; k < count; ++k) {
    flow.step();
  }
}

template <int Dim>
struct Stream {
  KOKKOS_FUNCTION FluidState<Dim> operator()(const double (& /*position*/)[Dim]) const {
    FluidState<Dim> state{1.0, {}};
    state.velocity[0] = 0.07;
    state.velocity[1] = Dim == 3 ? 0.03 : 0.0;
    return state;
  }
};

/// A closed box whose walls are fine; those across the last axis move, the others are where the box repeats.
template <int Dim>
LatticeOptions<Dim> betweenPlates(int height, int numLevels) {
  LatticeOptions<Dim> options;
  for (int d = 0; d < Dim; ++d) {
    options.box.end[d] = d == Dim - 1 ? height : 8;
    options.repeats[d] = d != Dim - 1;
  }
  options.storage = Storage::Double;
  options.refinement.numLevels = numLevels;
  options.refinement.atWalls = true;
  options.refinement.buffer = 2;
  return options;
}

// The same fluid goes on as it is, along jumps of levels.
template <class Space, int Dim>
void expectStream(const Context<Space>& context, Velocities velocities) {
  LatticeOptions<Dim> options = betweenPlates<Dim>(24, 3);
  options.velocities = velocities;
  for (const int side : {2 * Dim - 2, 2 * Dim - 1}) {
    options.sides[static_cast<std::size_t>(side)].velocity[0] = 0.07;
    options.sides[static_cast<std::size_t>(side)].velocity[1] = Dim == 3 ? 0.03 : 0.0;
  }
  LatticeFlow<Space, Dim> flow(context, options);
  flow.start(Stream<Dim>());
  EXPECT_EQ(flow.numLevels(), 3);
  steps(flow, 20);
  for (int l = 0; l < 3; ++l) {
    EXPECT_GT(flow.cells(l).numCells(), 0);
    for (const auto& [at, state] : statesOf<Space, Dim>(flow, l)) {
      EXPECT_NEAR(state[0], 1.0, 1e-14);
      EXPECT_NEAR(state[1], 0.07, 1e-14);
      EXPECT_NEAR(state[2], Dim == 3 ? 0.03 : 0.0, 1e-14);
    }
  }
}

TYPED_TEST(Levels, AreNotSeenByAStream) {
  expectStream<TypeParam, 2>(this->context, Velocities::Fewest);
  expectStream<TypeParam, 3>(this->context, Velocities::Fewest);
  expectStream<TypeParam, 3>(this->context, Velocities::All);
}

/// The mass of all cells, in those of the root.
template <class Space, int Dim>
double massOf(LatticeFlow<Space, Dim>& flow) {
  double mass = 0.0;
  for (int l = 0; l < flow.numLevels(); ++l) {
    for (const auto& [at, state] : statesOf<Space, Dim>(flow, l)) {
      mass += std::ldexp(state[0], -l * Dim);
    }
  }
  return mass;
}

// In a closed box with walls that move and obstacles, at jumps with all kinds of corners, also where jumps meet walls.
template <class Space, int Dim>
void expectMass(const Context<Space>& context, const LatticeOptions<Dim>& options, std::size_t numObstacles) {
  std::mt19937 random(seed());
  Box<Dim> box = options.box;
  for (int d = 0; d < Dim; ++d) {
    box.end[d] *= 1 << (options.refinement.numLevels - 1);
  }
  LatticeFlow<Space, Dim> flow(context, options, someCells<Space, Dim>(context, box, numObstacles, random));
  flow.start(ManyStates<Dim>());
  for (int l = 0; l < options.refinement.numLevels; ++l) {
    EXPECT_GT(flow.cells(l).numCells(), 0) << l;
  }
  const double before = massOf(flow);
  steps(flow, 25);
  EXPECT_NEAR(massOf(flow) / before, 1.0, 2e-15 * 25);
}

TYPED_TEST(Levels, KeepMass) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  LatticeOptions<2> plane;
  plane.box.end[0] = 60;
  plane.box.end[1] = 50;
  plane.storage = Storage::Double;
  plane.refinement = {3, 1, false, 0.0, 16};
  plane.sides[3].velocity[0] = 0.1;
  {
    SCOPED_TRACE("walls");
    expectMass<TypeParam, 2>(this->context, plane, 6);
  }
  plane.sides[0].side = plane.sides[1].side = Side::Slip;
  expectMass<TypeParam, 2>(this->context, plane, 6);
  plane.repeats[1] = true;
  SCOPED_TRACE("after slip");
  expectMass<TypeParam, 2>(this->context, plane, 6);
  for (const Velocities velocities : {Velocities::Fewest, Velocities::All}) {
    LatticeOptions<3> space;
    for (int d = 0; d < 3; ++d) {
      space.box.end[d] = 16 + d;
    }
    space.velocities = velocities;
    space.storage = Storage::Double;
    space.refinement = {2, 1, false, 0.0, 16};
    space.sides[5].velocity[0] = 0.1;
    SCOPED_TRACE(velocities == Velocities::All ? "all velocities" : "fewest velocities");
    expectMass<TypeParam, 3>(this->context, space, 2);
    space.refinement.atWalls = true;
    expectMass<TypeParam, 3>(this->context, space, 1);
  }
}

// A force between plates makes a parabola, and plates that move a line: exactly, as on one level, where two relaxation
// times are used, whatever the levels.
template <class Space, int Dim>
void expectParabola(const Context<Space>& context, int numLevels, bool plateMoves) {
  const int height = 20;
  LatticeOptions<Dim> options = betweenPlates<Dim>(height, numLevels);
  options.viscosity = 0.3;
  if (plateMoves) {
    options.sides[2 * Dim - 1].velocity[0] = 0.02;
  } else {
    options.force[0] = 1e-5;
  }
  LatticeFlow<Space, Dim> flow(context, options);
  steps(flow, 4000);
  for (int l = 0; l < flow.numLevels(); ++l) {
    for (const auto& [at, state] : statesOf<Space, Dim>(flow, l)) {
      const double y = std::ldexp(at[Dim - 1] + 0.5, -l);
      const double exact =
        plateMoves ? 0.02 * y / height : options.force[0] / (2.0 * options.viscosity) * y * (height - y);
      EXPECT_NEAR(state[1], exact, 1e-11);
    }
  }
}

TYPED_TEST(Levels, HaveTheParabolaOfOneLevel) {
  for (const bool plateMoves : {false, true}) {
    expectParabola<TypeParam, 2>(this->context, 2, plateMoves);
    expectParabola<TypeParam, 2>(this->context, 3, plateMoves);
    expectParabola<TypeParam, 3>(this->context, 2, plateMoves);
  }
}

struct TaylorGreen {
  double wave;
  double speed;

  KOKKOS_FUNCTION FluidState<2> operator()(const double (&position)[2]) const {
    const double x = wave * position[0];
    const double y = wave * position[1];
    return {1.0 - 0.75 * speed * speed * (Kokkos::cos(2.0 * x) + Kokkos::cos(2.0 * y)),
      {-speed * Kokkos::cos(x) * Kokkos::sin(y), speed * Kokkos::sin(x) * Kokkos::cos(y)}};
  }
};

/// The error of decaying vortices, in the mean of squares, as a part of their speed.
template <class Space>
double errorOfVortices(const Context<Space>& context, int size, int stepsPerRemesh) {
  LatticeOptions<2> options;
  options.box.end[0] = options.box.end[1] = size;
  options.repeats[0] = options.repeats[1] = true;
  options.viscosity = 0.05;
  options.storage = Storage::Double;
  const TaylorGreen vortices{2.0 * std::numbers::pi / size, 0.64 / size};
  options.refinement.numLevels = 2;
  options.refinement.vorticity = 1.2 * vortices.wave * vortices.speed; // of 2 in the middle of a vortex
  options.refinement.buffer = 2;
  options.refinement.stepsPerRemesh = stepsPerRemesh;
  LatticeFlow<Space, 2> flow(context, options);
  flow.start(vortices);
  EXPECT_GT(flow.cells(0).numCells(), size * size / 8);
  EXPECT_GT(flow.cells(1).numCells(), size * size / 8);
  const double mass = massOf(flow);
  const double rate = 2.0 * vortices.wave * vortices.wave * options.viscosity;
  const auto count = static_cast<int>(0.5 / rate);
  steps(flow, count);
  EXPECT_NEAR(massOf(flow) / mass, 1.0, 1e-15 * count);
  const double left = std::exp(-rate * count);
  double square = 0.0;
  for (int l = 0; l < 2; ++l) {
    for (const auto& [at, state] : statesOf<Space, 2>(flow, l)) {
      const auto exact = vortices({std::ldexp(at[0] + 0.5, -l), std::ldexp(at[1] + 0.5, -l)});
      for (std::size_t d = 0; d < 2; ++d) {
        const double error = (state[d + 1] - left * exact.velocity[d]) / vortices.speed;
        square += std::ldexp(error * error, -2 * l);
      }
    }
  }
  return std::sqrt(square) / size;
}

// Levels stay, or follow the vortices.
TYPED_TEST(Levels, HaveVorticesThatDecay) {
  for (const int stepsPerRemesh : {1000000, 8}) {
    const double coarse = errorOfVortices(this->context, 32, stepsPerRemesh);
    const double fine = errorOfVortices(this->context, 64, stepsPerRemesh);
    std::cout << "errors " << coarse << ", " << fine << ", order " << std::log2(coarse / fine) << '\n';
    EXPECT_LT(coarse, 0.01);
    EXPECT_GT(std::log2(coarse / fine), 1.5);
  }
}

// Also where levels follow the flow: they are kept with it.
TYPED_TEST(Levels, GoOnWithTheBitsOfARunThatWasNotInterrupted) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Storage storage : {Storage::Half, Storage::Float, Storage::Double}) {
    std::mt19937 random(seed());
    LatticeOptions<2> options;
    options.box.end[0] = options.box.end[1] = 30;
    options.sides[3].velocity[0] = 0.1;
    options.storage = storage;
    options.refinement = {3, 1, false, 0.02, 2};
    const auto obstacle = someCells<TypeParam, 2>(this->context, Box<2>{{0, 0}, {120, 120}}, 3, random);
    LatticeFlow<TypeParam, 2> flow(this->context, options, obstacle);
    flow.start(ManyStates<2>());
    steps(flow, 5);
    KeptFrame frame;
    flow.store(frame);
    steps(flow, 6);
    LatticeFlow<TypeParam, 2> other(this->context, options, obstacle);
    other.restore(frame);
    steps(other, 6);
    ASSERT_EQ(other.numLevels(), flow.numLevels());
    for (int l = 0; l < flow.numLevels(); ++l) {
      EXPECT_EQ((statesOf<TypeParam, 2>(other, l)), (statesOf<TypeParam, 2>(flow, l)));
    }
  }
}

TYPED_TEST(Levels, HaveTheSameBitsInOnePassOverMemoryOrTwo) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::vector<States<3>> states[2];
  for (const bool isFused : {false, true}) {
    std::mt19937 random(seed());
    LatticeOptions<3> options;
    for (int d = 0; d < 3; ++d) {
      options.box.end[d] = 14 + d;
    }
    options.sides[0] = {Side::Inflow, {0.05}};
    options.sides[1].side = Side::Outflow;
    options.sides[5].velocity[0] = 0.1;
    options.refinement = {2, 1, true};
    options.refinement.isFused = isFused;
    LatticeFlow<TypeParam, 3> flow(
      this->context, options, someCells<TypeParam, 3>(this->context, Box<3>{{4, 4, 4}, {24, 26, 28}}, 1, random));
    flow.start(ManyStates<3>());
    steps(flow, 5);
    for (int l = 0; l < 2; ++l) {
      states[isFused ? 1 : 0].push_back(statesOf<TypeParam, 3>(flow, l));
    }
  }
  EXPECT_EQ(states[0], states[1]);
}

TYPED_TEST(Levels, AllocateNothingInSteps) {
  LatticeOptions<3> options;
  for (int d = 0; d < 3; ++d) {
    options.box.end[d] = 12;
  }
  options.sides[5].velocity[0] = 0.1;
  options.refinement = {2, 2, true, 0.0, 16};
  LatticeFlow<TypeParam, 3> flow(this->context, options);
  steps(flow, 2);
  spanwise::testing::expectNoAllocations<TypeParam>([&] { steps(flow, 3); });
}

TYPED_TEST(Levels, AreRefusedWithTheValueAndTheRule) {
  LatticeOptions<2> options;
  options.box.end[0] = options.box.end[1] = 8;
  options.refinement.numLevels = 9;
  EXPECT_EQ(spanwise::testing::messageOf([&] { LatticeFlow<TypeParam, 2>(this->context, options); }),
    "the number of levels is 9; it must be 1 to 8");
}

} // namespace
} // namespace spanwise::lattice::testing
