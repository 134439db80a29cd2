#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/NBody/SampleErrors.hpp"
#include "Core/Solvers/NBody/SumMethod.hpp"
#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Core/Solvers/NBody/FarSums.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace spanwise::nbody::testing {
namespace {

using spanwise::testing::isExhaustive;
using spanwise::testing::ofSeveralThreads;
using spanwise::testing::TypesAfterFirst;

using HostSpaces = TypesAfterFirst<void SPANWISE_IF_SERIAL(, Kokkos::Serial) SPANWISE_IF_OPENMP(, Kokkos::OpenMP)
    SPANWISE_IF_THREADS(, Kokkos::Threads)>::Types;

template <class Space>
class MultipoleSums : public ::testing::Test {};
TYPED_TEST_SUITE(MultipoleSums, HostSpaces, SpaceNames);

TYPED_TEST(MultipoleSums, OfInverseDistanceIn3d) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution : allDistributions) {
    for (const double accuracy : {1e-3, 1e-6, 1e-9}) {
      if (accuracy > 1e-8 || distribution == Distribution::Plummer || isExhaustive()) {
        expectAccurate<TypeParam, InverseDistance, 3, double>({}, distribution, 4000, Parts::Both, accuracy, 60);
      }
    }
  }
}

TYPED_TEST(MultipoleSums, OfLogarithmIn2d) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution : allDistributions) {
    for (const double accuracy : {1e-3, 1e-6, 1e-9}) {
      expectAccurate<TypeParam, Logarithm, 2, double>({}, distribution, 6000, Parts::Both, accuracy, 20);
    }
  }
}

TYPED_TEST(MultipoleSums, OfPotentialsAloneToElevenDigits) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  if (isExhaustive()) { // TestMultipoleAccuracies.cpp has it too
    expectAccurate<TypeParam, InverseDistance, 3, double>(
      {}, Distribution::Uniform, 5000, Parts::Potential, 1e-11, 100);
  }
  expectAccurate<TypeParam, InverseDistance, 2, double>({}, Distribution::Uniform, 5000, Parts::Potential, 1e-11, 30);
  expectAccurate<TypeParam, Logarithm, 2, double>({}, Distribution::Sphere, 5000, Parts::Potential, 1e-11, 30);
}

TYPED_TEST(MultipoleSums, OfGradientsAlone) {
  expectAccurate<TypeParam, InverseDistance, 3, double>({}, Distribution::Plummer, 5000, Parts::Gradient, 1e-5, 40);
  expectAccurate<TypeParam, Logarithm, 3, double>({}, Distribution::Uniform, 5000, Parts::Gradient, 1e-5, 40);
}

/// Interactions that do not scale with the length, and dipoles.
TYPED_TEST(MultipoleSums, OfOtherInteractions) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution : {Distribution::Uniform, Distribution::Plummer}) {
    for (const double accuracy : {1e-3, 1e-5}) {
      if ((distribution == Distribution::Uniform) != (accuracy < 1e-4) && !isExhaustive()) {
        continue; // each of either
      }
      expectAccurate<TypeParam, Dipole<3>, 3, double>({}, distribution, 5000, Parts::Both, accuracy, 120);
      expectAccurate<TypeParam, Dipole<2>, 2, double>({}, distribution, 5000, Parts::Both, accuracy, 60);
      expectAccurate<TypeParam, SoftenedInverseDistance, 3, double>(
        {0.05}, distribution, 5000, Parts::Both, accuracy, 120);
      expectAccurate<TypeParam, Yukawa, 3, double>({2.0}, distribution, 5000, Parts::Both, accuracy, 120);
      expectAccurate<TypeParam, Yukawa, 2, double>({2.0}, distribution, 5000, Parts::Both, accuracy, 60);
      expectAccurate<TypeParam, Gaussian, 3, double>({0.5}, distribution, 5000, Parts::Both, accuracy, 120);
      expectAccurate<TypeParam, Gaussian, 2, double>({0.5}, distribution, 5000, Parts::Both, accuracy, 60);
    }
  }
}

/// Trees are deep where points coincide, and boxes so small that interactions without a singularity are constant there.
TYPED_TEST(MultipoleSums, OfSmoothInteractionsInDeepTrees) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution : {Distribution::Duplicates, Distribution::OnePlace, Distribution::Clusters}) {
    expectAccurate<TypeParam, SoftenedInverseDistance, 2, double>({0.05}, distribution, 3000, Parts::Both, 1e-9, 20);
    expectAccurate<TypeParam, Gaussian, 2, double>({0.5}, distribution, 3000, Parts::Both, 1e-9, 20);
    // in 3D operators take seconds for each level: fewer digits, and one interaction for each distribution, unless all
    // are asked for
    const double accuracy = isExhaustive() ? 1e-7 : 1e-5;
    const auto isTaken = [distribution](Distribution of) { return distribution == of || isExhaustive(); };
    if (isTaken(Distribution::Duplicates)) {
      expectAccurate<TypeParam, SoftenedInverseDistance, 3, double>(
        {0.05}, distribution, 3000, Parts::Both, accuracy, 60);
    }
    if (isTaken(Distribution::OnePlace)) {
      expectAccurate<TypeParam, Gaussian, 3, double>({0.5}, distribution, 3000, Parts::Both, accuracy, 60);
    }
    if (isTaken(Distribution::Clusters)) {
      expectAccurate<TypeParam, Yukawa, 3, double>({2.0}, distribution, 3000, Parts::Both, accuracy, 60);
    }
  }
}

