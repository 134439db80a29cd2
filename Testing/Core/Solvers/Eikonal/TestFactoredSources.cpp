// Factored times from any set of sources: in a constant medium those of the nearest source, never early; around
// obstacles and over curved surfaces better than without.

#include "Testing/Core/Solvers/Eikonal/Arrivals.hpp"
#include "Testing/Core/Solvers/Eikonal/RayErrors.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>

namespace spanwise::eikonal::testing {
namespace {

template <class Space>
class FactoredSources : public ::testing::Test {};
TYPED_TEST_SUITE(FactoredSources, AllSpaces, SpaceNames);

ArrivalOptions ofOrder(int order, FactorBy by = FactorBy::PointsAndVertices) {
  ArrivalOptions options;
  options.order = order;
  options.factoring.by = by;
  return options;
}

TYPED_TEST(FactoredSources, BothEndsOfASideOfASquare) {
  HostMesh mesh;
  mesh.points = {{{0.0, 0.0, 0.0}}, {{1.0, 0.0, 0.0}}, {{1.0, 1.0, 0.0}}, {{0.0, 1.0, 0.0}}};
  mesh.add(ElementType::Triangle, std::array{0, 1, 2});
  mesh.add(ElementType::Triangle, std::array{0, 2, 3});
  HostSources vertices;
  vertices.vertices = {0, 1};
  HostSources points;
  points.points = {mesh.points[0], mesh.points[1]};
  for (const HostSources& sources : {vertices, points}) {
    for (const int order : {1, 2}) {
      const Times times = solve<TypeParam>(mesh, Speed::constant(1.0), sources, ofOrder(order)).times;
      EXPECT_EQ(times[0], 0.0);
      EXPECT_EQ(times[1], 0.0);
      EXPECT_NEAR(times[2], 1.0, 1e-14);
      EXPECT_NEAR(times[3], 1.0, 1e-14);
    }
  }
}

/// Places of sources, and when each starts.
struct Places {
  std::vector<std::size_t> vertices;
  std::vector<Point> points;

  void addVertex(const HostMesh& mesh, std::size_t v) {
    vertices.push_back(v);
    points.push_back(mesh.points[v]);
  }
};

/// A vertex and those around it.
std::set<std::size_t> neighbours(const HostMesh& mesh, std::size_t v) {
  std::set<std::size_t> found{v};
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    const auto begin = mesh.vertices.begin() + mesh.offsets[e];
    const auto end = mesh.vertices.begin() + mesh.offsets[e + 1];
    if (std::find(begin, end, static_cast<std::int64_t>(v)) != end) {
      found.insert(begin, end);
    }
  }
  return found;
}

/// Sets of sources of many kinds: vertices if they are some.
std::vector<std::pair<std::string, Places>> setsOfSources(const HostMesh& mesh, int dimension, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const auto anyPoint = [&] { return Point{{unit(random), unit(random), dimension == 3 ? unit(random) : 0.0}}; };
  const std::set<std::size_t> around = neighbours(mesh, random() % mesh.points.size());
  std::vector<std::pair<std::string, Places>> sets(7);
  sets[0].first = "two neighbours";
  sets[1].first = "a vertex and all around it";
  sets[2].first = "all vertices of a side";
  sets[3].first = "a twentieth of all vertices";
  sets[4].first = "all vertices in a ball";
  sets[5].first = "points anywhere";
  sets[6].first = "points beside vertices";
  for (const std::size_t v : around) {
    if (sets[0].second.vertices.size() < 2) {
      sets[0].second.addVertex(mesh, v);
    }
    sets[1].second.addVertex(mesh, v);
  }
  const Point centre = anyPoint();
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    if (mesh.points[v][0] == 0.0) {
      sets[2].second.addVertex(mesh, v);
    }
    if (unit(random) < 0.05) {
      sets[3].second.addVertex(mesh, v);
    }
    if (length(mesh.points[v] - centre) < 0.25) {
      sets[4].second.addVertex(mesh, v);
    }
  }
  for (int k = 0; k < 10; ++k) {
    sets[5].second.points.push_back(anyPoint());
    const Point& vertex = mesh.points[random() % mesh.points.size()];
    sets[6].second.points.push_back(vertex);
    sets[6].second.points.push_back(vertex + 0.02 * (anyPoint() - vertex));
  }
  std::erase_if(sets, [](const auto& set) { return set.second.points.empty(); });
  return sets;
}

