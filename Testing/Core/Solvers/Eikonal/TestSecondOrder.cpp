// Arrival times of second order on triangles and tetrahedra: observed orders against closed forms, and what they keep
// of those of first order where fronts meet and go around corners.

#include "Testing/Core/Solvers/Eikonal/AroundAWall.hpp"
#include "Testing/Core/Solvers/Eikonal/Arrivals.hpp"
#include "Testing/Core/Solvers/Eikonal/SpeedGradient.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <tuple>

namespace spanwise::eikonal::testing {
namespace {

using Exact = std::function<double(const Point&)>;

struct Errors {
  double mean = 0.0;
  double most = 0.0;
};

Errors errorsOf(const HostMesh& mesh, const Times& times, const Exact& exact) {
  Errors errors;
  std::size_t count = 0;
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    if (times[v] < notReached) {
      const double error = std::abs(times[v] - exact(mesh.points[v]));
      errors.mean += error;
      errors.most = std::max(errors.most, error);
      ++count;
    }
  }
  errors.mean /= static_cast<double>(count);
  return errors;
}

ArrivalOptions ofOrder(int order, FactorBy by = FactorBy::Points) {
  ArrivalOptions options;
  options.order = order;
  options.factoring.by = by;
  return options;
}

HostMesh meshOf(int dimension, int n, double shaken, std::mt19937& random) {
  HostMesh mesh = gridMesh(dimension == 2 ? ElementType::Triangle : ElementType::Tetrahedron, n);
  shake(mesh, random, shaken / n, dimension);
  return mesh;
}

/// Errors of one order on finer and finer meshes.
struct Study {
  Times means;
  Times mosts;

  void add(const Errors& errors) {
    means.push_back(errors.mean);
    mosts.push_back(errors.most);
  }
  void print(const std::string& what) const {
    printOrders((what + ", mean").c_str(), means);
    printOrders((what + ", most").c_str(), mosts);
  }
  /// Whether the mean order over the last two refinements is nearer to 2 than to 1, which is that of times of first
  /// order and of second order without what the gradients at corners add.
  static bool isOfSecondOrder(const Times& errors) {
    return 0.5 * order(errors[errors.size() - 3], errors.back()) > 1.5;
  }
};

struct Studies {
  Study first;
  Study second;

  void print(const std::string& what) const {
    first.print(what + ", first order");
    second.print(what + ", second order");
  }
};

using SourcesOfMesh = std::function<HostSources(const HostMesh&)>;

/// Vertices within a ball, with their exact times.
void addBall(HostSources& sources, const HostMesh& mesh, const Point& centre, double radius, double outer) {
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    const double distance = length(mesh.points[v] - centre);
    if (distance <= outer) {
      sources.vertices.push_back(static_cast<std::int64_t>(v));
      sources.vertexTimes.push_back(distance - radius);
    }
  }
}

struct SecondOrder : ::testing::TestWithParam<std::tuple<int, double>> {
  int dimension = std::get<0>(GetParam());
  double shaken = std::get<1>(GetParam());
  Point centre{{0.437, 0.523, dimension == 2 ? 0.0 : 0.481}};

  [[nodiscard]] std::string name(const char* what) const {
    return std::string(what) + " in " + std::to_string(dimension) + "D" + (shaken > 0.0 ? ", shaken" : "");
  }

  [[nodiscard]] Studies study(const char* what, const SourcesOfMesh& sources, const Exact& exact,
    const std::function<double(const Point&)>& speed = nullptr, const SymmetricTensor& tensor = {}) const {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    Studies studies;
    std::mt19937 random(seed());
    for (const int n : dimension == 2 ? std::vector{40, 80, 160} : std::vector{12, 24, 48}) {
      const HostMesh mesh = meshOf(dimension, n, shaken, random);
      Times speeds;
      if (speed) {
        std::transform(mesh.points.begin(), mesh.points.end(), std::back_inserter(speeds), speed);
      }
      const auto there = copied<double, HostExecutionSpace>(speeds);
      const Speed medium = speed ? Speed::ofVertices(there.data()) : Speed::constant(tensor);
      const HostSources from = sources(mesh);
      const auto one = solve<HostExecutionSpace>(mesh, medium, from, ofOrder(1));
      const auto two = solve<HostExecutionSpace>(mesh, medium, from, ofOrder(2));
      studies.first.add(errorsOf(mesh, one.times, exact));
      studies.second.add(errorsOf(mesh, two.times, exact));
      const SecondOrderReport& report = two.report.secondOrder;
      EXPECT_GT(report.numSecond, n > 20 ? 3 * report.numFirst : 0);
      EXPECT_GT(report.numWaves, n / 2);
      EXPECT_EQ(one.report.secondOrder.numWaves, 0);
    }
    studies.print(name(what));
    return studies;
  }
};

