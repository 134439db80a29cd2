#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/NBody/BodyForces.hpp"
#include "Core/Solvers/NBody/Leapfrog.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Solvers/NBody/Distributions.hpp"
#include "Testing/Core/Solvers/NBody/LeapfrogErrors.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace spanwise::nbody::testing {
namespace {

using spanwise::testing::expectNoAllocations;
using spanwise::testing::ofSeveralThreads;

template <class Space>
class Leapfrog : public ::testing::Test {};
TYPED_TEST_SUITE(Leapfrog, AllSpaces, SpaceNames);

template <int Dim>
using Place = std::array<double, Dim>;

/// Bodies on the host, to start from.
template <int Dim>
struct Start {
  std::array<Column<double>, Dim> positions;
  std::array<Column<double>, Dim> velocities;
  std::vector<Column<double>> masses = std::vector<Column<double>>(1);
  std::vector<Column<double>> charges; ///< none: the masses

  void add(const Place<Dim>& x, const Place<Dim>& v, double mass) {
    for (int axis = 0; axis < Dim; ++axis) {
      positions[axis].push_back(x[axis]);
      velocities[axis].push_back(v[axis]);
    }
    masses[0].push_back(mass);
  }
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(masses[0].size()); }
};

/// Bodies on their way, with the forces between them.
template <class Space, class Interaction, int Dim>
class Motion {
public:
  Motion(const Space& space, const Interaction& interaction, const ForceOptions& options, const Start<Dim>& start)
    : context_(space), count_(start.count()), hasCharges_(!start.charges.empty()), positions_(start.positions),
      velocities_(start.velocities), masses_(start.masses), charges_(start.charges), accelerations_(count_, Dim),
      potentials_(count_, 1), forces_(interaction, options) {
    forces_(context_, view(), accelerations_.data(), potentials_.data());
  }

  [[nodiscard]] BodiesView<Dim> view() const {
    BodiesView<Dim> bodies;
    bodies.count = count_;
    bodies.masses = masses_.data();
    bodies.charges = hasCharges_ ? charges_.data() : nullptr;
    for (int axis = 0; axis < Dim; ++axis) {
      bodies.positions[axis] = positions_.column(axis);
      bodies.velocities[axis] = velocities_.column(axis);
    }
    return bodies;
  }

  void move(double timeStep, std::int64_t numSteps, const Progress& progress = {}) {
    leapfrog(context_.with(progress), view(), accelerations_.data(), timeStep, numSteps,
      [&](bool last, const Context<Space>& context) {
        forces_(context, view(), accelerations_.data(), last ? potentials_.data() : nullptr);
      });
  }

  [[nodiscard]] MotionTotals totals() const { return motionTotals(context_, view(), potentials_.data()); }
  [[nodiscard]] Column<double> positions() const { return positions_.all(); }
  [[nodiscard]] Column<double> velocities() const { return velocities_.all(); }
  [[nodiscard]] Column<double> accelerations() const { return accelerations_.all(); }
  [[nodiscard]] const BodyForces<Space, Interaction, Dim>& forces() const { return forces_; }

private:
  const Context<Space> context_;
  std::int64_t count_;
  bool hasCharges_;
  Columns<Space, double> positions_, velocities_, masses_, charges_, accelerations_, potentials_;
  BodyForces<Space, Interaction, Dim> forces_;
};

