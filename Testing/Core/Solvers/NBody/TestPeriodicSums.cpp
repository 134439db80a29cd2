#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/NBody/EwaldSums.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Solvers/NBody/Distributions.hpp"
#include "Testing/Core/Solvers/NBody/PeriodicParticles.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace spanwise::nbody::testing {
namespace {

using spanwise::testing::expectNoAllocations;
using spanwise::testing::ofSeveralThreads;
using spanwise::testing::TypesAfterFirst;

using HostSpaces = TypesAfterFirst<void SPANWISE_IF_SERIAL(, Kokkos::Serial) SPANWISE_IF_OPENMP(, Kokkos::OpenMP)
    SPANWISE_IF_THREADS(, Kokkos::Threads)>::Types;

template <class Space>
class PeriodicSums : public ::testing::Test {};
TYPED_TEST_SUITE(PeriodicSums, HostSpaces, SpaceNames);

/// Potentials and gradients, and their errors against Ewald's sums.
template <class Real>
struct PeriodicResult {
  Column<Real> potentials;
  Column<Real> gradients;
  SumErrors errors;
};

/// Sums of particles on themselves, or at targets; of the first right-hand side with errors at `numChecked` targets.
/// `sum` is called as sum(workspace, sums).
template <class Space, class Interaction, int Dim, class Real, class Sum>
PeriodicResult<Real> summed(const Space& space, const Interaction& interaction, const PeriodicBox& box,
  const Uploaded<Space, Dim, Real>* targets, const Uploaded<Space, Dim, Real>& sources, int numSides,
  std::int64_t numChecked, const Sum& sum) {
  const std::int64_t count = targets != nullptr ? targets->count : sources.count;
  Columns<Space, Real> potentials(count, numSides);
  Columns<Space, Real> gradients(count, numSides * Dim);
  potentials.fill(std::numeric_limits<Real>::quiet_NaN());
  gradients.fill(std::numeric_limits<Real>::quiet_NaN());
  const SumsView<Real> sums{potentials.data(), gradients.data(), 0};
  sum(sums);
  PeriodicResult<Real> result;
  result.potentials = potentials.all();
  result.gradients = gradients.all();
  const Context context(space);
  const auto at = targets != nullptr ? targets->view() : sources.view();
  result.errors = sampleErrors(
    context, interaction, box, SumsToSample<Dim, Real>{at, sources.sources(), sums, targets == nullptr}, numChecked);
  return result;
}

template <class Space, class Interaction, int Dim, class Real>
PeriodicResult<Real> byMultipoles(const Space& space, const Interaction& interaction,
  const Uploaded<Space, Dim, Real>* targets, const Uploaded<Space, Dim, Real>& sources, const MultipoleOptions& options,
  std::int64_t numChecked = 0) {
  return summed(space, interaction, *options.box, targets, sources, options.numRightHandSides, numChecked,
    [&](const SumsView<Real>& sums) {
      MultipoleMemory<Dim, Space> memory;
      targets != nullptr
        ? multipolesBetween(Context(space), interaction, targets->view(), sources.sources(), sums, options, memory)
        : multipolesWithin(Context(space), interaction, sources.sources(), sums, options, memory);
    });
}

template <class Space, class Interaction, int Dim, class Real>
PeriodicResult<Real> byEwald(const Space& space, const Interaction& interaction, const PeriodicBox& box,
  const Uploaded<Space, Dim, Real>* targets, const Uploaded<Space, Dim, Real>& sources,
  const EwaldOptions& options = {}, std::int64_t numChecked = 0) {
  return summed(
    space, interaction, box, targets, sources, options.numRightHandSides, numChecked, [&](const SumsView<Real>& sums) {
      const Context context(space);
      targets != nullptr ? ewaldBetween(context, interaction, box, targets->view(), sources.sources(), sums, options)
                         : ewaldWithin(context, interaction, box, sources.sources(), sums, options);
    });
}

/// A crystal of two kinds of ions in the unit cube, and the potential at one of charge 1.
template <int Dim>
struct Crystal {
  const char* name;
  std::vector<std::array<double, Dim>> positive, negative;
  double potential;

