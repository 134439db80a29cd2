#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/NBody/BodyForces.hpp"
#include "Core/Solvers/NBody/Detail/Morton.hpp"
#include "Core/Solvers/NBody/EwaldSums.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"
#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Solvers/NBody/FarSums.hpp"
#include "Testing/Core/Solvers/NBody/PeriodicParticles.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

namespace spanwise::nbody::testing {
namespace {

using spanwise::testing::ofSeveralThreads;
using spanwise::testing::world;
using Host = HostExecutionSpace;

/// Where points are before anything is summed.
enum class Dealt { InTurn, ToTheFirst, ToTheLast, InBlocks, NothingToTheFirst };
constexpr Dealt allWays[] = {
  Dealt::InTurn, Dealt::ToTheFirst, Dealt::ToTheLast, Dealt::InBlocks, Dealt::NothingToTheFirst};

bool isMine(Dealt dealt, std::int64_t i, std::int64_t count) {
  const int size = world().size();
  switch (dealt) {
  case Dealt::ToTheFirst:
    return world().rank() == 0;
  case Dealt::ToTheLast:
    return world().rank() == size - 1;
  case Dealt::InBlocks:
    return i * size / count == world().rank();
  case Dealt::NothingToTheFirst:
    return world().rank() == (size == 1 ? 0 : 1 + i % (size - 1));
  default:
    return world().rank() == i % size;
  }
}

/// This rank's particles of the whole first, so that a target has the number of its source, then the others'.
template <int Dim, class Real>
struct Share {
  Particles<Dim, Real> mine;
  Particles<Dim, Real> all;
  std::vector<std::int64_t> numbers; ///< in the whole, of all

