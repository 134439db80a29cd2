#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Core/Solvers/NBody/PeriodicParticles.hpp"
#include "Testing/Core/Solvers/NBody/RankShares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace spanwise::nbody::testing {
namespace {

using spanwise::testing::ofSeveralThreads;

/// All distributions with all accuracies, or with one that takes turns; dealt in ways that take turns.
template <class Interaction, int Dim, class Real>
void expectAllAccurate(const Interaction& interaction, std::int64_t count, std::int64_t maxInLeaf,
  const std::vector<double>& accuracies = {1e-3, 1e-6, 1e-9}) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::size_t way = 0;
  std::size_t taken = 0;
  for (const Distribution distribution : allDistributions) {
    for (std::size_t k = 0; k < accuracies.size(); ++k) {
      if (spanwise::testing::isExhaustive() || k == taken % accuracies.size()) {
        expectAccurate<Interaction, Dim, Real>(
          interaction, distribution, allWays[way++ % std::size(allWays)], count, accuracies[k], maxInLeaf);
      }
    }
    ++taken;
  }
}

TEST(RankMultipoleSums, OfInverseDistanceIn2d) { expectAllAccurate<InverseDistance, 2, double>({}, 3000, 20); }
TEST(RankMultipoleSums, OfInverseDistanceIn3d) {
  expectAllAccurate<InverseDistance, 3, double>({}, 2500, 40, {1e-3, 1e-6});
}
TEST(RankMultipoleSums, OfInverseDistanceIn3dInFloat) {
  expectAllAccurate<InverseDistance, 3, float>({}, 2500, 40, {1e-2, 1e-5});
}
TEST(RankMultipoleSums, OfLogarithmIn2d) { expectAllAccurate<Logarithm, 2, double>({}, 4000, 20); }
TEST(RankMultipoleSums, OfDipolesIn3d) { expectAllAccurate<Dipole<3>, 3, double>({}, 2500, 40, {1e-3}); }
TEST(RankMultipoleSums, OfDipolesIn2d) { expectAllAccurate<Dipole<2>, 2, double>({}, 3000, 20); }

/// Interactions with a length of their own have operators for each size of boxes, which take longer to make.
TEST(RankMultipoleSums, OfInteractionsWithALength) {
  for (const Dealt dealt : {Dealt::ToTheLast, Dealt::InBlocks}) {
    expectAccurate<Gaussian, 2, double>({0.3}, Distribution::Plummer, dealt, 3000, 1e-5, 30);
    expectAccurate<Yukawa, 3, double>({3.0}, Distribution::Uniform, dealt, 3000, 1e-3, 60);
    expectAccurate<SoftenedInverseDistance, 3, double>({0.01}, Distribution::Uniform, dealt, 3000, 1e-3, 60);
  }
}

TEST(RankMultipoleSums, AtTargetsElsewhere) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::size_t way = 0;
  for (const Distribution ofSources : {Distribution::Uniform, Distribution::Clusters, Distribution::Duplicates}) {
    for (const Distribution ofTargets : {Distribution::Uniform, Distribution::Sphere, Distribution::OnePlace}) {
      std::mt19937 random(seed());
      const Share<3, double> sources(
        distributed<3, double>(ofSources, random, 4000), allWays[way++ % std::size(allWays)]);
      auto whole = distributed<3, double>(ofTargets, random, 700);
      for (double& x : whole.points[0]) {
        x += 0.3 * static_cast<double>(way % 4); // beside, partly over the sources
      }
      const Share<3, double> targets(whole, allWays[(way / 2) % std::size(allWays)]);
      MultipoleOptions options;
      options.accuracy = 1e-3;
      options.maxInLeaf = 40;
      const auto result =
        rankSum<InverseDistance, 3, double>(Host(), {}, &targets.mine, sources.mine, Parts::Both, options);
      const auto errors = errorsOf<InverseDistance, 3, double>(result, {}, &targets.mine, sources);
      EXPECT_LE(errors[0], options.accuracy) << distributionName(ofSources) << " to " << distributionName(ofTargets);
      EXPECT_LE(errors[1], options.accuracy) << distributionName(ofSources) << " to " << distributionName(ofTargets);
      const Share<3, double> moments(distributed<3, double>(ofSources, random, 2000, 3), Dealt::InBlocks);
      const auto ofMoments =
        rankSum<Dipole<3>, 3, double>(Host(), {}, &targets.mine, moments.mine, Parts::Both, options);
      const auto errorsOfMoments = errorsOf<Dipole<3>, 3, double>(ofMoments, {}, &targets.mine, moments);
      EXPECT_LE(errorsOfMoments[0], options.accuracy) << "dipoles " << distributionName(ofSources);
      EXPECT_LE(errorsOfMoments[1], options.accuracy) << "dipoles " << distributionName(ofSources);
    }
  }
}

