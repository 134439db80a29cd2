// Point sources with factored times: exact in a constant medium, of first order in others.

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Solvers/Eikonal/Arrivals.hpp"
#include "Testing/Core/Solvers/Eikonal/RayErrors.hpp"
#include "Testing/Core/Solvers/Eikonal/SpeedGradient.hpp"
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

double meanOf(const Times& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The mean error against exact times.
double meanError(const HostMesh& mesh, const Times& times, const Exact& exact) {
  Times errors;
  for (std::size_t v = 0; v < times.size(); ++v) {
    errors.push_back(std::abs(times[v] - exact(mesh.points[v])));
  }
  return meanOf(errors);
}

/// An update must bring this share of a time, which is about 1 here, to count: what is exact is so but for a few of
/// them.
constexpr double rounding = 10.0 * IterationOptions().tolerance;

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
        EXPECT_LE(error, rounding);
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
  EXPECT_GT(meanError(mesh, plain.times, exact), rounding);
  const auto factored =
    solve<TypeParam>(mesh, Speed::constant(fullTensor), sources, factoredBy(FactorBy::PointsAndVertices));
  EXPECT_LT(meanError(mesh, factored.times, exact), rounding);
}

/// Bounds of errors from sources, with those of the vertices around them given: elements have edges of sqrt(dim) / n at
/// the most.
template <int corners>
Times boundsFrom(
  const std::vector<Point>& sources, const HostMesh& mesh, int n, const Times& times, const RayProblem& problem) {
  Times bounds(times.size(), notReached);
  for (std::size_t v = 0; v < times.size(); ++v) {
    const Point& x = mesh.points[v];
    for (const Point& source : sources) {
      if (length(x - source) <= 1.01 * std::sqrt(corners - 1) / n) { // in an element around it
        bounds[v] = std::abs(times[v] - problem.time(x));
      }
    }
  }
  boundErrors<corners>(mesh, problem, corners - 1, bounds);
  return bounds;
}

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
  const auto there = copied<double, Space>(medium.speedsOfVertices(mesh));
  const Times times = solve<Space>(mesh, Speed::ofVertices(there.data()), HostSources::at(place), options).times;
  RayProblem problem = medium.raysFrom<corners>(place, mesh);
  problem.lead = [&](const Point& x, const Point& nearby) {
    const bool isFactored = options.factoring.by != FactorBy::Nothing && length(x - place) <= options.factoring.radius;
    return isFactored ? leadOf(place, x, nearby) : 0.0;
  };
  return {meanError(mesh, times, problem.time), meanOf(boundsFrom<corners>({place}, mesh, n, times, problem))};
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
    EXPECT_LT(error, rounding);
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
    double high = across; // where it goes through the interface the time is least
    for (int k = 0; k < 60; ++k) {
      const double x = 0.5 * (low + high);
      const double slope = x / (slow * std::hypot(x, above)) - (across - x) / (fast * std::hypot(across - x, below));
      (slope < 0.0 ? low : high) = x;
    }
    return std::hypot(low, above) / slow + std::hypot(across - low, below) / fast;
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

/// What fronts from a place in the slow layer take through a mesh. Times before what a straight line in the slow layer
/// takes are of the head wave there, and leads fade out.
RayProblem raysFrom(const Point& place, const TwoLayers& medium, const Times& speeds) {
  RayProblem problem;
  problem.time = [=](const Point& x) { return medium.time(place, x); };
  problem.slowness = [&speeds](std::int64_t e) { return 1.0 / speeds[static_cast<std::size_t>(e)]; };
  problem.lead = [=](const Point& x, const Point& nearby) {
    const double straight = length(nearby - place) / medium.slow;
    const bool isInFast = std::max(x[1], nearby[1]) <= medium.interface * (1.0 + 1e-12);
    const double early = isInFast ? 0.0 : straight - medium.time(place, nearby);
    return std::max(0.0, 1.0 - (early > 0.0 ? early / (detourShare * straight) : 0.0)) * leadOf(place, x, nearby);
  };
  return problem;
}

