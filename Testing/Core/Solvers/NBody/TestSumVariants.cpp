#include "Benchmarks/Core/Solvers/NBody/SumVariants.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Solvers/NBody/Particles.hpp"
#include "Testing/Rooms.hpp"

#include <utility>

namespace spanwise::nbody::testing {
namespace {

using benchmarks::SumVariant;
using benchmarks::TeamShape;
using benchmarks::VariantOptions;
using benchmarks::VariantReport;
using spanwise::testing::ofSeveralThreads;

template <class Space>
class SumVariants : public ::testing::Test {};
TYPED_TEST_SUITE(SumVariants, AllSpaces, SpaceNames);

/// Every variant that is not Core's and goes with a space.
template <class Space>
std::vector<SumVariant> patterns() {
  std::vector<SumVariant> variants{
    SumVariant::FlatFor, SumVariant::FlatReduce, SumVariant::NestedTeams, SumVariant::ScratchTiles};
  if (runsOnHost<Space>) {
    variants.push_back(SumVariant::KokkosSimd);
  }
  return variants;
}

template <class Space, class Interaction, int Dim, class Real>
ResultWith<Real, VariantReport> sumBy(const VariantOptions& options, const Space& space, const Interaction& interaction,
  const Uploaded<Space, Dim, Real>* targets, const Uploaded<Space, Dim, Real>& sources, Parts parts) {
  const Context context(space);
  return resultOf<Space, Dim, Real>(targets != nullptr ? targets->count : sources.count, numPotentialsOf<Interaction>,
    parts, [&](const SumsView<Real>& sums) {
      return targets != nullptr ? sumBetween(context, interaction, targets->view(), sources.sources(), sums, options)
                                : sumWithin(context, interaction, sources.sources(), sums, options);
    });
}

template <class Space, class Interaction, int Dim, class Real>
void expectExactSums(const Interaction& interaction, const Particles<Dim, Real>& targets,
  const Particles<Dim, Real>& sources, bool within) {
  SCOPED_TRACE(std::to_string(Dim) + "D, " + (sizeof(Real) == sizeof(float) ? "float" : "double") + ", " +
    std::to_string(targets.count()) + " targets, " + std::to_string(sources.count()) + " sources");
  std::vector<Exact<Dim>> exact;
  for (std::int64_t i = 0; i < targets.count(); ++i) {
    exact.push_back(exactAt(interaction, targets, i, sources, within ? i : -1));
  }
  const Uploaded<Space, Dim, Real> uploadedSources(sources);
  const Uploaded<Space, Dim, Real> uploadedTargets(targets);
  const auto numPairs = targets.count() * (within ? sources.count() - 1 : sources.count());
  for (const SumVariant variant : patterns<Space>()) {
    SCOPED_TRACE(variantName(variant));
    for (const Parts parts : {Parts::Potential, Parts::Gradient, Parts::Both}) {
      const auto result = sumBy({.variant = variant}, oneThread<Space>(), interaction,
        within ? nullptr : &uploadedTargets, uploadedSources, parts);
      ASSERT_EQ(result.report.variant, variant);
      ASSERT_EQ(result.report.numInteractions, static_cast<double>(numPairs));
      for (std::int64_t i = 0; i < targets.count(); ++i) {
        expectExact<Dim>(result, exact[static_cast<std::size_t>(i)], i, targets.count(), parts);
      }
    }
  }
}

/// Random particles on themselves, and on few and on many targets.
template <class Space, class Interaction, int Dim, class Real>
void expectExactSums(const Interaction& interaction) {
  std::mt19937 random(seed());
  const auto particles = [&](std::int64_t count) {
    return randomParticles<Dim, Real>(random, count, numChargesOf<Interaction>);
  };
  for (const std::int64_t count : {0, 1, 2, 17, 300, 700}) {
    const auto all = particles(count);
    expectExactSums<Space>(interaction, all, all, true);
  }
  expectExactSums<Space>(interaction, particles(5), particles(1000), false);
  expectExactSums<Space>(interaction, particles(130), particles(17), false);
  expectExactSums<Space>(interaction, particles(3), particles(0), false);
}

TYPED_TEST(SumVariants, OfInverseDistance) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectExactSums<TypeParam, InverseDistance, 2, float>({});
  expectExactSums<TypeParam, InverseDistance, 2, double>({});
  expectExactSums<TypeParam, InverseDistance, 3, float>({});
  expectExactSums<TypeParam, InverseDistance, 3, double>({});
}

/// Formulas of interactions for one number, as these variants call them.
TYPED_TEST(SumVariants, OfOtherInteractions) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectExactSums<TypeParam, SoftenedInverseDistance, 3, double>({0.05});
  expectExactSums<TypeParam, Logarithm, 2, double>({});
  expectExactSums<TypeParam, Gaussian, 3, double>({0.4});
  expectExactSums<TypeParam, Yukawa, 3, double>({3.0});
  expectExactSums<TypeParam, Dipole<3>, 3, double>({});
}

/// Particles in the same place do nothing to each other by 1 / r, and act on all others.
TYPED_TEST(SumVariants, CoincidentParticles) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  auto particles = randomParticles<3, double>(random, 600);
  for (std::size_t i = 0; i < 600; i += 3) {
    for (auto& axis : particles.points) {
      axis[i] = axis[i / 3];
    }
  }
  expectExactSums<TypeParam>(InverseDistance(), particles, particles, true);
}