  /// m unit cells along each axis.
  [[nodiscard]] Particles<Dim, double> cells(int m) const {
    std::array<int, Dim> numbers{};
    numbers.fill(m);
    return cells(numbers);
  }
  [[nodiscard]] Particles<Dim, double> cells(const std::array<int, Dim>& m) const {
    Particles<Dim, double> particles;
    particles.charges.resize(1);
    for (int cell = 0; cell < std::accumulate(m.begin(), m.end(), 1, std::multiplies<>()); ++cell) {
      for (const auto* ions : {&positive, &negative}) {
        for (const auto& ion : *ions) {
          for (int axis = 0, rest = cell; axis < Dim; rest /= m[axis], ++axis) {
            particles.points[axis].push_back(ion[axis] + rest % m[axis]);
          }
          particles.charges[0].push_back(ions == &positive ? 1.0 : -1.0);
        }
      }
    }
    return particles;
  }
};

/// Constants of Madelung by the distance of nearest neighbours: Y. Sakamoto, The Madelung constants of simple crystals,
/// J. Chem. Phys. 28 (1958); D. Borwein, J. M. Borwein, I. J. Zucker et al., Lattice Sums Then and Now (2013).
const std::vector<Crystal<3>>& crystals() {
  static const std::vector<std::array<double, 3>> faces{{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  static const std::vector<Crystal<3>> all{
    {"rock salt", faces, {{0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0.5, 0.5, 0.5}}, -1.74756459463318219 / 0.5},
    {"caesium chloride", {{0, 0, 0}}, {{0.5, 0.5, 0.5}}, -1.76267477307098840 / std::sqrt(0.75)},
    {"zincblende", faces, {{0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}},
      -1.63805505338878942 / std::sqrt(0.1875)}};
  return all;
}

/// What |q k| and |q grad k| of the 3^Dim nearest boxes add up to at the first particle.
template <int Dim, class Law>
std::array<double, 2> sizesAtFirst(const Particles<Dim, double>& particles, const PeriodicBox& box, const Law& law) {
  std::array<double, 2> sizes{};
  for (std::int64_t j = 0; j < particles.count(); ++j) {
    for (int image = 0; image < (Dim == 2 ? 9 : 27); ++image) {
      double r2 = 0.0;
      for (int axis = 0, rest = image; axis < Dim; ++axis, rest /= 3) {
        double d = particles.points[axis][0] - particles.points[axis][j];
        d -= box.edges[axis] * std::round(d / box.edges[axis]);
        r2 += std::pow(d + (rest % 3 - 1) * box.edges[axis], 2);
      }
      if (r2 > 0.0) {
        const Derivatives of = closedForm(law, std::sqrt(r2));
        sizes[0] += static_cast<double>(std::abs(particles.charges[0][j] * of.f));
        sizes[1] += static_cast<double>(std::abs(particles.charges[0][j] * of.f1));
      }
    }
  }
  return sizes;
}

/// Potentials of all ions are plus or minus the constant, and there is no field at them.
template <int Dim, class Law>
void expectCrystal(const PeriodicResult<double>& result, const Particles<Dim, double>& particles,
  const PeriodicBox& box, const Law& law, double potential, double error) {
  const auto [potentialSize, gradientSize] = sizesAtFirst(particles, box, law);
  for (std::int64_t i = 0; i < particles.count(); ++i) {
    ASSERT_NEAR(result.potentials[i], particles.charges[0][i] * potential, error * potentialSize) << "ion " << i;
    for (int axis = 0; axis < Dim; ++axis) {
      ASSERT_NEAR(result.gradients[axis * particles.count() + i], 0.0, error * gradientSize) << "ion " << i;
    }
  }
}

TYPED_TEST(PeriodicSums, HaveTheConstantsOfCrystals) {
  for (const auto& crystal : crystals()) {
    SCOPED_TRACE(crystal.name);
    for (const int m : {1, 2, 4}) {
      SCOPED_TRACE(std::to_string(m) + " cells");
      const auto particles = crystal.cells(m);
      const Uploaded<TypeParam, 3, double> uploaded(particles);
      MultipoleOptions options;
      options.box = cube(m, -0.3);
      options.maxInLeaf = m == 1 ? 0 : 10;
      for (const double accuracy : {1e-3, 1e-6, 1e-9}) {
        options.accuracy = accuracy;
        const auto result = byMultipoles<TypeParam, InverseDistance, 3, double>(
          TypeParam(), InverseDistance(), nullptr, uploaded, options);
        expectCrystal(result, particles, *options.box, InverseDistance(), crystal.potential, accuracy);
      }
      if (m < 4) {
        const auto exact = byEwald<TypeParam, InverseDistance, 3, double>(
          TypeParam(), InverseDistance(), *options.box, nullptr, uploaded);
        expectCrystal(exact, particles, *options.box, InverseDistance(), crystal.potential, 1e-14);
      }
    }
  }
}

/// A chessboard of charges. With sum' (-1)^(i + j) (i^2 + j^2)^-s = -4 (1 - 2^(1 - s)) zeta(s) beta(s) the potential of
/// ln r at a charge is ln K(1 / sqrt(2)) = ln(Gamma(1 / 4)^2 / (4 sqrt(pi))) for neighbours at 1, and that of 1 / r is
/// -1.6155426267128247.
TYPED_TEST(PeriodicSums, HaveTheConstantsOfTheSquareLattice) {
  const double gamma = std::tgamma(0.25);
  const double logarithm = std::log(gamma * gamma * std::numbers::inv_sqrtpi / 4.0) - std::log(0.5);
  const Crystal<2> crystal{"chessboard", {{0, 0}, {0.5, 0.5}}, {{0.5, 0}, {0, 0.5}}, 0.0};
  for (const int m : {1, 2, 4, 16}) {
    SCOPED_TRACE(std::to_string(m) + " cells");
    const auto particles = crystal.cells(m);
    const Uploaded<TypeParam, 2, double> uploaded(particles);
    MultipoleOptions options;
    options.box = cube(m);
    options.maxInLeaf = m == 1 ? 0 : 5;
    for (const double accuracy : {1e-3, 1e-6, 1e-9}) {
      options.accuracy = accuracy;
      const auto ofLogarithm =
        byMultipoles<TypeParam, Logarithm, 2, double>(TypeParam(), Logarithm(), nullptr, uploaded, options);
      expectCrystal(ofLogarithm, particles, *options.box, Logarithm(), logarithm, accuracy);
      const auto ofInverse =
        byMultipoles<TypeParam, InverseDistance, 2, double>(TypeParam(), InverseDistance(), nullptr, uploaded, options);
      expectCrystal(ofInverse, particles, *options.box, InverseDistance(), -1.6155426267128247 / 0.5, accuracy);
    }
    if (m <= 4) {
      const auto exact =
        byEwald<TypeParam, Logarithm, 2, double>(TypeParam(), Logarithm(), *options.box, nullptr, uploaded);
      expectCrystal(exact, particles, *options.box, Logarithm(), logarithm, 1e-14);
    }
  }
}

/// The same crystals in boxes of other shapes.
TYPED_TEST(PeriodicSums, HaveTheConstantsOfCrystalsInLongAndFlatBoxes) {
  const auto boxOf = [](const auto& m) {
    PeriodicBox box = cube(1.0, -0.3);
    std::copy(m.begin(), m.end(), box.edges.begin());
    return box;
  };
  for (const auto& crystal : crystals()) {
    for (const std::array<int, 3>& m : {std::array{2, 1, 1}, {1, 3, 2}, {1, 1, 16}, {5, 1, 5}}) {
      SCOPED_TRACE(::testing::Message() << crystal.name << ", " << m[0] << " x " << m[1] << " x " << m[2] << " cells");
      const auto particles = crystal.cells(m);
      const auto result = byEwald<TypeParam, InverseDistance, 3, double>(
        TypeParam(), InverseDistance(), boxOf(m), nullptr, Uploaded<TypeParam, 3, double>(particles));
      expectCrystal(result, particles, boxOf(m), InverseDistance(), crystal.potential, 1e-14);
    }
  }
  const Crystal<2> chessboard{"chessboard", {{0, 0}, {0.5, 0.5}}, {{0.5, 0}, {0, 0.5}}, -1.6155426267128247 / 0.5};
  for (const std::array<int, 2>& m : {std::array{2, 1}, {1, 7}, {64, 1}}) {
    SCOPED_TRACE(::testing::Message() << chessboard.name << ", " << m[0] << " x " << m[1] << " cells");
    const auto particles = chessboard.cells(m);
    const auto result = byEwald<TypeParam, InverseDistance, 2, double>(
      TypeParam(), InverseDistance(), boxOf(m), nullptr, Uploaded<TypeParam, 2, double>(particles));
    expectCrystal(result, particles, boxOf(m), InverseDistance(), chessboard.potential, 1e-14);
  }
}

/// What is summed in space and what as waves does not matter. In long and flat boxes more images are near than the 27
/// that errors are relative to.
template <class Space, class Interaction, int Dim>
void expectSameForAnySplitting(const Interaction& interaction, const std::array<double, 3>& edges = {1.1, 0.9, 1.1}) {
  std::mt19937 random(seed());
  const auto particles =
    neutral(distributed<Dim, double>(Distribution::Uniform, random, 41, numChargesOf<Interaction>));
  const Uploaded<Space, Dim, double> uploaded(particles);
  PeriodicBox box = cube(1.0, -0.05);
  box.edges = edges; // points outside are wrapped
  const auto [shortest, longest] = std::minmax_element(edges.begin(), edges.begin() + Dim);
  const double error = std::max(2e-14, 4e-15 * *longest / *shortest);
  EwaldOptions options;
  options.splitting = 3.7;
  const auto first = byEwald<Space, Interaction, Dim, double>(
    Space(), interaction, box, nullptr, uploaded, options, particles.count()); // compared with the chosen one
  EXPECT_LE(first.errors.potentialMax, error);
  EXPECT_LE(first.errors.gradientMax, error);
  options.splitting = 9.3;
  const auto second =
    byEwald<Space, Interaction, Dim, double>(Space(), interaction, box, nullptr, uploaded, options, particles.count());
  EXPECT_LE(second.errors.potentialMax, error);
  EXPECT_LE(second.errors.gradientMax, error);
}

TYPED_TEST(PeriodicSums, ByEwaldAreTheSameForAnySplitting) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectSameForAnySplitting<TypeParam, InverseDistance, 3>({});
  expectSameForAnySplitting<TypeParam, InverseDistance, 2>({});
  expectSameForAnySplitting<TypeParam, SoftenedInverseDistance, 3>({0.05});
  expectSameForAnySplitting<TypeParam, SoftenedInverseDistance, 3>({0.4});
  expectSameForAnySplitting<TypeParam, SoftenedInverseDistance, 2>({0.1});
  expectSameForAnySplitting<TypeParam, Logarithm, 2>({});
  expectSameForAnySplitting<TypeParam, Logarithm, 3>({});
  expectSameForAnySplitting<TypeParam, Yukawa, 3>({3.0});
  expectSameForAnySplitting<TypeParam, Yukawa, 2>({3.0});
  expectSameForAnySplitting<TypeParam, Gaussian, 3>({0.2}); // in space, and as waves
  expectSameForAnySplitting<TypeParam, Gaussian, 2>({0.2});
  expectSameForAnySplitting<TypeParam, Dipole<3>, 3>({});
  expectSameForAnySplitting<TypeParam, Dipole<2>, 2>({});
}

/// Edges of very different lengths.
TYPED_TEST(PeriodicSums, ByEwaldInLongAndFlatBoxes) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const std::array<double, 3>& edges : {std::array{1.0, 0.25, 0.5}, {0.03, 1.0, 0.1}, {1.0, 1.0, 0.01},
         {1.0, 0.01, 0.01}, {0.001, 1.0, 1.0}, {0.001, 1.0, 0.001}}) {
    SCOPED_TRACE(::testing::Message() << "edges " << edges[0] << ", " << edges[1] << ", " << edges[2]);
    expectSameForAnySplitting<TypeParam, InverseDistance, 3>({}, edges);
    expectSameForAnySplitting<TypeParam, Dipole<3>, 3>({}, edges);
    expectSameForAnySplitting<TypeParam, InverseDistance, 2>({}, edges);
    expectSameForAnySplitting<TypeParam, Logarithm, 2>({}, edges);
  }
}