/// In boxes much smaller than the length of an interaction all values are nearly the same, and the gradient is a small
/// difference of them.
TYPED_TEST(MultipoleSums, OfWideInteractionsInFloat) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const double accuracy : {1e-3, 1e-5}) {
    expectAccurate<TypeParam, Gaussian, 2, float>({240.0}, Distribution::Plummer, 1500, Parts::Both, accuracy, 12);
    expectAccurate<TypeParam, Gaussian, 3, float>({240.0}, Distribution::Plummer, 3000, Parts::Both, accuracy, 24);
    expectAccurate<TypeParam, SoftenedInverseDistance, 2, float>(
      {100.0}, Distribution::Plummer, 1500, Parts::Both, accuracy, 12);
  }
}

/// How far apart boxes of a level are that are not adjacent, and the accuracy, say whether softening counts there. From
/// none that does to all that do.
TYPED_TEST(MultipoleSums, OfSofteningThatCountsInSmallBoxesOnly) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const double accuracy : {1e-3, 1e-5}) {
    for (const double epsilon : {1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2}) {
      for (const Parts parts : {Parts::Potential, Parts::Both}) {
        if ((parts == Parts::Both) != (accuracy < 1e-4) && !isExhaustive()) {
          continue; // each of either
        }
        SCOPED_TRACE(epsilon);
        expectAccurate<TypeParam, SoftenedInverseDistance, 3, double>(
          {epsilon}, Distribution::Plummer, 5000, parts, accuracy, 30);
      }
    }
  }
}

/// Many sources in few places, and two points without a charge that move where boxes begin.
template <class Space, class Interaction, int Dim>
void expectAccurateInRandomBoxes(
  unsigned of, std::int64_t count, std::int64_t maxInLeaf, Parts parts, std::initializer_list<double> accuracies) {
  SCOPED_TRACE("seed " + std::to_string(of));
  std::mt19937 random(of);
  auto particles = distributed<Dim, double>(Distribution::Duplicates, random, count, numChargesOf<Interaction>);
  std::uniform_real_distribution<double> shift(-0.6, 0.6);
  for (auto& axis : particles.points) {
    axis.push_back(-0.3 + 0.5 * shift(random));
    axis.push_back(1.3 + 0.5 * shift(random));
  }
  for (auto& column : particles.charges) {
    column.insert(column.end(), {0.0, 0.0});
  }
  const Uploaded<Space, Dim, double> uploaded(particles);
  for (const double accuracy : accuracies) {
    MultipoleOptions options;
    options.accuracy = accuracy;
    options.maxInLeaf = maxInLeaf;
    const auto result =
      farSum<Space, Interaction, Dim, double, !runsOnHost<Space>>(Space(), {}, nullptr, uploaded, parts, options);
    const auto errors =
      errorsOf(result, Interaction(), particles, particles, true, std::min<std::int64_t>(40, count / 75));
    EXPECT_LE(errors[0], accuracy) << "potential, order " << result.report.order;
    EXPECT_LE(errors[1], accuracy) << "gradient, order " << result.report.order;
  }
}

// With the first two seeds many sources of one place lie in the corner of a box that is just not adjacent to their
// targets, and errors are largest.
TYPED_TEST(MultipoleSums, AreAccurateWhereverBoxesBegin) {
  for (const unsigned of : {1030U, 1044U, static_cast<unsigned>(seed())}) {
    const std::int64_t maxInLeaf = of == 1044U ? 84 : 70;
    for (const Parts parts : {Parts::Potential, Parts::Both}) {
      expectAccurateInRandomBoxes<TypeParam, InverseDistance, 3>(of, 3000, maxInLeaf, parts, {1e-3, 1e-5, 3e-6});
      if (parts == Parts::Both || isExhaustive()) {
        expectAccurateInRandomBoxes<TypeParam, InverseDistance, 3>(of, 3000, maxInLeaf, parts, {1e-9});
      }
    }
  }
  expectAccurateInRandomBoxes<TypeParam, InverseDistance, 3>(5006, 1500, 30, Parts::Potential, {1e-3});
  expectAccurateInRandomBoxes<TypeParam, InverseDistance, 3>(31011, 1500, 34, Parts::Both, {1.75e-2});
  expectAccurateInRandomBoxes<TypeParam, Dipole<3>, 3>(31010, 1500, 35, Parts::Potential, {3.5e-3});
  expectAccurateInRandomBoxes<TypeParam, Dipole<3>, 3>(31012, 1500, 33, Parts::Potential, {7e-4});
  expectAccurateInRandomBoxes<TypeParam, InverseDistance, 3>(51058, 1500, 27, Parts::Both, {1e-3, 3e-6});
  expectAccurateInRandomBoxes<TypeParam, InverseDistance, 3>(20009, 1500, 56, Parts::Both, {1e-9});
  if (isExhaustive()) { // operators for so many digits take seconds each
    expectAccurateInRandomBoxes<TypeParam, InverseDistance, 3>(20009, 1500, 56, Parts::Both, {2.3e-8, 2e-9});
  }
}