double largestDifference(const Column<double>& a, const Column<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

ForceOptions gravity(SumMethod method = SumMethod::Direct) {
  ForceOptions options;
  options.factor = -1.0;
  options.method = method;
  return options;
}

/// Two bodies on an ellipse around each other whose semi-major axis is 1, at its pericentre, at rest together. `pull`
/// is the force times r^2.
template <int Dim>
Start<Dim> twoBodies(double eccentricity, double mass0, double mass1, double pull) {
  const double mass = mass0 + mass1;
  const double r = 1.0 - eccentricity;
  const double v = std::sqrt(pull * mass / (mass0 * mass1) * (1.0 + eccentricity) / r);
  Start<Dim> start;
  Place<Dim> x{};
  Place<Dim> u{};
  x[0] = r * mass1 / mass;
  u[Dim - 1] = v * mass1 / mass;
  start.add(x, u, mass0);
  x[0] = -r * mass0 / mass;
  u[Dim - 1] = -v * mass0 / mass;
  start.add(x, u, mass1);
  return start;
}
double periodOf(double mass0, double mass1, double pull) {
  return 2.0 * std::numbers::pi * std::sqrt(mass0 * mass1 / (mass0 + mass1) / pull);
}

/// Errors through the squares of their steps, which are halved, tend to a limit with the square of the step: each is as
/// far from it as a third of the last change.
void expectLimit(const std::vector<double>& scaled, double limit) {
  for (std::size_t k = 1; k < scaled.size(); ++k) {
    EXPECT_NEAR(scaled[k], limit, std::abs(scaled[k] - scaled[k - 1])) << k;
  }
}

/// Kepler's third law, and the error that the leapfrog has.
template <class Space, int Dim>
void expectClosedOrbit(double charge0, double charge1, bool byGravity) {
  constexpr double eccentricity = 0.5;
  constexpr double mass0 = 3.0;
  constexpr double mass1 = 0.5;
  const double pull = byGravity ? mass0 * mass1 : -charge0 * charge1;
  Start<Dim> start = twoBodies<Dim>(eccentricity, mass0, mass1, pull);
  ForceOptions options = gravity();
  if (!byGravity) {
    start.charges = {{charge0, charge1}};
    options.factor = 1.0;
  }
  std::vector<double> scaled;
  for (const int steps : {500, 1000, 2000}) {
    Motion<Space, InverseDistance, Dim> motion(oneThread<Space>(), {}, options, start);
    const Column<double> first = motion.positions();
    motion.move(periodOf(mass0, mass1, pull) / steps, steps);
    const double step = 2.0 * std::numbers::pi / steps;
    scaled.push_back(largestDifference(motion.positions(), first) / (step * step));
  }
  expectLimit(scaled, mass0 / (mass0 + mass1) * missOfAnOrbit(eccentricity)); // of the lighter one
}

TYPED_TEST(Leapfrog, AnOrbitOfTwoBodiesClosesWithTheSquareOfTheStep) {
  expectClosedOrbit<TypeParam, 2>(0.0, 0.0, true);
  expectClosedOrbit<TypeParam, 3>(0.0, 0.0, true);
}

TYPED_TEST(Leapfrog, UnlikeChargesGoAroundEachOtherByTheirMasses) { expectClosedOrbit<TypeParam, 3>(2.0, -0.7, false); }

/// The largest error of the energy in each of some stretches of as many orbits, relative to the energy, through the
/// square of the step.
template <class Space>
std::vector<double> energyErrors(double eccentricity, int stepsAnOrbit, int orbits, int stretches) {
  Motion<Space, InverseDistance, 3> motion(
    oneThread<Space>(), {}, gravity(), twoBodies<3>(eccentricity, 1.0, 1.0, 1.0));
  const double energy = motion.totals().energy();
  EXPECT_NEAR(energy, -0.5, 1e-14); // - G m m / 2 a
  const double step = 2.0 * std::numbers::pi / stepsAnOrbit;
  std::vector<double> errors;
  for (int s = 0; s < stretches; ++s) {
    errors.push_back(0.0);
    for (int k = 0; k < orbits * stepsAnOrbit; ++k) {
      motion.move(periodOf(1.0, 1.0, 1.0) / stepsAnOrbit, 1);
      errors.back() = std::max(errors.back(), std::abs(motion.totals().energy() / energy - 1.0) / (step * step));
    }
  }
  return errors;
}

TYPED_TEST(Leapfrog, ErrorsOfTheEnergyAreBoundedAndOfSecondOrder) {
  constexpr double eccentricity = 0.5;
  double limit = 0.0; // where H2 differs most from that at the pericentre
  for (int k = 0; k <= 1000; ++k) {
    const double r = 1.0 + eccentricity * (0.002 * k - 1.0);
    limit =
      std::max(limit, 2.0 * (excessOfAnOrbit(eccentricity, 1.0 - eccentricity) - excessOfAnOrbit(eccentricity, r)));
  }
  const std::vector<double> errors = energyErrors<TypeParam>(eccentricity, 200, 10, 8);
  const double once = energyErrors<TypeParam>(eccentricity, 400, 1, 1)[0];
  const double twice = energyErrors<TypeParam>(eccentricity, 800, 1, 1)[0];
  expectLimit({errors[0], once, twice}, limit);
  for (const double error : errors) { // no more in the last ten orbits than in the first
    EXPECT_NEAR(error, limit, 2.0 * std::abs(errors[0] - once));
  }
}

/// Bodies in the unit box, at rest together but not each, of different masses.
template <int Dim>
Start<Dim> randomBodies(std::int64_t count) {
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  Start<Dim> start;
  for (std::int64_t i = 0; i < count; ++i) {
    Place<Dim> x{};
    Place<Dim> v{};
    for (int axis = 0; axis < Dim; ++axis) {
      x[axis] = unit(random);
      v[axis] = unit(random) - 0.5;
    }
    start.add(x, v, (0.5 + unit(random)) / static_cast<double>(count));
  }
  return start;
}

TYPED_TEST(Leapfrog, MomentaAreKeptByForcesThatAreMutual) {
  for (const std::int64_t count : {70, 1500}) {
    constexpr double softening = 0.05;
    constexpr double timeStep = 0.02;
    constexpr int numSteps = 20;
    const Start<3> start = randomBodies<3>(count);
    Motion<TypeParam, SoftenedInverseDistance, 3> motion(TypeParam(), {softening}, gravity(), start);
    const auto excess = [&] { return excessOf(start.masses[0], motion.positions(), motion.velocities(), softening); };
    const MotionTotals before = motion.totals();
    const double excessBefore = excess();
    motion.move(timeStep, numSteps);
    const MotionTotals after = motion.totals();
    // two kicks a step round velocities by half an ulp each, sums of accelerations and a drift by no more
    const double rounding = 2.0 * numSteps * std::numeric_limits<double>::epsilon();
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(after.momentum[axis], before.momentum[axis], rounding * after.momentumSize) << "seed " << seed();
      EXPECT_NEAR(after.angularMomentum[axis], before.angularMomentum[axis], rounding * after.angularMomentumSize);
    }
    EXPECT_GT(std::abs(after.kinetic - before.kinetic), 1e-3 * before.kinetic); // something happened
    EXPECT_NEAR(after.energy(), before.energy(), timeStep * timeStep * (excessBefore + excess()));
  }
}