  Share(const Particles<Dim, Real>& whole, Dealt dealt) {
    mine.charges.resize(whole.charges.size());
    all.charges.resize(whole.charges.size());
    for (const bool own : {true, false}) {
      for (std::int64_t i = 0; i < whole.count(); ++i) {
        if (isMine(dealt, i, whole.count()) == own) {
          add(whole, i, all);
          numbers.push_back(i);
          if (own) {
            add(whole, i, mine);
          }
        }
      }
    }
  }

private:
  static void add(const Particles<Dim, Real>& whole, std::int64_t i, Particles<Dim, Real>& to) {
    for (int axis = 0; axis < Dim; ++axis) {
      to.points[axis].push_back(whole.points[axis][i]);
    }
    for (std::size_t c = 0; c < whole.charges.size(); ++c) {
      to.charges[c].push_back(whole.charges[c][i]);
    }
  }
};

template <class Real>
using RankResult = ResultWith<Real, MultipoleReport>;

/// Without targets, of the sources on themselves.
template <class Interaction, int Dim, class Real>
RankResult<Real> rankSum(const Host& space, const Interaction& interaction, const Particles<Dim, Real>* targets,
  const Particles<Dim, Real>& sources, Parts parts, const MultipoleOptions& options) {
  const Uploaded<Host, Dim, Real> uploaded(sources);
  const std::int64_t count = targets != nullptr ? targets->count() : sources.count();
  const auto size = static_cast<std::size_t>(count * options.numRightHandSides);
  constexpr Real none = std::numeric_limits<Real>::quiet_NaN(); // what is there must not matter
  RankResult<Real> result;
  result.potentials.assign(hasPotential(parts) ? size : 0, none);
  result.gradients.assign(hasGradient(parts) ? Dim * size : 0, none);
  const SumsView<Real> sums{hasPotential(parts) ? result.potentials.data() : nullptr,
    hasGradient(parts) ? result.gradients.data() : nullptr, 0};
  MultipoleMemory<Dim, Host> memory;
  const Context context(space, world());
  if (targets != nullptr) {
    const Uploaded<Host, Dim, Real> places(*targets);
    result.report = multipolesBetween(context, interaction, places.view(), uploaded.sources(), sums, options, memory);
  } else {
    result.report = multipolesWithin(context, interaction, uploaded.sources(), sums, options, memory);
  }
  return result;
}

/// The largest errors on all ranks at some targets; without, at this rank's own sources, which are the first of all.
template <class Interaction, int Dim, class Real>
std::array<double, 2> errorsOf(const RankResult<Real>& result, const Interaction& interaction,
  const Particles<Dim, Real>* targets, const Share<Dim, Real>& sources) {
  const Particles<Dim, Real>& places = targets != nullptr ? *targets : sources.mine;
  auto largest = errorsOf(result, interaction, places, sources.all, targets == nullptr, places.count() / 12 + 1);
  world().reduce(ReduceBy::Maximum, largest);
  return largest;
}

template <class Interaction, int Dim, class Real>
MultipoleReport expectAccurate(const Interaction& interaction, Distribution distribution, Dealt dealt,
  std::int64_t count, double accuracy, std::int64_t maxInLeaf, Parts parts = Parts::Both) {
  std::mt19937 random(seed());
  const Share<Dim, Real> share(distributed<Dim, Real>(distribution, random, count, numChargesOf<Interaction>), dealt);
  MultipoleOptions options;
  options.accuracy = accuracy;
  options.maxInLeaf = maxInLeaf;
  auto result = rankSum<Interaction, Dim, Real>(Host(), interaction, nullptr, share.mine, parts, options);
  const auto errors = errorsOf<Interaction, Dim, Real>(result, interaction, nullptr, share);
  EXPECT_LE(errors[0], accuracy) << "potential " << distributionName(distribution) << ", order " << result.report.order;
  EXPECT_LE(errors[1], accuracy) << "gradient " << distributionName(distribution) << ", order " << result.report.order;
  return result.report;
}

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

/// So many points that most of what is essential are nodes, and fewer of them than the points they stand for.
TEST(RankMultipoleSums, TakesNodesForWhatIsFar) {
  for (const Distribution distribution : {Distribution::Uniform, Distribution::Sphere}) {
    const auto report = expectAccurate<InverseDistance, 3, double>({}, distribution, Dealt::InTurn, 40000, 1e-3, 60);
    const std::int64_t numNodes = world().reduced(ReduceBy::Sum, report.numEssentialNodes);
    const std::int64_t numPoints = world().reduced(ReduceBy::Sum, report.numEssentialPoints);
    if (world().alone()) {
      EXPECT_EQ(numNodes + numPoints, 0);
    } else {
      EXPECT_GT(numNodes, 0);
      EXPECT_LT(numNodes + numPoints, (world().size() - 1) * std::int64_t{40000}) << "all points everywhere";
      EXPECT_LE(report.imbalance, 1.1);
      EXPECT_NEAR(static_cast<double>(report.numTargets), 40000.0 / world().size(), 0.25 * 40000 / world().size());
      EXPECT_GT(report.messages.bytes, 0);
      EXPECT_GT(report.messages.messages, 0);
    }
  }
}

/// The ranks of another communicator, and how many bytes come to this one.
class CountingCommunicator final : public Communicator {
public:
  explicit CountingCommunicator(const Communicator& of) : of_(of) {}

  [[nodiscard]] int rank() const override { return of_.rank(); }
  [[nodiscard]] int size() const override { return of_.size(); }
  [[nodiscard]] bool takesDeviceMemory() const override { return of_.takesDeviceMemory(); }
  [[nodiscard]] bool joinsMessages() const override { return of_.joinsMessages(); }
  [[nodiscard]] std::unique_ptr<Exchange> makeExchange() const override {
    return std::make_unique<CountingExchange>(of_.makeExchange(), exchanged_);
  }
  void gatherBytes(const void* mine, void* all, std::span<const std::int64_t> lengths) const override {
    of_.gatherBytes(mine, all, lengths);
    gathered_ += std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  }
  void reduce(ReduceBy operation, std::span<std::int64_t> values) const override {
    of_.reduce(operation, values);
    gathered_ += static_cast<std::int64_t>(values.size_bytes());
  }
  void reduce(ReduceBy operation, std::span<double> values) const override {
    of_.reduce(operation, values);
    gathered_ += static_cast<std::int64_t>(values.size_bytes());
  }

  [[nodiscard]] std::int64_t bytesExchanged() const { return exchanged_; }
  [[nodiscard]] std::int64_t bytesGathered() const { return gathered_; } ///< or reduced

private:
  class CountingExchange final : public Exchange {
  public:
    CountingExchange(std::unique_ptr<Exchange> of, std::int64_t& bytes) : of_(std::move(of)), bytes_(bytes) {}
    void start(std::span<const OutgoingMessage> sends, std::span<const IncomingMessage> receives) override {
      of_->start(sends, receives);
      for (const IncomingMessage& message : receives) {
        bytes_ += static_cast<std::int64_t>(message.bytes);
      }
    }
    void finish() override { of_->finish(); }