// Likewise.
TYPED_TEST(MultipoleSums, AreAccurateWhereverBoxesBeginIn2d) {
  for (const unsigned of : {3022U, 3034U, static_cast<unsigned>(seed())}) {
    for (const Parts parts : {Parts::Potential, Parts::Both}) {
      expectAccurateInRandomBoxes<TypeParam, InverseDistance, 2>(of, 1500, 15, parts, {1e-3, 3e-6, 1e-9});
      expectAccurateInRandomBoxes<TypeParam, Dipole<2>, 2>(of, 1500, 15, parts, {1e-3, 3e-6, 3e-8, 1e-9});
    }
  }
  expectAccurateInRandomBoxes<TypeParam, InverseDistance, 2>(3077, 1500, 35, Parts::Potential, {1e-3});
  expectAccurateInRandomBoxes<TypeParam, InverseDistance, 2>(31013, 1500, 17, Parts::Potential, {1e-11});
}

/// In each leaf a pair of points with a leaf in between, which may be much closer than coordinates have digits in
/// single precision, for any units.
TYPED_TEST(MultipoleSums, OfPointsThatAreCloseAcrossBoxes) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const double unit : {1.0, 1e-60, 1e25, 1e60}) {
    std::mt19937 random(seed());
    auto particles = distributed<3, double>(Distribution::Uniform, random, 1500);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (auto& axis : particles.points) { // from 0 to 1, so that boxes end at 1 / 2
      for (double& x : axis) {
        x = uniform(random);
      }
      axis.insert(axis.end(), {0.0, 1.0});
    }
    for (int pair = 0; pair < 60; ++pair) {
      const double gap = std::pow(10.0, -5.0 - 0.2 * pair);
      for (int axis = 0; axis < 3; ++axis) {
        const double at = axis == pair % 3 ? 0.5 : uniform(random);
        const double by = axis == pair % 3 ? gap : 0.0;
        particles.points[axis].insert(particles.points[axis].end(), {at - by, at + by});
      }
    }
    for (auto& axis : particles.points) {
      for (double& x : axis) {
        x *= unit;
      }
    }
    particles.charges[0].resize(particles.points[0].size());
    for (double& q : particles.charges[0]) {
      q = 1e-20 * (uniform(random) - 0.5);
    }
    const Uploaded<TypeParam, 3, double> uploaded(particles);
    MultipoleOptions options;
    options.accuracy = 1e-5;
    options.maxInLeaf = 40;
    const auto result = farSum<TypeParam, InverseDistance, 3, double, !runsOnHost<TypeParam>>(
      TypeParam(), {}, nullptr, uploaded, Parts::Both, options);
    const auto errors = errorsOf(result, InverseDistance(), particles, particles, true, 1);
    EXPECT_LE(errors[0], options.accuracy) << "potential, unit " << unit;
    EXPECT_LE(errors[1], options.accuracy) << "gradient, unit " << unit;
  }
}

/// Then operators are those of 1 / r, whatever the size of boxes; elsewhere each size has its own.
TYPED_TEST(MultipoleSums, SofteningTakesNewOperatorsWhereItCountsOnly) {
  std::mt19937 random(seed());
  auto particles = distributed<3, double>(Distribution::Uniform, random, 3000);
  detail::FarLevels<3> kept;
  const Context<TypeParam> context;
  const detail::MultipoleOrder order{6, 2e-4, 30, 0};
  double sides[2] = {};
  std::vector<std::shared_ptr<const detail::FarOperators<3, double>>> softened[2], hard[2], unsoftened[2];
  for (int k = 0; k < 2; ++k) {
    const Uploaded<TypeParam, 3, double> uploaded(particles);
    nbody::PointTree<3, Kokkos::HostSpace> tree;
    buildTree(context, uploaded.view(), uploaded.view(), order.maxInLeaf, tree);
    sides[k] = tree.side;
    ASSERT_GE(tree.numLevels(), 4);
    const auto operatorsOf = [&](const auto& interaction) {
      std::vector<std::shared_ptr<const detail::FarOperators<3, double>>> operators;
      for (const auto& level : detail::farLevels<double>(interaction, tree, order, ~std::uint64_t{0}, kept)) {
        operators.push_back(level.operators);
      }
      return operators;
    };
    softened[k] = operatorsOf(SoftenedInverseDistance{0.05 * tree.side});
    unsoftened[k] = operatorsOf(SoftenedInverseDistance{5e-4 * tree.side}); // a side of the fourth level / 250
    hard[k] = operatorsOf(InverseDistance{});
    for (auto& axis : particles.points) {
      for (double& x : axis) {
        x *= 1.3;
      }
    }
  }
  ASSERT_NE(sides[0], sides[1]);
  EXPECT_EQ(hard[0], hard[1]);
  EXPECT_EQ(unsoftened[0], hard[0]);
  EXPECT_EQ(unsoftened[1], hard[0]);
  for (std::size_t level = 2; level < softened[0].size(); ++level) {
    EXPECT_NE(softened[0][level], hard[0][level]);
    EXPECT_NE(softened[0][level], softened[1][level]);
  }
}