/// The most that times are before and after those from the nearest place.
struct Range {
  double early = 0.0;
  double late = 0.0;
};

template <class Space>
Range errorsFrom(const HostMesh& mesh, const SymmetricTensor& m, const Places& places, const Times& starts,
  const ArrivalOptions& options) {
  HostSources sources;
  if (places.vertices.empty()) {
    sources.points = places.points;
    sources.pointTimes = starts;
  } else {
    sources.vertices.assign(places.vertices.begin(), places.vertices.end());
    sources.vertexTimes = starts;
  }
  const Times times = solve<Space>(mesh, Speed::constant(m), sources, options).times;
  Range range;
  for (std::size_t v = 0; v < times.size(); ++v) {
    double exact = notReached;
    for (std::size_t k = 0; k < places.points.size(); ++k) {
      exact = std::min(exact, starts[k] + travelTime(m, mesh.points[v] - places.points[k]));
    }
    range.early = std::max(range.early, exact - times[v]);
    range.late = std::max(range.late, times[v] - exact);
  }
  return range;
}

TYPED_TEST(FactoredSources, OfAnyKindAreExactInAConstantMedium) {
  const SymmetricTensor twice{2.0, 1.5, 0.9, 0.6, 0.1, -0.1}; // nearly 2 : 1 in speed
  for (unsigned round = 0; round < 3; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed() + round));
    std::mt19937 random(seed() + round);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (const int dimension : {2, 3}) {
      const int n = dimension == 3 ? 6 : 14;
      HostMesh mesh = gridMesh(dimension == 3 ? ElementType::Tetrahedron : ElementType::Triangle, n);
      shake(mesh, random, 0.12 / n, dimension);
      for (auto& [what, places] : setsOfSources(mesh, dimension, random)) {
        SCOPED_TRACE(what + " in " + std::to_string(dimension) + "D");
        Times starts;
        const double latest = random() % 2 == 0 ? 0.1 : 0.0;
        std::generate_n(std::back_inserter(starts), places.points.size(), [&] { return latest * unit(random); });
        for (const int order : {1, 2}) {
          for (const SymmetricTensor& m : {SymmetricTensor(), twice}) {
            const Range errors = errorsFrom<TypeParam>(mesh, m, places, starts, ofOrder(order));
            // Where several sources are in a cell a time of each of two vertices may wait for that of the other.
            const bool areExact = what != "points beside vertices";
            EXPECT_LE(errors.early, order == 1 || areExact ? 1e-12 : 0.01 / n) << "order " << order;
            EXPECT_LE(errors.late, areExact ? 1e-9 : 0.25 / n) << "order " << order;
          }
        }
      }
    }
  }
}

/// Speeds 1 and `ratio` along axes that are turned by half a radian.
SymmetricTensor turned(double ratio) {
  const double c = std::cos(0.5);
  const double s = std::sin(0.5);
  const double a = ratio * ratio;
  return {a * c * c + s * s, a * s * s + c * c, 1.0, (a - 1.0) * c * s, 0.0, 0.0};
}

TYPED_TEST(FactoredSources, AreExactInTensorsOfAnyRatio) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const int dimension : {2, 3}) {
    for (const double shaken : {0.0, 0.15}) {
      const int n = dimension == 3 ? 7 : 8;
      HostMesh mesh = gridMesh(dimension == 3 ? ElementType::Tetrahedron : ElementType::Triangle, n);
      shake(mesh, random, shaken / n, dimension);
      Places one;
      one.addVertex(mesh, nearest(mesh, {{0.5, 0.5, dimension == 3 ? 0.5 : 0.0}}));
      Places several = one;
      several.addVertex(mesh, 3);
      several.addVertex(mesh, mesh.points.size() - 5);
      for (const double ratio : {2.0, 5.0, 20.0}) {
        const Range errors = errorsFrom<TypeParam>(mesh, turned(ratio), one, {0.0}, ofOrder(1));
        EXPECT_LE(errors.early, 1e-12) << ratio;
        EXPECT_LE(errors.late, 1e-12) << ratio;
        const Range ofSeveral = errorsFrom<TypeParam>(mesh, turned(ratio), several, {0.0, 0.02, 0.1}, ofOrder(1));
        EXPECT_LE(ofSeveral.early, 1e-12) << ratio;
        EXPECT_LE(ofSeveral.late, 1.0 / n) << ratio; // where fronts meet
      }
    }
  }
}

