// Arrival times on Delaunay tetrahedra of gmsh that nothing has improved: some have no height to speak of.

#include "Testing/Core/Mesh/GmshFile.hpp"
#include "Testing/Core/Solvers/Eikonal/Arrivals.hpp"
#include "Testing/Core/Solvers/Eikonal/RayErrors.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numbers>
#include <numeric>

namespace spanwise::eikonal::testing {
namespace {

/// The mesh that gmsh makes of Slivers.geo with so many cells an axis.
HostMesh sliverMesh(int n, const std::string& jitter) {
#ifdef SPANWISE_GMSH
  const ::testing::TestInfo* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string("Spanwise-") + test->test_suite_name() + '-' + test->name() + ".msh";
  std::replace(name.begin(), name.end(), '/', '-'); // suites of types have one
  const std::string file = ::testing::TempDir() + name;
  const std::string command = std::string(SPANWISE_GMSH " -3 -nt 1 -v 1 -format msh22 -setnumber n ") +
    std::to_string(n) + " -setnumber jitter " + jitter + " -o '" + file + "' '" + SPANWISE_SLIVERS + "'";
  if (std::system(command.c_str()) != 0) {
    throw std::runtime_error("'" + command + "' failed");
  }
  const HostMesh mesh = spanwise::testing::readGmsh(file);
  std::remove(file.c_str());
  return mesh;
#else
  static_cast<void>(n);
  static_cast<void>(jitter);
  return {};
#endif
}

class GmshSlivers : public ::testing::Test {
protected:
  void SetUp() override {
#ifndef SPANWISE_GMSH
    GTEST_SKIP() << "gmsh was not found when this was configured";
#endif
  }
};

template <class Space>
class GmshSliversOn : public GmshSlivers {};
TYPED_TEST_SUITE(GmshSliversOn, AllSpaces, SpaceNames);

/// The least angle in degrees between two faces of a tetrahedron.
double minDihedralAngle(const HostMesh& mesh, std::int64_t element) {
  constexpr int edges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
  double least = std::numbers::pi;
  for (const auto& edge : edges) { // and the corners on both sides
    const Point from = mesh.corner(element, edge[0]);
    const Point along = mesh.corner(element, edge[1]) - from;
    const Point one = cross(along, mesh.corner(element, edge[2]) - from);
    const Point two = cross(along, mesh.corner(element, edge[3]) - from);
    least = std::min(least, std::atan2(length(cross(one, two)), dot(one, two)));
  }
  return least * 180.0 / std::numbers::pi;
}

struct SliverMesh {
  HostMesh mesh;
  std::int64_t middle = 0;
  double minAngle = 180.0;     ///< in degrees
  std::int64_t numSlivers = 0; ///< tetrahedra with an angle below one degree

  SliverMesh(int n, const std::string& jitter) : mesh(sliverMesh(n, jitter)) {
    middle = static_cast<std::int64_t>(nearest(mesh, {{0.5, 0.5, 0.5}}));
    for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
      const double angle = minDihedralAngle(mesh, e);
      minAngle = std::min(minAngle, angle);
      numSlivers += angle < 1.0 ? 1 : 0;
    }
    std::cout << mesh.numElements() << " tetrahedra, " << numSlivers << " with an angle below one degree, the least "
              << minAngle << '\n';
  }