  private:
    std::unique_ptr<Exchange> of_;
    std::int64_t& bytes_;
  };

  const Communicator& of_;
  mutable std::int64_t exchanged_ = 0;
  mutable std::int64_t gathered_ = 0;
};

/// What comes to a rank is its part, what is essential for it and its sums; what all ranks are told has a bound that
/// does not depend on the points. Essential are the points of a layer around the part, (points / ranks)^(2/3), and
/// nodes of what is farther off.
TEST(RankMultipoleSums, GatherNothing) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  if (world().alone()) {
    return;
  }
  constexpr std::int64_t maxToldByARank = 1024 * sizeof(TargetRegion<3>) + 16384; // regions, and where curves are cut
  constexpr std::int64_t counts[] = {20000, 160000};
  double essential[2] = {};
  for (int k = 0; k < 2; ++k) {
    std::mt19937 random(seed());
    const Share<3, double> share(distributed<3, double>(Distribution::Uniform, random, counts[k]), Dealt::InTurn);
    const Uploaded<Host, 3, double> uploaded(share.mine);
    const std::int64_t numMine = share.mine.count();
    std::vector<double> sums(static_cast<std::size_t>(4 * numMine));
    MultipoleOptions options;
    options.accuracy = 1e-3;
    options.order = 5; // so that counts of nodes do not depend on which order an accuracy takes
    const CountingCommunicator counting(world());
    MultipoleMemory<3> memory;
    const auto report = multipolesWithin(Context(Host(), counting), InverseDistance(), uploaded.sources(),
      {sums.data(), sums.data() + numMine, 0}, options, memory);
    const std::int64_t numEssential = report.numEssentialPoints + report.numEssentialNodes;
    const std::int64_t rows =
      report.numTargets + numMine + numEssential; // of three coordinates and a charge, four sums
    EXPECT_LE(counting.bytesExchanged(), 4 * std::int64_t{sizeof(double)} * rows);
    EXPECT_LE(counting.bytesGathered(), world().size() * maxToldByARank);
    EXPECT_GT(counts[1] * std::int64_t{sizeof(double)}, world().size() * maxToldByARank) << "a column would fit in";
    essential[k] = static_cast<double>(world().reduced(ReduceBy::Maximum, numEssential));
    if (k == 1) {
      EXPECT_LT(static_cast<double>(numEssential), 0.6 * static_cast<double>(counts[k] - report.numTargets));
    }
  }
  EXPECT_LT(essential[1], 1.25 * std::pow(8.0, 2.0 / 3.0) * essential[0]);
}

/// Errors of all ranks are those that one process finds, which has all particles; of these only samples are gathered.
TEST(RankMultipoleSums, ReportTheirErrors) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  constexpr std::int64_t count = 3000;
  constexpr int numSides = 2;
  const auto expectErrors = [&](Dealt dealt, bool within, const std::optional<PeriodicBox>& box) {
    std::mt19937 random(seed());
    const Share<3, double> sources(
      neutral(distributed<3, double>(Distribution::Uniform, random, count, numSides)), dealt);
    const Share<3, double> targets(distributed<3, double>(Distribution::Sphere, random, 100), Dealt::InBlocks);
    const Particles<3, double>& places = within ? sources.mine : targets.mine;
    MultipoleOptions options;
    options.accuracy = 1e-3;
    options.maxInLeaf = 30;
    options.numRightHandSides = numSides;
    options.box = box;
    auto result = rankSum<InverseDistance, 3, double>(
      Host(), {}, within ? nullptr : &targets.mine, sources.mine, Parts::Both, options);
    const Uploaded<Host, 3, double> at(places);
    const Uploaded<Host, 3, double> mine(sources.mine);
    const Uploaded<Host, 3, double> all(sources.all);
    SumsToSample<3, double> toSample{
      at.view(), mine.sources(), {result.potentials.data(), result.gradients.data(), 0}, within, 1.0, 1.0, numSides};
    const std::int64_t most = box ? 10 : 40;
    const CountingCommunicator counting(world());
    const Context<Host> context;
    const Context together = context.with(counting);
    const SumErrors errors = box ? sampleErrors(together, InverseDistance(), *box, toSample, most)
                                 : sampleErrors(together, InverseDistance(), toSample, most);
    EXPECT_EQ(counting.bytesExchanged(), 0);
    EXPECT_LE(
      counting.bytesGathered(), world().size() * most * (3 + 6 * numSides) * std::int64_t{sizeof(double)} + 1024);
    toSample.sources = all.sources();
    const SumErrors here = box ? sampleErrors(context, InverseDistance(), *box, toSample, most)
                               : sampleErrors(context, InverseDistance(), toSample, most);
    EXPECT_EQ(errors.numTargets, world().reduced(ReduceBy::Sum, here.numTargets));
    const auto expectSame = [&](double value, double expected) { EXPECT_NEAR(value, expected, 1e-6 * expected); };
    expectSame(errors.potentialMax, world().reduced(ReduceBy::Maximum, here.potentialMax));
    expectSame(errors.gradientMax, world().reduced(ReduceBy::Maximum, here.gradientMax));
    EXPECT_GT(errors.potentialMax, 1e-8); // much larger than rounding
    EXPECT_LE(errors.potentialL2, world().reduced(ReduceBy::Maximum, here.potentialL2) * (1.0 + 1e-6));
    EXPECT_GE(errors.gradientL2,
      world().reduced(ReduceBy::Minimum, here.gradientL2 > 0.0 ? here.gradientL2 : 1.0) * (1.0 - 1e-6));
  };
  for (const bool within : {true, false}) {
    for (const Dealt dealt : {Dealt::InTurn, Dealt::ToTheLast}) {
      expectErrors(dealt, within, std::nullopt);
      expectErrors(dealt, within, cube(2.0, -1.0));
    }
  }
  const Particles<3, double> none{{}, std::vector<Column<double>>(1)};
  const Uploaded<Host, 3, double> nothing(none);
  EXPECT_EQ(sampleErrors(Context(Host(), world()), InverseDistance(),
              SumsToSample<3, double>{nothing.view(), nothing.sources(), {}, true}, 5)
              .numTargets,
    0);
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

/// k = r^2: a polynomial, which expansions of order 3 have exactly, and of which sums have a closed form.
struct SquaredDistance {
  template <Parts parts, class T>
  KOKKOS_FORCEINLINE_FUNCTION RadialTerms<T> terms(T r2) const {
    return {r2, T(2.0)};
  }
};

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
    for (std::int64_t j = 0; j < whole.count(); ++j) {
      const long double q = whole.charges[0][j];
      charge += q;
      for (int axis = 0; axis < 3; ++axis) {
        moment[axis] += q * whole.points[axis][j];
        square += q * whole.points[axis][j] * whole.points[axis][j];
      }
    }
    for (std::int64_t i = 0; i < share.mine.count(); ++i) {
      long double expected = square;
      long double size = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const long double x = share.mine.points[axis][i];
        expected += x * x * charge - 2 * x * moment[axis];
        size += x * x;
      }
      ASSERT_NEAR(result.potentials[i], expected, 1e-10 * (1.0 + static_cast<double>(size)) * 1000) << "particle " << i;
    }
  }
}

