// Orders of arrival times from a point in the unit cube to steps of 1/100, on tetrahedra and on cells: what the tables
// of Documentation/Performance.md say.

#include "Testing/Core/Solvers/Eikonal/Arrivals.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"

#include <array>
#include <cmath>

namespace spanwise::eikonal::testing {
namespace {

/// Speed 1 + g . x: fronts are spheres, with their centres moving (M. M. Slotnick, Geophysics 1 (1936)).
struct SpeedGradient {
  Point gradient{{0.5, 0.8, 1.1}};

  [[nodiscard]] double speed(const Point& x) const { return 1.0 + dot(gradient, x); }
  [[nodiscard]] double time(const Point& from, const Point& to) const {
    const Point e = to - from;
    const double g = length(gradient);
    return std::acosh(1.0 + 0.5 * g * g * dot(e, e) / (speed(from) * speed(to))) / g;
  }
};

constexpr std::array steps{25, 50, 100};

double meshError(int n, const Point& place, FactorBy by) {
  const SpeedGradient medium;
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, n);
  Times speeds;
  for (const Point& x : mesh.points) {
    speeds.push_back(medium.speed(x));
  }
  const auto there = copied<double, HostExecutionSpace>(speeds);
  ArrivalOptions options;
  options.factoring.by = by;
  const auto solution =
    solve<HostExecutionSpace>(mesh, Speed::ofVertices(there.data()), HostSources::at(place), options);
  double sum = 0.0;
  for (std::size_t v = 0; v < mesh.points.size(); ++v) {
    sum += std::abs(solution.times[v] - medium.time(place, mesh.points[v]));
  }
  return sum / static_cast<double>(mesh.points.size());
}

double gridError(int n, const Point& place, int order, double radius) {
  const SpeedGradient medium;
  GridProblem<HostExecutionSpace, 3> problem(allCells<3>(0, n), latticeOf<3>(1.0 / n));
  problem.speeds([&](const std::array<double, 3>& at) { return medium.speed({{at[0], at[1], at[2]}}); });
  GridOptions options;
  options.order = order;
  problem.solve(options, {{{place[0], place[1], place[2]}, 0.0}}, radius);
  const auto exact = [&](const std::array<double, 3>& at) { return medium.time(place, {{at[0], at[1], at[2]}}); };
  return errorsOf(problem, exact).mean;
}

/// The order between the last two of three errors.
double lastOrder(const char* what, const Times& errors) {
  printOrders(what, errors);
  return order(errors[1], errors[2]);
}

void expectOrders(const char* where, const Point& place, double leastOnMeshes) {
  Times mesh;
  Times plainMesh;
  Times first;
  Times second;
  Times plainSecond;
  for (const int n : steps) {
    mesh.push_back(meshError(n, place, FactorBy::Points));
    plainMesh.push_back(meshError(n, place, FactorBy::Nothing));
    first.push_back(gridError(n, place, 1, notReached));
    second.push_back(gridError(n, place, 2, notReached));
    plainSecond.push_back(gridError(n, place, 2, 0.0));
  }
  std::cout << "source in the " << where << '\n';
  EXPECT_GT(lastOrder("tetrahedra, factored", mesh), leastOnMeshes);
  EXPECT_LT(lastOrder("tetrahedra, plain", plainMesh), 0.9);
  EXPECT_GT(lastOrder("cells, first order, factored", first), 0.9);
  EXPECT_GT(lastOrder("cells, second order, factored", second), 1.7);
  EXPECT_LT(lastOrder("cells, second order, plain", plainSecond), 1.2);
}

TEST(Orders, FromTheCentreOfACube) { expectOrders("centre", {{0.5, 0.5, 0.5}}, 0.9); }
// Here the speed at the far end is 3.4 times that of the source, by which leads are scaled; on meshes the order is 0.67
// between the first two steps and 0.71 between the last.
TEST(Orders, FromTheCornerOfACube) { expectOrders("corner", {{0.0, 0.0, 0.0}}, 0.7); }

} // namespace
} // namespace spanwise::eikonal::testing