/// With many particles other splittings are chosen.
TYPED_TEST(PeriodicSums, ByEwaldOfManyParticles) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  constexpr std::int64_t count = 1000;
  EXPECT_GT(detail::splittingFor<3>(count, count), 1.2 * detail::splittingFor<3>(count, 1));
  const Uploaded<TypeParam, 3, double> particles(neutral(distributed<3, double>(Distribution::Uniform, random, count)));
  PeriodicBox box = cube(1.0);
  box.edges[2] = 2.5;
  EwaldOptions options;
  const auto chosen =
    byEwald<TypeParam, InverseDistance, 3, double>(TypeParam(), InverseDistance(), box, nullptr, particles, options);
  options.splitting = 6.0;
  const auto other =
    byEwald<TypeParam, InverseDistance, 3, double>(TypeParam(), InverseDistance(), box, nullptr, particles, options);
  for (std::int64_t i = 0; i < count; ++i) { // 1 / r alone is 3 on average, and 15 its square
    ASSERT_NEAR(chosen.potentials[i], other.potentials[i], 1e-14 * count);
    for (int axis = 0; axis < 3; ++axis) {
      ASSERT_NEAR(chosen.gradients[axis * count + i], other.gradients[axis * count + i], 5e-14 * count);
    }
  }
}