/// The essential boxes for each other rank have each source once; those that are nodes are far from all its targets.
void expectEachSourceOnce(const std::optional<PeriodicBox>& box) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution : allDistributions) {
    SCOPED_TRACE(distributionName(distribution));
    std::mt19937 random(seed());
    auto whole = distributed<3, double>(distribution, random, 5000);
    for (auto& axis : whole.points) {
      for (double& x : axis) {
        x = box ? detail::wrapped(x, box->low[0], box->edges[0]) : x;
      }
    }
    const Uploaded<Host, 3, double> uploaded(whole);
    const Context<Host> context;
    nbody::PointTree<3, Kokkos::HostSpace> tree;
    buildTree(context, uploaded.view(), uploaded.view(), 15, tree, box ? &*box : nullptr);
    std::uniform_int_distribution<std::int64_t> anyParticle(0, whole.count() - 1);
    for (const std::int64_t firstTarget : {std::int64_t{0}, anyParticle(random), whole.count() - 3, whole.count()}) {
      for (const std::int64_t most : {1, 40, 4096}) {
        const auto regions = targetRegions(tree, uploaded.view(), firstTarget, most);
        ASSERT_LE(std::ssize(regions), most);
        ASSERT_EQ(regions.empty(), firstTarget == whole.count());
        const EssentialRule rule{27, tree.sideOf(7)};
        EssentialBoxes boxes;
        findEssential<3>(tree, regions, rule, boxes);
        std::vector<int> times(static_cast<std::size_t>(whole.count()), 0);
        const auto count = [&](const EssentialBox& of) {
          ASSERT_GE(of.box, tree.levelBegin[of.level]);
          ASSERT_LT(of.box, tree.levelBegin[of.level + 1]);
          for (std::int64_t k = tree.sourceBegin(of.box); k < tree.sourceEnd(of.box); ++k) {
            ++times[static_cast<std::size_t>(tree.sourceOrder(k))];
          }
        };
        for (const EssentialBox& of : boxes.asPoints) {
          count(of);
        }
        for (const EssentialBox& of : boxes.asNodes) {
          count(of);
          const double side = tree.sideOf(of.level);
          EXPECT_GE(side, rule.minSide);
          EXPECT_GT(tree.sourceEnd(of.box) - tree.sourceBegin(of.box), rule.numNodes);
          const auto place = detail::placeOf<3>(tree.key(of.box), of.level);
          for (std::int64_t i = firstTarget; i < whole.count(); ++i) {
            double apart = 0.0;
            for (int axis = 0; axis < 3; ++axis) {
              double fromMiddle = std::abs(whole.points[axis][i] - (tree.low[axis] + (place.at[axis] + 0.5) * side));
              if (box) { // or from that of the nearest image
                fromMiddle = std::min(fromMiddle, box->edges[axis] - fromMiddle);
              }
              apart = std::max(apart, fromMiddle - 0.5 * side);
            }
            ASSERT_GE(apart, side * (1.0 - 1e-12)) << "target " << i << " is near";
          }
        }
        const int expected = firstTarget < whole.count() ? 1 : 0;
        ASSERT_TRUE(std::all_of(times.begin(), times.end(), [&](int n) { return n == expected; }));
      }
    }
  }
}

