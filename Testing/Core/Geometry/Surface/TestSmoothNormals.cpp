#include "Core/Geometry/Surface/SmoothNormals.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Surface/SurfaceGrid.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>

namespace spanwise::testing {
namespace {

/// The gradient of the occupancy, weighted by a Gaussian over the cells up to three away, summed cell by cell.
Point gradientAt(const Point& node, const CellList<3>& cells) {
  Point gradient{};
  for (const Cell<3>& cell : cells) {
    Point offset{};
    double square = 0.0;
    bool isNear = true;
    for (std::size_t d = 0; d < 3; ++d) {
      offset[d] = cell.at[d] + 0.5 - node[d];
      square += offset[d] * offset[d];
      isNear = isNear && std::abs(offset[d]) < 3.0;
    }
    for (std::size_t d = 0; d < 3 && isNear; ++d) {
      gradient[d] += std::exp(-0.5 * square / (1.5 * 1.5)) * offset[d];
    }
  }
  return gradient;
}

struct NormalsOfSurface {
  std::vector<double> points; ///< in cells
  std::vector<float> normals;
};

template <class Space>
NormalsOfSurface normalsOf(const Space& space, const SurfaceCells<3>& cells, const GridGeometry<3>& lattice) {
  const CellSurface<Space, 3> surface(space, cells);
  const ArrayOn<double, Space> points = newArray<double, Space>(3 * surface.numPoints());
  const ArrayOn<float, Space> normals = newArray<float, Space>(3 * surface.numPoints());
  const ArrayOn<long long, Space> nodes = newArray<long long, Space>(surface.numPoints());
  surface.fillPoints(unitLattice, points.data(), nodes.data());
  smoothNormals<Space, long long>(Context(space), cells, lattice, {nodes.data(), nodes.extent(0)}, normals.data());
  return {onHost<Space, double>(space, points), onHost<Space, float>(space, normals)};
}

template <class Space>
class SmoothNormals : public ::testing::Test {};
TYPED_TEST_SUITE(SmoothNormals, AllSpaces, SpaceNames);

TYPED_TEST(SmoothNormals, AreMinusTheGradientOfTheOccupancy) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const GridGeometry<3> lattice{{0.5, -1.25, 3.0}, {0.5, 0.25, 2.0}};
  const CellList<3> cells = randomCells<3>(random, 6, 0.6);
  const SurfaceGrid<TypeParam, 3> grid(cells);
  const NormalsOfSurface made = normalsOf(TypeParam(), grid.cells(), lattice);
  ASSERT_GT(made.points.size(), 0U);
  for (std::size_t p = 0; p < made.points.size(); p += 3) {
    Point expected = gradientAt({made.points[p], made.points[p + 1], made.points[p + 2]}, cells);
    for (std::size_t d = 0; d < 3; ++d) {
      expected[d] /= -lattice.spacing[d];
    }
    const double length = std::hypot(expected[0], expected[1], expected[2]);
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_NEAR(made.normals[p + d], expected[d] / length, 1e-5);
    }
  }
  for (const TypeParam& space : ofSeveralThreads<TypeParam>()) {
    EXPECT_TRUE(normalsOf(space, grid.cells(), lattice).normals == made.normals);
  }
}

/// Where opposite sides have the same cells, the gradient is 0.
TEST(SmoothNormals3D, AreUpWhereNoSideIsOutside) {
  const SurfaceGrid<HostExecutionSpace, 3> grid(CellList<3>{{{0, 0, 0}}, {{-1, -1, 0}}, {{0, 0, -1}}, {{-1, -1, -1}}});
  const NormalsOfSurface made = normalsOf(HostExecutionSpace(), grid.cells(), unitLattice);
  bool found = false;
  for (std::size_t p = 0; p < made.points.size(); p += 3) {
    if (made.points[p] == 0.0 && made.points[p + 1] == 0.0 && made.points[p + 2] == 0.0) {
      found = true;
      EXPECT_EQ(made.normals[p], 0.0F);
      EXPECT_EQ(made.normals[p + 1], 0.0F);
      EXPECT_EQ(made.normals[p + 2], 1.0F);
    }
  }
  EXPECT_TRUE(found);
}

} // namespace
} // namespace spanwise::testing