/// The same bits for one thread and for all.
TYPED_TEST(SumVariants, ThreadsGiveTheSameBits) {
  if (!runsOnHost<TypeParam>) {
    GTEST_SKIP() << "is said of the host";
  }
  std::mt19937 random(seed());
  const Uploaded<TypeParam, 3, double> particles(randomParticles<3, double>(random, 1500));
  for (const SumVariant variant : patterns<TypeParam>()) {
    SCOPED_TRACE(variantName(variant));
    const auto sumIn = [&](const TypeParam& space) {
      return sumBy<TypeParam, InverseDistance, 3, double>(
        {.variant = variant}, space, InverseDistance(), nullptr, particles, Parts::Both);
    };
    const auto one = sumIn(oneThread<TypeParam>());
    for (const TypeParam& space : ofSeveralThreads<TypeParam>()) {
      const auto several = sumIn(space);
      EXPECT_EQ(one.potentials, several.potentials);
      EXPECT_EQ(one.gradients, several.gradients);
    }
  }
}

/// Sums do not depend on the shape of teams.
TYPED_TEST(SumVariants, TeamsOfAllShapes) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  constexpr std::int64_t count = 700;
  const auto particles = randomParticles<3, double>(random, count);
  const Uploaded<TypeParam, 3, double> uploaded(particles);
  std::vector<TeamShape> shapes{{1, 1, 1}, {0, 0, 7}, {0, 0, 512}};
  if (!runsOnHost<TypeParam>) {
    shapes.insert(shapes.end(), {{1, 4, 64}, {32, 8, 256}, {256, 0, 100}, {0, 32, 0}});
  }
  for (const SumVariant variant : {SumVariant::NestedTeams, SumVariant::ScratchTiles}) {
    for (const TeamShape& shape : shapes) {
      SCOPED_TRACE(std::string(variantName(variant)) + ", " + std::to_string(shape.numThreads) + " threads of " +
        std::to_string(shape.vectorLength) + " lanes, tiles of " + std::to_string(shape.sourcesInTile));
      const auto result = sumBy<TypeParam, InverseDistance, 3, double>({.variant = variant, .teams = shape},
        oneThread<TypeParam>(), InverseDistance(), nullptr, uploaded, Parts::Both);
      for (std::int64_t i = 0; i < count; i += 13) {
        expectExact<3>(result, exactAt(InverseDistance(), particles, i, particles, i), i, count, Parts::Both);
      }
    }
  }
}

/// Those of Core are Core's own sums, with the same bits.
TYPED_TEST(SumVariants, ThoseOfCore) {
  std::mt19937 random(seed());
  const Uploaded<TypeParam, 3, double> particles(randomParticles<3, double>(random, 1500));
  for (const auto& [variant, ofCore] :
    {std::pair(SumVariant::Automatic, Variant::Automatic), std::pair(SumVariant::RegisterTiles, Variant::RegisterTiles),
      std::pair(SumVariant::Mutual, Variant::Mutual)}) {
    if (variant == SumVariant::Mutual && !runsOnHost<TypeParam>) {
      continue;
    }
    SCOPED_TRACE(variantName(variant));
    const auto result = sumBy<TypeParam, InverseDistance, 3, double>(
      {.variant = variant}, oneThread<TypeParam>(), InverseDistance(), nullptr, particles, Parts::Both);
    SumOptions options;
    options.variant = ofCore;
    const auto expected = sum<TypeParam, InverseDistance, 3, double>(
      oneThread<TypeParam>(), InverseDistance(), nullptr, particles, Parts::Both, options);
    EXPECT_EQ(variantName(result.report.variant), variantName(expected.report.variant));
    EXPECT_EQ(result.report.instructions, expected.report.instructions);
    EXPECT_EQ(result.report.numInteractions, expected.report.numInteractions);
    EXPECT_EQ(result.potentials, expected.potentials);
    EXPECT_EQ(result.gradients, expected.gradients);
  }
}

TEST(SumVariantShapes, BadInput) {
  const auto refused = [](const TeamShape& shape, bool onHost) {
    return messageOf([&] { static_cast<void>(benchmarks::checkedShape(shape, onHost)); });
  };
  constexpr bool onHost = true;
  constexpr bool onDevice = false;
  EXPECT_EQ(refused({-1, 0, 0}, onHost), "the number of threads of a team is -1; it must be 1 to 1, or 0 to be chosen");
  EXPECT_EQ(
    refused({257, 0, 0}, onDevice), "the number of threads of a team is 257; it must be 1 to 256, or 0 to be chosen");
  EXPECT_EQ(refused({0, 2, 0}, onHost), "the vector length of a team is 2; it must be 1 to 1, or 0 to be chosen");
  EXPECT_EQ(refused({0, 33, 0}, onDevice), "the vector length of a team is 33; it must be 1 to 32, or 0 to be chosen");
  EXPECT_EQ(
    refused({0, 0, -1}, onHost), "the number of sources of a tile is -1; it must be 1 to 512, or 0 to be chosen");
  EXPECT_EQ(
    refused({0, 0, 513}, onHost), "the number of sources of a tile is 513; it must be 1 to 512, or 0 to be chosen");
  EXPECT_EQ(refused({0, 3, 0}, onDevice), "the vector length of a team is 3; it must be a power of two");
  EXPECT_EQ(
    refused({64, 8, 0}, onDevice), "a team of 64 threads of 8 lanes is too large; together they must be at most 256");
  EXPECT_EQ(refused({0, 32, 0}, onDevice), "");
}

} // namespace
} // namespace spanwise::nbody::testing
