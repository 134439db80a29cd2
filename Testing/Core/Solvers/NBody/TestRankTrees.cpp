// What ranks send each other of their trees, and how points and work are dealt to ranks.

#include "Core/Solvers/NBody/Detail/Morton.hpp"
#include "Testing/Core/Solvers/NBody/PeriodicParticles.hpp"
#include "Testing/Core/Solvers/NBody/RankShares.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace spanwise::nbody::testing {
namespace {

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
      EXPECT_LE(report.imbalance, 1.1); // what is tolerated (RankParticles.cpp); else work is cut between two points
      EXPECT_EQ(world().reduced(ReduceBy::Sum, report.numTargets), 40000); // each has one rank
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
  if (!world().alone() && world().size() <= 4) {
    // Eight places of 1000 points are not cut, and each is a leaf's work: a cut is off by half of that at the most, as
    // the nearest one, and a part by that of both its ends. Each of the others has a leaf of its own at the least.
    const double ofLeaf = static_cast<double>(options.maxInLeaf / 2 + 1); // findWork()
    const double ofPlace = 1000.0 * (ofLeaf + 1000.0);
    const double mean = (8.0 * ofPlace + 8000.0 * (ofLeaf + 1.0)) / world().size();
    EXPECT_LE(result.report.imbalance, 1.0 + (world().size() == 2 ? 0.5 : 1.0) * ofPlace / mean);
    const std::int64_t most = world().reduced(ReduceBy::Maximum, result.report.numTargets);
    EXPECT_GT(most * world().size(), 17000) << "all have as many";
  }
}

} // namespace
} // namespace spanwise::nbody::testing
