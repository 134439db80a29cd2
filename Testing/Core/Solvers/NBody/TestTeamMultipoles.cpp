// Sums by multipoles as they are made on a device, by teams of threads, in every execution space: on the host too.

#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Solvers/NBody/FarSums.hpp"
#include "Testing/Core/Solvers/NBody/PeriodicParticles.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <type_traits>
#include <vector>

namespace spanwise::nbody::testing {
namespace {

using spanwise::testing::expectNoAllocations;
using spanwise::testing::ofSeveralThreads;

/// On the host teams have one thread, so all of its spaces do the same.
template <class Space>
class TeamMultipoles : public ::testing::Test {
protected:
  void SetUp() override {
    if (runsOnHost<Space> && !std::is_same_v<Space, HostExecutionSpace> && !spanwise::testing::isExhaustive()) {
      GTEST_SKIP() << "takes long: SPANWISE_TEST_ALL=1 has it";
    }
  }
};
TYPED_TEST_SUITE(TeamMultipoles, AllSpaces, SpaceNames);

/// Of these cases all on a device, and the first on the host, where teams are of one thread, unless all are asked for.
template <class Space, class Case>
std::vector<Case> sampled(std::vector<Case> cases) {
  if (runsOnHost<Space> && !spanwise::testing::isExhaustive()) {
    cases.resize(1);
  }
  return cases;
}

template <class Space, class Interaction, int Dim, class Real>
void expectAccurateByTeams(const Interaction& interaction, Distribution distribution, std::int64_t count, Parts parts,
  double accuracy, std::int64_t maxInLeaf) {
  expectAccurate<Space, Interaction, Dim, Real, true>(interaction, distribution, count, parts, accuracy, maxInLeaf);
}

TYPED_TEST(TeamMultipoles, OfInverseDistanceIn3d) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution :
    sampled<TypeParam, Distribution>({std::begin(allDistributions), std::end(allDistributions)})) {
    expectAccurateByTeams<TypeParam, InverseDistance, 3, double>({}, distribution, 3000, Parts::Both, 1e-3, 60);
  }
  expectAccurateByTeams<TypeParam, InverseDistance, 3, double>({}, Distribution::Plummer, 3000, Parts::Both, 3e-6, 60);
  if (spanwise::testing::isExhaustive()) { // operators for so many digits take seconds
    expectAccurateByTeams<TypeParam, InverseDistance, 3, double>(
      {}, Distribution::Uniform, 3000, Parts::Both, 1e-9, 100);
  }
}

TYPED_TEST(TeamMultipoles, OfLogarithmIn2d) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution : allDistributions) {
    for (const double accuracy : {1e-3, 1e-8}) {
      expectAccurateByTeams<TypeParam, Logarithm, 2, double>({}, distribution, 4000, Parts::Both, accuracy, 20);
    }
  }
}