/// The unit sphere by an icosahedron that is halved so often.
HostMesh sphereMesh(int numHalvings) {
  const double g = 0.5 * (1.0 + std::sqrt(5.0));
  HostMesh mesh;
  mesh.points = {{{-1, g, 0}}, {{1, g, 0}}, {{-1, -g, 0}}, {{1, -g, 0}}, {{0, -1, g}}, {{0, 1, g}}, {{0, -1, -g}},
    {{0, 1, -g}}, {{g, 0, -1}}, {{g, 0, 1}}, {{-g, 0, -1}}, {{-g, 0, 1}}};
  const auto onSphere = [](const Point& x) { return (1.0 / length(x)) * x; };
  std::transform(mesh.points.begin(), mesh.points.end(), mesh.points.begin(), onSphere);
  using Triangle = std::array<std::int64_t, 3>;
  std::vector<Triangle> triangles{{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
    {11, 10, 2}, {10, 7, 6}, {7, 1, 8}, {3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11},
    {6, 2, 10}, {8, 6, 7}, {9, 8, 1}};
  for (int k = 0; k < numHalvings; ++k) {
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> middles;
    const auto middle = [&](std::int64_t a, std::int64_t b) {
      const auto [at, isNew] = middles.try_emplace(std::minmax(a, b), mesh.numVertices());
      if (isNew) {
        mesh.points.push_back(
          onSphere(mesh.points[static_cast<std::size_t>(a)] + mesh.points[static_cast<std::size_t>(b)]));
      }
      return at->second;
    };
    std::vector<Triangle> finer;
    for (const auto& [a, b, c] : triangles) {
      const std::int64_t ab = middle(a, b);
      const std::int64_t bc = middle(b, c);
      const std::int64_t ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    triangles = finer;
  }
  for (const Triangle& triangle : triangles) {
    mesh.add(ElementType::Triangle, triangle);
  }
  return mesh;
}

struct Errors {
  double mean = 0.0;
  double early = 0.0;
};

template <class Exact>
Errors errorsOf(const HostMesh& mesh, const Times& times, const Exact& exact) {
  Errors errors;
  double count = 0.0;
  for (std::size_t v = 0; v < times.size(); ++v) {
    if (times[v] < notReached) {
      const double late = times[v] - exact(mesh.points[v]);
      errors.mean += std::abs(late);
      errors.early = std::max(errors.early, -late);
      ++count;
    }
  }
  errors.mean /= count;
  return errors;
}

/// The mean of bounds for factored times of first order on the unit sphere, where fronts come later than a straight
/// line through it explains, so that leads fade out.
double meanBoundOnSphere(const HostMesh& mesh, std::size_t place) {
  const Point& source = mesh.points[place];
  RayProblem problem;
  problem.time = [&](const Point& x) { return 2.0 * std::asin(std::min(1.0, 0.5 * length(x - source))); };
  problem.slowness = [](std::int64_t /*element*/) { return 1.0; };
  problem.lead = [&](const Point& x, const Point& nearby) {
    const double straight = length(nearby - source);
    const double late = problem.time(nearby) - straight;
    return std::max(0.0, 1.0 - (late > 0.0 ? late / (detourShare * straight) : 0.0)) * leadOf(source, x, nearby);
  };
  Times bounds(mesh.points.size(), notReached);
  bounds[place] = 0.0;
  boundErrors<3>(mesh, problem, 3, bounds);
  return std::accumulate(bounds.begin(), bounds.end(), 0.0) / static_cast<double>(bounds.size());
}

TYPED_TEST(FactoredSources, GreatCirclesAreBetterThanWithAnyRadius) {
  std::vector<double> ofSecondOrder;
  for (const int numHalvings : {4, 5}) { // 2,562 and 10,242 points
    const HostMesh mesh = sphereMesh(numHalvings);
    const Point place = mesh.points[100];
    const auto exact = [&](const Point& x) { return 2.0 * std::asin(std::min(1.0, 0.5 * length(x - place))); };
    const auto errorWithin = [&](int order, FactorBy by, double radius) {
      ArrivalOptions options = ofOrder(order, by);
      options.factoring.radius = radius;
      const auto solution = solve<TypeParam>(mesh, Speed::constant(1.0), HostSources::at(place), options);
      return errorsOf(mesh, solution.times, exact).mean;
    };
    const double bound = meanBoundOnSphere(mesh, 100);
    for (const int order : {1, 2}) {
      const double plain = errorWithin(order, FactorBy::Nothing, notReached);
      const double factored = errorWithin(order, FactorBy::Points, notReached);
      std::cout << "sphere, order " << order << ": mean error " << factored << ", without factoring " << plain
                << ", bound of first order " << bound << '\n';
      EXPECT_LE(factored, bound);
      EXPECT_GT(plain, bound); // of h log h in both orders
      // At 1.1 times are so late that no lead is left.
      for (const double radius : {0.1, 0.25, 0.5}) {
        EXPECT_LT(factored, errorWithin(order, FactorBy::Points, radius)) << "within " << radius;
      }
      if (order == 2) {
        ofSecondOrder.push_back(factored);
      }
    }
  }
  EXPECT_GT(order(ofSecondOrder[0], ofSecondOrder[1]), 1.5); // nearer to 2 than to 1
}

/// A wall from the lower side of the unit square, and how far places are from one before it.
struct AroundAWall {
  static constexpr double left = 0.4;
  static constexpr double right = 0.5;
  static constexpr double top = 0.6;
  Point source{{0.113, 0.217, 0.0}};

  [[nodiscard]] static bool isWithin(const Point& x) { return x[0] > left && x[0] < right && x[1] < top; }
  /// Whether nothing is between a place and the source.
  [[nodiscard]] bool sees(const Point& x) const {
    return x[0] <= left || source[1] + (x[1] - source[1]) * (left - source[0]) / (x[0] - source[0]) >= top;
  }
  [[nodiscard]] double distance(const Point& x) const {
    const Point corners[2] = {{{left, top, 0.0}}, {{right, top, 0.0}}};
    if (sees(x)) {
      return length(x - source);
    }
    const double toFirst = length(corners[0] - source);
    return x[0] < right || x[1] >= top ? toFirst + length(x - corners[0])
                                       : toFirst + length(corners[1] - corners[0]) + length(x - corners[1]);
  }
};

TYPED_TEST(FactoredSources, BehindAWallAreHardlyEarly) {
  const AroundAWall wall;
  for (const int n : {20, 40, 80}) {
    const HostMesh mesh = gridMesh(ElementType::Triangle, n);
    Times speeds;
    for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
      const Point middle = 1.0 / 3.0 * (mesh.corner(e, 0) + mesh.corner(e, 1) + mesh.corner(e, 2));
      speeds.push_back(AroundAWall::isWithin(middle) ? 0.0 : 1.0);
    }
    const auto there = copied<double, TypeParam>(speeds);
    const auto exact = [&](const Point& x) { return wall.distance(x); };
    const auto timesWithin = [&](FactorBy by, double radius) {
      ArrivalOptions options = ofOrder(1, by);
      options.zeroSpeed = ZeroSpeed::Wall;
      options.factoring.radius = radius;
      return solve<TypeParam>(mesh, Speed::ofElements(there.data()), HostSources::at(wall.source), options).times;
    };
    // What sees the source has its exact time, but for leads beside the shadow. What does not has errors as fronts from
    // the wall's corners have them without factoring, at the most.
    Times bounds(mesh.points.size(), notReached);
    for (std::size_t v = 0; v < bounds.size(); ++v) {
      bounds[v] = wall.sees(mesh.points[v]) ? 0.0 : notReached;
    }
    boundErrors<3>(mesh, {exact, [](std::int64_t /*element*/) { return 1.0; }}, 2, bounds);
    const Errors factored = errorsOf(mesh, timesWithin(FactorBy::Points, notReached), exact);
    const Errors plain = errorsOf(mesh, timesWithin(FactorBy::Nothing, notReached), exact);
    double meanBound = 0.0;
    double count = 0.0;
    for (std::size_t v = 0; v < bounds.size(); ++v) {
      const bool isReached = !AroundAWall::isWithin(mesh.points[v]);
      meanBound += isReached ? bounds[v] : 0.0;
      count += isReached ? 1.0 : 0.0;
    }
    meanBound /= count;
    std::cout << "wall, n = " << n << ": mean error " << factored.mean * n << " h, its bound " << meanBound * n
              << " h, early " << factored.early * n << " h, without factoring " << plain.mean * n << " h\n";
    EXPECT_LE(factored.early, detourShare / n);
    EXPECT_LE(factored.mean, meanBound);
    EXPECT_GT(plain.mean, meanBound);
    for (const double radius : {0.1, 0.3, 0.6}) {
      EXPECT_LT(factored.mean, errorsOf(mesh, timesWithin(FactorBy::Points, radius), exact).mean) << radius;
    }
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
