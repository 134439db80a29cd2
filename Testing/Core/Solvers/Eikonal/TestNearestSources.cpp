// The sources that arrival times came from: maps of the nearest source by travel time.

#include "Core/Solvers/Eikonal/CornerUpdate.hpp"
#include "Testing/Core/Solvers/Eikonal/RandomProblems.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

namespace spanwise::eikonal::testing {
namespace {

template <class Space>
class NearestSources : public ::testing::Test {};
TYPED_TEST_SUITE(NearestSources, AllSpaces, SpaceNames);

/// By how much farther than the nearest source those are that vertices of a mesh at speed 1 have as their labels: the
/// mean over all vertices. `unlike` counts those that have another, `farthest` is the most.
template <class Space>
double meanLag(unsigned seed, int dimension, int n, std::int64_t& unlike, double& farthest) {
  std::mt19937 random(seed);
  RandomProblem problem(random, dimension, 1, 0.0); // the same sources for each n
  problem.mesh = gridMesh(dimension == 3 ? ElementType::Hexahedron : ElementType::Triangle, n);
  shake(problem.mesh, random, 0.2 / n, dimension);
  const auto solution = solve<Space>(problem.mesh, Speed::constant(1.0), problem.sources, traced());
  const auto labels = onHost(solution.all.labels);
  double sum = 0.0;
  for (std::size_t v = 0; v < labels.size(); ++v) {
    Times times;
    for (std::size_t i = 0; i < problem.sources.points.size(); ++i) {
      times.push_back(
        problem.sources.pointTimes[i] + testing::length(problem.mesh.points[v] - problem.sources.points[i]));
    }
    const double lag = times.at(static_cast<std::size_t>(labels[v])) - *std::min_element(times.begin(), times.end());
    unlike += lag > 0.0 ? 1 : 0;
    farthest = std::max(farthest, lag);
    sum += lag;
  }
  return sum / static_cast<double>(labels.size());
}

/// Labels tend to those of the nearest sources, faster than the size of the elements falls.
///
/// Shares are what is left of a walk from the vertex back to sources that takes the parents by chance, each by its
/// part: its mean goes straight to the nearest source. So the largest share is another's only where the walk may come
/// across the border, as far as it spreads. Where fronts meet that is a few steps, a strip of the width h; along a
/// border that fronts follow it is the root of their number, a strip of the width sqrt(h) at the most. In a strip of
/// the width w the lag is w at the most, and the mean over the mesh is w^2: of second order, and of first at the least.
TYPED_TEST(NearestSources, TendToTheNearestFasterThanTheSizeOfElements) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const int dimension : {2, 3}) {
    Times means;
    for (const int n : dimension == 3 ? std::array{6, 12, 24} : std::array{16, 32, 64}) {
      constexpr unsigned numSeeds = 20;
      double mean = 0.0;
      double farthest = 0.0;
      std::int64_t unlike = 0;
      for (unsigned round = 0; round < numSeeds; ++round) {
        mean += meanLag<TypeParam>(seed() + round, dimension, n, unlike, farthest) / numSeeds;
      }
      std::cout << dimension << "D, h = 1/" << n << ": " << unlike << " unlike, farther by " << farthest * n
                << " h at most\n";
      means.push_back(mean);
    }
    printOrders("mean lag", means);
    EXPECT_GT(order(means[0], means[2]), 2.0); // of two halvings
  }
}

/// Shares of all sources in a vertex.
using DenseShares = std::vector<double>;

/// Labels as labelNearestSources() says what they are, vertex by vertex in the order of their turns.
template <int corners>
class Reference {
public:
  using View = SimplexMeshView<corners>;

  Reference(const View& mesh, const ArrivalTimes<HostExecutionSpace>& solution, std::size_t numSources)
    : mesh_(mesh), factoring_(solution.factoring.view()), times_(onHost(solution.times)),
      turns_(onHost(solution.turns)), steps_(onHost(solution.plateauSteps)),
      shares_(times_.size(), DenseShares(numSources, 0.0)) {
    const auto labels = onHost(solution.labels);
    const auto starts = onHost(solution.startTimes);
    std::vector<std::size_t> order(times_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return turn(a) < turn(b); });
    for (const std::size_t v : order) {
      if (times_[v] < starts[v]) {
        mix(v);
      } else if (times_[v] < notReached) {
        shares_[v].at(static_cast<std::size_t>(labels[v])) = 1.0;
      }
    }
  }

  [[nodiscard]] const DenseShares& of(std::size_t v) const { return shares_[v]; }