TEST_P(SecondOrder, FromASphere) {
  const Studies errors = study(
    "sphere",
    [&](const HostMesh& mesh) {
      HostSources sources;
      addBall(sources, mesh, centre, 0.2, 0.3);
      return sources;
    },
    [&](const Point& x) { return length(x - centre) - 0.2; });
  EXPECT_TRUE(Study::isOfSecondOrder(errors.second.means));
  EXPECT_TRUE(Study::isOfSecondOrder(errors.second.mosts));
  EXPECT_LT(errors.second.means.back(), errors.first.means.back());
}

TEST_P(SecondOrder, FromAPlaneIsExact) {
  const Point normal = dimension == 2 ? Point{{0.8, 0.6, 0.0}} : Point{{0.6, 0.48, 0.64}};
  const Studies errors = study(
    "plane",
    [&](const HostMesh& mesh) { // all of the boundary that the front comes in through
      HostSources sources;
      for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        const Point& x = mesh.points[v];
        if (std::min({x[0], x[1], dimension == 2 ? 1.0 : x[2]}) == 0.0) {
          sources.vertices.push_back(static_cast<std::int64_t>(v));
          sources.vertexTimes.push_back(dot(normal, x));
        }
      }
      return sources;
    },
    [&](const Point& x) { return dot(normal, x); });
  EXPECT_LT(errors.second.mosts.back(), 1e-12);
}

TEST_P(SecondOrder, FromAPointInAConstantMediumIsExact) {
  SymmetricTensor tensor = fullTensor;
  if (dimension == 2) {
    tensor.yz = tensor.xz = 0.0;
  }
  const Studies errors = study(
    "point, tensor", [&](const HostMesh&) { return HostSources::at(centre); },
    [&](const Point& x) { return travelTime(tensor, x - centre); }, nullptr, tensor);
  EXPECT_LT(errors.second.mosts.back(), 1e-12);
}

TEST_P(SecondOrder, FromAPointInAGradientOfSpeed) {
  const SpeedGradient medium{{{0.7, 1.1, dimension == 2 ? 0.0 : 0.5}}};
  const Studies errors = study(
    "gradient of speed", [&](const HostMesh&) { return HostSources::at(centre); },
    [&](const Point& x) { return medium.time(centre, x); }, [&](const Point& x) { return medium.speed(x); });
  EXPECT_TRUE(Study::isOfSecondOrder(errors.second.means));
  EXPECT_LT(errors.second.means.back(), errors.first.means.back());
}

TEST_P(SecondOrder, OfTwoFrontsThatMeet) {
  const Point other{{0.81, 0.77, dimension == 2 ? 0.0 : 0.69}};
  const Studies errors = study(
    "two spheres",
    [&](const HostMesh& mesh) {
      HostSources sources;
      addBall(sources, mesh, centre, 0.1, 0.15);
      addBall(sources, mesh, other, 0.1, 0.15);
      return sources;
    },
    [&](const Point& x) { return std::min(length(x - centre), length(x - other)) - 0.1; });
  EXPECT_TRUE(Study::isOfSecondOrder(errors.second.means)); // of first order in a layer whose width falls with h
  EXPECT_LT(errors.second.means.back(), errors.first.means.back());
  EXPECT_LT(errors.second.mosts.back(), errors.first.mosts.back());
}

INSTANTIATE_TEST_SUITE_P(
  OfSimplices, SecondOrder, ::testing::Combine(::testing::Values(2, 3), ::testing::Values(0.0, 0.2)));

