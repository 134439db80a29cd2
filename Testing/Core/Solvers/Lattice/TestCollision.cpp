// Velocities, equilibria and collisions of lattices: moments that they must have, and what collisions conserve.

#include "Core/Solvers/Lattice/Collision.hpp"
#include "Core/Solvers/Lattice/LatticeSide.hpp"
#include "Testing/Core/Seed.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace spanwise::lattice::testing {
namespace {

using spanwise::testing::seed;

template <class Set>
class Lattices : public ::testing::Test {
public:
  static constexpr int Dim = Set::dimension;
  static constexpr int count = Set::count;
  std::mt19937 random{seed()};

  void fill(double (&f)[count]) {
    std::uniform_real_distribution<double> value(-0.01, 0.01);
    for (int q = 0; q < count; ++q) {
      f[q] = Set::weight(q) * value(random);
    }
  }
  static double sum(const double (&f)[count], int a = -1, int b = -1) {
    double result = 0.0;
    for (int q = 0; q < count; ++q) {
      result += f[q] * (a < 0 ? 1 : Set::velocity(q, a)) * (b < 0 ? 1 : Set::velocity(q, b));
    }
    return result;
  }
};
using AllSets = ::testing::Types<D2Q9, D3Q19, D3Q27>;
TYPED_TEST_SUITE(Lattices, AllSets);

TYPED_TEST(Lattices, VelocitiesAreThoseOfTheirName) {
  using Set = TypeParam;
  const int counts[] = {9, 19, 27};
  EXPECT_EQ(Set::count, counts[Set::dimension == 2 ? 0 : (Set::count == 19 ? 1 : 2)]);
  for (int q = 0; q < Set::count; ++q) {
    const int o = Set::opposite(q);
    EXPECT_EQ(Set::opposite(o), q);
    for (int d = 0; d < 3; ++d) {
      EXPECT_EQ(Set::velocity(o, d), -Set::velocity(q, d));
    }
    EXPECT_EQ((velocityAlong<Set, 0>(q)), Set::velocity(q, 0));
    EXPECT_EQ((velocityAlong<Set, 1>(q)), Set::velocity(q, 1));
    EXPECT_EQ((velocityAlong<Set, 2>(q)), Set::velocity(q, 2));
    EXPECT_EQ(Set::indexOf(Set::velocity(q, 0), Set::velocity(q, 1), Set::velocity(q, 2)), q);
    EXPECT_EQ(q >= 1 && q <= Set::numUp, Set::velocity(q, Set::dimension - 1) == 1) << q;
  }
}

// Sums of w, w c c and w c c c c as those of a Gaussian with the variance 1/3: what makes the lattice isotropic.
TYPED_TEST(Lattices, WeightsAreAQuadrature) {
  using Set = TypeParam;
  constexpr int Dim = Set::dimension;
  const auto delta = [](int a, int b) { return a == b ? 1.0 : 0.0; };
  double w[Set::count];
  for (int q = 0; q < Set::count; ++q) {
    w[q] = Set::weight(q);
  }
  EXPECT_NEAR(this->sum(w), 1.0, 1e-15);
  for (int a = 0; a < Dim; ++a) {
    EXPECT_NEAR(this->sum(w, a), 0.0, 1e-15);
    for (int b = 0; b < Dim; ++b) {
      EXPECT_NEAR(this->sum(w, a, b), delta(a, b) / 3.0, 1e-15);
      for (int c = 0; c < Dim; ++c) {
        for (int d = 0; d < Dim; ++d) {
          double fourth = 0.0;
          for (int q = 0; q < Set::count; ++q) {
            fourth += w[q] * Set::velocity(q, a) * Set::velocity(q, b) * Set::velocity(q, c) * Set::velocity(q, d);
          }
          EXPECT_NEAR(
            fourth, (delta(a, b) * delta(c, d) + delta(a, c) * delta(b, d) + delta(a, d) * delta(b, c)) / 9.0, 1e-15);
        }
      }
    }
  }
}

// Density, momentum, and the momentum's flux of a fluid without friction: rho/3 + rho u u.
TYPED_TEST(Lattices, EquilibriumHasTheMomentsOfTheFluid) {
  using Set = TypeParam;
  constexpr int Dim = Set::dimension;
  const double density = 0.03;
  double u[Dim];
  for (int d = 0; d < Dim; ++d) {
    u[d] = 0.05 - 0.04 * d;
  }
  const Equilibrium<Set, double> equilibrium(density, u);
  double f[Set::count];
  f[0] = equilibrium.rest;
  for (int n = 0; n < Set::half; ++n) {
    f[n + 1] = 0.5 * (equilibrium.sum[n] + equilibrium.difference[n]);
    f[n + 1 + Set::half] = 0.5 * (equilibrium.sum[n] - equilibrium.difference[n]);
  }
  EXPECT_NEAR(this->sum(f), density, 1e-16);
  for (int a = 0; a < Dim; ++a) {
    EXPECT_NEAR(this->sum(f, a), (1.0 + density) * u[a], 1e-16);
    for (int b = 0; b < Dim; ++b) {
      EXPECT_NEAR(this->sum(f, a, b), (a == b ? density / 3.0 : 0.0) + (1.0 + density) * u[a] * u[b], 1e-16);
    }
  }
}

template <class Set, Collision collision, bool isPlain>
void expectConservation(Lattices<Set>& lattices, const CollisionConstants<double>& by) {
  constexpr int Dim = Set::dimension;
  for (int trial = 0; trial < 20; ++trial) {
    double f[Set::count];
    lattices.fill(f);
    double before[Dim + 1] = {lattices.sum(f)};
    for (int a = 0; a < Dim; ++a) {
      before[a + 1] = lattices.sum(f, a);
    }
    collide<Set, collision, isPlain>(f, by);
    EXPECT_NEAR(lattices.sum(f), before[0], 1e-17);
    for (int a = 0; a < Dim; ++a) {
      EXPECT_NEAR(lattices.sum(f, a), before[a + 1] + (isPlain ? 0.0 : by.force[a]), 1e-17);
    }
  }
}

template <class Set, Collision collision>
void expectConservation(Lattices<Set>& lattices) {
  SCOPED_TRACE("collision " + std::to_string(static_cast<int>(collision)));
  CollisionConstants<double> by;
  by.relaxationTime = 0.57;
  by.magic = 3.0 / 16.0;
  expectConservation<Set, collision, true>(lattices, by);
  by.force[0] = 1e-4;
  by.force[1] = -2e-4;
  by.smagorinsky = 0.3;
  expectConservation<Set, collision, false>(lattices, by);
}

TYPED_TEST(Lattices, CollisionsConserveMassAndGainTheForce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectConservation<TypeParam, Collision::SingleRelaxation>(*this);
  expectConservation<TypeParam, Collision::TwoRelaxation>(*this);
  expectConservation<TypeParam, Collision::Regularised>(*this);
  expectConservation<TypeParam, Collision::Entropic>(*this);
}

/// What a collision leaves of the stress without its trace, which is what viscosity is.
template <class Set, Collision collision>
void expectViscosity(Lattices<Set>& lattices) {
  constexpr int Dim = Set::dimension;
  CollisionConstants<double> by;
  by.relaxationTime = 0.8;
  by.magic = 3.0 / 16.0;
  double f[Set::count];
  lattices.fill(f);
  const auto shear = [&](int a, int b) {
    const Moments<Dim, double> sums = sumsOf<Set>(f);
    const double flux = lattices.sum(f, a, b) - sums.velocity[a] * sums.velocity[b] / (1.0 + sums.density);
    return a != b ? flux : flux - lattices.sum(f, 1, 1) + sums.velocity[1] * sums.velocity[1] / (1.0 + sums.density);
  };
  const double xy = shear(0, 1);
  const double normal = shear(0, 0);
  collide<Set, collision, true>(f, by);
  EXPECT_NEAR(shear(0, 1), (1.0 - 1.0 / 0.8) * xy, 1e-16);
  EXPECT_NEAR(shear(0, 0), (1.0 - 1.0 / 0.8) * normal, 1e-16);
}

TYPED_TEST(Lattices, StressRelaxesAtTheRateOfTheViscosity) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectViscosity<TypeParam, Collision::SingleRelaxation>(*this);
  expectViscosity<TypeParam, Collision::TwoRelaxation>(*this);
  expectViscosity<TypeParam, Collision::Regularised>(*this);
  expectViscosity<TypeParam, Collision::Entropic>(*this);
}

