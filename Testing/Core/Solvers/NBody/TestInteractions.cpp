#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Solvers/NBody/Particles.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>

namespace spanwise::nbody::testing {
namespace {

using spanwise::testing::expectNoAllocations;

template <class Space>
class Interactions : public ::testing::Test {};
TYPED_TEST_SUITE(Interactions, AllSpaces, SpaceNames);

/// Gradients against central differences of the potentials: an error of h^2.
template <class Space, class Interaction, int Dim>
void expectGradients(const Interaction& interaction) {
  SCOPED_TRACE(Dim);
  std::mt19937 random(seed());
  const Uploaded<Space, Dim, double> sources(randomParticles<Dim, double>(random, 20, numChargesOf<Interaction>));
  auto targets = randomParticles<Dim, double>(random, 10);
  for (double& x : targets.points[0]) {
    x += 1.5; // beside the sources
  }
  const Uploaded<Space, Dim, double> at(targets);
  const auto result = sum(Space(), interaction, &at, sources, Parts::Both, {});
  constexpr double h = 1e-4;
  for (int axis = 0; axis < Dim; ++axis) {
    auto before = targets;
    auto after = targets;
    for (std::size_t i = 0; i < 10; ++i) {
      before.points[axis][i] -= h;
      after.points[axis][i] += h;
    }
    const Uploaded<Space, Dim, double> atBefore(before);
    const Uploaded<Space, Dim, double> atAfter(after);
    const auto low = sum(Space(), interaction, &atBefore, sources, Parts::Potential, {});
    const auto high = sum(Space(), interaction, &atAfter, sources, Parts::Potential, {});
    for (std::size_t i = 0; i < 10; ++i) {
      const double difference = (high.potentials[i] - low.potentials[i]) / (2 * h);
      EXPECT_NEAR(result.gradients[axis * 10 + i], difference, 3e-6);
    }
  }
}

TYPED_TEST(Interactions, GradientsAreThoseOfThePotentials) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectGradients<TypeParam, InverseDistance, 2>({});
  expectGradients<TypeParam, InverseDistance, 3>({});
  expectGradients<TypeParam, SoftenedInverseDistance, 2>({0.3});
  expectGradients<TypeParam, SoftenedInverseDistance, 3>({0.3});
  expectGradients<TypeParam, Logarithm, 2>({});
  expectGradients<TypeParam, Logarithm, 3>({});
  expectGradients<TypeParam, Gaussian, 2>({0.7});
  expectGradients<TypeParam, Gaussian, 3>({0.7});
  expectGradients<TypeParam, Yukawa, 2>({1.7});
  expectGradients<TypeParam, Yukawa, 3>({1.7});
  expectGradients<TypeParam, Dipole<2>, 2>({});
  expectGradients<TypeParam, Dipole<3>, 3>({});
}

/// Points and weights on the unit sphere that integrate polynomials of degree 2 n - 1: Gauss and Legendre along the
/// axis, equal steps around it.
template <class Real>
Particles<3, Real> sphere(int n, double radius) {
  Particles<3, Real> result;
  result.charges.resize(1);
  for (int k = 1; k <= n; ++k) { // roots of Legendre's polynomial by Newton's method
    double z = std::cos(Kokkos::numbers::pi * (k - 0.25) / (n + 0.5));
    double slope = 1.0;
    for (int step = 0; step < 50; ++step) {
      double p0 = 1.0;
      double p1 = z;
      for (int degree = 2; degree <= n; ++degree) {
        const double p2 = ((2 * degree - 1) * z * p1 - (degree - 1) * p0) / degree;
        p0 = p1;
        p1 = p2;
      }
      slope = n * (z * p1 - p0) / (z * z - 1);
      z -= p1 / slope;
    }
    const double weight = 2 / ((1 - z * z) * slope * slope) / 2; // the sphere's all together: 1
    const double s = std::sqrt(1 - z * z);
    for (int j = 0; j < 2 * n; ++j) {
      const double angle = Kokkos::numbers::pi * (j + 0.5) / n;
      result.points[0].push_back(static_cast<Real>(radius * s * std::cos(angle)));
      result.points[1].push_back(static_cast<Real>(radius * s * std::sin(angle)));
      result.points[2].push_back(static_cast<Real>(radius * z));
      result.charges[0].push_back(static_cast<Real>(weight / (2 * n)));
    }
  }
  return result;
}

/// Newton's shell theorem: outside a shell of charge 1 is like a point in its middle, inside the potential is 1 /
/// radius and nothing pulls.
TYPED_TEST(Interactions, ShellTheorem) {
  constexpr double radius = 2.0;
  const Uploaded<TypeParam, 3, double> shell(sphere<double>(40, radius));
  Particles<3, double> points;
  points.points = {
    {{0.0, 0.3, -0.5, 6.0, -3.0, 1.0}, {0.0, -0.2, 0.4, 1.0, 4.0, 2.0}, {0.0, 0.1, 0.3, 2.0, 1.0, -7.0}}};
  const Uploaded<TypeParam, 3, double> at(points);
  const auto result = sum(TypeParam(), InverseDistance(), &at, shell, Parts::Both, {});
  for (std::size_t i = 0; i < 6; ++i) {
    const std::array<double, 3> x{points.points[0][i], points.points[1][i], points.points[2][i]};
    const double r = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    const bool isInside = i < 3;
    EXPECT_NEAR(result.potentials[i], isInside ? 1 / radius : 1 / r, 1e-13);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(result.gradients[axis * 6 + i], isInside ? 0.0 : -x[axis] / (r * r * r), 1e-13);
    }
  }
}

