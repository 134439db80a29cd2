// Point sources with factored times: exact in a constant medium, of first order in others.

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Solvers/Eikonal/Arrivals.hpp"
#include "Testing/Core/Solvers/Eikonal/RayErrors.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numeric>
#include <random>

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::ofSeveralThreads;

template <class Space>
class GridFactoringOn : public ::testing::Test {};
TYPED_TEST_SUITE(GridFactoringOn, AllSpaces, SpaceNames);

ArrivalOptions factoredBy(FactorBy by, double radius = notReached) {
  ArrivalOptions options;
  options.factoring = {by, radius};
  return options;
}

using Exact = std::function<double(const Point&)>;

/// The mean error against exact times.
double meanError(const HostMesh& mesh, const Times& times, const Exact& exact) {
  double sum = 0.0;
  for (std::size_t v = 0; v < times.size(); ++v) {
    sum += std::abs(times[v] - exact(mesh.points[v]));
  }
  return sum / static_cast<double>(times.size());
}

TYPED_TEST(GridFactoringOn, AConstantMediumIsExact) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : {ElementType::Tetrahedron, ElementType::Triangle}) {
    for (const bool shaken : {false, true}) {
      HostMesh mesh = gridMesh(type, 16);
      if (shaken) {
        shake(mesh, random, 0.01, numVerticesOf(type) - 1);
      }
      const Point place = type == ElementType::Triangle ? Point{{0.43, 0.29, 0.0}} : Point{{0.43, 0.29, 0.61}};
      for (const SymmetricTensor& m : {SymmetricTensor(), fullTensor}) {
        const auto solution = solve<TypeParam>(mesh, Speed::constant(m), HostSources::at(place));
        EXPECT_EQ(solution.report.numFactored, solution.report.numSimplices);
        const double error = meanError(mesh, solution.times, [&](const Point& x) { return travelTime(m, x - place); });
        std::cout << elementTypeName(type) << (shaken ? ", shaken" : "") << ": mean error " << error << '\n';
        EXPECT_LE(error, 1e-12);
        for (std::size_t v = 0; v < mesh.points.size(); ++v) {
          ASSERT_GE(solution.times[v], travelTime(m, mesh.points[v] - place) - 1e-13);
        }
      }
    }
  }
}

TYPED_TEST(GridFactoringOn, AVertexIsFactoredWhereItIsAskedFor) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 10);
  HostSources sources;
  const std::size_t middle = nearest(mesh, {{0.5, 0.5, 0.5}});
  sources.vertices = {static_cast<std::int64_t>(middle)};
  sources.vertexTimes = {3.0};
  const Exact exact = [&](const Point& x) { return 3.0 + travelTime(fullTensor, x - mesh.points[middle]); };
  const auto plain = solve<TypeParam>(mesh, Speed::constant(fullTensor), sources);
  EXPECT_EQ(plain.report.numFactored, 0);
  EXPECT_GT(meanError(mesh, plain.times, exact), 0.01);
  const auto factored =
    solve<TypeParam>(mesh, Speed::constant(fullTensor), sources, factoredBy(FactorBy::PointsAndVertices));
  EXPECT_LT(meanError(mesh, factored.times, exact), 1e-12);
}

/// Speed 1 + g . x: fronts are spheres, with their centres moving.
struct SpeedGradient {
  Point gradient;

  [[nodiscard]] double speed(const Point& x) const { return 1.0 + dot(gradient, x); }
  [[nodiscard]] double time(const Point& from, const Point& to) const {
    const Point e = to - from;
    const double g = length(gradient);
    return std::acosh(1.0 + 0.5 * g * g * dot(e, e) / (speed(from) * speed(to))) / g;
  }
};

/// The mean error of times from a point in a gradient of speed, and of the bounds that theory has for them.
struct MeanErrors {
  double error = 0.0;
  double bound = 0.0;
};