/// But for rounding, by an ulp a step, which grows on its way as what bodies are moved by at its start does.
TYPED_TEST(Leapfrog, GoesBackTheWayItCame) {
  constexpr int numSteps = 60;
  constexpr double moved = 1e-8;
  const Start<2> start = randomBodies<2>(200);
  Start<2> beside = start;
  for (std::size_t i = 0; i < 200; ++i) {
    beside.positions[i % 2][i] += i % 3 == 0 ? -moved : moved;
  }
  Motion<TypeParam, SoftenedInverseDistance, 2> motion(TypeParam(), {0.05}, gravity(), start);
  Motion<TypeParam, SoftenedInverseDistance, 2> other(TypeParam(), {0.05}, gravity(), beside);
  const Column<double> positions = motion.positions();
  const Column<double> velocities = motion.velocities();
  motion.move(0.01, numSteps);
  other.move(0.01, numSteps);
  EXPECT_GT(largestDifference(motion.positions(), positions), 0.1);
  const double growth = std::max(largestDifference(motion.positions(), other.positions()),
                          largestDifference(motion.velocities(), other.velocities())) /
    moved;
  motion.move(-0.01, numSteps);
  const double rounding = 2.0 * numSteps * std::numeric_limits<double>::epsilon() * growth;
  EXPECT_LT(largestDifference(motion.positions(), positions), rounding);
  EXPECT_LT(largestDifference(motion.velocities(), velocities), rounding);
}