/// The host's sums are made of the same operators and the same pairs of boxes: only rounding differs. Without targets,
/// of the sources on themselves.
template <class Space, class Interaction, int Dim, class Real>
void expectSumsOfHost(const Interaction& interaction, const Particles<Dim, Real>* targets,
  const Particles<Dim, Real>& sources, Parts parts, MultipoleOptions options) {
  using Host = HostExecutionSpace;
  options.accuracy = std::is_same_v<Real, float> ? 1e-4 : 3e-6; // finer than what floats do for near particles
  options.order = 5;                                            // what it cuts off is the same
  const bool within = targets == nullptr;
  const Particles<Dim, Real>& at = within ? sources : *targets;
  const Uploaded<Space, Dim, Real> there(sources);
  const Uploaded<Host, Dim, Real> here(sources);
  const Uploaded<Space, Dim, Real> targetsThere(at);
  const Uploaded<Host, Dim, Real> targetsHere(at);
  const auto result = farSum<Space, Interaction, Dim, Real, true>(
    Space(), interaction, within ? nullptr : &targetsThere, there, parts, options);
  const auto expected = farSum<Host, Interaction, Dim, Real, false>(
    Host(), interaction, within ? nullptr : &targetsHere, here, parts, options);
  EXPECT_EQ(result.report.numFar, expected.report.numFar);
  EXPECT_EQ(result.report.numNear, expected.report.numNear);
  const std::int64_t count = at.count();
  constexpr std::int64_t stride = 7;
  std::array<double, 2> largest{};
  std::vector<std::array<double, 2>> sizes;
  for (std::int64_t i = 0; i < count; i += stride) {
    const auto of = sizesAt(interaction, at, i, sources, within, 0, options.box ? options.box->edges[0] : 0);
    sizes.push_back({static_cast<double>(of[0]), static_cast<double>(of[1])});
    largest = {std::max(largest[0], sizes.back()[0]), std::max(largest[1], sizes.back()[1])};
  }
  // Where nearly nothing arrives, of Gaussians, what expansions round of larger terms is left.
  const auto expectNear = [&](Real value, Real expectedValue, std::int64_t i, int part) {
    const double rounding = 100 * sizes[i / stride][part] + largest[part];
    ASSERT_NEAR(value, expectedValue, std::numeric_limits<Real>::epsilon() * rounding) << i;
  };
  for (std::int64_t i = 0; i < count; i += stride) {
    if (!expected.potentials.empty()) {
      expectNear(result.potentials[i], expected.potentials[i], i, 0);
    }
    for (int axis = 0; axis < Dim && !expected.gradients.empty(); ++axis) {
      expectNear(result.gradients[axis * count + i], expected.gradients[axis * count + i], i, 1);
    }
  }
}

template <class Space, class Interaction, int Dim, class Real>
void expectAsOnHost(const Interaction& interaction, Distribution distribution, Parts parts, std::int64_t maxInLeaf) {
  std::mt19937 random(seed());
  const auto particles = distributed<Dim, Real>(distribution, random, 1500, numChargesOf<Interaction>);
  MultipoleOptions options;
  options.maxInLeaf = maxInLeaf;
  expectSumsOfHost<Space, Interaction, Dim, Real>(interaction, nullptr, particles, parts, options);
}

TYPED_TEST(TeamMultipoles, AreThoseOfTheHost) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution of : sampled<TypeParam, Distribution>({Distribution::Plummer, Distribution::Uniform})) {
    expectAsOnHost<TypeParam, InverseDistance, 3, double>({}, of, Parts::Both, 40);
    expectAsOnHost<TypeParam, InverseDistance, 3, float>({}, of, Parts::Both, 40);
    expectAsOnHost<TypeParam, Logarithm, 2, double>({}, of, Parts::Gradient, 20);
    expectAsOnHost<TypeParam, Dipole<3>, 3, double>({}, of, Parts::Both, 40);
    expectAsOnHost<TypeParam, Dipole<2>, 2, double>({}, of, Parts::Both, 20);
    expectAsOnHost<TypeParam, SoftenedInverseDistance, 3, double>({0.05}, of, Parts::Gradient, 40);
    expectAsOnHost<TypeParam, Yukawa, 3, double>({2.0}, of, Parts::Both, 40);
    expectAsOnHost<TypeParam, Gaussian, 2, double>({0.5}, of, Parts::Potential, 20);
  }
}

template <class Space, class Interaction, int Dim, class Real>
void expectAsOnHostInABox(const Interaction& interaction, Distribution distribution, std::int64_t maxInLeaf) {
  SCOPED_TRACE("at most " + std::to_string(maxInLeaf) + " in a leaf");
  std::mt19937 random(seed());
  const auto wide = neutral(distributed<Dim, Real>(distribution, random, 500, numChargesOf<Interaction>));
  auto small = wide;
  for (auto& axis : small.points) {
    for (Real& x : axis) { // over a corner of the box, so in all its corners
      x = Real(-0.1) + Real(0.02) * (x - Real(0.5));
    }
  }
  MultipoleOptions options;
  options.maxInLeaf = maxInLeaf;
  options.box = cube(1.25, -0.1);
  expectSumsOfHost<Space, Interaction, Dim, Real>(interaction, nullptr, wide, Parts::Both, options);
  expectSumsOfHost<Space, Interaction, Dim, Real>(interaction, &small, wide, Parts::Both, options);
  expectSumsOfHost<Space, Interaction, Dim, Real>(interaction, &wide, small, Parts::Both, options);
}