template <class Space, int corners>
MeanErrors errorsInAGradient(int n, const ArrivalOptions& options) {
  constexpr bool solid = corners == 4;
  const SpeedGradient medium{{{0.5, 0.8, solid ? 1.1 : 0.0}}};
  const Point place = solid ? Point{{0.5, 0.5, 0.5}} : Point{{0.4, 0.6, 0.0}}; // a vertex of all meshes
  const HostMesh mesh = gridMesh(solid ? ElementType::Tetrahedron : ElementType::Triangle, n);
  Times speeds;
  std::transform(mesh.points.begin(), mesh.points.end(), std::back_inserter(speeds),
    [&](const Point& x) { return medium.speed(x); });
  const auto there = copied<double, Space>(speeds);
  const Times times = solve<Space>(mesh, Speed::ofVertices(there.data()), HostSources::at(place), options).times;
  RayProblem problem;
  problem.time = [&](const Point& x) { return medium.time(place, x); };
  problem.slowness = [&](std::int64_t e) {
    double sum = 0.0;
    for (int k = 0; k < corners; ++k) {
      sum += medium.speed(mesh.corner(e, k)) / corners;
    }
    return 1.0 / sum;
  };
  if (options.factoring.by != FactorBy::Nothing) {
    problem.lead = [&](const Point& x, const Point& nearby) {
      return length(x - place) <= options.factoring.radius ? leadOf(place, x, nearby) : 0.0;
    };
  }
  Times bounds(times.size(), notReached);
  for (std::size_t v = 0; v < times.size(); ++v) {
    if (length(mesh.points[v] - place) <= 1.01 * std::sqrt(corners - 1) / n) { // in an element around the source
      bounds[v] = std::abs(times[v] - problem.time(mesh.points[v]));
    }
  }
  boundErrors<corners>(mesh, problem, corners - 1, bounds);
  return {meanError(mesh, times, problem.time),
    std::accumulate(bounds.begin(), bounds.end(), 0.0) / static_cast<double>(bounds.size())};
}

template <class Space, int corners>
void expectFirstOrderInAGradient(const std::vector<int>& steps, const std::vector<double>& radii) {
  for (const int n : steps) {
    SCOPED_TRACE(n);
    const MeanErrors plain = errorsInAGradient<Space, corners>(n, factoredBy(FactorBy::Nothing));
    EXPECT_LE(plain.error, plain.bound);
    for (const double radius : radii) {
      const MeanErrors factored = errorsInAGradient<Space, corners>(n, factoredBy(FactorBy::Points, radius));
      std::cout << corners - 1 << "D, n = " << n << ", factored within " << radius << ": mean error " << factored.error
                << ", its bound " << factored.bound << ", without factoring " << plain.error << '\n';
      EXPECT_LE(factored.error, factored.bound) << "within " << radius;
      EXPECT_LT(factored.bound, plain.error) << "within " << radius; // what has no h log h in it
    }
  }
}

TYPED_TEST(GridFactoringOn, AGradientOfSpeedIsOfFirstOrder) {
  expectFirstOrderInAGradient<TypeParam, 4>({12, 24, 48}, {notReached});
}

TYPED_TEST(GridFactoringOn, AGradientOfSpeedIsOfFirstOrderInThePlane) {
  expectFirstOrderInAGradient<TypeParam, 3>({25, 50, 100}, {notReached, 0.2});
}

TYPED_TEST(GridFactoringOn, TwoPointsMeetHalfway) {
  const Point a{{0.31, 0.22, 0.4}};
  const Point b{{0.72, 0.81, 0.6}};
  Times errors;
  for (const int n : {10, 20, 40}) {
    const HostMesh mesh = gridMesh(ElementType::Tetrahedron, n);
    HostSources sources;
    sources.points = {a, b};
    sources.pointTimes = {0.0, 0.1};
    const auto solution = solve<TypeParam>(mesh, Speed::constant(1.0), sources);
    errors.push_back(
      meanError(mesh, solution.times, [&](const Point& x) { return std::min(length(x - a), 0.1 + length(x - b)); }));
  }
  for (const double error : errors) {
    EXPECT_LT(error, 1e-12);
  }
}