// Smagorinsky: nu + (C)^2 |S| with |S| from the stress itself, which solves a quadratic equation.
TYPED_TEST(Lattices, EddiesAddTheViscosityOfSmagorinsky) {
  CollisionConstants<double> by;
  by.relaxationTime = 0.51;
  const double constant = 0.17;
  by.smagorinsky = 18.0 * std::sqrt(2.0) * constant * constant;
  const double stress = 3e-3; // the root of the sum of the squares
  const double density = 1.02;
  const double tau = detail::eddyRelaxationTime(by, density, stress * stress);
  const double strain = std::sqrt(2.0) * 1.5 / (density * tau) * stress;
  EXPECT_NEAR((tau - 0.5) / 3.0, (0.51 - 0.5) / 3.0 + constant * constant * strain, 1e-15);
}

// A side leaves equilibrium alone where that is what is given, and gives what it is told to.
template <class Set, int axis, bool upper>
void expectSide(Lattices<Set>& lattices) {
  constexpr int Dim = Set::dimension;
  double u[Dim];
  for (int d = 0; d < Dim; ++d) {
    u[d] = 0.04 - 0.03 * d;
  }
  const Equilibrium<Set, double> equilibrium(0.01, u);
  double still[Set::count];
  still[0] = equilibrium.rest;
  for (int n = 0; n < Set::half; ++n) {
    still[n + 1] = 0.5 * (equilibrium.sum[n] + equilibrium.difference[n]);
    still[n + 1 + Set::half] = 0.5 * (equilibrium.sum[n] - equilibrium.difference[n]);
  }
  double f[Set::count];
  std::copy(still, still + Set::count, f);
  GivenAtSide<Dim, double> given{true, {}, 0.01};
  std::copy(u, u + Dim, given.velocity);
  applySide<Set, axis, upper>(f, given);
  for (int q = 0; q < Set::count; ++q) {
    EXPECT_NEAR(f[q], still[q], 1e-16);
  }
  lattices.fill(f);
  double known = 0.0;
  for (int q = 0; q < Set::count; ++q) {
    const int inwards = Set::velocity(q, axis) * (upper ? -1 : 1);
    known += inwards < 0 ? 2.0 * f[q] : (inwards == 0 ? f[q] : 0.0);
  }
  applySide<Set, axis, upper>(f, given);
  const double density = lattices.sum(f);
  EXPECT_NEAR(density, known + (1.0 + density) * u[axis] * (upper ? -1 : 1), 1e-16);
  for (int a = 0; a < Dim; ++a) {
    EXPECT_NEAR(lattices.sum(f, a), (1.0 + density) * u[a], 1e-16);
  }
  given.isVelocity = false;
  lattices.fill(f);
  applySide<Set, axis, upper>(f, given);
  EXPECT_NEAR(lattices.sum(f), 0.01, 1e-16);
  EXPECT_NEAR(lattices.sum(f, (axis + 1) % Dim), 0.0, 1e-16);
}

TYPED_TEST(Lattices, SidesGiveWhatTheyAreTold) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectSide<TypeParam, 0, false>(*this);
  expectSide<TypeParam, 0, true>(*this);
  expectSide<TypeParam, 1, false>(*this);
  expectSide<TypeParam, TypeParam::dimension - 1, true>(*this);
}

} // namespace
} // namespace spanwise::lattice::testing
