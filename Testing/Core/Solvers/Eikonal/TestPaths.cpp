// What follows from arrival times: gradients, and the ways back to sources.

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/Gradient.hpp"
#include "Core/Solvers/Eikonal/Paths.hpp"
#include "Core/Solvers/Eikonal/SimplexGeometry.hpp"
#include "Testing/Core/Solvers/Eikonal/RandomProblems.hpp"
#include "Testing/Core/Solvers/Eikonal/SpeedGradient.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace spanwise::eikonal::testing {
namespace {

template <class Space>
class PathsOn : public ::testing::Test {};
TYPED_TEST_SUITE(PathsOn, AllSpaces, SpaceNames);

struct HostPath {
  std::vector<Point> points;
  Times times;
  std::int32_t source;

  [[nodiscard]] double length() const {
    double sum = 0.0;
    for (std::size_t i = 1; i < points.size(); ++i) {
      sum += testing::length(points[i] - points[i - 1]);
    }
    return sum;
  }
};

/// Solves and goes back from some points.
template <class Space>
std::vector<HostPath> trace(const HostMesh& host, const Speed& speed, const HostSources& sources,
  const std::vector<Point>& targets, const ArrivalOptions& options, const PathOptions& pathOptions = {},
  const Space& space = {}) {
  const MeshOn<Space, double, std::int64_t> mesh(host);
  const SourcesOn<Space> sourcesThere(sources);
  const Context context(space);
  ArrivalTimes<Space> solution;
  solveArrivalTimes(context, mesh.mixed(), speed, sourcesThere.get(), options, solution);
  const auto targetsThere = copied<double, Space>(coordinatesOf(targets));
  Paths<typename Space::memory_space> paths;
  tracePaths(context, mesh.mixed().vertices, solution, sourcesThere.get(),
    {targetsThere.data(), static_cast<std::int64_t>(targets.size()), 0.0}, pathOptions, paths);
  const auto begins = onHost(paths.offsets.view());
  const auto points = onHost(paths.points.view());
  const auto ends = onHost(paths.ends.view());
  std::vector<HostPath> result(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (std::int64_t p = begins[i]; p < begins[i + 1]; ++p) {
      const auto& [at, time] = points[p];
      result[i].points.push_back({{at[0], at[1], at[2]}});
      result[i].times.push_back(time);
    }
    result[i].source = ends[i];
  }
  return result;
}

TYPED_TEST(PathsOn, GradientsOfLinearTimesAreExact) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Point gradient{{0.3, -1.25, 2.0}};
  for (const ElementType type : {ElementType::Triangle, ElementType::Quadrilateral, ElementType::Tetrahedron,
         ElementType::Hexahedron, ElementType::Prism, ElementType::Pyramid}) {
    const int dimension = dimensionOf(type);
    HostMesh host = gridMesh(type, 3);
    shake(host, random, 0.05, dimension);
    Times times;
    for (const Point& x : host.points) {
      times.push_back(7.0 + dot(gradient, x));
    }
    host.add(ElementType::Edge, std::array<std::int64_t, 2>{0, 1});
    const MeshOn<TypeParam, float, std::int32_t> mesh(host);
    const auto there = copied<double, TypeParam>(times);
    const auto out = copied<double, TypeParam>(Times(3 * host.types.size()));
    gradientOfTimes(Context<TypeParam>(), mesh.mixed(), dimension, there.data(), out.data());
    const Times found = onHost(out);
    for (std::size_t e = 0; e + 1 < host.types.size(); ++e) {
      for (int axis = 0; axis < 3; ++axis) {
        // coordinates are floats
        ASSERT_NEAR(found[3 * e + axis], axis < dimension ? gradient[axis] : 0.0, 1e-4) << elementTypeName(type);
      }
    }
    EXPECT_TRUE(std::isnan(found.back()));
  }
}

TYPED_TEST(PathsOn, AreStraightInAConstantMedium) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const int dimension : {2, 3}) {
    HostMesh mesh = gridMesh(dimension == 3 ? ElementType::Tetrahedron : ElementType::Triangle, 12);
    shake(mesh, random, 0.015, dimension);
    const Point place{{0.31, 0.64, dimension == 3 ? 0.42 : 0.0}};
    std::vector<Point> targets = randomPoints(random, 50, dimension);
    const std::size_t numVertices = std::min(mesh.points.size(), std::size_t{200});
    targets.insert(targets.end(), mesh.points.begin(), mesh.points.begin() + static_cast<std::ptrdiff_t>(numVertices));
    const auto paths = trace<TypeParam>(mesh, Speed::constant(fullTensor), HostSources::at(place), targets, traced());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      ASSERT_EQ(paths[i].source, 0);
      ASSERT_LT(length(paths[i].points.front() - targets[i]), 1e-8);
      ASSERT_EQ(length(paths[i].points.back() - place), 0.0);
      ASSERT_NEAR(paths[i].length(), length(targets[i] - place), 1e-7) << i;
    }
  }
}