/// Two layers, the slow one above y = `interface`, with the source in it: fronts come straight, refracted, or as the
/// head wave that runs along the interface and leaves it at the critical angle.
struct TwoLayers {
  double slow;
  double fast;
  double interface;

  [[nodiscard]] double time(const Point& from, const Point& to) const {
    const double across = std::hypot(to[0] - from[0], to[2] - from[2]);
    const double above = from[1] - interface;
    const double below = interface - to[1];
    if (below <= 0.0) {
      const double sine = slow / fast;
      const double cosine = std::sqrt(1.0 - sine * sine);
      const double heights = above - below;
      const double straight = length(to - from) / slow;
      return across >= heights * sine / cosine ? std::min(straight, across / fast + heights * cosine / slow) : straight;
    }
    double low = 0.0;
    double high = across;
    const auto through = [&](double x) { return std::hypot(x, above) / slow + std::hypot(across - x, below) / fast; };
    for (int k = 0; k < 100; ++k) {
      const double x1 = low + (high - low) / 3.0;
      const double x2 = high - (high - low) / 3.0;
      (through(x1) < through(x2) ? high : low) = through(x1) < through(x2) ? x2 : x1;
    }
    return through(low);
  }
};

/// The speeds of the elements of a mesh in two layers.
Times speedsOf(const HostMesh& mesh, const TwoLayers& medium) {
  Times speeds;
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    const int count = numVerticesOf(mesh.types[static_cast<std::size_t>(e)]);
    double height = 0.0;
    for (int k = 0; k < count; ++k) {
      height += mesh.corner(e, k)[1] / count;
    }
    speeds.push_back(height > medium.interface ? medium.slow : medium.fast);
  }
  return speeds;
}

TYPED_TEST(GridFactoringOn, TwoLayersHaveAHeadWave) {
  const TwoLayers medium{1.0, 3.0, 0.6};
  const Point place{{0.11, 0.83, 0.0}};
  Times plain;
  Times factored;
  for (const int n : {100, 200, 400}) {
    const HostMesh mesh = gridMesh(ElementType::Quadrilateral, n);
    const auto there = copied<double, TypeParam>(speedsOf(mesh, medium));
    const Exact exact = [&](const Point& x) { return medium.time(place, x); };
    const auto error = [&](const ArrivalOptions& options) {
      return meanError(
        mesh, solve<TypeParam>(mesh, Speed::ofElements(there.data()), HostSources::at(place), options).times, exact);
    };
    plain.push_back(error(factoredBy(FactorBy::Nothing)));
    factored.push_back(error({}));
  }
  printOrders("two layers, plain", plain);
  printOrders("two layers, factored", factored);
  // what is left comes from head waves, which are not factored: they are before a straight line
  EXPECT_GT(order(factored[1], factored[2]), 0.9);
  EXPECT_LT(factored[2], 0.15 * plain[2]);
}

/// The mean of bounds for factored times in two layers of tetrahedra. Times before what a straight line in the slow
/// layer takes are of the head wave there, and leads fade out.
double meanBound(
  const HostMesh& mesh, const Times& times, const TwoLayers& medium, const Point& place, double longestEdge) {
  const Times speeds = speedsOf(mesh, medium);
  RayProblem problem;
  problem.time = [&](const Point& x) { return medium.time(place, x); };
  problem.slowness = [&](std::int64_t e) { return 1.0 / speeds[static_cast<std::size_t>(e)]; };
  problem.lead = [&](const Point& x, const Point& nearby) {
    const double straight = length(nearby - place) / medium.slow;
    const bool isInFast = std::max(x[1], nearby[1]) <= medium.interface * (1.0 + 1e-12);
    const double early = isInFast ? 0.0 : straight - problem.time(nearby);
    return std::max(0.0, 1.0 - (early > 0.0 ? early / (detourShare * straight) : 0.0)) * leadOf(place, x, nearby);
  };
  Times bounds(times.size(), notReached);
  for (std::size_t v = 0; v < times.size(); ++v) {
    if (length(mesh.points[v] - place) <= longestEdge) { // in an element around the source
      bounds[v] = std::abs(times[v] - problem.time(mesh.points[v]));
    }
  }
  boundErrors<4>(mesh, problem, 3, bounds);
  return std::accumulate(bounds.begin(), bounds.end(), 0.0) / static_cast<double>(bounds.size());
}