/// Fewer polynomials are chosen for those than with gradients.
TYPED_TEST(MultipoleSums, OfPotentialsAloneOfOtherInteractions) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution : {Distribution::Uniform, Distribution::Plummer}) {
    for (const double accuracy : {1e-2, 1e-4, 1e-6}) {
      if (accuracy < 1e-5 && distribution == Distribution::Plummer && !isExhaustive()) {
        continue;
      }
      const auto expect = [&]<int Dim, class Interaction>(const Interaction& interaction) {
        expectAccurate<TypeParam, Interaction, Dim, double>(
          interaction, distribution, 3000, Parts::Potential, accuracy, Dim == 2 ? 60 : 120);
      };
      expect.template operator()<2>(Gaussian{0.5});
      expect.template operator()<3>(Gaussian{0.5});
      expect.template operator()<2>(Yukawa{2.0});
      expect.template operator()<3>(Yukawa{2.0});
      expect.template operator()<3>(SoftenedInverseDistance{0.05});
    }
  }
}

TYPED_TEST(MultipoleSums, InFloat) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution : allDistributions) {
    for (const double accuracy : {1e-2, 1e-5}) {
      expectAccurate<TypeParam, InverseDistance, 3, float>({}, distribution, 5000, Parts::Both, accuracy, 60);
      expectAccurate<TypeParam, Logarithm, 2, float>({}, distribution, 5000, Parts::Both, accuracy, 30);
    }
  }
}

/// A user's interaction: 1 / (r^2 + 1 / 100).
struct Lorentzian {
  template <Parts parts, class T>
  KOKKOS_FUNCTION RadialTerms<T> terms(T r2) const {
    const T value = inverse(T(r2 + T(0.01)));
    return {value, T(-2.0) * value * value};
  }
};
Derivatives closedForm(const Lorentzian& /*of*/, long double r) {
  const long double f = 1 / (r * r + 0.01L);
  return {f, -2 * r * f * f, (8 * r * r * f - 2) * f * f};
}

TYPED_TEST(MultipoleSums, OfAUsersInteraction) {
  expectAccurate<TypeParam, Lorentzian, 3, double>({}, Distribution::Uniform, 5000, Parts::Both, 1e-5, 60);
}

/// Sources here and targets there, both in places without the other, and expansions that are reached from leaves much
/// larger than their boxes: the sources in a small ball within the targets, and the other way about.
TYPED_TEST(MultipoleSums, OfTargetsApart) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto shrink = [](Particles<3, double> particles) {
    for (auto& axis : particles.points) {
      for (double& x : axis) {
        x = 0.4 + 0.01 * x;
      }
    }
    return particles;
  };
  const auto wide = distributed<3, double>(Distribution::Uniform, random, 9000);
  const auto small = shrink(distributed<3, double>(Distribution::Uniform, random, 8000));
  MultipoleOptions options;
  for (const double accuracy : {1e-4, 1e-7}) {
    options.accuracy = accuracy;
    for (const std::int64_t maxInLeaf : {10, 100, 3000}) {
      options.maxInLeaf = maxInLeaf;
      for (const auto& [targets, sources] : {std::pair(wide, small), std::pair(small, wide)}) {
        const Uploaded<TypeParam, 3, double> uploadedTargets(targets);
        const Uploaded<TypeParam, 3, double> uploadedSources(sources);
        const auto result =
          farSum(TypeParam(), InverseDistance(), &uploadedTargets, uploadedSources, Parts::Both, options);
        const auto errors = errorsOf(result, InverseDistance(), targets, sources, false, 301);
        EXPECT_LE(errors[0], accuracy) << "at most " << maxInLeaf << " in a leaf";
        EXPECT_LE(errors[1], accuracy) << "at most " << maxInLeaf << " in a leaf";
      }
    }
  }
}