TYPED_TEST(PathsOn, RunDownTheTimesWithoutFactoringToo) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 16);
  shake(mesh, random, 0.01, 3);
  HostSources sources;
  const std::size_t vertex = nearest(mesh, {{0.3, 0.5, 0.7}});
  sources.vertices = {static_cast<std::int64_t>(vertex)};
  const std::vector<Point> targets = randomPoints(random, 100, 3);
  const auto paths = trace<TypeParam>(mesh, Speed::constant(1.0), sources, targets, traced(FactorBy::Nothing));
  double most = 0.0; // at speed 1 a way is as long as it takes
  for (std::size_t i = 0; i < targets.size(); ++i) {
    EXPECT_EQ(paths[i].source, 0);
    EXPECT_EQ(length(paths[i].points.back() - mesh.points[vertex]), 0.0);
    EXPECT_EQ(paths[i].times.back(), 0.0);
    most = std::max(most, paths[i].length() - paths[i].times.front());
  }
  EXPECT_LE(most, 1e-9);
}

TYPED_TEST(PathsOn, GoAroundAWall) {
  // a wall with a gap: the way has two corners, and its length is that of the shortest way up to first order
  const int n = 60;
  const HostMesh mesh = gridMesh(ElementType::Quadrilateral, n);
  Times speeds(mesh.types.size(), 1.0);
  for (int j = 0; j < 45; ++j) {
    speeds[j * n + 30] = 0.0;
  }
  const auto there = copied<double, TypeParam>(speeds);
  ArrivalOptions options = traced();
  options.zeroSpeed = ZeroSpeed::Wall;
  const Point place{{0.123, 0.1, 0.0}};
  const Point target{{0.9, 0.2, 0.0}};
  const auto paths = trace<TypeParam>(mesh, Speed::ofElements(there.data()), HostSources::at(place), {target}, options);
  const Point before{{31.0 / 60, 0.75, 0.0}};
  const Point after{{0.5, 0.75, 0.0}};
  const double shortest = length(target - before) + 1.0 / 60 + length(after - place);
  EXPECT_EQ(paths[0].source, 0);
  EXPECT_GE(paths[0].length(), shortest - 1e-9);
  EXPECT_LE(paths[0].length(), shortest * 1.01);
}

TYPED_TEST(PathsOn, EndWhereTheyAreTold) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 8);
  const HostSources sources = HostSources::at({{0.1, 0.1, 0.1}});
  const std::vector<Point> targets{{{0.9, 0.95, 0.99}}, {{4.0, 0.0, 0.0}}};
  PathOptions few;
  few.maxSteps = 3;
  const auto paths = trace<TypeParam>(mesh, Speed::constant(1.0), sources, targets, traced(), few);
  EXPECT_EQ(paths[0].source, -1);
  EXPECT_EQ(paths[0].points.size(), 4U);
  EXPECT_EQ(paths[1].source, -1);
  EXPECT_EQ(paths[1].points.size(), 1U);
  EXPECT_EQ(paths[1].times[0], notReached);
  EXPECT_NE(
    messageOf([&] { trace<TypeParam>(mesh, Speed::constant(1.0), sources, targets, {}); }).find("Trace::Sources"),
    std::string::npos);
  few.maxSteps = -1;
  EXPECT_NE(messageOf([&] {
    trace<TypeParam>(mesh, Speed::constant(1.0), sources, targets, traced(), few);
  }).find("at most -1 segments"),
    std::string::npos);
}

TYPED_TEST(PathsOn, GradientsAreOfFlatOrSolidElements) {
  const MeshOn<TypeParam, double, std::int64_t> mesh(gridMesh(ElementType::Edge, 2));
  EXPECT_EQ(messageOf([&] { gradientOfTimes(Context<TypeParam>(), mesh.mixed(), 1, nullptr, nullptr); }),
    "gradients in elements of dimension 1 are asked for: fronts go through flat elements (2) or solid ones (3)");
}