/// From the root alone to leaves of all sizes. The host's are tested by Ewald's sums (TestPeriodicSums.cpp).
TYPED_TEST(TeamMultipoles, OfAPeriodicBoxAreThoseOfTheHost) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution of : sampled<TypeParam, Distribution>({Distribution::Uniform, Distribution::Clusters})) {
    for (const std::int64_t maxInLeaf : {20, of == Distribution::Uniform ? 2000 : 200}) {
      expectAsOnHostInABox<TypeParam, InverseDistance, 3, double>({}, of, maxInLeaf);
      expectAsOnHostInABox<TypeParam, Logarithm, 2, double>({}, of, maxInLeaf);
    }
  }
  expectAsOnHostInABox<TypeParam, InverseDistance, 3, float>({}, Distribution::Uniform, 60);
  expectAsOnHostInABox<TypeParam, Dipole<3>, 3, double>({}, Distribution::Clusters, 60);
}

TYPED_TEST(TeamMultipoles, OfOtherInteractions) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const Distribution of = Distribution::Plummer;
  expectAccurateByTeams<TypeParam, Dipole<3>, 3, double>({}, of, 3000, Parts::Both, 1e-4, 120);
  expectAccurateByTeams<TypeParam, Yukawa, 2, double>({2.0}, of, 3000, Parts::Both, 1e-4, 60);
  expectAccurateByTeams<TypeParam, InverseDistance, 3, float>({}, of, 3000, Parts::Both, 1e-5, 60);
  expectAccurateByTeams<TypeParam, Gaussian, 2, float>({240.0}, of, 1500, Parts::Both, 1e-3, 12);
}

/// Expansions that are reached from leaves much larger than their boxes, and moments that reach such leaves.
TYPED_TEST(TeamMultipoles, OfTargetsApart) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto wide = distributed<3, double>(Distribution::Uniform, random, 5000);
  auto small = distributed<3, double>(Distribution::Uniform, random, 5000);
  for (auto& axis : small.points) {
    for (double& x : axis) {
      x = 0.4 + 0.01 * x;
    }
  }
  MultipoleOptions options;
  options.accuracy = 1e-4;
  for (const std::int64_t maxInLeaf : sampled<TypeParam, std::int64_t>({10, 100, 2000})) {
    options.maxInLeaf = maxInLeaf;
    for (const auto& [targets, sources] : {std::pair(wide, small), std::pair(small, wide)}) {
      const Uploaded<TypeParam, 3, double> uploadedTargets(targets);
      const Uploaded<TypeParam, 3, double> uploadedSources(sources);
      const auto result = farSum<TypeParam, InverseDistance, 3, double, true>(
        TypeParam(), InverseDistance(), &uploadedTargets, uploadedSources, Parts::Both, options);
      const auto errors = errorsOf(result, InverseDistance(), targets, sources, false, 301);
      EXPECT_LE(errors[0], options.accuracy) << "at most " << maxInLeaf << " in a leaf";
      EXPECT_LE(errors[1], options.accuracy) << "at most " << maxInLeaf << " in a leaf";
    }
  }
}

/// What boxes and lists leave to each stage is the same on the host and on a device.
TYPED_TEST(TeamMultipoles, CountWhatTheHostCounts) {
  using Host = HostExecutionSpace;
  std::mt19937 random(seed());
  const auto particles = distributed<3, double>(Distribution::Clusters, random, 20000);
  MultipoleOptions options;
  options.accuracy = 1e-3;
  options.maxInLeaf = 50;
  const Uploaded<TypeParam, 3, double> there(particles);
  const Uploaded<Host, 3, double> here(particles);
  const auto byTeams = farSum<TypeParam, InverseDistance, 3, double, true>(
    TypeParam(), InverseDistance(), nullptr, there, Parts::Potential, options);
  const auto onHost = farSum<Host, InverseDistance, 3, double, false>(
    Host(), InverseDistance(), nullptr, here, Parts::Potential, options);
  EXPECT_GT(onHost.report.numFar, 0.0);
  EXPECT_EQ(byTeams.report.order, onHost.report.order);
  EXPECT_EQ(byTeams.report.numBoxes, onHost.report.numBoxes);
  EXPECT_EQ(byTeams.report.numLevels, onHost.report.numLevels);
  EXPECT_EQ(byTeams.report.numFar, onHost.report.numFar);
  EXPECT_EQ(byTeams.report.numNear, onHost.report.numNear);
}