template <class Space, int corners>
void expectBoundedHeadWave(const Point& place, const std::vector<int>& steps) {
  const TwoLayers medium{1.0, 3.0, 0.6};
  for (const int n : steps) {
    const HostMesh mesh = gridMesh(corners == 4 ? ElementType::Tetrahedron : ElementType::Triangle, n);
    const Times speeds = speedsOf(mesh, medium);
    const auto there = copied<double, Space>(speeds);
    const RayProblem problem = raysFrom(place, medium, speeds);
    const auto timesWith = [&](const ArrivalOptions& options) {
      return solve<Space>(mesh, Speed::ofElements(there.data()), HostSources::at(place), options).times;
    };
    const Times times = timesWith({});
    const double plain = meanError(mesh, timesWith(factoredBy(FactorBy::Nothing)), problem.time);
    const double factored = meanError(mesh, times, problem.time);
    const double bound = meanOf(boundsFrom<corners>({place}, mesh, n, times, problem));
    std::cout << "two layers, " << corners - 1 << "D, n = " << n << ": mean error " << factored << ", its bound "
              << bound << ", without factoring " << plain << '\n';
    EXPECT_LE(factored, bound) << n;
    EXPECT_GT(plain, bound) << n;
  }
}

TYPED_TEST(GridFactoringOn, TwoLayersHaveAHeadWave) {
  expectBoundedHeadWave<TypeParam, 3>({{0.11, 0.83, 0.0}}, {50, 100, 200});
}

TYPED_TEST(GridFactoringOn, TwoLayersHaveAHeadWaveInSpace) {
  expectBoundedHeadWave<TypeParam, 4>({{0.11, 0.83, 0.17}}, {10, 20, 40});
}

/// One source in each of two layers. In straight lines the fast one would be the first far into the slow layer, most of
/// which the front of the slow one comes to before it.
template <class Space, int corners>
void expectOwnFronts(const std::vector<int>& steps) {
  constexpr bool solid = corners == 4;
  const TwoLayers medium{1.0, 3.0, 0.4};
  const Point inSlow{{0.21, 0.83, solid ? 0.33 : 0.0}};
  const Point inFast{{0.87, 0.12, solid ? 0.71 : 0.0}};
  const Exact fromFast = [&](const Point& x) {
    return x[1] > medium.interface ? medium.time(x, inFast) : length(x - inFast) / medium.fast;
  };
  HostSources both;
  both.points = {inSlow, inFast};
  for (const int n : steps) {
    const HostMesh mesh = gridMesh(solid ? ElementType::Tetrahedron : ElementType::Triangle, n);
    const Times speeds = speedsOf(mesh, medium);
    const auto there = copied<double, Space>(speeds);
    const RayProblem ofSlow = raysFrom(inSlow, medium, speeds);
    RayProblem problem = ofSlow;
    problem.time = [&](const Point& x) { return std::min(ofSlow.time(x), fromFast(x)); };
    problem.lead = [&](const Point& x, const Point& nearby) {
      const bool isOfSlow = ofSlow.time(x) <= fromFast(x);
      if (isOfSlow != (ofSlow.time(nearby) <= fromFast(nearby))) {
        return 0.0; // fronts from different media have nothing in common
      }
      return isOfSlow ? ofSlow.lead(x, nearby) : leadOf(inFast, x, nearby);
    };
    const auto timesWith = [&](const ArrivalOptions& options) {
      return solve<Space>(mesh, Speed::ofElements(there.data()), both, options).times;
    };
    const Times times = timesWith({});
    const double plain = meanError(mesh, timesWith(factoredBy(FactorBy::Nothing)), problem.time);
    const double factored = meanError(mesh, times, problem.time);
    const double bound = meanOf(boundsFrom<corners>(both.points, mesh, n, times, problem));
    std::cout << "sources in two layers, " << corners - 1 << "D, n = " << n << ": mean error " << factored
              << ", its bound " << bound << ", without factoring " << plain << '\n';
    EXPECT_LE(factored, bound) << n;
    EXPECT_GT(plain, bound) << n;
  }
}

TYPED_TEST(GridFactoringOn, SourcesInDifferentMediaFactorTheirOwnFronts) {
  expectOwnFronts<TypeParam, 3>({50, 100, 200});
  expectOwnFronts<TypeParam, 4>({10, 20, 40});
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
  // whatever the window is, and none is before the start. A vertex is left where an update brings less than the
  // tolerance, and takes over the errors of those that it comes from, no more: so they add up along a way, which has
  // each vertex once at most.
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
      ASSERT_NEAR(
        solution.times[v], first[v], static_cast<double>(mesh.points.size()) * options.iteration.tolerance * first[v]);
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