/// Interactions that fall off fast, of charges that are not neutral: image by image.
template <class Space, class Interaction, int Dim>
void expectSumOfImages(const Interaction& interaction) {
  std::mt19937 random(seed());
  const auto particles = distributed<Dim, double>(Distribution::Uniform, random, 30);
  const Uploaded<Space, Dim, double> uploaded(particles);
  PeriodicBox box = cube(1.0);
  box.edges[0] = 1.3;
  const auto result = byEwald<Space, Interaction, Dim, double>(Space(), interaction, box, nullptr, uploaded);
  Particles<Dim, double> images;
  images.charges.resize(1);
  detail::Periods<Dim> most;
  for (int axis = 0; axis < Dim; ++axis) {
    most[axis] = 5;
  }
  detail::forEachPeriods<Dim>(most, [&](const detail::Periods<Dim>& image) {
    for (std::int64_t j = 0; j < particles.count(); ++j) {
      for (int axis = 0; axis < Dim; ++axis) {
        images.points[axis].push_back(particles.points[axis][j] + image[axis] * box.edges[axis]);
      }
      images.charges[0].push_back(particles.charges[0][j]);
    }
  });
  const std::int64_t self = images.count() / particles.count() / 2 * particles.count();
  for (std::int64_t i = 0; i < particles.count(); ++i) {
    const Exact<Dim> exact = exactAt(interaction, particles, i, images, self + i);
    ASSERT_NEAR(result.potentials[i], exact.potential, 1e-14 * exact.potentialScale);
    for (int axis = 0; axis < Dim; ++axis) {
      ASSERT_NEAR(result.gradients[axis * particles.count() + i], exact.gradient[axis], 1e-14 * exact.gradientScale);
    }
  }
}

TYPED_TEST(PeriodicSums, OfShortRangesAreSumsOfImages) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectSumOfImages<TypeParam, Yukawa, 3>({9.0});
  expectSumOfImages<TypeParam, Yukawa, 2>({9.0});
  expectSumOfImages<TypeParam, Gaussian, 3>({0.12});
  expectSumOfImages<TypeParam, Gaussian, 3>({0.7});
  expectSumOfImages<TypeParam, Gaussian, 2>({0.7});
}