TEST(RankMultipoleSums, EssentialBoxesHaveEachSourceOnce) { expectEachSourceOnce(std::nullopt); }
TEST(RankMultipoleSums, EssentialBoxesOfAPeriodicBoxHaveEachSourceOnce) { expectEachSourceOnce(cube(1.3, -0.1)); }

/// Parts of the curve have the weight that they are to have, but for what one key has, and each point has one owner.
TEST(RankMultipoleSums, PartsOfTheCurveHaveEqualWeights) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const int size = world().size();
  for (const Distribution distribution : allDistributions) {
    SCOPED_TRACE(distributionName(distribution));
    std::mt19937 random(seed());
    const auto whole = distributed<2, double>(distribution, random, 3000);
    std::vector<std::int64_t> weights;
    for (std::int64_t i = 0; i < whole.count(); ++i) {
      weights.push_back(static_cast<std::int64_t>(random() % 100));
    }
    const Share<2, double> share(whole, Dealt::InTurn);
    const Uploaded<Host, 2, double> mine(share.mine);
    const Context<Host> context;
    const auto bounds = boundsOfRanks(Host(), world(), mine.view(), mine.view());
    CurvePoints curve;
    sortAlongCurve(context, bounds, mine.view(), curve);
    for (std::int64_t i = 0; i < share.mine.count(); ++i) {
      curve.weights.push_back(weights[static_cast<std::size_t>(share.numbers[static_cast<std::size_t>(i)])]);
    }
    const CurvePoints* const curves[] = {&curve};
    const auto cut = cutCurve(world(), curves);
    ASSERT_EQ(std::ssize(cut), size - 1);
    ASSERT_TRUE(std::is_sorted(cut.begin(), cut.end()));
    // weights by key, of all ranks
    const auto keys = world().gather(std::span<const std::uint64_t>(curve.keys));
    std::vector<std::int64_t> sorted;
    for (const std::int64_t i : curve.order) {
      sorted.push_back(curve.weights[static_cast<std::size_t>(i)]);
    }
    const auto ofKeys = world().gather(std::span<const std::int64_t>(sorted));
    std::map<std::uint64_t, std::int64_t> weightOf;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      weightOf[keys[k]] += ofKeys[k];
    }
    const std::int64_t total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    std::int64_t heaviest = 0;
    for (const auto& [key, weight] : weightOf) {
      heaviest = std::max(heaviest, weight);
    }
    for (int r = 1; r < size; ++r) {
      std::int64_t below = 0;
      for (const auto& [key, weight] : weightOf) {
        below += key < cut[static_cast<std::size_t>(r - 1)] ? weight : 0;
      }
      EXPECT_LE(std::abs(static_cast<double>(below) - static_cast<double>(total) * r / size),
        0.5 * static_cast<double>(heaviest) + 1.0);
    }
    PointMove<Host> move;
    Messenger<Host> messenger(world());
    move.plan(world(), curve, cut);
    std::vector<std::int64_t> here(static_cast<std::size_t>(move.numHere()));
    const std::int64_t* const from = share.numbers.data();
    std::int64_t* const to = here.data();
    move.forward<std::int64_t>(Host(), messenger, {&from, 1}, {&to, 1});
    auto all = world().gather(std::span<const std::int64_t>(here));
    std::sort(all.begin(), all.end());
    std::vector<std::int64_t> expected(static_cast<std::size_t>(whole.count()));
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(all, expected);
    std::vector<std::int64_t> returned(static_cast<std::size_t>(share.mine.count()), -1);
    const std::int64_t* const back = here.data();
    std::int64_t* const home = returned.data();
    move.back<std::int64_t>(Host(), messenger, {&back, 1}, {&home, 1}, false);
    EXPECT_TRUE(std::equal(returned.begin(), returned.end(), share.numbers.begin()));
  }
}