/// Equal bodies on a circle turn as a whole: omega^2 = m / 4 sum 1 / sin(pi k / n) (J. C. Maxwell's ring without a
/// planet).
TYPED_TEST(Leapfrog, ARingTurnsAsAWhole) {
  constexpr int number = 12;
  constexpr double pi = std::numbers::pi;
  double square = 0.0;
  for (int k = 1; k < number; ++k) {
    square += 0.25 / std::sin(pi * k / number);
  }
  const double omega = std::sqrt(square);
  Start<3> start;
  for (int k = 0; k < number; ++k) {
    const double angle = 2.0 * pi * k / number;
    start.add({std::cos(angle), std::sin(angle), 0.0}, {-omega * std::sin(angle), omega * std::cos(angle), 0.0}, 1.0);
  }
  std::vector<double> scaled;
  for (const int steps : {100, 200, 400}) {
    Motion<TypeParam, InverseDistance, 3> motion(oneThread<TypeParam>(), {}, gravity(), start);
    motion.move(2.0 * pi / omega / steps, steps);
    const double error = largestDifference(motion.positions(), [&] {
      Column<double> first;
      for (const Column<double>& axis : start.positions) {
        first.insert(first.end(), axis.begin(), axis.end());
      }
      return first;
    }());
    const double step = 2.0 * pi / steps;
    scaled.push_back(error / (step * step));
  }
  expectLimit(scaled, missOfAnOrbit(0.0)); // of each, around what the others do together
}

/// The distance from the middle of a body of Plummer's cluster, within which are those before it.
double plummerRadius(int i, int count) { return 1.0 / std::sqrt(std::pow((i + 0.5) / count, -2.0 / 3.0) - 1.0); }

/// Plummer's cluster in equilibrium, with G = M = 1 and the length 1: positions from the mass within r, speeds by
/// rejection from q^2 (1 - q^2)^(7/2) (S. J. Aarseth, M. Henon, R. Wielen, Astron. Astrophys. 37, 1974).
Start<3> plummer(int count) {
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  Start<3> start;
  for (int i = 0; i < count; ++i) {
    const double r = plummerRadius(i, count);
    double q = 0.0;
    double height = 0.1;
    while (height > q * q * std::pow(1.0 - q * q, 3.5)) {
      q = unit(random);
      height = 0.1 * unit(random);
    }
    const double v = q * std::sqrt(2.0) * std::pow(1.0 + r * r, -0.25);
    Place<3> x = randomDirection<3>(random);
    Place<3> u = randomDirection<3>(random);
    for (int axis = 0; axis < 3; ++axis) {
      x[axis] *= r;
      u[axis] *= v;
    }
    start.add(x, u, 1.0 / count);
  }
  return start;
}

/// Twice the kinetic energy through minus the virial sum m x . a.
template <class Motion>
double virialRatio(const Motion& motion) {
  const Column<double> x = motion.positions();
  const Column<double> a = motion.accelerations();
  double virial = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    virial += x[i] * a[i];
  }
  return -2.0 * motion.totals().kinetic / (virial / (static_cast<double>(x.size()) / 3.0));
}

/// A sum over random numbers: its mean and its standard deviation.
struct RandomSum {
  double mean = 0.0;
  double deviation = 0.0;
};

/// The potential energy of Plummer's cluster over all directions of its bodies: of a pair 1 / r and 1 / r^2, softened,
/// have closed forms, and pairs are independent of each other.
RandomSum plummerPotential(int count, double softening) {
  RandomSum sum;
  const double pull = 1.0 / (static_cast<double>(count) * count);
  for (int i = 0; i < count; ++i) {
    const double a = plummerRadius(i, count);
    for (int j = 0; j < i; ++j) {
      const double b = plummerRadius(j, count);
      const double most = std::hypot(a + b, softening);
      const double least = std::hypot(a - b, softening);
      const double mean = (most - least) / (2.0 * a * b);
      sum.mean -= pull * mean;
      sum.deviation += pull * pull * (std::log(most / least) / (2.0 * a * b) - mean * mean);
    }
  }
  sum.deviation = std::sqrt(sum.deviation);
  return sum;
}