template <class Space, class Interaction, int Dim, class Real>
void expectBitsOfOneThread(
  const Interaction& interaction, Distribution distribution, std::int64_t count, std::int64_t maxInLeaf) {
  SCOPED_TRACE(distributionName(distribution));
  std::mt19937 random(seed());
  const Uploaded<Space, Dim, Real> particles(
    distributed<Dim, Real>(distribution, random, count, numChargesOf<Interaction>));
  MultipoleOptions options;
  options.accuracy = 1e-5;
  options.maxInLeaf = maxInLeaf;
  const auto expected =
    farSum<Space, Interaction, Dim, Real>(oneThread<Space>(), interaction, nullptr, particles, Parts::Both, options);
  for (const Space& space : ofSeveralThreads<Space>()) {
    const auto result =
      farSum<Space, Interaction, Dim, Real>(space, interaction, nullptr, particles, Parts::Both, options);
    EXPECT_EQ(result.potentials, expected.potentials);
    EXPECT_EQ(result.gradients, expected.gradients);
  }
}

TYPED_TEST(MultipoleSums, HaveTheSameBitsForAnyNumberOfThreads) {
  for (const Distribution distribution : {Distribution::Uniform, Distribution::Clusters}) {
    expectBitsOfOneThread<TypeParam, InverseDistance, 3, double>({}, distribution, 20000, 50);
    expectBitsOfOneThread<TypeParam, InverseDistance, 3, float>({}, distribution, 6000, 50);
    expectBitsOfOneThread<TypeParam, Logarithm, 2, double>({}, distribution, 6000, 20);
    expectBitsOfOneThread<TypeParam, Logarithm, 2, float>({}, distribution, 6000, 20);
    expectBitsOfOneThread<TypeParam, Dipole<3>, 3, double>({}, distribution, 6000, 50);
  }
  expectBitsOfOneThread<TypeParam, Yukawa, 3, double>({2.0}, Distribution::Uniform, 6000, 50);
}

/// With fewer instructions, down to those that the library is compiled for.
TYPED_TEST(MultipoleSums, HaveTheAccuracyWithAllInstructions) {
  std::mt19937 random(seed());
  const auto particles = distributed<3, double>(Distribution::Plummer, random, 4000);
  const Uploaded<TypeParam, 3, double> uploaded(particles);
  for (const InstructionSet most : instructionSets()) {
    MultipoleOptions options;
    options.accuracy = 1e-7;
    options.maxInLeaf = 50;
    options.maxInstructions = most;
    const auto result = farSum<TypeParam, InverseDistance, 3, double>(
      TypeParam(), InverseDistance(), nullptr, uploaded, Parts::Both, options);
    EXPECT_EQ(result.report.instructions, most);
    const auto errors = errorsOf(result, InverseDistance(), particles, particles, true, 101);
    EXPECT_LE(errors[0], 1e-7);
    EXPECT_LE(errors[1], 1e-7);
  }
}

TYPED_TEST(MultipoleSums, OfManyRightHandSides) {
  std::mt19937 random(seed());
  const auto particles = distributed<3, double>(Distribution::Uniform, random, 4000, 3);
  const Uploaded<TypeParam, 3, double> uploaded(particles);
  MultipoleOptions options;
  options.accuracy = 1e-6;
  options.maxInLeaf = 50;
  options.numRightHandSides = 3;
  const auto result = farSum<TypeParam, InverseDistance, 3, double>(
    TypeParam(), InverseDistance(), nullptr, uploaded, Parts::Both, options);
  for (int side = 0; side < 3; ++side) {
    const auto errors = errorsOf(result, InverseDistance(), particles, particles, true, 101, side);
    EXPECT_LE(errors[0], 1e-6);
    EXPECT_LE(errors[1], 1e-6);
  }
}

/// Factors, sums that are added to what is there, and columns that are further apart than they are long.
TYPED_TEST(MultipoleSums, WithFactorsAndAdded) {
  std::mt19937 random(seed());
  constexpr std::int64_t count = 3000;
  constexpr std::int64_t stride = 3010;
  const auto particles = distributed<2, double>(Distribution::Uniform, random, count);
  const Uploaded<TypeParam, 2, double> uploaded(particles);
  Columns<TypeParam, double> potentials(stride, 1);
  Columns<TypeParam, double> gradients(stride, 2);
  potentials.fill(7.0);
  gradients.fill(-3.0);
  MultipoleOptions options;
  options.accuracy = 1e-8;
  options.maxInLeaf = 20;
  options.store = Store::Add;
  options.potentialFactor = -2.0;
  options.gradientFactor = 0.5;
  MultipoleMemory<2, TypeParam> memory;
  multipolesWithin(Context(TypeParam()), Logarithm(), uploaded.sources(),
    SumsView<double>{potentials.data(), gradients.data(), stride}, options, memory);
  const auto p = potentials.all();
  const auto g = gradients.all();
  for (std::int64_t i = 0; i < stride; i += 77) {
    const bool isThere = i < count;
    const Exact<2> exact = isThere ? exactAt(Logarithm(), particles, i, particles, i) : Exact<2>();
    ASSERT_NEAR(
      p[i], 7.0 - 2.0 * static_cast<double>(exact.potential), 1e-7 * static_cast<double>(1 + exact.potentialScale));
    for (int axis = 0; axis < 2; ++axis) {
      ASSERT_NEAR(g[axis * stride + i], -3.0 + 0.5 * static_cast<double>(exact.gradient[axis]),
        1e-7 * static_cast<double>(1 + exact.gradientScale));
    }
  }
}