/// Each pair of points counts exactly once, whichever ranks they are on: with k = r^2 nothing is cut off, so a pair
/// that is forgotten or counted twice is an error that is not one of rounding.
TEST(RankMultipoleSums, CountEachPairOnce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::size_t way = 0;
  for (const Distribution distribution : allDistributions) {
    SCOPED_TRACE(distributionName(distribution));
    std::mt19937 random(seed());
    const auto whole = distributed<3, double>(distribution, random, 6000);
    const Share<3, double> share(whole, allWays[way++ % std::size(allWays)]);
    MultipoleOptions options;
    options.order = 3;
    options.maxInLeaf = 30;
    const auto result = rankSum<SquaredDistance, 3, double>(Host(), {}, nullptr, share.mine, Parts::Potential, options);
    long double charge = 0;
    std::array<long double, 3> moment{};
    long double square = 0;
    double magnitude = 0.0;
    double farthest = 0.0; // along an axis
    for (std::int64_t j = 0; j < whole.count(); ++j) {
      const long double q = whole.charges[0][j];
      charge += q;
      magnitude += std::abs(whole.charges[0][j]);
      for (int axis = 0; axis < 3; ++axis) {
        moment[axis] += q * whole.points[axis][j];
        farthest = std::max(farthest, std::abs(whole.points[axis][j]));
        square += q * whole.points[axis][j] * whole.points[axis][j];
      }
    }
    // each term, r^2 <= 12 farthest^2, by an ulp in each operator on its way up and down the tree
    constexpr double ulps = 2.0 * (deepestLevel<3> + 1) * std::numeric_limits<double>::epsilon();
    const double rounding = ulps * magnitude * 12.0 * farthest * farthest;
    for (std::int64_t i = 0; i < share.mine.count(); ++i) {
      long double expected = square;
      for (int axis = 0; axis < 3; ++axis) {
        const long double x = share.mine.points[axis][i];
        expected += x * x * charge - 2 * x * moment[axis];
      }
      ASSERT_NEAR(result.potentials[i], expected, rounding) << "particle " << i;
    }
  }
}

/// Forces add up to nothing, as far as they are right.
TEST(RankMultipoleSums, ForcesAddUpToNothing) {
  std::mt19937 random(seed());
  for (const Distribution distribution : {Distribution::Uniform, Distribution::Plummer, Distribution::Clusters}) {
    const Share<3, double> share(distributed<3, double>(distribution, random, 4000), Dealt::InBlocks);
    MultipoleOptions options;
    options.accuracy = 1e-6;
    options.maxInLeaf = 40;
    const auto result = rankSum<InverseDistance, 3, double>(Host(), {}, nullptr, share.mine, Parts::Gradient, options);
    std::array<double, 4> total{}; // and what each does to each, without signs
    const std::int64_t count = share.mine.count();
    for (std::int64_t i = 0; i < count; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        total[axis] += share.mine.charges[0][i] * result.gradients[axis * count + i];
      }
      for (std::int64_t j = 0; j < share.all.count(); ++j) {
        double r2 = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
          const double d = share.all.points[axis][j] - share.mine.points[axis][i];
          r2 += d * d;
        }
        total[3] += j != i && r2 > 0.0 ? std::abs(share.mine.charges[0][i] * share.all.charges[0][j]) / r2 : 0.0;
      }
    }
    world().reduce(ReduceBy::Sum, total);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_LE(std::abs(total[axis]), options.accuracy * total[3]) << distributionName(distribution);
    }
  }
}