TYPED_TEST(PathsOn, EndAtTheNearestPlaceOfASurface) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 10);
  shake(mesh, random, 0.02, 3);
  HostSources sources;
  sources.surface = {{{0.37, -1.0, -1.0}}, {{0.37, 3.0, -1.0}}, {{0.37, 3.0, 3.0}}, {{0.37, -1.0, 3.0}}};
  sources.triangles = {0, 1, 2, 0, 2, 3};
  const std::vector<Point> targets = randomPoints(random, 50, 3);
  const auto paths = trace<TypeParam>(mesh, Speed::constant(2.0), sources, targets, traced());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    ASSERT_GE(paths[i].source, 0);
    const Point foot{{0.37, targets[i][1], targets[i][2]}};
    EXPECT_LT(length(paths[i].points.back() - foot), 1e-6);
    EXPECT_NEAR(paths[i].length(), std::abs(targets[i][0] - 0.37), 1e-6);
  }
}

/// How long a straight way through a simplex takes, of several that it is in the face of by the fastest.
template <int corners>
double timeOfSegment(const RandomProblem& problem, const Point& from, const Point& to) {
  const Point middle = 0.5 * (from + to);
  double least = notReached;
  for (std::int64_t e = 0; e < problem.mesh.numElements(); ++e) {
    Point x[corners];
    for (int k = 0; k < corners; ++k) {
      x[k] = problem.mesh.corner(e, k);
    }
    double weights[corners];
    if (holds<corners>(x, 1.0, 0.0, middle, weights)) {
      const double* m = &problem.tensors[static_cast<std::size_t>(6 * e)];
      least = std::min(least, travelTime({m[0], m[1], m[2], m[3], m[4], m[5]}, to - from));
    }
  }
  return least;
}

template <int corners>
double timeOfPath(const RandomProblem& problem, const HostPath& path) {
  double time = path.times.back();
  for (std::size_t i = 1; i < path.points.size(); ++i) {
    time += timeOfSegment<corners>(problem, path.points[i - 1], path.points[i]);
  }
  return time;
}

/// Expects that paths end at sources, at the time of the source, and that times never rise on the way. Returns how long
/// they take, and adds up when the front was at the targets.
template <class Space, int corners>
double expectPathsHome(
  const RandomProblem& problem, const std::vector<Point>& targets, FactorBy by, double& sumOfFronts) {
  const SpeedOf<Space> speed(problem.tensors);
  const auto paths = trace<Space>(problem.mesh, speed.get(), problem.sources, targets, traced(by));
  double sum = 0.0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const HostPath& path = paths[i];
    EXPECT_GE(path.source, 0) << "target " << i;
    if (path.source < 0) {
      continue;
    }
    EXPECT_EQ(length(path.points.back() - problem.sources.points[path.source]), 0.0);
    EXPECT_EQ(path.times.back(), problem.sources.pointTimes[path.source]);
    EXPECT_TRUE(std::is_sorted(path.times.rbegin(), path.times.rend())) << "target " << i;
    sum += timeOfPath<corners>(problem, path);
    sumOfFronts += path.times.front();
  }
  return sum;
}

TYPED_TEST(PathsOn, EndAtSourcesInRandomMedia) {
  for (const int dimension : {2, 3}) {
    for (const FactorBy by : {FactorBy::Points, FactorBy::Nothing}) {
      SCOPED_TRACE(std::to_string(dimension) + (by == FactorBy::Nothing ? "D, plain" : "D, factored"));
      double sum = 0.0;
      double sumOfFronts = 0.0;
      for (unsigned round = 0; round < 24; ++round) {
        SCOPED_TRACE("seed " + std::to_string(seed() + round));
        std::mt19937 random(seed() + round);
        RandomProblem problem(random, dimension, dimension == 3 ? 8 : 20, 0.2);
        problem.addTensors(random);
        const auto targets = randomPoints(random, 60, dimension);
        sum += dimension == 3 ? expectPathsHome<TypeParam, 4>(problem, targets, by, sumOfFronts)
                              : expectPathsHome<TypeParam, 3>(problem, targets, by, sumOfFronts);
      }
      std::cout << dimension << "D" << (by == FactorBy::Nothing ? "" : ", factored") << ": ways take "
                << sum / sumOfFronts << " of fronts' times\n";
      // Factored times are early where media are not smooth. Whoever went in circles would be far longer on the way.
      EXPECT_LT(sum, 2.0 * sumOfFronts);
    }
  }
}

