// Orders of arrival times from a point in the unit cube to steps of 1/100, on tetrahedra and on cells: what the tables
// of Documentation/Performance/ArrivalTimes.md say.

#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Core/Solvers/Eikonal/Arrivals.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"
#include "Testing/Core/Solvers/Eikonal/SpeedGradient.hpp"
#include "Testing/Core/Solvers/Eikonal/UpwindErrors.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace spanwise::eikonal::testing {
namespace {

constexpr std::array steps{25, 50, 100};
constexpr SpeedGradient medium{{{0.5, 0.8, 1.1}}};

double meshError(const HostMesh& mesh, const SpeedGradient& speeds, const Point& place, FactorBy by) {
  const auto there = copied<double, HostExecutionSpace>(speeds.speedsOfVertices(mesh));
  ArrivalOptions options;
  options.factoring.by = by;
  const auto solution =
    solve<HostExecutionSpace>(mesh, Speed::ofVertices(there.data()), HostSources::at(place), options);
  double sum = 0.0;
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    sum += std::abs(solution.times[v] - speeds.time(place, mesh.points[v]));
  }
  return sum / static_cast<double>(mesh.points.size());
}

/// The mean of bounds for factored times on a mesh of `gridMesh()`, from one of its vertices.
template <int corners>
double meanBound(const HostMesh& mesh, const SpeedGradient& speeds, const Point& place) {
  Times bounds(mesh.points.size(), notReached);
  bounds[nearest(mesh, place)] = 0.0;
  boundErrors<corners>(mesh, speeds.template raysFrom<corners>(place, mesh), corners - 1, bounds);
  return std::accumulate(bounds.begin(), bounds.end(), 0.0) / static_cast<double>(bounds.size());
}

BoundedErrors gridErrors(int n, const Point& place, int order, double radius) {
  const auto speed = [&](const std::array<double, 3>& at) { return medium.speed({{at[0], at[1], at[2]}}); };
  GridProblem<HostExecutionSpace, 3> problem(allCells<3>(0, n), latticeOf<3>(1.0 / n));
  problem.speeds(speed);
  GridOptions options;
  options.order = order;
  const PointSource<3> source{{place[0], place[1], place[2]}, 0.0};
  problem.solve(options, {source}, radius);
  auto scheme = UpwindScheme<3>::ofSpeed(order, speed);
  scheme.takeOut(source, radius);
  const auto exact = [&](const std::array<double, 3>& at) { return medium.time(place, {{at[0], at[1], at[2]}}); };
  return boundedErrorsOf(problem, scheme, exact);
}

void expectOrdersOnCells(const Point& place) {
  for (const int order : {1, 2}) {
    Times factored;
    Times plain;
    double bound = 0.0;
    for (const int n : steps) {
      const BoundedErrors errors = gridErrors(n, place, order, notReached);
      expectWithinBounds(errors, order);
      factored.push_back(errors.mean);
      plain.push_back(gridErrors(n, place, order, 0.0).mean);
      bound = order * errors.meanBound;
    }
    EXPECT_GT(plain.back(), bound); // of h log h in both orders
    printOrders(order == 1 ? "cells, first order, factored" : "cells, second order, factored", factored);
    printOrders(order == 1 ? "cells, first order, plain" : "cells, second order, plain", plain);
  }
}

void expectOrdersOnMeshes(const Point& place) {
  Times factored;
  Times plain;
  for (const int n : steps) {
    const HostMesh tetrahedra = gridMesh(ElementType::Tetrahedron, n);
    factored.push_back(meshError(tetrahedra, medium, place, FactorBy::Points));
    plain.push_back(meshError(tetrahedra, medium, place, FactorBy::Nothing));
    if (n % 2 == 0 || place[0] == 0.0) { // else no vertex is there
      const double bound = meanBound<4>(tetrahedra, medium, place);
      EXPECT_LE(factored.back(), bound) << n;
      EXPECT_GT(plain.back(), bound) << n; // of h log h
    }
  }
  printOrders("tetrahedra, factored", factored);
  printOrders("tetrahedra, plain", plain);
}

constexpr Point centre{{0.5, 0.5, 0.5}};
constexpr Point corner{{0.0, 0.0, 0.0}};

TEST(Orders, OnCellsFromTheCentreOfACube) { expectOrdersOnCells(centre); }
TEST(Orders, OnCellsFromTheCornerOfACube) { expectOrdersOnCells(corner); }
TEST(Orders, OnTetrahedraFromTheCentreOfACube) { expectOrdersOnMeshes(centre); }
TEST(Orders, OnTetrahedraFromTheCornerOfACube) {
  if (!spanwise::testing::isExhaustive()) {
    GTEST_SKIP() << "takes long: SPANWISE_TEST_ALL=1 has it";
  }
  expectOrdersOnMeshes(corner);
}

// Factored times from a corner have no singular error left: it is bounded by the size h of the elements, and the order
// tends to 1 from below. In the plane, where steps can be small enough to see it, errors are those of a h - b h^(3/2).
// All times are late, by what is interpolated on edges. Nothing is where a front comes along the edges of the mesh,
// from vertex to vertex; from a corner many do, in sectors around the directions of edges that get narrower with h. In
// 3D, in the directions of edges and faces, these are a larger share of all: the order is 0.67 between the first two
// steps above, and 0.71 between the last. Without factoring errors are those of h log h.
TEST(Orders, FromTheCornerOfASquareTendToOne) {
  const SpeedGradient inPlane{{{0.7, 1.1, 0.0}}};
  Times factored;
  Times plain;
  for (const int n : {50, 100, 200, 400, 800}) {
    const HostMesh mesh = gridMesh(ElementType::Triangle, n);
    factored.push_back(meshError(mesh, inPlane, corner, FactorBy::Points));
    plain.push_back(meshError(mesh, inPlane, corner, FactorBy::Nothing));
    const double bound = meanBound<3>(mesh, inPlane, corner);
    EXPECT_LE(factored.back(), bound) << n;
    EXPECT_GT(plain.back(), bound) << n;
  }
  printOrders("triangles, factored", factored);
  printOrders("triangles, plain", plain);
  for (std::size_t k = 2; k < factored.size(); ++k) {
    EXPECT_GT(order(factored[k - 1], factored[k]), order(factored[k - 2], factored[k - 1]));
  }
  // a h - b h^(3/2) by two errors says what the one before them is, but for h^2
  const auto missed = [&](int k) {
    const auto root = [](int of) { return 1.0 / std::sqrt(50 << of); };
    const auto scaled = [&](int of) { return factored[static_cast<std::size_t>(of)] * (50 << of); };
    const double b = (scaled(k + 2) - scaled(k + 1)) / (root(k + 1) - root(k + 2));
    return std::abs(scaled(k) - scaled(k + 2) + b * (root(k) - root(k + 2)));
  };
  for (const int k : {1, 2}) {
    EXPECT_LT(missed(k), 0.75 * missed(k - 1)); // nearer to a half than to one, as of h log h
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