/// Fewer particles than ranks, or none at all.
TEST(RankMultipoleSums, OfFewParticles) {
  for (const std::int64_t count : {0, 1, 2, 3, 17}) {
    for (const Dealt dealt : allWays) {
      const auto report = expectAccurate<InverseDistance, 3, double>({}, Distribution::Uniform, dealt, count, 1e-6, 0);
      EXPECT_EQ(world().reduced(ReduceBy::Sum, report.numTargets), count);
      expectAccurate<Dipole<3>, 3, double>({}, Distribution::Uniform, dealt, count, 1e-6, 0);
    }
  }
  // targets without sources, sources without targets
  std::mt19937 random(seed());
  const Share<3, double> some(distributed<3, double>(Distribution::Uniform, random, 50), Dealt::InTurn);
  const Particles<3, double> none{{}, std::vector<Column<double>>(1)};
  const auto zeros = rankSum<InverseDistance, 3, double>(Host(), {}, &some.mine, none, Parts::Both, {});
  EXPECT_TRUE(std::all_of(zeros.potentials.begin(), zeros.potentials.end(), [](double v) { return v == 0.0; }));
  EXPECT_TRUE(std::all_of(zeros.gradients.begin(), zeros.gradients.end(), [](double v) { return v == 0.0; }));
  EXPECT_TRUE((rankSum<InverseDistance, 3, double>(Host(), {}, &none, some.mine, Parts::Both, {}).potentials.empty()));
}

/// As ranks with a device do: what is summed is copied to its memory, and summed by teams. Only rounding differs from
/// the host's sums.
TEST(RankMultipoleSums, ByTeamsAreThoseOfTheHost) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const auto expectSame = [&]<class Interaction>(const Interaction& interaction, bool atOthers, Store store,
                            const std::optional<PeriodicBox>& box) {
    std::mt19937 random(seed());
    auto whole = distributed<3, double>(Distribution::Plummer, random, 1500, numChargesOf<Interaction>);
    const Share<3, double> sources(box ? neutral(whole) : whole, Dealt::InTurn);
    const Share<3, double> targets(distributed<3, double>(Distribution::Uniform, random, 300), Dealt::InBlocks);
    const Uploaded<Host, 3, double> uploaded(sources.mine);
    const Uploaded<Host, 3, double> places(atOthers ? targets.mine : sources.mine);
    MultipoleOptions options;
    options.order = 4;
    options.accuracy = 9e-6; // of operators; from 1e-5 on the host takes near pairs in single precision
    options.maxInLeaf = 40;
    options.store = store;
    options.box = box;
    const auto sumsBy = [&]<bool byTeams>(std::bool_constant<byTeams> /*by*/) {
      std::vector<double> sums(static_cast<std::size_t>(4 * places.count), 1.0);
      MultipoleMemory<3> memory;
      const detail::SumCall<Interaction, 3, double> call{interaction, places.view(), uploaded.sources(),
        {sums.data(), sums.data() + places.count, places.count}, !atOthers};
      detail::multipoleCall<Host, Interaction, 3, double, byTeams>(Context(Host(), world()), call, options, memory);
      return sums;
    };
    const std::vector<double> onHost = sumsBy(std::false_type());
    const std::vector<double> byTeams = sumsBy(std::true_type());
    double largest[2] = {};
    for (std::size_t i = 0; i < onHost.size(); ++i) {
      double& size = largest[i < static_cast<std::size_t>(places.count) ? 0 : 1];
      size = std::max(size, std::abs(onHost[i]));
    }
    for (std::size_t i = 0; i < onHost.size(); ++i) {
      ASSERT_NEAR(byTeams[i], onHost[i], 1e-11 * largest[i < static_cast<std::size_t>(places.count) ? 0 : 1]) << i;
    }
  };
  for (const bool atOthers : {false, true}) {
    expectSame(InverseDistance(), atOthers, Store::Overwrite, std::nullopt);
    expectSame(InverseDistance(), atOthers, Store::Add, cube(20.0, -10.0));
    expectSame(Dipole<3>(), atOthers, Store::Add, std::nullopt);
  }
}