/// A screened shell: outside sinh(kappa R) / (kappa R) times a point's potential, inside sinh(kappa r) / (kappa r)
/// exp(-kappa R) / R.
TYPED_TEST(Interactions, ScreenedShell) {
  constexpr double radius = 2.0;
  constexpr double kappa = 0.8;
  const Uploaded<TypeParam, 3, double> shell(sphere<double>(40, radius));
  Particles<3, double> points;
  points.points = {{{0.4, 6.0}, {0.1, 0.0}, {0.2, 1.0}}};
  const Uploaded<TypeParam, 3, double> at(points);
  const auto result = sum(TypeParam(), Yukawa{kappa}, &at, shell, Parts::Potential, {});
  const double inside = std::sqrt(0.4 * 0.4 + 0.1 * 0.1 + 0.2 * 0.2);
  const double outside = std::sqrt(37.0);
  EXPECT_NEAR(
    result.potentials[0], std::sinh(kappa * inside) / (kappa * inside) * std::exp(-kappa * radius) / radius, 1e-13);
  EXPECT_NEAR(
    result.potentials[1], std::sinh(kappa * radius) / (kappa * radius) * std::exp(-kappa * outside) / outside, 1e-13);
}

/// The field of a dipole is that of two charges close to each other; on its axis 2 p / r^3, beside it - p / r^3.
TYPED_TEST(Interactions, DipoleIsTwoCharges) {
  Particles<3, double> dipole;
  dipole.points = {{{0.0}, {0.0}, {0.0}}};
  dipole.charges = {{0.0}, {0.0}, {1.5}};
  Particles<3, double> points;
  points.points = {{{0.0, 2.0, 1.0}, {0.0, 0.0, -2.0}, {2.0, 0.0, 2.0}}};
  constexpr double h = 1e-4;
  Particles<3, double> pair;
  pair.points = {{{0.0, 0.0}, {0.0, 0.0}, {-h / 2, h / 2}}};
  pair.charges = {{-1.5 / h, 1.5 / h}};
  SumOptions field;
  field.gradientFactor = -1.0;
  const Uploaded<TypeParam, 3, double> at(points);
  const auto one = sum(TypeParam(), Dipole<3>(), &at, Uploaded<TypeParam, 3, double>(dipole), Parts::Both, field);
  const auto two = sum(TypeParam(), InverseDistance(), &at, Uploaded<TypeParam, 3, double>(pair), Parts::Both, field);
  EXPECT_NEAR(one.gradients[2 * 3 + 0], 2 * 1.5 / 8, 1e-15);
  EXPECT_NEAR(one.gradients[2 * 3 + 1], -1.5 / 8, 1e-15);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(one.potentials[i], two.potentials[i], 1e-8);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(one.gradients[axis * 3 + i], two.gradients[axis * 3 + i], 1e-8);
    }
  }
}

/// Gravity by factors: two masses a distance of 2 apart pull each other with G m / 4.
TYPED_TEST(Interactions, GravityByFactors) {
  constexpr double g = 6.0;
  Particles<3, double> masses;
  masses.points = {{{0.0, 2.0}, {0.0, 0.0}, {0.0, 0.0}}};
  masses.charges = {{3.0, 5.0}};
  SumOptions gravity;
  gravity.potentialFactor = -g;
  gravity.gradientFactor = g;
  const auto result = sum<TypeParam, InverseDistance, 3, double>(
    TypeParam(), InverseDistance(), nullptr, Uploaded<TypeParam, 3, double>(masses), Parts::Both, gravity);
  EXPECT_DOUBLE_EQ(result.potentials[0], -g * 5.0 / 2.0);
  EXPECT_DOUBLE_EQ(result.gradients[0], g * 5.0 / 4.0); // towards the other
  EXPECT_DOUBLE_EQ(result.gradients[1], -g * 3.0 / 4.0);
}