private:
  [[nodiscard]] std::pair<double, std::int32_t> turn(std::size_t v) const { return {turns_[v], steps_[v]}; }

  void mix(std::size_t v) {
    std::pair<double, double> least{notReached, notReached};
    double fastest = notReached;
    for (int b = 0; b < mesh_.ball.degrees[v]; ++b) {
      const BallEntry entry = mesh_.ball(static_cast<std::int64_t>(v), b);
      const std::int64_t s = BallView::element(entry);
      const int corner = BallView::local(entry);
      const std::int32_t* vertices = mesh_[s].vertices;
      const double* products = mesh_[s].products;
      double u[corners];
      double first = notReached;
      for (int k = 0; k < corners; ++k) {
        u[k] = times_[static_cast<std::size_t>(vertices[k])];
        first = k == corner ? first : std::min(first, turns_[static_cast<std::size_t>(vertices[k])]);
      }
      if (steps_[v] > 0) { // the nearest that is a step ahead
        for (int k = 0; k < corners; ++k) {
          const auto w = static_cast<std::size_t>(vertices[k]);
          if (k != corner && turn(w) == std::pair(turns_[v], steps_[v] - 1) &&
            products[edgeBetween(k, corner)] < fastest) {
            fastest = products[edgeBetween(k, corner)];
            shares_[v] = shares_[w];
          }
        }
        continue;
      }
      const auto arrival =
        updateCorner<corners>(corner, FactoredCorners<corners>(factoring_, s, vertices), u, products);
      if (first < turns_[v] && std::pair(arrival.time, first) < least) {
        least = {arrival.time, first};
        take(v, corner, vertices, first, arrival);
      }
    }
  }

  void take(
    std::size_t v, int corner, const std::int32_t* vertices, double first, const Arrival<corners - 1>& arrival) {
    double weights[corners] = {};
    double sum = 0.0;
    for (int j = 0; j < corners - 1; ++j) {
      const int k = (corner + 1 + j) % corners;
      weights[k] = turns_[static_cast<std::size_t>(vertices[k])] < turns_[v] ? arrival.weight[j] : 0.0;
      sum += weights[k];
    }
    DenseShares shares(shares_[v].size(), 0.0);
    for (int j = 0; j < corners - 1; ++j) {
      const int k = (corner + 1 + j) % corners;
      if (!(sum > 0.0) && turns_[static_cast<std::size_t>(vertices[k])] == first) {
        shares = shares_[static_cast<std::size_t>(vertices[k])];
        break;
      }
      for (std::size_t i = 0; sum > 0.0 && i < shares.size(); ++i) {
        shares[i] += weights[k] / sum * shares_[static_cast<std::size_t>(vertices[k])][i];
      }
    }
    shares_[v] = shares;
  }

  View mesh_;
  FactoringView factoring_;
  Times times_;
  Times turns_;
  std::vector<std::int32_t> steps_;
  std::vector<DenseShares> shares_;
};

TEST(NearestSourcesOnTheHost, HaveTheLargestShare) {
  for (unsigned round = 0; round < 20; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed() + round));
    std::mt19937 random(seed() + round);
    RandomProblem problem(random, 3, 8, 0.2); // four sources: no share is dropped
    for (const bool isRandom : {false, true}) {
      if (isRandom) {
        problem.addTensors(random);
      }
      const SpeedOf<HostExecutionSpace> speed(problem.tensors);
      for (const FactorBy by : {FactorBy::Points, FactorBy::Nothing}) {
        const auto solution = solve<HostExecutionSpace>(problem.mesh, speed.get(), problem.sources, traced(by));
        const auto labels = onHost(solution.all.labels);
        const Reference<4> reference(solution.all.tetrahedra.view(), solution.all, 4);
        for (std::size_t v = 0; v < labels.size(); ++v) {
          const DenseShares& shares = reference.of(v);
          ASSERT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1.0, 1e-12);
          ASSERT_GE(
            shares.at(static_cast<std::size_t>(labels[v])), *std::max_element(shares.begin(), shares.end()) - 1e-5)
            << "vertex " << v; // shares are floats
        }
      }
    }
  }
}