/// A body-diagonal pair of charges, image by image in growing cubes: these sums differ from those with a tin-foil
/// boundary by the field of the dipole moment p of the box, 4 pi p / (3 V).
TYPED_TEST(PeriodicSums, DifferFromSumsOfCubesByTheDipoleTerm) {
  Particles<3, double> pair;
  pair.charges = {{1.0, -1.0}};
  pair.points = {Column<double>{0.3, 0.5}, Column<double>{0.4, 0.45}, Column<double>{0.5, 0.6}};
  const Uploaded<TypeParam, 3, double> uploaded(pair);
  const auto result =
    byEwald<TypeParam, InverseDistance, 3, double>(TypeParam(), InverseDistance(), cube(1.0), nullptr, uploaded);
  std::array<double, 3> byCubes{};
  constexpr int most = 20;
  for (int z = -most; z <= most; ++z) {
    for (int y = -most; y <= most; ++y) {
      for (int x = -most; x <= most; ++x) {
        for (int j = 0; j < 2; ++j) {
          if (j == 0 && x == 0 && y == 0 && z == 0) {
            continue;
          }
          const std::array<double, 3> d{pair.points[0][0] - pair.points[0][j] - x,
            pair.points[1][0] - pair.points[1][j] - y, pair.points[2][0] - pair.points[2][j] - z};
          const double r = std::hypot(d[0], d[1], d[2]);
          for (int axis = 0; axis < 3; ++axis) {
            byCubes[axis] -= pair.charges[0][j] * d[axis] / (r * r * r);
          }
        }
      }
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double moment = pair.points[axis][0] - pair.points[axis][1];
    const double expected = byCubes[axis] - 4.0 * std::numbers::pi / 3.0 * moment;
    EXPECT_NEAR(result.gradients[2 * axis], expected, 1e-4) << "axis " << axis;
  }
}

template <class Space, class Interaction, int Dim, class Real>
void expectAccurate(const Interaction& interaction, Distribution distribution, double accuracy,
  std::int64_t count = 1200, std::int64_t maxInLeaf = 30) {
  std::mt19937 random(seed());
  auto particles = distributed<Dim, Real>(distribution, random, count, numChargesOf<Interaction>);
  if (detail::needsNeutral(interaction)) {
    particles = neutral(particles);
  }
  const Uploaded<Space, Dim, Real> uploaded(particles);
  MultipoleOptions options;
  options.accuracy = accuracy;
  options.maxInLeaf = maxInLeaf;
  options.box = cube(1.25, -0.1);
  const auto result = byMultipoles<Space, Interaction, Dim, Real>(Space(), interaction, nullptr, uploaded, options, 12);
  EXPECT_LE(result.errors.potentialMax, accuracy) << distributionName(distribution);
  EXPECT_LE(result.errors.gradientMax, accuracy) << distributionName(distribution);
}

TYPED_TEST(PeriodicSums, OfInverseDistanceIn3d) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution : allDistributions) {
    for (const double accuracy : {1e-3, 1e-6, 1e-9}) {
      expectAccurate<TypeParam, InverseDistance, 3, double>({}, distribution, accuracy);
    }
  }
}

TYPED_TEST(PeriodicSums, OfLogarithmIn2d) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution : allDistributions) {
    for (const double accuracy : {1e-3, 1e-6, 1e-9}) {
      expectAccurate<TypeParam, Logarithm, 2, double>({}, distribution, accuracy, 2000, 10);
    }
  }
}

TYPED_TEST(PeriodicSums, OfOtherInteractions) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution : {Distribution::Uniform, Distribution::Clusters}) {
    constexpr double accuracy = 1e-4;
    expectAccurate<TypeParam, Dipole<3>, 3, double>({}, distribution, accuracy);
    expectAccurate<TypeParam, Dipole<2>, 2, double>({}, distribution, accuracy);
    expectAccurate<TypeParam, SoftenedInverseDistance, 3, double>({0.05}, distribution, accuracy);
    expectAccurate<TypeParam, Yukawa, 3, double>({2.0}, distribution, accuracy);
    expectAccurate<TypeParam, Yukawa, 2, double>({2.0}, distribution, accuracy);
    expectAccurate<TypeParam, Gaussian, 3, double>({0.5}, distribution, accuracy);
    expectAccurate<TypeParam, Gaussian, 2, double>({0.5}, distribution, accuracy);
    expectAccurate<TypeParam, InverseDistance, 2, double>({}, distribution, accuracy);
    expectAccurate<TypeParam, Logarithm, 3, double>({}, distribution, accuracy);
  }
}

TYPED_TEST(PeriodicSums, InFloat) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution : {Distribution::Uniform, Distribution::Line, Distribution::OnePlace}) {
    expectAccurate<TypeParam, InverseDistance, 3, float>({}, distribution, 1e-5);
    expectAccurate<TypeParam, Logarithm, 2, float>({}, distribution, 1e-5);
  }
}