/// A rank whose particles are in small dense leaves has fewer of them than one whose particles are apart.
TEST(RankMultipoleSums, BalanceWorkWhereDensitiesDiffer) {
  std::mt19937 random(seed());
  auto whole = distributed<3, double>(Distribution::Uniform, random, 16000);
  for (std::int64_t i = 0; i < whole.count() / 2; ++i) { // many in few places
    for (int axis = 0; axis < 3; ++axis) {
      whole.points[axis][i] = 0.25 * std::floor(2.0 * whole.points[axis][i]);
    }
  }
  const Share<3, double> share(whole, Dealt::InTurn);
  MultipoleOptions options;
  options.maxInLeaf = 50;
  auto result = rankSum<InverseDistance, 3, double>(Host(), {}, nullptr, share.mine, Parts::Both, options);
  const auto errors = errorsOf<InverseDistance, 3, double>(result, {}, nullptr, share);
  EXPECT_LE(errors[0], options.accuracy);
  EXPECT_LE(errors[1], options.accuracy);
  if (!world().alone() && world().size() <= 4) { // eight places, which are not cut
    EXPECT_LE(result.report.imbalance, world().size() == 3 ? 1.3 : 1.15);
    const std::int64_t most = world().reduced(ReduceBy::Maximum, result.report.numTargets);
    EXPECT_GT(most * world().size(), 17000) << "all have as many";
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

/// Direct sums and Ewald's of the sources of all ranks are those that one process makes, but for rounding.
TEST(RankDirectSums, AreThoseOfOneProcess) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const auto expectSame = [&]<class Interaction>(const Interaction& interaction, Dealt dealt, bool atOthers) {
    std::mt19937 random(seed());
    const auto whole =
      neutral(distributed<3, double>(Distribution::Uniform, random, 400, 2 * numChargesOf<Interaction>));
    const Share<3, double> sources(whole, dealt);
    const Share<3, double> targets(distributed<3, double>(Distribution::Sphere, random, 50), Dealt::InBlocks);
    const Uploaded<Host, 3, double> mine(sources.mine);
    const Uploaded<Host, 3, double> all(sources.all);
    const Uploaded<Host, 3, double> places(atOthers ? targets.mine : sources.mine);
    const Uploaded<Host, 3, double> allPlaces(atOthers ? targets.all : sources.all);
    const Context alone{Host()};
    const Context together(Host(), world());
    for (const bool inABox : {false, true}) {
      const PeriodicBox box = cube(2.0, -0.5);
      const auto sum = [&](const Context<Host>& context, const auto& at, const auto& from) {
        std::vector<double> sums(static_cast<std::size_t>(8 * at.count), 1.0); // what is there must not matter
        const SumsView<double> to{sums.data(), sums.data() + 2 * at.count, at.count};
        if (inABox) {
          EwaldOptions options;
          options.numRightHandSides = 2;
          atOthers ? ewaldBetween(context, interaction, box, at.view(), from.sources(), to, options)
                   : ewaldWithin(context, interaction, box, from.sources(), to, options);
        } else {
          SumOptions options;
          options.numRightHandSides = 2;
          const SumReport report = atOthers ? sumBetween(context, interaction, at.view(), from.sources(), to, options)
                                            : sumWithin(context, interaction, from.sources(), to, options);
          EXPECT_EQ(report.numInteractions, 2.0 * static_cast<double>(at.count) * (atOthers ? 400 : 399));
        }
        return sums;
      };
      const std::vector<double> found = sum(together, places, mine);
      const std::vector<double> expected = sum(alone, allPlaces, all);
      for (int column = 0; column < 8; ++column) {
        double largest = 0.0;
        for (std::int64_t i = 0; i < allPlaces.count; ++i) {
          largest = std::max(largest, std::abs(expected[static_cast<std::size_t>(column * allPlaces.count + i)]));
        }
        for (std::int64_t i = 0; i < places.count; ++i) {
          ASSERT_NEAR(found[static_cast<std::size_t>(column * places.count + i)],
            expected[static_cast<std::size_t>(column * allPlaces.count + i)], (inABox ? 1e-11 : 1e-12) * largest)
            << "column " << column << ", target " << i << (inABox ? ", in a box" : "");
        }
      }
    }
  };
  for (const Dealt dealt : allWays) {
    for (const bool atOthers : {false, true}) {
      expectSame(InverseDistance(), dealt, atOthers);
      expectSame(Gaussian{0.5}, dealt, atOthers); // whose self potential is not infinite
    }
    expectSame(Dipole<3>(), dealt, false);
  }
}

/// Forces on ranks are those of one process, directly and by multipoles.
TEST(RankForces, AreThoseOfOneProcess) {
  std::mt19937 random(seed());
  const Share<3, double> share(distributed<3, double>(Distribution::Plummer, random, 3000), Dealt::InTurn);
  const Uploaded<Host, 3, double> mine(share.mine);
  const Uploaded<Host, 3, double> all(share.all);
  const auto bodiesOf = [](const Uploaded<Host, 3, double>& of) {
    BodiesView<3> bodies;
    bodies.count = of.count;
    bodies.masses = of.charges.data();
    for (int axis = 0; axis < 3; ++axis) {
      bodies.positions[axis] = const_cast<double*>(of.view().coordinates[axis]); // NOLINT: forces only read them
    }
    return bodies;
  };
  for (const SumMethod method : {SumMethod::Direct, SumMethod::FastMultipole}) {
    ForceOptions options;
    options.factor = -1.0;
    options.method = method;
    options.accuracy = 1e-6;
    BodyForces<Host, InverseDistance, 3> forces({}, options);
    std::vector<double> found(static_cast<std::size_t>(3 * mine.count));
    forces(Context(Host(), world()), bodiesOf(mine), found.data());
    EXPECT_EQ(forces.order() > 0, method == SumMethod::FastMultipole);
    options.method = SumMethod::Direct;
    BodyForces<Host, InverseDistance, 3> exact({}, options);
    std::vector<double> expected(static_cast<std::size_t>(3 * all.count));
    exact(Context(Host()), bodiesOf(all), expected.data());
    for (std::int64_t i = 0; i < mine.count; i += 29) {
      const auto sizes = exactAt(InverseDistance(), share.mine, i, share.all, i);
      const double error = (method == SumMethod::Direct ? 1e-13 : 1e-6) * static_cast<double>(sizes.gradientScale);
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_NEAR(found[static_cast<std::size_t>(axis * mine.count + i)],
          expected[static_cast<std::size_t>(axis * all.count + i)], error);
      }
    }
  }
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

/// What one rank is given that is wrong is one message on all.
TEST(RankMultipoleSums, RefuseOnAllRanks) {
  std::mt19937 random(seed());
  const Share<3, double> share(distributed<3, double>(Distribution::Uniform, random, 400), Dealt::InTurn);
  const int last = world().size() - 1;
  const bool isLast = world().rank() == last;
  const auto message = [&](const auto& change) -> std::string {
    auto mine = share.mine;
    MultipoleOptions options;
    Column<double> potentials(mine.points[0].size());
    SumsView<double> sums{potentials.data(), nullptr, 0};
    change(mine, options, sums);
    const Uploaded<Host, 3, double> uploaded(mine);
    MultipoleMemory<3> memory;
    try {
      multipolesWithin(Context(Host(), world()), InverseDistance(), uploaded.sources(), sums, options, memory);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  const std::string where = world().alone() ? "" : "on rank " + std::to_string(last) + ": ";
  EXPECT_EQ(message([&](auto& mine, auto& /*options*/, auto& /*sums*/) {
    if (isLast) {
      mine.points[1][7] = std::numeric_limits<double>::quiet_NaN();
    }
  }),
    where + "source 7 has a coordinate that is not finite or beyond 1e70 in magnitude");
  auto targets = share.mine;
  targets.points[2][5] = isLast ? 1e71 : 0.5;
  const Uploaded<Host, 3, double> far(targets);
  const Uploaded<Host, 3, double> near(share.mine);
  Column<double> atTargets(targets.points[0].size());
  MultipoleMemory<3> memory;
  EXPECT_EQ(messageOf([&] {
    multipolesBetween(Context(Host(), world()), InverseDistance(), far.view(), near.sources(),
      {atTargets.data(), nullptr, 0}, MultipoleOptions(), memory);
  }),
    where + "target 5 has a coordinate that is not finite or beyond 1e70 in magnitude");
  EXPECT_EQ(message([&](auto& /*mine*/, auto& options, auto& /*sums*/) { options.accuracy = 1e-13; }),
    "the accuracy is 1e-13; multipoles in double precision reach 0.1 to 1e-11");
  EXPECT_EQ(message([&](auto& /*mine*/, auto& /*options*/, auto& sums) { sums.stride = isLast ? 1 : 0; }),
    where + "the distance of columns of sums is 1; it must be at least " + std::to_string(400 / world().size()));
  if (!world().alone()) {
    std::vector<double> gradients(3 * share.mine.points[0].size());
    EXPECT_EQ(message([&](auto& /*mine*/, auto& /*options*/, auto& sums) {
      if (isLast) {
        sums = {nullptr, gradients.data(), 0};
      }
    }),
      "rank 0 has no array for gradients, which another rank has; all must ask for the same sums");
  }
  // charges of all ranks together, of which one rank's are 1 and 1 and all others' 0
  EXPECT_EQ(message([&](auto& mine, auto& options, auto& /*sums*/) {
    options.box = PeriodicBox();
    std::fill(mine.charges[0].begin(), mine.charges[0].end(), 0.0);
    if (isLast) {
      std::fill_n(mine.charges[0].begin(), 2, 1.0);
    }
  }),
    "the total charge in the periodic box is 2 of 2 in magnitude; sums of this interaction converge only if it is 0 "
    "(to 1e-12 of the magnitudes)");
  EXPECT_EQ(message([&](auto& /*mine*/, auto& options, auto& /*sums*/) {
    options.box = PeriodicBox();
    options.box->edges[1] = 2.0;
  }),
    "the edges of the periodic box are 1, 2 and 1; multipoles are for edges of the same length, other boxes for direct "
    "(Ewald) sums");
  MultipoleOptions inABox;
  inABox.box = PeriodicBox();
  EXPECT_EQ(messageOf([&] {
    multipolesWithin(
      Context(Host(), world()), SquaredDistance(), near.sources(), {atTargets.data(), nullptr, 0}, inABox, memory);
  }),
    "a periodic box is for the interactions of this library");
}

TEST(RankMultipoleSums, CanBeCancelledOnOneRank) {
  std::mt19937 random(seed());
  const Share<3, double> share(distributed<3, double>(Distribution::Uniform, random, 3000), Dealt::InTurn);
  const Uploaded<Host, 3, double> uploaded(share.mine);
  Column<double> potentials(share.mine.points[0].size());
  MultipoleMemory<3> memory;
  for (const double stop : {0.3, 0.75}) {
    const Progress progress([&](double fraction) { return world().rank() > 0 || fraction < stop; });
    EXPECT_THROW(multipolesWithin(Context(Host(), world(), progress), InverseDistance(), uploaded.sources(),
                   {potentials.data(), nullptr, 0}, MultipoleOptions(), memory),
      Cancelled);
  }
  // and done afterwards in the same memory
  multipolesWithin(Context(Host(), world()), InverseDistance(), uploaded.sources(), {potentials.data(), nullptr, 0},
    MultipoleOptions(), memory);
}

} // namespace
} // namespace spanwise::nbody::testing