TYPED_TEST(Interactions, RepeatedSumsAllocateNothing) {
  std::mt19937 random(seed());
  const Uploaded<TypeParam, 3, double> particles(randomParticles<3, double>(random, 1100, 5));
  const Uploaded<TypeParam, 3, double> few(randomParticles<3, double>(random, 3));
  Columns<TypeParam, double> potentials(1100, 5);
  Columns<TypeParam, double> gradients(1100, 15);
  const Context<TypeParam> context; // where the space is not the default one, to make it may allocate
  for (const Variant variant : variantsFor<TypeParam>(true)) {
    SCOPED_TRACE(variantName(variant));
    SumOptions options;
    options.variant = variant;
    const SumsView<double> sums{potentials.data(), gradients.data(), 1100};
    expectNoAllocations<TypeParam>([&] {
      options.numRightHandSides = 5;
      sumWithin(context, InverseDistance(), particles.sources(), sums, options);
      options.numRightHandSides = 1;
      if (variant != Variant::Mutual) {
        sumBetween(context, Yukawa{1.0}, few.view(), particles.sources(), sums, options);
      }
    });
  }
}

/// A solid sphere of mass 1 and radius R as shells at Gauss's nodes between 0, `inside` and R: two nodes integrate what
/// shells do at targets that are `inside` away from the middle, or 0 or more than R, without an error.
Particles<3, double> solidSphere(double inside, double R) {
  Particles<3, double> result;
  result.charges.resize(1);
  for (const auto& [low, high] : {std::pair(0.0, inside), std::pair(inside, R)}) {
    for (const double sign : {-1.0, 1.0}) {
      const double radius = 0.5 * (low + high) + sign * 0.5 * (high - low) / std::sqrt(3.0);
      const double mass = 0.5 * (high - low) * 3 * radius * radius / (R * R * R);
      const auto shell = sphere<double>(80, radius);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        result.points[axis].insert(result.points[axis].end(), shell.points[axis].begin(), shell.points[axis].end());
      }
      for (const double weight : shell.charges[0]) {
        result.charges[0].push_back(mass * weight);
      }
    }
  }
  return result;
}

/// Outside a solid sphere of mass 1 is like a point in its middle; inside the potential is (3 R^2 - r^2) / (2 R^3), and
/// the pull grows with r / R^3. By direct sums, and by multipoles within their accuracy, which is relative to what all
/// masses do were nothing cancelled: the potential, and of the gradient at most 3 / R^2, which it is in the middle.
TYPED_TEST(Interactions, SolidSphere) {
  constexpr double R = 2.0;
  constexpr double inside = 1.0;
  const Uploaded<TypeParam, 3, double> solid(solidSphere(inside, R));
  Particles<3, double> points;
  points.points = {{{0.0, inside, 0.6 * inside, 0.0, 3.0, -1.0, 8.0}, {0.0, 0.0, -0.8 * inside, 0.0, 0.0, 2.0, 9.0},
    {0.0, 0.0, 0.0, -inside, 0.0, -2.5, 1.0}}};
  constexpr std::int64_t count = 7;
  const Uploaded<TypeParam, 3, double> at(points);
  const auto expectTheorem = [&](const auto& result, double accuracy) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::array<double, 3> x{points.points[0][i], points.points[1][i], points.points[2][i]};
      const double r = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
      const double potential = r < R ? (3 * R * R - r * r) / (2 * R * R * R) : 1 / r;
      EXPECT_NEAR(result.potentials[i], potential, accuracy * potential) << "r = " << r;
      for (int axis = 0; axis < 3; ++axis) {
        const double slope = r < R ? -x[axis] / (R * R * R) : -x[axis] / (r * r * r);
        EXPECT_NEAR(result.gradients[axis * count + i], slope, accuracy * 3 / (R * R)) << "r = " << r;
      }
    }
  };
  expectTheorem(sum(TypeParam(), InverseDistance(), &at, solid, Parts::Both, {}), 1e-12);
  for (const double accuracy : {1e-3, 1e-6}) {
    SCOPED_TRACE(accuracy);
    MultipoleOptions options;
    options.accuracy = accuracy;
    options.maxInLeaf = 100;
    MultipoleMemory<3, TypeParam> memory;
    const auto result = resultOf<TypeParam, 3, double>(count, 1, Parts::Both, [&](const SumsView<double>& sums) {
      return multipolesBetween(
        Context(TypeParam()), InverseDistance(), at.view(), solid.sources(), sums, options, memory);
    });
    EXPECT_LT(result.report.numNear, 0.2 * static_cast<double>(count * solid.count));
    expectTheorem(result, accuracy);
  }
}

} // namespace
} // namespace spanwise::nbody::testing