TEST(SecondOrderOfFronts, GoAroundWalls) {
  const AroundAWall wall{0.4, 0.5, 0.6, {{0.113, 0.217, 0.0}}};
  Studies studies;
  for (const int n : {20, 40, 80}) {
    const HostMesh mesh = gridMesh(ElementType::Triangle, n);
    Times speeds;
    for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
      const Point middle = 1.0 / 3.0 * (mesh.corner(e, 0) + mesh.corner(e, 1) + mesh.corner(e, 2));
      speeds.push_back(wall.isWall(middle) ? 0.0 : 1.0);
    }
    const auto there = copied<double, HostExecutionSpace>(speeds);
    const auto exact = [&](const Point& x) { return wall.distance(x); };
    for (const int order : {1, 2}) {
      ArrivalOptions options = ofOrder(order);
      options.zeroSpeed = ZeroSpeed::Wall;
      const auto solution =
        solve<HostExecutionSpace>(mesh, Speed::ofElements(there.data()), HostSources::at(wall.source), options);
      (order == 1 ? studies.first : studies.second).add(errorsOf(mesh, solution.times, exact));
    }
  }
  studies.print("around a wall");
  for (std::size_t k = 0; k < studies.first.means.size(); ++k) {
    EXPECT_LT(studies.second.means[k], studies.first.means[k]);
    EXPECT_LT(studies.second.mosts[k], 1.5 * studies.first.mosts[k]);
  }
}

/// Sources of many kinds in a medium that changes from element to element.
template <class Space>
Solution<Space> solveInAnyMedium(const HostMesh& mesh, const Times& tensors, int order, const Space& space = {}) {
  HostSources sources = HostSources::at({{0.31, 0.42, 0.53}});
  addSphere(sources, {{0.7, 0.6, 0.6}}, 0.2, 6);
  sources.vertices = {3, 170};
  sources.vertexTimes = {0.1, 0.2};
  const auto there = copied<double, Space>(tensors);
  return solve<Space>(
    mesh, Speed::tensorOfElements(there.data()), sources, ofOrder(order, FactorBy::PointsAndVertices), {}, space);
}

struct AnyMedium {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 10);
  Times tensors;

  AnyMedium() {
    std::mt19937 random(seed());
    shake(mesh, random, 0.02, 3);
    std::uniform_real_distribution<double> factor(0.2, 2.0);
    for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
      tensors.insert(tensors.end(), {factor(random), factor(random), factor(random), 0.1, -0.05, 0.08});
    }
  }
};

template <class Space>
class SecondOrderOn : public ::testing::Test {};
TYPED_TEST_SUITE(SecondOrderOn, AllSpaces, SpaceNames);

TYPED_TEST(SecondOrderOn, IsNearTheFirstInAnyMedium) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const AnyMedium medium;
  const auto first = solveInAnyMedium<TypeParam>(medium.mesh, medium.tensors, 1);
  const auto second = solveInAnyMedium<TypeParam>(medium.mesh, medium.tensors, 2);
  const double slowest = 1.0 / std::sqrt(0.1); // tensors have eigenvalues above 0.1
  for (std::size_t v = 0; v < medium.mesh.points.size(); ++v) {
    EXPECT_NEAR(second.times[v], first.times[v], 0.5 * slowest * std::sqrt(3.0) / 10);
  }
}

TYPED_TEST(SecondOrderOn, OrdersMustBeOneOrTwo) {
  const HostMesh mesh = gridMesh(ElementType::Triangle, 2);
  const auto message =
    messageOf([&] { solve<TypeParam>(mesh, Speed::constant(1.0), HostSources::at({{0.4, 0.5, 0.0}}), ofOrder(3)); });
  EXPECT_EQ(message, "the order of times is 3: it must be 1 or 2");
}

TEST(SecondOrderOnTheHost, HasTheSameBitsForAnyNumberOfThreads) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const AnyMedium medium;
  const auto once = solveInAnyMedium<HostExecutionSpace>(medium.mesh, medium.tensors, 2);
  for (const HostExecutionSpace& space : spanwise::testing::ofSeveralThreads<HostExecutionSpace>()) {
    const auto again = solveInAnyMedium<HostExecutionSpace>(medium.mesh, medium.tensors, 2, space);
    ASSERT_EQ(std::memcmp(again.times.data(), once.times.data(), once.times.size() * sizeof(double)), 0);
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