/// Leaves of all sizes: the root alone, and with sources or targets in a part of the box.
TYPED_TEST(PeriodicSums, OfTargetsApart) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto squeezed = [](Particles<3, double> particles) {
    for (auto& axis : particles.points) {
      for (double& x : axis) { // over a corner of the box, so in all its corners
        x = 3.0 + 0.02 * (x - 0.5);
      }
    }
    return particles;
  };
  const auto wide = neutral(distributed<3, double>(Distribution::Uniform, random, 1500));
  const auto small = squeezed(neutral(distributed<3, double>(Distribution::Uniform, random, 1200)));
  for (const double accuracy : {1e-4, 1e-9}) {
    for (const std::int64_t maxInLeaf : {8, 100, 3000}) {
      MultipoleOptions options;
      options.box = cube(1.0);
      options.accuracy = accuracy;
      options.maxInLeaf = maxInLeaf;
      for (const auto& [targets, sources] : {std::pair(wide, small), std::pair(small, wide)}) {
        const Uploaded<TypeParam, 3, double> uploadedTargets(targets);
        const Uploaded<TypeParam, 3, double> uploadedSources(sources);
        const auto result =
          byMultipoles(TypeParam(), InverseDistance(), &uploadedTargets, uploadedSources, options, 15);
        EXPECT_LE(result.errors.potentialMax, accuracy) << "at most " << maxInLeaf << " in a leaf";
        EXPECT_LE(result.errors.gradientMax, accuracy) << "at most " << maxInLeaf << " in a leaf";
      }
    }
  }
}

TYPED_TEST(PeriodicSums, OfFewParticles) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const std::int64_t count : {0, 1, 2, 3, 17}) {
    const auto particles = neutral(distributed<3, double>(Distribution::Uniform, random, count));
    const Uploaded<TypeParam, 3, double> uploaded(particles);
    for (const std::int64_t maxInLeaf : {1, 0}) {
      MultipoleOptions options;
      options.box = cube(1.0);
      options.maxInLeaf = maxInLeaf;
      const auto result = byMultipoles<TypeParam, InverseDistance, 3, double>(
        TypeParam(), InverseDistance(), nullptr, uploaded, options, count);
      EXPECT_LE(result.errors.potentialMax, 1e-6);
      EXPECT_LE(result.errors.gradientMax, 1e-6);
    }
  }
  // a particle and its own images alone
  const Uploaded<TypeParam, 3, double> one(distributed<3, double>(Distribution::Uniform, random, 1));
  MultipoleOptions options;
  options.box = cube(1.0);
  const auto result = byMultipoles<TypeParam, Yukawa, 3, double>(TypeParam(), Yukawa{1.0}, nullptr, one, options, 1);
  EXPECT_LE(result.errors.potentialMax, 1e-6);
  EXPECT_GT(std::abs(result.potentials[0]), 0.0);
}

/// All points moved by the same way, and some by whole edges.
TYPED_TEST(PeriodicSums, DoNotDependOnWhereTheBoxBegins) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto particles = neutral(distributed<3, double>(Distribution::Uniform, random, 900));
  auto moved = particles;
  for (std::int64_t i = 0; i < moved.count(); ++i) {
    moved.points[0][i] += 0.37 + static_cast<double>(i % 3) - 1.0;
    moved.points[1][i] -= 5.61;
    moved.points[2][i] += 0.05;
  }
  MultipoleOptions options;
  options.box = cube(1.0);
  options.accuracy = 1e-9;
  options.maxInLeaf = 20;
  const auto first = byMultipoles<TypeParam, InverseDistance, 3, double>(
    TypeParam(), InverseDistance(), nullptr, Uploaded<TypeParam, 3, double>(particles), options);
  const auto second = byMultipoles<TypeParam, InverseDistance, 3, double>(
    TypeParam(), InverseDistance(), nullptr, Uploaded<TypeParam, 3, double>(moved), options);
  std::array<double, 3> force{};
  double forceSize = 0.0;
  for (std::int64_t i = 0; i < moved.count(); ++i) {
    // Sizes at all targets are at least those of the nearest images of all charges, which are at most 3 edges away.
    double magnitudes = 0.0;
    for (const double q : particles.charges[0]) {
      magnitudes += std::abs(q);
    }
    ASSERT_NEAR(first.potentials[i], second.potentials[i], 2e-9 * 27.0 * 4.0 * magnitudes) << "particle " << i;
    for (int axis = 0; axis < 3; ++axis) {
      const double g = first.gradients[axis * particles.count() + i];
      force[axis] += particles.charges[0][i] * g;
      forceSize += std::abs(particles.charges[0][i] * g);
    }
  }
  for (const double component : force) { // action and reaction
    EXPECT_NEAR(component, 0.0, 1e-9 * forceSize);
  }
}