/// The same figures as the differences from closed forms at all targets.
TYPED_TEST(MultipoleSums, ReportTheirErrors) {
  std::mt19937 random(seed());
  constexpr std::int64_t count = 2000;
  constexpr int numSides = 2;
  auto particles = distributed<3, double>(Distribution::Uniform, random, count, numSides);
  std::fill_n(particles.charges[0].begin(), count / 2, 0.0); // so that sides have other errors
  const Uploaded<TypeParam, 3, double> uploaded(particles);
  MultipoleOptions options;
  options.accuracy = 1e-3;
  options.maxInLeaf = 30;
  options.numRightHandSides = numSides;
  Columns<TypeParam, double> potentials(count, numSides);
  Columns<TypeParam, double> gradients(count, 3 * numSides);
  const SumsView<double> sums{potentials.data(), gradients.data(), 0};
  MultipoleMemory<3, TypeParam> memory;
  multipolesWithin(Context(TypeParam()), InverseDistance(), uploaded.sources(), sums, options, memory);
  const FarResult<double> result{potentials.all(), gradients.all(), {}};
  const SumsToSample<3, double> toSample{uploaded.view(), uploaded.sources(), sums, true, 1.0, 1.0, numSides};
  const SumErrors errors = sampleErrors(Context(TypeParam()), InverseDistance(), toSample, count);
  std::array<double, 2> expected{};
  long double error2 = 0;
  long double exact2 = 0;
  for (int side = 0; side < numSides; ++side) {
    const auto ofSide = errorsOf(result, InverseDistance(), particles, particles, true, 1, side);
    expected = {std::max(expected[0], ofSide[0]), std::max(expected[1], ofSide[1])};
    for (std::int64_t i = 0; i < count; ++i) {
      const Exact<3> exact = exactAt(InverseDistance(), particles, i, particles, i, side);
      const long double error = result.potentials[side * count + i] - exact.potential;
      error2 += error * error;
      exact2 += exact.potential * exact.potential;
    }
  }
  EXPECT_EQ(errors.numTargets, count);
  EXPECT_NEAR(errors.potentialMax, expected[0], 1e-10);
  EXPECT_NEAR(errors.gradientMax, expected[1], 1e-10);
  EXPECT_GT(errors.potentialMax, 1e-8);
  EXPECT_NEAR(errors.potentialL2, static_cast<double>(std::sqrt(error2 / exact2)), 1e-10);
  EXPECT_EQ(sampleErrors(Context(TypeParam()), InverseDistance(), toSample, 100).numTargets, 100);
  SumsToSample<3, double> nothing = toSample;
  nothing.targets.count = 0;
  EXPECT_EQ(sampleErrors(Context(TypeParam()), InverseDistance(), nothing, 100).numTargets, 0);
}

/// One charge a million times the others, wherever it lies: errors are those of one source, which has the worst place
/// now and then.
TYPED_TEST(MultipoleSums, KeepTheAccuracyWhereOneChargeIsMost) {
  constexpr std::int64_t count = 3000;
  struct Request {
    double accuracy;
    bool gradients;
  };
  for (const Request& request : {Request{1e-3, false}, Request{1e-4, true}, Request{1e-6, false}}) {
    MultipoleMemory<3, TypeParam> memory;
    double largest = 0.0;
    for (unsigned k = 0; k < 6; ++k) {
      std::mt19937 random(seed() + k);
      auto particles = distributed<3, double>(Distribution::Uniform, random, count);
      for (double& charge : particles.charges[0]) {
        charge = 1.0;
      }
      particles.charges[0][k] = 1e6;
      const Uploaded<TypeParam, 3, double> uploaded(particles);
      MultipoleOptions options;
      options.accuracy = request.accuracy;
      Columns<TypeParam, double> potentials(count, 1);
      Columns<TypeParam, double> gradients(count, 3);
      const SumsView<double> sums{potentials.data(), request.gradients ? gradients.data() : nullptr, 0};
      multipolesWithin(Context(TypeParam()), InverseDistance(), uploaded.sources(), sums, options, memory);
      const SumErrors errors = sampleErrors(Context(TypeParam()), InverseDistance(),
        SumsToSample<3, double>{uploaded.view(), uploaded.sources(), sums, true}, count / 3);
      largest = std::max({largest, errors.potentialMax, errors.gradientMax});
    }
    EXPECT_LE(largest, request.accuracy) << "seed " << seed();
  }
}