  [[nodiscard]] HostSources source() const {
    HostSources sources;
    sources.vertices = {middle};
    return sources;
  }
  [[nodiscard]] double exact(const SymmetricTensor& tensor, std::size_t vertex) const {
    return travelTime(tensor, mesh.points[vertex] - mesh.points[static_cast<std::size_t>(middle)]);
  }
};

const SymmetricTensor isotropic = SymmetricTensor::isotropic(1.0);
// speed 1 along the diagonal of the cube and 0.1 across it
const SymmetricTensor stretched{0.34, 0.34, 0.34, 0.33, 0.33, 0.33};

/// The mean of bounds of times from the middle, as fronts see the mesh: stretched so that lengths are times.
double meanBound(const SliverMesh& slivers, const SymmetricTensor& tensor) {
  FactorPlace seen;
  seen.place = slivers.mesh.points[static_cast<std::size_t>(slivers.middle)];
  seen.setMedium(tensor.inverse());
  HostMesh mesh = slivers.mesh;
  for (Point& point : mesh.points) {
    point = seen.stretched(point).y;
  }
  RayProblem rays;
  rays.time = [](const Point& x) { return length(x); };
  rays.slowness = [](std::int64_t) { return 1.0; };
  Times bounds(mesh.points.size(), notReached);
  bounds[static_cast<std::size_t>(slivers.middle)] = 0.0;
  boundErrors<4>(mesh, rays, 3, bounds);
  return std::accumulate(bounds.begin(), bounds.end(), 0.0) / static_cast<double>(bounds.size());
}

TYPED_TEST(GmshSliversOn, TimesAreNeverBeforeTheFrontAndFallTowardsIt) {
  const std::array meshes{SliverMesh(8, "1e-3"), SliverMesh(16, "1e-3")};
  for (const SymmetricTensor& tensor : {isotropic, fullTensor, stretched}) {
    for (const SliverMesh& slivers : meshes) {
      ASSERT_GT(slivers.numSlivers, 0);
      const auto solution = solve<TypeParam>(slivers.mesh, Speed::constant(tensor), slivers.source());
      EXPECT_TRUE(solution.report.iteration.converged);
      EXPECT_EQ(solution.report.degenerate.count, 0);
      EXPECT_EQ(solution.report.numUnreached, 0);
      double sum = 0.0;
      for (std::size_t v = 0; v < solution.times.size(); ++v) {
        const double exact = slivers.exact(tensor, v);
        ASSERT_GE(solution.times[v], exact * (1.0 - 1e-12)) << "vertex " << v;
        sum += solution.times[v] - exact;
      }
      const double error = sum / static_cast<double>(solution.times.size());
      const double bound = meanBound(slivers, tensor);
      std::cout << "mean error from a bare point " << error << ", its bound " << bound << '\n';
      EXPECT_LE(error, bound);
    }
  }
}

TYPED_TEST(GmshSliversOn, TetrahedraWithoutHeightAreUsedToo) {
  // heights are the roots of differences of squares, and those of edges of 1 / n wrong by as much as rounding is
  constexpr int n = 12;
  const double rounding = std::sqrt(std::numeric_limits<double>::epsilon()) / n;
  const SliverMesh slivers(n, "1e-5");
  ASSERT_LT(slivers.minAngle, 1e-3);
  for (const SymmetricTensor& tensor : {isotropic, fullTensor}) {
    const auto plain = solve<TypeParam>(slivers.mesh, Speed::constant(tensor), slivers.source());
    ArrivalOptions options;
    options.factoring.by = FactorBy::PointsAndVertices;
    const auto factored = solve<TypeParam>(slivers.mesh, Speed::constant(tensor), slivers.source(), options);
    for (const auto* const solution : {&plain, &factored}) {
      EXPECT_TRUE(solution->report.iteration.converged);
      EXPECT_EQ(solution->report.degenerate.count, 0);
      EXPECT_EQ(solution->report.numSimplices, slivers.mesh.numElements());
    }
    for (std::size_t v = 0; v < plain.times.size(); ++v) {
      const double exact = slivers.exact(tensor, v);
      ASSERT_GE(plain.times[v], exact * (1.0 - 1e-12));
      ASSERT_NEAR(factored.times[v], exact, rounding); // straight ways through a constant medium
    }
  }
}

TYPED_TEST(GmshSliversOn, APlaneIsExact) {
  const SliverMesh slivers(12, "1e-5");
  HostSources plane;
  plane.surface = {{{0.37, -1.0, -1.0}}, {{0.37, 3.0, -1.0}}, {{0.37, 3.0, 3.0}}, {{0.37, -1.0, 3.0}}};
  plane.triangles = {0, 1, 2, 0, 2, 3};
  const auto solution = solve<TypeParam>(slivers.mesh, Speed::constant(0.5), plane);
  for (std::size_t v = 0; v < solution.times.size(); ++v) {
    ASSERT_NEAR(solution.times[v], std::abs(slivers.mesh.points[v][0] - 0.37) / 0.5, 1e-12);
  }
}

TEST_F(GmshSlivers, TimesHaveTheSameBitsForAnyNumberOfThreads) {
  const SliverMesh slivers(12, "1e-3");
  for (const FactorBy by : {FactorBy::Nothing, FactorBy::PointsAndVertices}) {
    ArrivalOptions options;
    options.factoring.by = by;
    const auto all = solve<HostExecutionSpace>(slivers.mesh, Speed::constant(stretched), slivers.source(), options);
    const auto one = solve<HostExecutionSpace>(slivers.mesh, Speed::constant(stretched), slivers.source(), options, {},
      spanwise::testing::oneThread<HostExecutionSpace>());
    EXPECT_EQ(std::memcmp(all.times.data(), one.times.data(), all.times.size() * sizeof(double)), 0);
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