TYPED_TEST(TeamMultipoles, HaveTheSameBitsForAnyNumberOfThreads) {
  if (!runsOnHost<TypeParam>) {
    GTEST_SKIP() << "a device has no number of threads";
  }
  const bool isExhaustive = spanwise::testing::isExhaustive();
  std::mt19937 random(seed());
  const Uploaded<TypeParam, 3, double> particles(
    distributed<3, double>(Distribution::Clusters, random, isExhaustive ? 3000 : 1500));
  MultipoleOptions options;
  options.accuracy = isExhaustive ? 1e-4 : 1e-3;
  options.maxInLeaf = 50;
  const auto sum = [&](const TypeParam& space) {
    return farSum<TypeParam, InverseDistance, 3, double, true>(
      space, InverseDistance(), nullptr, particles, Parts::Both, options);
  };
  const auto expected = sum(spanwise::testing::oneThread<TypeParam>());
  for (const TypeParam& space : ofSeveralThreads<TypeParam>()) {
    const auto result = sum(space);
    EXPECT_EQ(result.potentials, expected.potentials);
    EXPECT_EQ(result.gradients, expected.gradients);
  }
}

TYPED_TEST(TeamMultipoles, OfManyRightHandSidesAndFewParticles) {
  std::mt19937 random(seed());
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{17},
         sampled<TypeParam, std::int64_t>({200, 1000}).back()}) {
    const auto particles = distributed<3, double>(Distribution::Uniform, random, count, 2);
    const Uploaded<TypeParam, 3, double> uploaded(particles);
    MultipoleOptions options;
    options.accuracy = 1e-5;
    options.maxInLeaf = count < 100 ? 1 : 50;
    options.numRightHandSides = 2;
    const auto result = farSum<TypeParam, InverseDistance, 3, double, true>(
      TypeParam(), InverseDistance(), nullptr, uploaded, Parts::Both, options);
    for (int side = 0; side < 2; ++side) {
      const auto errors = errorsOf(result, InverseDistance(), particles, particles, true, count / 50 + 1, side);
      EXPECT_LE(errors[0], 1e-5) << count << " particles";
      EXPECT_LE(errors[1], 1e-5) << count << " particles";
    }
  }
}

/// A call like one before takes no memory, on the host or a device.
TYPED_TEST(TeamMultipoles, AllocateNothingWhereTheyAreRepeated) {
  std::mt19937 random(seed());
  const Uploaded<TypeParam, 3, double> particles(distributed<3, double>(Distribution::Plummer, random, 3000));
  Columns<TypeParam, double> potentials(3000, 1);
  MultipoleOptions options;
  options.accuracy = 1e-3;
  options.maxInLeaf = 50;
  MultipoleMemory<3, TypeParam> memory;
  const detail::SumCall<InverseDistance, 3, double> call{
    {}, particles.view(), particles.sources(), SumsView<double>{potentials.data(), nullptr, 0}, true};
  const TypeParam space; // where it is not the default one, to make it may allocate
  const Context context(space);
  expectNoAllocations<TypeParam>(
    [&] { detail::multipoleCall<TypeParam, InverseDistance, 3, double, true>(context, call, options, memory); });
  const auto first = potentials.all();
  detail::multipoleCall<TypeParam, InverseDistance, 3, double, true>(context, call, options, memory);
  EXPECT_EQ(potentials.all(), first);
}

} // namespace
} // namespace spanwise::nbody::testing