/// What the table of measurements says; a change of it is a new measurement.
TEST(BreakEven, OfDirectSumsAndMultipoles) {
  const auto pairs = [](double accuracy, SumsAre sums, bool isScaleFreeToo) {
    return pairsForMultipoles({true, sums, isScaleFreeToo, false, accuracy});
  };
  double before = 0.0;
  for (const double accuracy : {1e-1, 1e-3, 1e-4, 1e-6, 1e-8, 1e-9}) {
    EXPECT_GE(pairs(accuracy, SumsAre::Few, true), before) << "finer sums pay later: " << accuracy;
    EXPECT_GE(pairs(accuracy, SumsAre::Few, false), pairs(accuracy, SumsAre::Few, true));
    before = pairs(accuracy, SumsAre::Few, true);
  }
  EXPECT_EQ(pairs(1e-3, SumsAre::Few, true), 1.2e7);
  EXPECT_EQ(pairs(1e-6, SumsAre::Few, true), 1.1e8);
  EXPECT_EQ(pairs(1e-9, SumsAre::Few, true), 1.1e9);
  EXPECT_EQ(pairs(1e-4, SumsAre::Repeated, true), 1.44e8);
  EXPECT_EQ(pairs(1e-9, SumsAre::Repeated, false), 1e11);
  EXPECT_EQ(pairsForMultipoles({.isPeriodic = true}), 1e7);
}

/// Whatever is asked for is taken; Automatic is by multipoles where they can be, and where pairs are many.
TEST(SumMethod, IsWhatIsAskedOrTheOneThatCanBe) {
  const MethodCase many{.numPairs = 1e18};
  EXPECT_EQ(chooseMethod<InverseDistance>(many), SumMethod::FastMultipole);
  EXPECT_EQ(chooseMethod<InverseDistance>({}), SumMethod::Direct);
  for (const SumMethod asked : {SumMethod::Direct, SumMethod::FastMultipole}) {
    MethodCase of = many;
    of.asked = asked;
    of.accuracy = 1e-15; // multipoles refuse it themselves
    EXPECT_EQ(chooseMethod<InverseDistance>(of), asked);
  }
  const auto expectReach = [&](auto interaction, bool inFloat, bool withGradients, double finest) {
    MethodCase of = many;
    of.inFloat = inFloat;
    of.withGradients = withGradients;
    of.accuracy = finest;
    EXPECT_EQ(chooseMethod<decltype(interaction)>(of), SumMethod::FastMultipole) << finest;
    of.accuracy = 0.99 * finest;
    EXPECT_EQ(chooseMethod<decltype(interaction)>(of), SumMethod::Direct) << finest;
  };
  expectReach(InverseDistance(), false, false, 1e-11);
  expectReach(InverseDistance(), false, true, 1e-9);
  expectReach(Dipole<3>(), false, false, 1e-9);
  expectReach(InverseDistance(), true, true, 1e-5);
  MethodCase inABox = many;
  inABox.isPeriodic = true;
  EXPECT_EQ(chooseMethod<InverseDistance>(inABox), SumMethod::FastMultipole);
  inABox.isCube = false;
  EXPECT_EQ(chooseMethod<InverseDistance>(inABox), SumMethod::Direct);
}

TYPED_TEST(MultipoleSums, OfFewParticles) {
  std::mt19937 random(seed());
  for (const std::int64_t count : {0, 1, 2, 3, 17}) {
    const auto particles = distributed<3, double>(Distribution::Uniform, random, count);
    const Uploaded<TypeParam, 3, double> uploaded(particles);
    MultipoleOptions options;
    options.maxInLeaf = 1;
    const auto result = farSum<TypeParam, InverseDistance, 3, double>(
      TypeParam(), InverseDistance(), nullptr, uploaded, Parts::Both, options);
    const auto errors = errorsOf(result, InverseDistance(), particles, particles, true, 1);
    EXPECT_LE(errors[0], 1e-6);
    EXPECT_LE(errors[1], 1e-6);
  }
}