TYPED_TEST(GridFactoringOn, TwoLayersHaveAHeadWaveInSpace) {
  const TwoLayers medium{1.0, 3.0, 0.6};
  const Point place{{0.11, 0.83, 0.17}};
  Times plain;
  Times factored;
  for (const int n : {10, 20, 40}) {
    const HostMesh mesh = gridMesh(ElementType::Tetrahedron, n);
    const auto there = copied<double, TypeParam>(speedsOf(mesh, medium));
    const Exact exact = [&](const Point& x) { return medium.time(place, x); };
    const auto timesWith = [&](const ArrivalOptions& options) {
      return solve<TypeParam>(mesh, Speed::ofElements(there.data()), HostSources::at(place), options).times;
    };
    const Times times = timesWith({});
    plain.push_back(meanError(mesh, timesWith(factoredBy(FactorBy::Nothing)), exact));
    factored.push_back(meanError(mesh, times, exact));
    const double bound = meanBound(mesh, times, medium, place, std::sqrt(3.0) / n);
    EXPECT_LE(factored.back(), bound) << n;
    EXPECT_GT(plain.back(), bound) << n;
  }
  printOrders("two layers in space, plain", plain);
  printOrders("two layers in space, factored", factored);
}

/// How early and how late times are at the most.
struct MaxErrors {
  double early = 0.0;
  double late = 0.0;

  MaxErrors(const HostMesh& mesh, const Times& times, const Exact& exact) {
    for (std::size_t v = 0; v < times.size(); ++v) {
      early = std::max(early, exact(mesh.points[v]) - times[v]);
      late = std::max(late, times[v] - exact(mesh.points[v]));
    }
  }
};

TYPED_TEST(GridFactoringOn, SourcesInDifferentMediaFactorTheirOwnFronts) {
  // One source in each of two layers. In straight lines the fast one would be the first far into the slow layer, most
  // of which the front of the slow one comes to before it.
  const TwoLayers medium{1.0, 3.0, 0.4};
  for (const ElementType type : {ElementType::Triangle, ElementType::Tetrahedron}) {
    const bool solid = type == ElementType::Tetrahedron;
    const Point inSlow{{0.21, 0.83, solid ? 0.33 : 0.0}};
    const Point inFast{{0.87, 0.12, solid ? 0.71 : 0.0}};
    const Exact fromSlow = [&](const Point& x) { return medium.time(inSlow, x); };
    const Exact fromFast = [&](const Point& x) {
      return x[1] > medium.interface ? medium.time(x, inFast) : length(x - inFast) / medium.fast;
    };
    const Exact exact = [&](const Point& x) { return std::min(fromSlow(x), fromFast(x)); };
    HostSources both;
    both.points = {inSlow, inFast};
    Times plain;
    Times factored;
    for (const int n : solid ? std::vector<int>{10, 20, 40} : std::vector<int>{50, 100, 200}) {
      const HostMesh mesh = gridMesh(type, n);
      const auto there = copied<double, TypeParam>(speedsOf(mesh, medium));
      const auto timesFrom = [&](const HostSources& sources, const ArrivalOptions& options) {
        return solve<TypeParam>(mesh, Speed::ofElements(there.data()), sources, options).times;
      };
      const Times times = timesFrom(both, {});
      plain.push_back(meanError(mesh, timesFrom(both, factoredBy(FactorBy::Nothing)), exact));
      factored.push_back(meanError(mesh, times, exact));
      const MaxErrors of(mesh, times, exact);
      const MaxErrors ofSlow(mesh, timesFrom(HostSources::at(inSlow), {}), fromSlow);
      const MaxErrors ofFast(mesh, timesFrom(HostSources::at(inFast), {}), fromFast);
      std::cout << n << ": early by " << of.early * n << " h, each alone " << ofSlow.early * n << " h and "
                << ofFast.early * n << " h; late by " << of.late * n << " h\n";
      EXPECT_LE(of.early, std::max(ofSlow.early, ofFast.early) + 1e-12);
      EXPECT_LE(of.late, 0.02 / n);
    }
    printOrders("sources in two layers, plain", plain);
    printOrders("sources in two layers, factored", factored);
    EXPECT_GT(order(factored[1], factored[2]), 0.95);
    EXPECT_LT(factored[2], 0.1 * plain[2]);
  }
}