/// Each vertex with a time has a source, and unless it started there is a vertex beside it whose turn is before its
/// own: an earlier one, or one of the same time with fewer steps on the plateau. Returns how many vertices have steps.
template <class Space>
int expectWaysHome(const RandomProblem& problem, const ArrivalOptions& options) {
  const SpeedOf<Space> speed(problem.tensors);
  const auto solution = solve<Space>(problem.mesh, speed.get(), problem.sources, options);
  const auto labels = onHost(solution.all.labels);
  const auto steps = onHost(solution.all.plateauSteps);
  const auto starts = onHost(solution.all.startTimes);
  const Times& times = solution.times;
  const Times turns = onHost(solution.all.turns);
  std::vector<bool> hasWay(times.size(), false);
  for (std::int64_t e = 0; e < problem.mesh.numElements(); ++e) {
    const auto begin = problem.mesh.vertices.begin() + problem.mesh.offsets[e];
    const auto end = problem.mesh.vertices.begin() + problem.mesh.offsets[e + 1];
    for (auto v = begin; v != end; ++v) {
      for (auto w = begin; w != end; ++w) {
        hasWay[*v] = hasWay[*v] || std::pair(turns[*w], steps[*w]) < std::pair(turns[*v], steps[*v]);
      }
    }
  }
  int numOnPlateaus = 0;
  for (std::size_t v = 0; v < times.size(); ++v) {
    EXPECT_EQ(labels[v] >= 0, times[v] < notReached) << "vertex " << v;
    EXPECT_LT(labels[v], 4);
    EXPECT_TRUE(hasWay[v] || !(times[v] < starts[v])) << "vertex " << v;
    numOnPlateaus += steps[v] > 0 ? 1 : 0;
  }
  return numOnPlateaus;
}

TYPED_TEST(NearestSources, EveryVertexWithATimeHasALabelAndAWayHome) {
  int numOnPlateaus = 0;
  for (unsigned round = 0; round < 24; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed() + round));
    std::mt19937 random(seed() + round);
    for (const int dimension : {2, 3}) {
      RandomProblem problem(random, dimension, dimension == 3 ? 10 : 30, 0.2);
      for (const FactorBy by : {FactorBy::Points, FactorBy::Nothing}) {
        ArrivalOptions options = traced(by);
        numOnPlateaus += expectWaysHome<TypeParam>(problem, options);
        options.iteration.stopTime = 0.3;
        numOnPlateaus += expectWaysHome<TypeParam>(problem, options);
      }
      problem.addTensors(random);
      for (const FactorBy by : {FactorBy::Points, FactorBy::Nothing}) {
        numOnPlateaus += expectWaysHome<TypeParam>(problem, traced(by));
      }
    }
  }
  EXPECT_GT(numOnPlateaus, 0); // or it shows nothing of them
}

// A front that is far faster along one axis comes to vertices before it comes to any beside them.
TYPED_TEST(NearestSources, PitsOfDirectedFrontsHaveLabelsAndWaysHomeToo) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  int numInPits = 0;
  for (const int dimension : {2, 3}) {
    RandomProblem problem(random, dimension, dimension == 3 ? 8 : 20, 0.1);
    for (std::int64_t e = 0; e < problem.mesh.numElements(); ++e) { // 20 : 1, at half a radian
      problem.tensors.insert(problem.tensors.end(), {308.292, 92.708, 1.0, 167.873, 0.0, 0.0});
    }
    expectWaysHome<TypeParam>(problem, traced());
    const SpeedOf<TypeParam> speed(problem.tensors);
    const auto solution = solve<TypeParam>(problem.mesh, speed.get(), problem.sources, traced());
    const Times turns = onHost(solution.all.turns);
    for (std::size_t v = 0; v < turns.size(); ++v) {
      ASSERT_GE(turns[v], solution.times[v]);
      numInPits += turns[v] > solution.times[v] ? 1 : 0;
    }
  }
  EXPECT_GT(numInPits, 0); // or it shows nothing of them
}

TYPED_TEST(NearestSources, LabelsNumberSourcesThroughAndTheFirstOfEqualOnesCounts) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 6);
  const std::int64_t lone = mesh.numVertices();
  mesh.points.push_back({{5.0, 5.0, 5.0}});
  HostSources sources;
  sources.vertices = {0, 0, lone};
  sources.elements = {mesh.numElements() - 1};
  sources.points = {{{0.99, 0.01, 0.5}}};
  sources.surface = {{{-1.0, 0.98, 0.0}}, {{0.3, 0.98, 0.0}}, {{-1.0, 0.98, 0.02}}};
  sources.triangles = {0, 1, 2};
  const auto solution = solve<TypeParam>(mesh, Speed::constant(1.0), sources, traced());
  const auto labels = onHost(solution.all.labels);
  EXPECT_EQ(labels[0], 0);
  EXPECT_EQ(labels[lone], 2);
  EXPECT_EQ(labels[mesh.vertices[4 * (mesh.numElements() - 1)]], 3);
  EXPECT_EQ(labels[nearest(mesh, {{1.0, 0.0, 0.5}})], 4);
  EXPECT_EQ(labels[nearest(mesh, {{0.0, 1.0, 0.0}})], 5);
  ArrivalOptions stopped = traced();
  stopped.iteration.stopTime = 0.2;
  const auto partly = solve<TypeParam>(mesh, Speed::constant(1.0), sources, stopped);
  const auto partLabels = onHost(partly.all.labels);
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    EXPECT_EQ(partLabels[v], partly.times[v] < notReached ? labels[v] : -1);
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