TEST(RankMultipoleSums, HaveTheSameBitsForAnyNumberOfThreads) {
  std::mt19937 random(seed());
  const Share<3, double> share(distributed<3, double>(Distribution::Plummer, random, 6000), Dealt::InTurn);
  MultipoleOptions options;
  options.accuracy = 1e-3;
  options.maxInLeaf = 40;
  std::optional<RankResult<double>> expected;
  for (const Host& space : ofSeveralThreads<Host>()) {
    auto result = rankSum<InverseDistance, 3, double>(space, {}, nullptr, share.mine, Parts::Both, options);
    if (!expected) {
      expected = std::move(result);
      continue;
    }
    EXPECT_EQ(result.potentials, expected->potentials);
    EXPECT_EQ(result.gradients, expected->gradients);
  }
}

/// Several right-hand sides are those one by one, and what is there stays where it is asked to.
TEST(RankMultipoleSums, AddSeveralRightHandSides) {
  std::mt19937 random(seed());
  const Share<3, double> share(distributed<3, double>(Distribution::Uniform, random, 3000, 6), Dealt::InBlocks);
  const std::int64_t count = share.mine.count();
  const Uploaded<Host, 3, double> uploaded(share.mine);
  MultipoleOptions options;
  options.accuracy = 1e-3;
  options.maxInLeaf = 40;
  options.potentialFactor = 2.0;
  options.gradientFactor = -3.0;
  MultipoleMemory<3> memory;
  const auto expectSides = [&]<class Interaction>(const Interaction& interaction) {
    constexpr int numCharges = numChargesOf<Interaction>;
    const int numSides = 6 / numCharges;
    Column<double> potentials(static_cast<std::size_t>(numSides * count), 1.0);
    Column<double> gradients(static_cast<std::size_t>(3 * numSides * count), 2.0);
    options.numRightHandSides = numSides;
    options.store = Store::Add;
    multipolesWithin(Context(Host(), world()), interaction, uploaded.sources(),
      {potentials.data(), gradients.data(), 0}, options, memory);
    for (int side = 0; side < numSides; ++side) {
      Column<double> potential(static_cast<std::size_t>(count));
      Column<double> gradient(static_cast<std::size_t>(3 * count));
      options.numRightHandSides = 1;
      options.store = Store::Overwrite;
      auto one = uploaded.sources();
      one.charges += side * numCharges * count;
      multipolesWithin(
        Context(Host(), world()), interaction, one, {potential.data(), gradient.data(), 0}, options, memory);
      for (std::int64_t i = 0; i < count; ++i) {
        ASSERT_EQ(potentials[side * count + i], 1.0 + potential[i]);
        for (int axis = 0; axis < 3; ++axis) {
          ASSERT_EQ(gradients[(3 * side + axis) * count + i], 2.0 + gradient[axis * count + i]);
        }
      }
    }
  };
  expectSides(InverseDistance());
  expectSides(Dipole<3>());
}