/// Gradients are those of the potentials: central differences of the fourth order.
TYPED_TEST(PeriodicSums, HaveTheGradientsOfTheirPotentials) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto sources = neutral(distributed<3, double>(Distribution::Uniform, random, 60));
  const auto at = distributed<3, double>(Distribution::Uniform, random, 10);
  constexpr double step = 1e-3;
  Particles<3, double> targets;
  targets.charges.resize(1);
  for (std::int64_t i = 0; i < at.count(); ++i) {
    for (int k = 0; k < 13; ++k) { // the place, and two steps each way along each axis
      constexpr int steps[] = {-2, -1, 1, 2};
      for (int axis = 0; axis < 3; ++axis) {
        targets.points[axis].push_back(
          at.points[axis][i] + (k > 0 && (k - 1) / 4 == axis ? steps[(k - 1) % 4] * step : 0.0));
      }
      targets.charges[0].push_back(0.0);
    }
  }
  const Uploaded<TypeParam, 3, double> uploadedTargets(targets);
  const Uploaded<TypeParam, 3, double> uploaded(sources);
  const auto result = byEwald(TypeParam(), SoftenedInverseDistance{0.1}, cube(1.0), &uploadedTargets, uploaded);
  for (std::int64_t i = 0; i < at.count(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const double* const p = result.potentials.data() + 13 * i + 1 + 4 * axis;
      const double slope = (p[0] - 8.0 * p[1] + 8.0 * p[2] - p[3]) / (12.0 * step);
      // f^(5) step^4 / 30 with f^(5) of about 120 / 0.1^6
      EXPECT_NEAR(result.gradients[axis * targets.count() + 13 * i], slope, 1e-4);
    }
  }
}

TYPED_TEST(PeriodicSums, HaveTheSameBitsForAnyNumberOfThreads) {
  std::mt19937 random(seed());
  for (const Distribution distribution : {Distribution::Uniform, Distribution::Clusters}) {
    const Uploaded<TypeParam, 3, double> particles(neutral(distributed<3, double>(distribution, random, 8000)));
    MultipoleOptions options;
    options.accuracy = 1e-4;
    options.maxInLeaf = 50;
    options.box = cube(1.2);
    const auto expected = byMultipoles<TypeParam, InverseDistance, 3, double>(
      oneThread<TypeParam>(), InverseDistance(), nullptr, particles, options);
    const Uploaded<TypeParam, 3, double> few(neutral(distributed<3, double>(distribution, random, 200)));
    const auto ofFew = byEwald<TypeParam, InverseDistance, 3, double>(
      oneThread<TypeParam>(), InverseDistance(), *options.box, nullptr, few);
    for (const TypeParam& space : ofSeveralThreads<TypeParam>()) {
      const auto result =
        byMultipoles<TypeParam, InverseDistance, 3, double>(space, InverseDistance(), nullptr, particles, options);
      EXPECT_EQ(result.potentials, expected.potentials);
      EXPECT_EQ(result.gradients, expected.gradients);
      const auto again =
        byEwald<TypeParam, InverseDistance, 3, double>(space, InverseDistance(), *options.box, nullptr, few);
      EXPECT_EQ(again.potentials, ofFew.potentials);
      EXPECT_EQ(again.gradients, ofFew.gradients);
    }
  }
}

/// Several right-hand sides, factors, and sums that are added to what is there: as one by one.
TYPED_TEST(PeriodicSums, OfManyRightHandSides) {
  std::mt19937 random(seed());
  const auto particles = neutral(distributed<3, double>(Distribution::Uniform, random, 150, 2));
  const Uploaded<TypeParam, 3, double> uploaded(particles);
  const Context<TypeParam> context;
  MultipoleMemory<3, TypeParam> memory;
  const PeriodicBox box = cube(1.0);
  const auto sums = [](Columns<TypeParam, double>& potentials, Columns<TypeParam, double>& gradients) {
    potentials.fill(7.0);
    gradients.fill(-3.0);
    return SumsView<double>{potentials.data(), gradients.data(), 0};
  };
  Columns<TypeParam, double> potentials(150, 2);
  Columns<TypeParam, double> gradients(150, 6);
  EwaldOptions exact;
  exact.numRightHandSides = 2;
  exact.store = Store::Add;
  exact.potentialFactor = -2.0;
  exact.gradientFactor = 0.5;
  ewaldWithin(context, InverseDistance(), box, uploaded.sources(), sums(potentials, gradients), exact);
  const auto expectedPotentials = potentials.all();
  const auto expectedGradients = gradients.all();
  for (int side = 0; side < 2; ++side) {
    Particles<3, double> one{particles.points, {particles.charges[side]}};
    const auto alone = byEwald<TypeParam, InverseDistance, 3, double>(
      TypeParam(), InverseDistance(), box, nullptr, Uploaded<TypeParam, 3, double>(one));
    for (std::int64_t i = 0; i < 150; ++i) {
      ASSERT_DOUBLE_EQ(expectedPotentials[side * 150 + i], 7.0 - 2.0 * alone.potentials[i]);
      ASSERT_DOUBLE_EQ(expectedGradients[(side * 3 + 1) * 150 + i], -3.0 + 0.5 * alone.gradients[150 + i]);
    }
  }
  MultipoleOptions options;
  options.accuracy = 1e-9;
  options.maxInLeaf = 30;
  options.box = box;
  options.numRightHandSides = 2;
  options.store = Store::Add;
  options.potentialFactor = -2.0;
  options.gradientFactor = 0.5;
  multipolesWithin(
    Context(TypeParam()), InverseDistance(), uploaded.sources(), sums(potentials, gradients), options, memory);
  const auto p = potentials.all();
  const auto g = gradients.all();
  for (std::size_t i = 0; i < p.size(); ++i) { // sum |q k| is about 2 pi (3 / 2)^2 150 / 2 in 27 boxes
    ASSERT_NEAR(p[i], expectedPotentials[i], 2e-9 * 1100.0);
  }
  for (std::size_t i = 0; i < g.size(); ++i) {
    ASSERT_NEAR(g[i], expectedGradients[i], 1e-9 * 3e4);
  }
}

