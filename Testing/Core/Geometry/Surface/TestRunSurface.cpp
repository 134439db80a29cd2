#include "Core/Geometry/Surface/ChooseCells.hpp"
#include "Core/Multilevel/Blocks.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Surface/SurfaceGrid.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <map>

namespace spanwise::testing {
namespace {

using Triangle = std::array<Point, 3>;

// Whether a triangle that is flat along `axis` covers the point q, by the signs of q against its edges.
bool covers(const Triangle& t, const Point& q, std::size_t axis) {
  int signs = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Point side = cross(minus(t[(k + 1) % 3], t[k]), minus(q, t[k]));
    signs += side[axis] > 0.0 ? 1 : -1;
  }
  return std::abs(signs) == 3;
}

template <int Dim>
Polygons<3> runsOf(const CellList<Dim>& cells) {
  const HostExecutionSpace space;
  const SurfaceGrid<HostExecutionSpace, Dim> grid(cells);
  return trianglesOf(space, RunSurface<HostExecutionSpace, Dim>(space, grid.cells()));
}

template <std::size_t corners>
double areaOf(const Polygons<corners>& polygons) {
  double area = 0.0;
  for (const auto& polygon : polygons) {
    const Point n = normalOf(polygon);
    area += std::hypot(n[0], n[1], n[2]) / (corners == 4 ? 1.0 : 2.0);
  }
  return area;
}

TEST(RunSurface2D, CoversEachCellOnceAndNothingElse) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const CellList<2>& cells : shapes<2>(random, 8)) {
    const Polygons<3> triangles = runsOf<2>(cells);
    double area = 0.0;
    for (const Triangle& t : triangles) {
      EXPECT_GT(normalOf(t)[2], 0.0);
      area += 0.5 * normalOf(t)[2];
    }
    EXPECT_EQ(area, static_cast<double>(cells.size()));
    for (Coordinate y = -10; y < 10; ++y) {
      for (Coordinate x = -10; x < 10; ++x) {
        // Off the middle: diagonals pass through it.
        const Point q{x + 0.5 + 1.0 / 17.0, y + 0.5 - 1.0 / 71.0, 0.0};
        const auto count =
          std::count_if(triangles.begin(), triangles.end(), [&](const Triangle& t) { return covers(t, q, 2); });
        EXPECT_EQ(count, cells.count({{x, y}}) > 0 ? 1 : 0) << x << ", " << y;
      }
    }
  }
}

TEST(RunSurface3D, IsClosedWithoutVerticesOnEdges) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const CellList<3>& cells : shapes<3>(random, 5)) {
    // Each edge is run along as often in one direction as in the other, and no edge is split by a vertex of another
    // triangle: otherwise its parts would have no counterpart.
    std::map<std::pair<Point, Point>, int> balance;
    double volume = 0.0;
    for (const Triangle& t : runsOf<3>(cells)) {
      const Point n = normalOf(t);
      EXPECT_EQ((n[0] != 0.0) + (n[1] != 0.0) + (n[2] != 0.0), 1);
      volume += (t[0][0] * n[0] + t[0][1] * n[1] + t[0][2] * n[2]) / 6.0;
      for (std::size_t k = 0; k < 3; ++k) {
        const Point& a = t[k];
        const Point& b = t[(k + 1) % 3];
        balance[std::minmax(a, b)] += a < b ? 1 : -1;
      }
    }
    for (const auto& edge : balance) {
      EXPECT_EQ(edge.second, 0);
    }
    EXPECT_NEAR(volume, static_cast<double>(cells.size()), 1e-9);
  }
}

TEST(RunSurface3D, CoversEachExposedFaceOnce) {
  const HostExecutionSpace space;
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const CellList<3>& cells : shapes<3>(random, 4)) {
    const SurfaceGrid<HostExecutionSpace, 3> grid(cells);
    const Polygons<3> triangles = runsOf<3>(cells);
    const Polygons<4> faces = quadsOf(space, CellSurface<HostExecutionSpace, 3>(space, grid.cells()));
    EXPECT_EQ(areaOf(triangles), static_cast<double>(faces.size()));
    for (const auto& face : faces) {
      const Triangle half{face[0], face[1], face[3]};
      const Point n = normalOf(half);
      const std::size_t axis = n[0] != 0.0 ? 0 : n[1] != 0.0 ? 1 : 2;
      Point q = half[0];
      for (std::size_t d = 0; d < 3; ++d) {
        q[d] += (0.5 + 1.0 / 17.0) * (half[1][d] - half[0][d]) + (0.5 - 1.0 / 71.0) * (half[2][d] - half[0][d]);
      }
      const auto count = std::count_if(triangles.begin(), triangles.end(), [&](const Triangle& t) {
        return t[0][axis] == q[axis] && normalOf(t)[axis] * n[axis] > 0.0 && covers(t, q, axis);
      });
      EXPECT_EQ(count, 1);
    }
  }
}