/// In a periodic box, at places that are any number of edges outside. Errors against Ewald's sums of all particles.
template <class Interaction, int Dim, class Real>
MultipoleReport expectPeriodic(const Interaction& interaction, Distribution distribution, Dealt dealt, bool atOthers,
  double accuracy, std::int64_t count = 1500, std::int64_t maxInLeaf = 30) {
  std::mt19937 random(seed());
  const PeriodicBox box = cube(1.25, -0.1);
  const auto spread = [&](Particles<Dim, Real> particles) {
    for (auto& axis : particles.points) {
      for (Real& x : axis) {
        x += static_cast<Real>(1.25 * (static_cast<int>(random() % 5) - 2));
      }
    }
    return particles;
  };
  auto whole = distributed<Dim, Real>(distribution, random, count, numChargesOf<Interaction>);
  const Share<Dim, Real> sources(spread(detail::needsNeutral(interaction) ? neutral(whole) : whole), dealt);
  const Share<Dim, Real> targets(spread(distributed<Dim, Real>(Distribution::Uniform, random, 70)), Dealt::InBlocks);
  MultipoleOptions options;
  options.accuracy = accuracy;
  options.maxInLeaf = maxInLeaf;
  options.box = box;
  const Particles<Dim, Real>& places = atOthers ? targets.mine : sources.mine;
  auto result = rankSum<Interaction, Dim, Real>(
    Host(), interaction, atOthers ? &targets.mine : nullptr, sources.mine, Parts::Both, options);
  const Uploaded<Host, Dim, Real> at(places);
  const Uploaded<Host, Dim, Real> all(sources.all);
  const Context<Host> context;
  const SumErrors errors = sampleErrors(context, interaction, box,
    SumsToSample<Dim, Real>{
      at.view(), all.sources(), {result.potentials.data(), result.gradients.data(), 0}, !atOthers},
    12);
  EXPECT_LE(errors.potentialMax, accuracy) << distributionName(distribution);
  EXPECT_LE(errors.gradientMax, accuracy) << distributionName(distribution);
  EXPECT_EQ(world().reduced(ReduceBy::Sum, result.report.numTargets), atOthers ? 70 : count);
  return result.report;
}

/// A part's charges are not neutral by themselves, those of all are.
TEST(RankMultipoleSums, InAPeriodicBox) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::size_t way = 0;
  for (const Distribution distribution : allDistributions) {
    const Dealt dealt = allWays[way % std::size(allWays)];
    const bool atOthers = way++ % 2 == 1;
    expectPeriodic<InverseDistance, 3, double>({}, distribution, dealt, atOthers, 1e-6);
    expectPeriodic<Logarithm, 2, double>({}, distribution, dealt, !atOthers, 1e-9);
    expectPeriodic<Gaussian, 2, double>({0.4}, distribution, dealt, atOthers, 1e-4);
  }
  for (const bool atOthers : {false, true}) {
    expectPeriodic<Dipole<3>, 3, double>({}, Distribution::Clusters, Dealt::InTurn, atOthers, 1e-3);
    expectPeriodic<Dipole<2>, 2, double>({}, Distribution::Uniform, Dealt::ToTheLast, atOthers, 1e-6);
    expectPeriodic<Yukawa, 3, double>({2.0}, Distribution::Uniform, Dealt::InBlocks, atOthers, 1e-3);
    expectPeriodic<InverseDistance, 3, float>({}, Distribution::Clusters, Dealt::InTurn, atOthers, 1e-5);
  }
}

/// So many points that most of what is essential are nodes, also across the sides of the box.
TEST(RankMultipoleSums, TakesNodesForWhatIsFarInAPeriodicBox) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  constexpr std::int64_t count = 30000;
  const auto report =
    expectPeriodic<Logarithm, 2, double>({}, Distribution::Uniform, Dealt::InTurn, false, 1e-5, count, 30);
  const std::int64_t numNodes = world().reduced(ReduceBy::Sum, report.numEssentialNodes);
  const std::int64_t numPoints = world().reduced(ReduceBy::Sum, report.numEssentialPoints);
  EXPECT_EQ(numNodes > 0, !world().alone());
  EXPECT_LE(numNodes + numPoints, (world().size() - 1) * count * 7 / 10) << "nearly all points everywhere";
}

} // namespace
} // namespace spanwise::nbody::testing