TYPED_TEST(Leapfrog, PlummersClusterStaysInEquilibrium) {
  constexpr int count = 2000;
  constexpr double softening = 0.03;
  Motion<TypeParam, SoftenedInverseDistance, 3> motion(TypeParam(), {softening}, gravity(), plummer(count));
  const RandomSum potential = plummerPotential(count, softening);
  EXPECT_NEAR(motion.totals().potential, potential.mean, 4.0 * potential.deviation) << "seed " << seed();
  // Of q^2, which is of Beta(3/2, 9/2), the variance is 3/112, and of (1 + r^2)^-1 the mean 2/5: the kinetic energy,
  // 3 pi / 64, has the variance 3/280 through the number of bodies. In equilibrium that is so at any time.
  const double deviation = std::sqrt(3.0 / 280.0 / count) / (3.0 * std::numbers::pi / 64.0);
  for (int k = 0; k < 6; ++k) { // a crossing time, 2 sqrt(2), each
    EXPECT_NEAR(virialRatio(motion), 1.0, 4.0 * deviation) << "after " << k << " crossing times, seed " << seed();
    motion.move(2.0 * std::numbers::sqrt2 / 60, 60);
  }
}

TYPED_TEST(Leapfrog, MultipolesMoveBodiesAsDirectSumsDo) {
  if constexpr (runsOnHost<TypeParam>) {
    const Start<3> start = plummer(2500);
    Motion<TypeParam, InverseDistance, 3> direct(TypeParam(), {}, gravity(), start);
    constexpr double timeStep = 1e-5; // in which nobody gets near others
    constexpr double accuracy = 1e-6;
    ForceOptions options = gravity(SumMethod::FastMultipole);
    options.accuracy = accuracy;
    Motion<TypeParam, InverseDistance, 3> far(TypeParam(), {}, options, start);
    EXPECT_GT(far.forces().order(), 0);
    EXPECT_EQ(direct.forces().order(), 0);
    direct.move(timeStep, 3);
    far.move(timeStep, 3);
    const Column<double> a = direct.accelerations();
    const Column<double> b = far.accelerations();
    const Particles<3, double> particles{{start.positions}, start.masses};
    for (std::int64_t i = 0; i < start.count(); i += 97) {
      const auto exact = exactAt(InverseDistance(), particles, i, particles, i); // how large the sums are
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(
          b[axis * start.count() + i], a[axis * start.count() + i], accuracy * static_cast<double>(exact.gradientScale))
          << "seed " << seed();
      }
    }
    EXPECT_NEAR(far.totals().potential, direct.totals().potential, accuracy * std::abs(direct.totals().potential));
    EXPECT_NEAR(far.totals().kinetic, direct.totals().kinetic, accuracy * direct.totals().kinetic);
  }
}

TYPED_TEST(Leapfrog, AutomaticIsByMultipolesOfManyBodies) {
  const auto expectFrom = [](bool onHost, double accuracy, std::int64_t numBodies) {
    ForceOptions options;
    options.accuracy = accuracy;
    EXPECT_EQ(methodOfForces<SoftenedInverseDistance>(options, onHost, numBodies - 1), SumMethod::Direct) << accuracy;
    EXPECT_EQ(methodOfForces<SoftenedInverseDistance>(options, onHost, numBodies), SumMethod::FastMultipole)
      << accuracy;
  };
  expectFrom(true, 1e-3, 10000);
  expectFrom(true, 1e-4, 12000);
  expectFrom(true, 1e-6, 20000);
  expectFrom(true, 1e-8, 100000);
  expectFrom(false, 1e-6, 60000);
  ForceOptions fine;
  fine.accuracy = 1e-9; // operators for all sizes of boxes take longer than direct sums
  EXPECT_EQ(methodOfForces<SoftenedInverseDistance>(fine, true, 46000), SumMethod::Direct);
  EXPECT_EQ(methodOfForces<InverseDistance>(fine, true, 46000), SumMethod::FastMultipole);
  fine.accuracy = 1e-10; // multipoles do not reach it
  EXPECT_EQ(methodOfForces<InverseDistance>(fine, true, 1000000), SumMethod::Direct);
}

