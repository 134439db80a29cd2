// What follows from arrival times: gradients, the sources that times came from, and the ways back to them.

#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/Gradient.hpp"
#include "Core/Solvers/Eikonal/Paths.hpp"
#include "Testing/Core/Solvers/Eikonal/Arrivals.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace spanwise::eikonal::testing {
namespace {

template <class Space>
class PathsOn : public ::testing::Test {};
TYPED_TEST_SUITE(PathsOn, AllSpaces, SpaceNames);

ArrivalOptions traced(FactorBy by = FactorBy::Points) {
  ArrivalOptions options;
  options.trace = Trace::Sources;
  options.factoring.by = by;
  return options;
}

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
  Workspace<typename Space::memory_space> workspace;
  ArrivalTimes<typename Space::memory_space> solution;
  solveArrivalTimes(space, mesh.mixed(), speed, sourcesThere.get(), options, solution, workspace);
  const auto targetsThere = copied<double, Space>(coordinatesOf(targets));
  Paths<typename Space::memory_space> paths;
  tracePaths(space, mesh.mixed().vertices, solution, sourcesThere.get(),
    {targetsThere.data(), static_cast<std::int64_t>(targets.size()), 0.0}, pathOptions, paths, workspace);
  const auto begins = onHost(paths.begins);
  const auto points = onHost(paths.points);
  const auto times = onHost(paths.times);
  const auto ends = onHost(paths.sources);
  std::vector<HostPath> result(targets.size());
  std::int64_t numAtSources = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (std::int64_t p = begins[i]; p < begins[i + 1]; ++p) {
      result[i].points.push_back({{points[3 * p], points[3 * p + 1], points[3 * p + 2]}});
      result[i].times.push_back(times[p]);
    }
    result[i].source = ends[i];
    numAtSources += ends[i] >= 0 ? 1 : 0;
  }
  EXPECT_EQ(paths.numAtSources, numAtSources);
  return result;
}

std::vector<Point> randomPoints(std::mt19937& random, int count, int dimension) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::vector<Point> points;
  for (int i = 0; i < count; ++i) {
    points.push_back({{unit(random), unit(random), dimension == 3 ? unit(random) : 0.0}});
  }
  return points;
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
    gradientOfTimes(TypeParam(), mesh.mixed(), dimension, there.data(), out.data());
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
  EXPECT_NE(messageOf<InvalidArgument>([&] {
    trace<TypeParam>(mesh, Speed::constant(1.0), sources, targets, {});
  }).find("Trace::Sources"),
    std::string::npos);
  few.maxSteps = -1;
  EXPECT_NE(messageOf<InvalidArgument>([&] {
    trace<TypeParam>(mesh, Speed::constant(1.0), sources, targets, traced(), few);
  }).find("at most -1 segments"),
    std::string::npos);
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

/// The longest edge of a mesh of the unit square or cube whose vertices were moved by up to `most` along each axis.
double longestEdge(int dimension, int n, double most) { return std::sqrt(dimension) * (1.0 / n + 2.0 * most); }

/// Labels are those of the nearest sources but for vertices that are all but equally near to two.
///
/// A vertex has the label with the greatest share in the place of the opposite face that its time comes from, and
/// shares are linear between the corners there: where two labels meet, that place is no farther from a corner of the
/// label than half an edge. At a corner of either label the front of that source is first, and the difference of both
/// fronts' times changes by at most 2 / c over a length; so at that place the front of the label is behind the other by
/// at most 2 / c times half an edge. On the way from there to the vertex, away from the nearest source, the lag does
/// not grow: that source's time does as fast as a time can. So the label's source is farther by at most the longest
/// edge, which is also what the scheme's times may be wrong by there.
template <class Space>
void expectNearestLabels(std::mt19937& random, int dimension) {
  constexpr int n = 20;
  constexpr double moved = 0.01;
  HostMesh mesh = gridMesh(dimension == 3 ? ElementType::Hexahedron : ElementType::Triangle, n);
  shake(mesh, random, moved, dimension);
  HostSources sources;
  sources.points = randomPoints(random, 6, dimension);
  sources.pointTimes = {0.0, 0.05, 0.02, 0.0, 0.1, 0.03};
  const auto solution = solve<Space>(mesh, Speed::constant(1.5), sources, traced());
  const auto labels = onHost(solution.all.labels);
  const double edge = longestEdge(dimension, n, moved);
  int numUnlike = 0;
  double farthest = 0.0;
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    Times times;
    for (std::size_t i = 0; i < sources.points.size(); ++i) {
      times.push_back(sources.pointTimes[i] + length(mesh.points[v] - sources.points[i]) / 1.5);
    }
    const double first = *std::min_element(times.begin(), times.end());
    ASSERT_GE(labels[v], 0);
    const double farther = 1.5 * (times[labels[v]] - first);
    ASSERT_LE(farther, edge) << "vertex " << v;
    farthest = std::max(farthest, farther);
    numUnlike += farther > 0.0 ? 1 : 0;
  }
  std::cout << "in " << dimension << "D " << numUnlike << " of " << labels.size() << " unlike, farther by " << farthest
            << " at most, of an edge of " << edge << "\n";
}

TYPED_TEST(PathsOn, LabelsAreTheNearestSources) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 4; ++round) {
    for (const int dimension : {2, 3}) {
      expectNearestLabels<TypeParam>(random, dimension);
    }
  }
}

TYPED_TEST(PathsOn, LabelsNumberSourcesThroughAndTheFirstOfEqualOnesCounts) {
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