/// In a long box points have more phases than in a cube.
TYPED_TEST(PeriodicSums, RepeatedSumsAllocateNothing) {
  std::mt19937 random(seed());
  constexpr std::int64_t count = 1200;
  const Uploaded<TypeParam, 3, double> particles(neutral(distributed<3, double>(Distribution::Uniform, random, count)));
  const Uploaded<TypeParam, 3, double> few(neutral(distributed<3, double>(Distribution::Uniform, random, 20)));
  Columns<TypeParam, double> potentials(count, 1);
  Columns<TypeParam, double> gradients(count, 3);
  const SumsView<double> sums{potentials.data(), gradients.data(), count};
  const TypeParam space; // where it is not the default one, to make it may allocate
  const Context context(space);
  PeriodicBox longBox = cube(1.0);
  longBox.edges[0] = 30.0;
  for (const PeriodicBox& box : {cube(1.0), longBox}) {
    expectNoAllocations<TypeParam>([&] {
      ewaldWithin(context, InverseDistance(), box, few.sources(), sums, {});
      ewaldBetween(context, InverseDistance(), box, few.view(), few.sources(), sums, {});
    });
  }
  MultipoleMemory<3, TypeParam> memory;
  MultipoleOptions options;
  options.box = cube(1.0);
  options.accuracy = 1e-3;
  options.maxInLeaf = 20;
  expectNoAllocations<TypeParam>(
    [&] { multipolesWithin(context, InverseDistance(), particles.sources(), sums, options, memory); });
}

TYPED_TEST(PeriodicSums, RefuseWhatIsNotABoxOrNeutral) {
  std::mt19937 random(seed());
  const auto particles = neutral(distributed<3, double>(Distribution::Uniform, random, 10));
  const auto message = [&](const PeriodicBox& box, double added, bool byMultipole) -> std::string {
    auto charged = particles;
    charged.charges[0] = {1, -1, 1, -1, 1, -1, 1, -1, 1, -1 + added};
    const Uploaded<TypeParam, 3, double> uploaded(charged);
    try {
      if (byMultipole) {
        MultipoleOptions options;
        options.box = box;
        byMultipoles<TypeParam, InverseDistance, 3, double>(TypeParam(), InverseDistance(), nullptr, uploaded, options);
      } else {
        byEwald<TypeParam, InverseDistance, 3, double>(TypeParam(), InverseDistance(), box, nullptr, uploaded);
      }
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  PeriodicBox box = cube(1.0);
  for (const bool byMultipole : {false, true}) {
    EXPECT_EQ(message(box, 0.0, byMultipole), "");
    EXPECT_EQ(message(box, 0.25, byMultipole),
      "the total charge in the periodic box is 0.25 of 9.75 in magnitude; sums of this interaction converge only if it "
      "is 0 (to 1e-12 of the magnitudes)");
  }
  box.neutralTo = 0.1;
  EXPECT_EQ(message(box, 0.25, false), "");
  box = cube(1.0);
  box.edges[1] = 2.0;
  EXPECT_EQ(message(box, 0.0, false), "");
  EXPECT_EQ(message(box, 0.0, true),
    "the edges of the periodic box are 1, 2 and 1; multipoles are for edges of the same length, other boxes for direct "
    "(Ewald) sums");
  box.edges[1] = 1001.0;
  EXPECT_EQ(message(box, 0.0, false),
    "the edges of the periodic box are 1, 1001 and 1; the longest may be 1000 times the shortest");
  box.edges[1] = 2.0;
  box.edges[2] = -1.0;
  EXPECT_EQ(
    message(box, 0.0, false), "the edges of the periodic box are 1, 2 and -1; they must be finite and positive");
  box = cube(1.0);
  box.low[0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message(box, 0.0, true), "the corner of the periodic box is at inf, 0 and 0; it must be finite");
}

} // namespace
} // namespace spanwise::nbody::testing