TYPED_TEST(GridFactoringOn, DoesNotDependOnTheOrderOfPoints) {
  // The middles of these tetrahedra, quarters of cells, are on planes halfway between the points, so that many are
  // equally near to two of them. One medium around all of them and random ones elsewhere.
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> factor(0.5, 2.0);
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 8);
  HostSources sources;
  for (const double x : {1.5 / 8, 5.5 / 8}) {
    for (const double y : {2.5 / 8, 6.5 / 8}) {
      sources.points.push_back({{x, y, 3.5 / 8}});
    }
  }
  Times speeds;
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    const Point middle = 0.25 * (mesh.corner(e, 0) + mesh.corner(e, 1) + mesh.corner(e, 2) + mesh.corner(e, 3));
    const bool isSource = std::any_of(
      sources.points.begin(), sources.points.end(), [&](const Point& point) { return length(point - middle) < 0.1; });
    speeds.push_back(isSource ? 1.0 : factor(random));
  }
  const auto there = copied<double, TypeParam>(speeds);
  Times first;
  for (int round = 0; round < 6; ++round) {
    const auto solution = solve<TypeParam>(mesh, Speed::ofElements(there.data()), sources);
    first = first.empty() ? solution.times : first;
    ASSERT_EQ(solution.times, first);
    std::shuffle(sources.points.begin(), sources.points.end(), random);
  }
}

TYPED_TEST(GridFactoringOn, IsByThePlaceWhoseFrontIsFirst) {
  // against a look at all of them, with media that are up to a hundred times faster around some
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 6);
  shake(mesh, random, 0.03, 3);
  Times components;
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    const double fast = std::pow(10.0, 4.0 * unit(random) * unit(random));
    components.insert(components.end(), {fast, fast * (0.2 + unit(random)), fast, 0.4 * fast * unit(random), 0.0, 0.0});
  }
  const auto tensors = copied<double, TypeParam>(components);
  for (const double radius : {0.2, notReached}) {
    HostSources sources;
    for (int k = 0; k < 200; ++k) {
      sources.points.push_back({{0.02 + 0.96 * unit(random), 0.02 + 0.96 * unit(random), 0.5}});
      sources.pointTimes.push_back(0.2 * unit(random));
    }
    const TypeParam space;
    const MeshOn<TypeParam, double, std::int64_t> there(mesh);
    const SourcesOn<TypeParam> sourcesThere(sources);
    const Speed speed = Speed::tensorOfElements(tensors.data());
    const Context context(space);
    SimplexMesh<4, TypeParam> simplices;
    buildSimplexMesh<TypeParam, 4>(context, there.mixed(), speed, simplices);
    const auto times = copied<double, TypeParam>(Times(mesh.points.size()));
    const auto simplexOfPoint = copied<std::int32_t, TypeParam>(std::vector<std::int32_t>(sources.points.size()));
    const StartArrays starts{times.data(), nullptr, simplexOfPoint.data(), nullptr};
    setStarts(context, there.mixed(), speed, simplices, sourcesThere.get(), starts);
    Factoring<typename TypeParam::memory_space> factoring;
    setFactoring(
      context, there.mixed(), speed, simplices, sourcesThere.get(), starts, {FactorBy::Points, radius}, factoring);
    const auto found = onHost(factoring.placeOfVertex);
    const auto travels = onHost(factoring.travels);
    const auto places = onHost(factoring.places);
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
      double least = notReached;
      for (const FactorPlace& place : places) {
        least = std::min(least, place.time + place.stretched(mesh.points[v]).time);
      }
      const FactorPlace& first = places.at(static_cast<std::size_t>(found[v]));
      ASSERT_NEAR(first.time + first.stretched(mesh.points[v]).time, least, 1e-12) << v;
      ASSERT_NEAR(first.time + travels[v], least, 1e-12) << v;
    }
    std::int64_t numFactored = 0;
    for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
      bool isAny = false;
      for (int k = 0; k < 4; ++k) {
        const auto v = static_cast<std::size_t>(mesh.vertices[static_cast<std::size_t>(4 * e + k)]);
        const Point& place = places[static_cast<std::size_t>(found[v])].place;
        isAny = isAny || length(mesh.points[v] - place) <= radius;
      }
      numFactored += isAny ? 1 : 0;
    }
    EXPECT_EQ(factoring.numFactored, numFactored);
  }
}