TYPED_TEST(MultipoleSums, RefuseWhatIsOutOfReach) {
  std::mt19937 random(seed());
  const auto message = [&]<class Real>(Real /*of*/, const MultipoleOptions& options) -> std::string {
    const Uploaded<TypeParam, 3, Real> particles(distributed<3, Real>(Distribution::Uniform, random, 10));
    try {
      farSum<TypeParam, InverseDistance, 3, Real>(
        TypeParam(), InverseDistance(), nullptr, particles, Parts::Both, options);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  MultipoleOptions options;
  options.accuracy = 1e-8;
  EXPECT_EQ(message(1.0F, options), "the accuracy is 1e-08; multipoles in single precision reach 0.1 to 1e-05");
  options.accuracy = 1e-10;
  EXPECT_EQ(message(1.0, options),
    "the accuracy is 1e-10; multipoles in double precision reach 0.1 to 1e-09 for gradients and dipoles");
  options.accuracy = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message(1.0, options), "");
  options = {};
  options.order = 17;
  EXPECT_EQ(message(1.0, options), "the order is 17; it must be 2 to 16, or 0 to be chosen");
  options = {};
  options.maxInLeaf = -1;
  EXPECT_EQ(message(1.0, options), "the most points of a leaf are -1; it must be at least 1, or 0 to be chosen");
  options = {};
  options.numRightHandSides = 0;
  EXPECT_EQ(message(1.0, options), "the number of right-hand sides is 0; it must be at least 1");
}

/// A user's interaction that overflows: r^8 of places that are 1e40 apart.
struct EighthPower {
  template <Parts parts, class T>
  KOKKOS_FUNCTION RadialTerms<T> terms(T r2) const {
    return {r2 * r2 * r2 * r2, T(8.0) * r2 * r2 * r2};
  }
};

TYPED_TEST(MultipoleSums, RefuseInteractionsThatTheyAreNotFor) {
  std::mt19937 random(seed());
  auto particles = distributed<3, double>(Distribution::Uniform, random, 200);
  const auto message = [&](const auto& interaction, const MultipoleOptions& options) {
    const Uploaded<TypeParam, 3, double> uploaded(particles);
    const Uploaded<TypeParam, 3, double>* const none = nullptr;
    return messageOf<Error>([&] { farSum(TypeParam(), interaction, none, uploaded, Parts::Potential, options); });
  };
  MultipoleOptions options;
  options.box = PeriodicBox();
  EXPECT_EQ(message(Lorentzian(), options), "a periodic box is for the interactions of this library");
  options = {};
  options.maxInLeaf = 1;
  for (auto& axis : particles.points) {
    for (double& x : axis) {
      x *= 1e40;
    }
  }
  EXPECT_EQ(message(EighthPower(), options), "the interaction is not finite between boxes that are not adjacent");
}

TYPED_TEST(MultipoleSums, CanBeCancelled) {
  std::mt19937 random(seed());
  const Uploaded<TypeParam, 3, double> particles(distributed<3, double>(Distribution::Uniform, random, 1000));
  Columns<TypeParam, double> potentials(1000, 1);
  MultipoleMemory<3, TypeParam> memory;
  double last = 0.0;
  const Progress progress([&](double fraction) {
    EXPECT_GE(fraction, last);
    last = fraction;
    return fraction < 0.3;
  });
  EXPECT_THROW(multipolesWithin(Context(TypeParam()).with(progress), InverseDistance(), particles.sources(),
                 SumsView<double>{potentials.data(), nullptr, 0}, MultipoleOptions(), memory),
    Cancelled);
}

/// The cost is linear: of points in the unit box that fill all boxes, with n = 2^level boxes along an axis, the pairs
/// of boxes are those of children of colleagues that are not adjacent, and pairs of points those of adjacent leaves.
/// For each point both are bounded, and grow with n only as fewer boxes lie at the surface.
TYPED_TEST(MultipoleSums, TakeSoManyPairsForEachPointOfAnyNumber) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const auto cube = [](double x) { return x * x * x; };
  for (const std::int64_t inLeaf : {20, 40, 70}) { // in the mean
    for (const int levels : {4, 5}) {
      const auto numLeaves = std::int64_t{1} << (3 * (levels - 1));
      const std::int64_t count = inLeaf * numLeaves; // 10,240 to 286,720
      SCOPED_TRACE(count);
      std::mt19937 random(seed());
      const Uploaded<TypeParam, 3, double> particles(distributed<3, double>(Distribution::Uniform, random, count));
      MultipoleOptions options;
      options.accuracy = 1e-3;
      options.maxInLeaf = 3 * inLeaf; // no leaf has more, and no box of the level before less
      const auto report = farSum<TypeParam, InverseDistance, 3, double, !runsOnHost<TypeParam>>(
        TypeParam(), InverseDistance(), nullptr, particles, Parts::Potential, options)
                            .report;
      ASSERT_EQ(report.numLevels, levels);
      double far = 0.0;
      for (int level = 2; level < levels; ++level) {
        const double n = std::pow(2.0, level);
        far += cube(6 * n - 8) - cube(3 * n - 2);
      }
      EXPECT_EQ(report.numFar, far);
      EXPECT_LE(report.numFar * static_cast<double>(inLeaf), 189.0 * 8 / 7 * static_cast<double>(count));
      const double n = std::pow(2.0, levels - 1);
      const double near = cube(3 * n - 2) * static_cast<double>(inLeaf * inLeaf);
      EXPECT_NEAR(report.numNear, near, 0.03 * near);
      EXPECT_LE(report.numNear, 27.0 * static_cast<double>(inLeaf * count));
    }
  }
}

} // namespace
} // namespace spanwise::nbody::testing
