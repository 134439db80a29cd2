#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Core/Solvers/NBody/RandomBoxes.hpp"

#include <cstdio>
#include <span>

namespace spanwise::nbody::testing {
namespace {

/// What is asked for: of potentials alone, or of gradients too.
struct Request {
  double accuracy;
  Parts parts;
};

constexpr std::initializer_list<Request> coarsest{{1e-3, Parts::Both}};
constexpr std::initializer_list<Request> coarser{{1e-3, Parts::Both}, {1e-5, Parts::Both}};
constexpr std::initializer_list<Request> middle{{1e-7, Parts::Both}};
constexpr std::initializer_list<Request> coarse{{1e-3, Parts::Both}, {1e-5, Parts::Both}, {1e-7, Parts::Both}};
constexpr std::initializer_list<Request> fine{{1e-9, Parts::Both}, {1e-11, Parts::Potential}};
constexpr std::initializer_list<Request> fineOfDipoles{{1e-9, Parts::Both}};
constexpr std::initializer_list<Request> inFloat{{1e-3, Parts::Both}, {1e-5, Parts::Both}};

/// So few that in 2D nearly all pairs are far, and in 3D most or many. Operators of interactions with a length take
/// seconds for each size of boxes in 3D where the accuracy is fine: there are fewer sizes with larger leaves.
template <int Dim, class Interaction>
std::int64_t maxInLeaf(Distribution distribution, double accuracy) {
  if (Dim == 2) {
    return 12;
  }
  if (accuracy > 1e-6 || std::is_empty_v<Interaction>) {
    return 24;
  }
  const bool isDeep = distribution == Distribution::Line || distribution == Distribution::Plummer;
  return accuracy < 1e-8 && isDeep ? 150 : 100;
}

/// Prints the largest errors as shares of what is asked.
template <int Dim, class Real, class Interaction>
void expectAccurateForAll(const char* name, const Interaction& interaction, double length,
  std::initializer_list<Request> requests, std::span<const Distribution> distributions = allDistributions) {
  constexpr std::int64_t count = 1500;
  unsigned of = seed();
  for (const Request& request : requests) {
    BoxErrors worst{0.0, 0.0, 1.0, 0};
    const char* worstOf = "";
    for (const Distribution distribution : distributions) {
      SCOPED_TRACE(std::string(name) + " in " + std::to_string(Dim) + "D, length " + std::to_string(length) + ", " +
        distributionName(distribution) + ", seed " + std::to_string(++of));
      const auto errors = errorsInRandomBoxes<Interaction, Dim, Real>(interaction, distribution, of, count,
        request.parts, request.accuracy, maxInLeaf<Dim, Interaction>(distribution, request.accuracy));
      EXPECT_LE(errors.potential, 1.0) << "accuracy " << request.accuracy << ", order " << errors.order;
      EXPECT_LE(errors.gradient, 1.0) << "accuracy " << request.accuracy << ", order " << errors.order;
      if (distribution != Distribution::OnePlace) { // which is one leaf
        EXPECT_GT(errors.far, 0.03);
        worst.far = std::min(worst.far, errors.far);
      }
      if (std::max(errors.potential, errors.gradient) > std::max(worst.potential, worst.gradient)) {
        worstOf = distributionName(distribution);
      }
      worst.potential = std::max(worst.potential, errors.potential);
      worst.gradient = std::max(worst.gradient, errors.gradient);
    }
    std::printf("%dD, %s, %s %g at %g: potential %.3f, gradient %.3f of it (%s); %.0f %% of pairs or more are far\n",
      Dim, std::is_same_v<Real, float> ? "float" : "double", name, length, request.accuracy, worst.potential,
      worst.gradient, worstOf, 100.0 * worst.far);
  }
}

template <class Interaction>
void expectAccurateIn2d(const char* name, std::initializer_list<double> lengths) {
  for (const double length : lengths) {
    expectAccurateForAll<2, double>(name, Interaction{length}, length, coarse);
    expectAccurateForAll<2, double>(name, Interaction{length}, length, fine);
    expectAccurateForAll<2, float>(name, Interaction{length}, length, inFloat);
  }
}

/// Of all lengths, accuracies and distributions if the test is exhaustive; otherwise of some of each.
template <class Interaction>
void expectAccurateIn3d(const char* name, std::initializer_list<double> lengths) {
  const bool isExhaustive = spanwise::testing::isExhaustive();
  constexpr Distribution some[] = {Distribution::Uniform, Distribution::Plummer};
  for (const double length : lengths) {
    const bool isWhole = isExhaustive || length == lengths.begin()[1];
    expectAccurateForAll<3, double>(name, Interaction{length}, length, isWhole ? coarser : coarsest);
    expectAccurateForAll<3, float>(name, Interaction{length}, length, isWhole ? inFloat : coarsest);
    if (isWhole) {
      expectAccurateForAll<3, double>(name, Interaction{length}, length, middle,
        isExhaustive ? std::span<const Distribution>(allDistributions) : some);
    }
  }
}

/// Of both accuracies and all distributions if the test is exhaustive. Otherwise of these, for one interaction of
/// three, which the seed chooses.
template <class Interaction>
void expectAccurateToManyDigitsIn3d(
  const char* name, unsigned number, double length, const Request& request, Distribution of) {
  if (spanwise::testing::isExhaustive()) {
    expectAccurateForAll<3, double>(name, Interaction{length}, length, fine);
  } else if (seed() % 3 == number) {
    expectAccurateForAll<3, double>(name, Interaction{length}, length, {request}, std::span(&of, 1));
  } else {
    GTEST_SKIP() << "the seed " << seed() << " chooses another interaction; SPANWISE_TEST_ALL=1 has all";
  }
}

constexpr std::initializer_list<double> softenings{1e-3, 0.03, 0.5};
constexpr std::initializer_list<double> widths{0.1, 0.5, 1.0};
constexpr std::initializer_list<double> screenings{0.5, 5.0, 200.0};

TEST(MultipoleAccuracies, OfInverseDistance) {
  expectAccurateForAll<2, double>("1/r", InverseDistance(), 0, coarse);
  expectAccurateForAll<2, double>("1/r", InverseDistance(), 0, fine);
  expectAccurateForAll<2, float>("1/r", InverseDistance(), 0, inFloat);
  expectAccurateForAll<3, double>("1/r", InverseDistance(), 0, coarse);
  expectAccurateForAll<3, double>("1/r", InverseDistance(), 0, fine);
  expectAccurateForAll<3, float>("1/r", InverseDistance(), 0, inFloat);
}

TEST(MultipoleAccuracies, OfLogarithmIn2d) {
  expectAccurateForAll<2, double>("ln r", Logarithm(), 0, coarse);
  expectAccurateForAll<2, double>("ln r", Logarithm(), 0, fine);
  expectAccurateForAll<2, float>("ln r", Logarithm(), 0, inFloat);
}

TEST(MultipoleAccuracies, OfDipoles) {
  expectAccurateForAll<2, double>("dipoles", Dipole<2>(), 0, coarse);
  expectAccurateForAll<2, double>("dipoles", Dipole<2>(), 0, fineOfDipoles);
  expectAccurateForAll<2, float>("dipoles", Dipole<2>(), 0, inFloat);
  expectAccurateForAll<3, double>("dipoles", Dipole<3>(), 0, coarse);
  expectAccurateForAll<3, double>("dipoles", Dipole<3>(), 0, fineOfDipoles);
  expectAccurateForAll<3, float>("dipoles", Dipole<3>(), 0, inFloat);
}

TEST(MultipoleAccuracies, OfSoftenedInverseDistanceIn2d) {
  expectAccurateIn2d<SoftenedInverseDistance>("softened", softenings);
}
TEST(MultipoleAccuracies, OfGaussianIn2d) { expectAccurateIn2d<Gaussian>("Gaussian", widths); }
TEST(MultipoleAccuracies, OfYukawaIn2d) { expectAccurateIn2d<Yukawa>("Yukawa", screenings); }

TEST(MultipoleAccuracies, OfSoftenedInverseDistanceIn3d) {
  expectAccurateIn3d<SoftenedInverseDistance>("softened", softenings);
}
TEST(MultipoleAccuracies, OfGaussianIn3d) { expectAccurateIn3d<Gaussian>("Gaussian", widths); }
TEST(MultipoleAccuracies, OfYukawaIn3d) { expectAccurateIn3d<Yukawa>("Yukawa", screenings); }

TEST(MultipoleAccuracies, OfSoftenedInverseDistanceIn3dToManyDigits) {
  expectAccurateToManyDigitsIn3d<SoftenedInverseDistance>(
    "softened", 0, 0.03, {1e-9, Parts::Both}, Distribution::Duplicates);
}
TEST(MultipoleAccuracies, OfGaussianIn3dToManyDigits) {
  expectAccurateToManyDigitsIn3d<Gaussian>("Gaussian", 1, 0.5, {1e-11, Parts::Potential}, Distribution::Uniform);
}
TEST(MultipoleAccuracies, OfYukawaIn3dToManyDigits) {
  expectAccurateToManyDigitsIn3d<Yukawa>("Yukawa", 2, 5.0, {1e-9, Parts::Both}, Distribution::Uniform);
}

/// In small leaves, so that most is summed by multipoles, down to the finest accuracy that there is.
TEST(MultipoleDipoles, AreAccurateWhereverTheyLie) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution : allDistributions) {
    for (const double accuracy : {1e-6, 1e-9}) {
      expectAccurate<Kokkos::DefaultHostExecutionSpace, Dipole<3>, 3, double>(
        {}, distribution, 1500, Parts::Both, accuracy, 20);
    }
  }
}

} // namespace
} // namespace spanwise::nbody::testing