TYPED_TEST(GridFactoringOn, EndsInAnyMedium) {
  // speeds that jump by a hundred from element to element, tensors of any direction: times fall to one fixed point
  // whatever the window is, and none is before the start
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 8);
  shake(mesh, random, 0.04, 3);
  Times components;
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    const Point axis{{unit(random), unit(random), unit(random)}};
    const double a = 1e4 * std::pow(0.5 * (unit(random) + 1.0), 4);
    components.insert(components.end(),
      {0.01 + a * axis[0] * axis[0], 0.01 + a * axis[1] * axis[1], 0.01 + a * axis[2] * axis[2], a * axis[0] * axis[1],
        a * axis[1] * axis[2], a * axis[0] * axis[2]});
  }
  const auto there = copied<double, TypeParam>(components);
  HostSources sources;
  sources.points = {{{0.4, 0.3, 0.6}}, {{0.8, 0.8, 0.1}}};
  Times first;
  for (const double window : {1.0, 0.1, 1e9}) {
    ArrivalOptions options;
    options.iteration.window = window;
    options.iteration.maxIterations = 100000;
    const auto solution = solve<TypeParam>(mesh, Speed::tensorOfElements(there.data()), sources, options);
    EXPECT_TRUE(solution.report.iteration.converged);
    first = first.empty() ? solution.times : first;
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
      ASSERT_GE(solution.times[v], 0.0);
      ASSERT_NEAR(solution.times[v], first[v], 1e-9 * (1.0 + first[v]));
    }
  }
}

TYPED_TEST(GridFactoringOn, RadiusMustBeALength) {
  const HostMesh mesh = gridMesh(ElementType::Triangle, 2);
  EXPECT_NE(messageOf([&] {
    solve<TypeParam>(
      mesh, Speed::constant(1.0), HostSources::at({{0.5, 0.5, 0.0}}), factoredBy(FactorBy::Points, -1.0));
  }).find("factored within -1"),
    std::string::npos);
}

TEST(FactoringOnTheHost, HasTheSameBitsForAnyNumberOfThreads) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 12);
  HostSources sources;
  sources.points = {{{0.1, 0.2, 0.3}}, {{0.9, 0.8, 0.7}}};
  const auto all = solve<HostExecutionSpace>(mesh, Speed::constant(fullTensor), sources);
  for (const HostExecutionSpace& space : ofSeveralThreads<HostExecutionSpace>()) {
    const auto some = solve<HostExecutionSpace>(mesh, Speed::constant(fullTensor), sources, {}, {}, space);
    EXPECT_EQ(std::memcmp(all.times.data(), some.times.data(), all.times.size() * sizeof(double)), 0);
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