TYPED_TEST(Leapfrog, TheSameBitsForAnyNumberOfThreads) {
  std::vector<Column<double>> found;
  std::vector<double> energies;
  for (const TypeParam& space : ofSeveralThreads<TypeParam>()) {
    for (int again = 0; again < 2; ++again) {
      Motion<TypeParam, SoftenedInverseDistance, 3> motion(space, {0.05}, gravity(), randomBodies<3>(1500));
      motion.move(0.01, 4);
      found.push_back(motion.positions());
      energies.push_back(motion.totals().energy());
    }
  }
  for (std::size_t k = 1; runsOnHost<TypeParam> && k < found.size(); ++k) {
    EXPECT_EQ(found[k], found[0]);
    EXPECT_EQ(energies[k], energies[0]);
  }
}

TYPED_TEST(Leapfrog, StepsAllocateNothing) {
  for (const std::int64_t count : {40, 1500}) {
    Motion<TypeParam, SoftenedInverseDistance, 3> motion(TypeParam(), {0.05}, gravity(), randomBodies<3>(count));
    MotionTotals totals;
    expectNoAllocations<TypeParam>([&] {
      motion.move(1e-3, 2);
      totals = motion.totals();
    });
    EXPECT_GT(totals.kinetic, 0.0);
  }
}

/// Where the tree stays as it is; steps are so small that nobody leaves a box.
TYPED_TEST(Leapfrog, StepsByMultipolesAllocateNothing) {
  if constexpr (runsOnHost<TypeParam>) {
    ForceOptions options = gravity(SumMethod::FastMultipole);
    options.accuracy = 1e-3;
    Motion<TypeParam, SoftenedInverseDistance, 3> motion(TypeParam(), {0.05}, options, plummer(4000));
    EXPECT_GT(motion.forces().order(), 0);
    MotionTotals totals;
    expectNoAllocations<TypeParam>([&] {
      motion.move(1e-15, 2);
      totals = motion.totals();
    });
    EXPECT_GT(totals.kinetic, 0.0);
  }
}

TYPED_TEST(Leapfrog, NoBodiesAndOneBody) {
  Motion<TypeParam, InverseDistance, 3> none(TypeParam(), {}, gravity(), {});
  none.move(0.1, 2);
  EXPECT_EQ(none.totals().energy(), 0.0);
  Start<3> start;
  start.add({1.0, 2.0, 3.0}, {0.5, 0.0, -1.0}, 2.0);
  Motion<TypeParam, InverseDistance, 3> one(TypeParam(), {}, gravity(), start);
  one.move(0.25, 4);
  EXPECT_EQ(one.positions(), Column<double>({1.5, 2.0, 2.0}));
  const MotionTotals totals = one.totals();
  EXPECT_EQ(totals.kinetic, 1.25);
  EXPECT_EQ(totals.momentum[2], -2.0);
  EXPECT_EQ(totals.angularMomentum[0], 2.0 * (2.0 * -1.0)); // m (y v_z - z v_y)
}

TYPED_TEST(Leapfrog, WhatCannotBeIsSaid) {
  Motion<TypeParam, InverseDistance, 3> motion(TypeParam(), {}, gravity(), randomBodies<3>(5));
  const auto messageOf = [&](double timeStep, std::int64_t steps) -> std::string {
    try {
      motion.move(timeStep, steps);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(messageOf(0.1, -1).find("the number of steps is -1"), std::string::npos);
  EXPECT_NE(messageOf(std::nan(""), 1).find("the time step is nan"), std::string::npos);
  EXPECT_EQ(messageOf(0.1, 0), "");
  EXPECT_THROW(motion.move(0.1, 5, Progress([](double fraction) { return fraction < 0.5; })), Cancelled);
}

} // namespace
} // namespace spanwise::nbody::testing