TEST(RunSurface3D, OfARegionHasTheAreaOfItsCells) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const SurfaceGrid<HostExecutionSpace, 3> grid(randomCells<3>(random, 6, 0.7));
  const Box<3> region{{-3, -2, -4}, {4, 3, 2}};
  HostIntervalSet<3> chosen;
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> intervalOf;
  chooseCells<HostExecutionSpace, 3>(Context<HostExecutionSpace>(), grid.cells().set, {&region}, chosen, intervalOf);
  SurfaceCells<3> cells = grid.cells();
  cells.set = chosen.view();
  cells.intervalOfGrid = intervalOf.data();
  const HostExecutionSpace space;
  EXPECT_EQ(areaOf(trianglesOf(space, RunSurface<HostExecutionSpace, 3>(space, cells))),
    static_cast<double>((countQuads<HostExecutionSpace, 3>(Context(space), cells))));
}

/// The areas towards -x, +x, -y, +y, -z, +z.
template <std::size_t corners>
std::array<double, 6> areasOf(const Polygons<corners>& polygons) {
  std::array<double, 6> areas{};
  for (const auto& polygon : polygons) {
    const Point n = normalOf(polygon);
    for (std::size_t d = 0; d < 3; ++d) {
      areas[2 * d + (n[d] > 0.0 ? 1 : 0)] += std::abs(n[d]) / (corners == 4 ? 1.0 : 2.0);
    }
  }
  return areas;
}

TEST(RunSurface3D, HasTheFacesThatAreWanted) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const HostExecutionSpace space;
  const SurfaceGrid<HostExecutionSpace, 3> grid(randomCells<3>(random, 6, 0.7));
  HostIntervalSet<3> blocks;
  multilevel::makeBlocks<HostExecutionSpace, 3>(Context(space), grid.set(), 1, blocks);
  const SurfaceGrid<HostExecutionSpace, 3> blockGrid(blocks);
  for (const SurfaceGrid<HostExecutionSpace, 3>* const of : {&grid, &blockGrid}) {
    SurfaceCells<3> cells = of->cells();
    const std::array<double, 6> all = areasOf(quadsOf(space, CellSurface<HostExecutionSpace, 3>(space, cells)));
    for (const FaceSet faces : {allFaces, 0U, 1U, 2U, 4U, 8U, 16U, 32U, 0b100110U}) {
      cells.faces = faces;
      const auto ofCells = areasOf(quadsOf(space, CellSurface<HostExecutionSpace, 3>(space, cells)));
      const auto ofRuns = areasOf(trianglesOf(space, RunSurface<HostExecutionSpace, 3>(space, cells)));
      for (unsigned f = 0; f < 6; ++f) {
        const double expected = ((faces >> f) & 1U) != 0 ? all[f] : 0.0;
        EXPECT_EQ(ofCells[f], expected) << "face " << f << " of " << faces;
        EXPECT_EQ(ofRuns[f], expected) << "face " << f << " of " << faces;
      }
    }
  }
}

template <class Space>
class RunSurfaceOn : public ::testing::Test {};
TYPED_TEST_SUITE(RunSurfaceOn, AllSpaces, SpaceNames);

template <class Space, int Dim>
void expectCounts(std::mt19937& random, Coordinate extent) {
  for (const CellList<Dim>& cells : shapes<Dim>(random, extent)) {
    const SurfaceGrid<Space, Dim> grid(cells);
    const Polygons<3> expected = runsOf<Dim>(cells);
    const auto count = static_cast<std::int64_t>(expected.size());
    for (const Space& space : ofSeveralThreads<Space>()) {
      EXPECT_TRUE(trianglesOf(space, RunSurface<Space, Dim>(space, grid.cells())) == expected);
      EXPECT_EQ((countRunTriangles<Space, Dim>(Context(space), grid.cells(), count)), count);
      for (const std::int64_t enough : {std::int64_t{0}, count / 2, count - 1}) {
        const std::int64_t found = countRunTriangles<Space, Dim>(Context(space), grid.cells(), enough);
        EXPECT_TRUE(found <= count && (found > enough || found == count)) << found << " " << enough;
      }
    }
  }
}

TYPED_TEST(RunSurfaceOn, IsCountedBeforeItIsMadeAndTheSameForAnyNumberOfThreads) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectCounts<TypeParam, 2>(random, 10);
  expectCounts<TypeParam, 3>(random, 5);
}

TEST(RunSurface2D, DoesNotGrowWithTheCells) {
  CellList<2> wide;
  for (Coordinate x = 0; x < 5000; ++x) {
    wide.insert({{x, 0}});
  }
  EXPECT_EQ(runsOf<2>(wide).size(), 2U);
}

} // namespace
} // namespace spanwise::testing