/// Ways take as long as fronts do, but for the first order in the size of the elements that times have.
TYPED_TEST(PathsOn, TakeTheTimeOfTheFrontInSmoothMedia) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  Times errors;
  for (const int n : {16, 32, 64}) {
    double difference = 0.0;
    double sumOfFronts = 0.0;
    for (unsigned round = 0; round < 6; ++round) {
      std::mt19937 random(seed() + round);
      RandomProblem problem(random, 2, 1, 0.0); // the same sources for each n
      const auto targets = randomPoints(random, 25, 2);
      problem.mesh = gridMesh(ElementType::Triangle, n);
      shake(problem.mesh, random, 0.2 / n, 2);
      for (std::int64_t e = 0; e < problem.mesh.numElements(); ++e) {
        const Point x =
          (1.0 / 3.0) * (problem.mesh.corner(e, 0) + problem.mesh.corner(e, 1) + problem.mesh.corner(e, 2));
        problem.tensors.insert(problem.tensors.end(),
          {1.0 + 0.5 * std::sin(3.0 * x[0] + 2.0 * x[1]), 1.0 + 0.5 * std::cos(4.0 * x[1]), 1.0,
            0.2 * std::sin(5.0 * x[0]), 0.0, 0.0});
      }
      double fronts = 0.0;
      difference += std::abs(expectPathsHome<TypeParam, 3>(problem, targets, FactorBy::Points, fronts) - fronts);
      sumOfFronts += fronts;
    }
    errors.push_back(difference / sumOfFronts);
  }
  printOrders("ways and fronts differ by", errors);
  EXPECT_GT(order(errors[0], errors[2]), 1.0); // of two halvings, a few ways
}

/// The sharpest turn of a path: the least cosine between steps that follow each other.
double sharpestTurn(const HostPath& path) {
  double least = 1.0;
  Point before{};
  for (std::size_t i = 1; i < path.points.size(); ++i) {
    const Point step = path.points[i] - path.points[i - 1];
    if (length(step) > 1e-9) {
      least = length(before) > 0.0 ? std::min(least, dot(before, step) / (length(before) * length(step))) : least;
      before = step;
    }
  }
  return least;
}

// In a gradient of speed corners around the source are not all reached along its own cell.
TYPED_TEST(PathsOn, DoNotPassASourceThatIsInsideACell) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const SpeedGradient medium{{{0.7, 1.1, 0.0}}};
  Times excess;
  for (const int n : {16, 32, 64}) {
    std::mt19937 random(seed());
    double ways = 0.0;
    double fronts = 0.0;
    for (int round = 0; round < 8; ++round) {
      HostMesh mesh = gridMesh(ElementType::Triangle, n);
      shake(mesh, random, 0.15 / n, 2);
      const auto there = copied<double, TypeParam>(medium.speedsOfVertices(mesh));
      const Point place = 0.2 * Point{{1.0, 1.0, 0.0}} + 0.6 * randomPoints(random, 1, 2)[0];
      const auto targets = randomPoints(random, 30, 2);
      const auto paths =
        trace<TypeParam>(mesh, Speed::ofVertices(there.data()), HostSources::at(place), targets, traced());
      for (std::size_t i = 0; i < paths.size(); ++i) {
        ASSERT_EQ(length(paths[i].points.back() - place), 0.0);
        EXPECT_GT(sharpestTurn(paths[i]), -0.5) << "n = " << n << ", round " << round << ", target " << i;
        for (std::size_t k = 1; k < paths[i].points.size(); ++k) {
          const Point& from = paths[i].points[k - 1];
          const Point& to = paths[i].points[k];
          for (int part = 0; part < 8; ++part) {
            ways += 0.125 * length(to - from) / medium.speed(from + (part + 0.5) / 8.0 * (to - from));
          }
        }
        fronts += medium.time(place, targets[i]);
      }
    }
    excess.push_back(ways / fronts - 1.0);
  }
  printOrders("ways longer than the fastest", excess);
  EXPECT_LT(excess[2], 0.005);
  EXPECT_GT(order(excess[0], excess[2]), 1.4); // of two halvings
}

TEST(PathsOnTheHost, AreTheSameForAnyNumberOfThreads) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 10);
  shake(mesh, random, 0.02, 3);
  HostSources sources;
  sources.points = randomPoints(random, 3, 3);
  const std::vector<Point> targets = randomPoints(random, 30, 3);
  const auto all = trace<HostExecutionSpace>(mesh, Speed::constant(fullTensor), sources, targets, traced());
  for (const HostExecutionSpace& space : spanwise::testing::ofSeveralThreads<HostExecutionSpace>()) {
    const auto some =
      trace<HostExecutionSpace>(mesh, Speed::constant(fullTensor), sources, targets, traced(), {}, space);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      ASSERT_EQ(all[i].source, some[i].source);
      ASSERT_EQ(all[i].times, some[i].times);
    }
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
