#include "Core/Geometry/Surface/ChooseCells.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Surface/SurfaceGrid.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <tuple>

namespace spanwise::testing {
namespace {

template <class Space>
class CellSurface : public ::testing::Test {
protected:
  std::mt19937 random{seed()};
  ::testing::ScopedTrace trace{__FILE__, __LINE__, "seed " + std::to_string(seed())};
};
TYPED_TEST_SUITE(CellSurface, AllSpaces, SpaceNames);

/// A face of a cell: in 3D -x, +x, -y, +y, -z, +z; in 2D the cell itself.
template <int Dim>
struct CellFace {
  Cell<Dim> cell;
  int face;

  friend bool operator<(const CellFace& a, const CellFace& b) {
    return a.cell < b.cell || (a.cell == b.cell && a.face < b.face);
  }
  friend bool operator==(const CellFace&, const CellFace&) = default;
};

/// The faces of cells that `hiding` does not hide, one by one.
template <int Dim>
std::set<CellFace<Dim>> exposedFaces(const CellList<Dim>& cells, const CellList<Dim>& hiding, FaceSet faces) {
  std::set<CellFace<Dim>> exposed;
  for (const Cell<Dim>& cell : cells) {
    for (int face = 0; face < (Dim == 2 ? 1 : 6); ++face) {
      Cell<Dim> beside = cell;
      beside.at[face / 2] += face % 2 == 0 ? -1 : 1;
      if (Dim == 2 || (hiding.count(beside) == 0 && ((faces >> face) & 1U) != 0)) {
        exposed.insert({cell, face});
      }
    }
  }
  return exposed;
}

/// Expects that a quad is a face of a cell, counter-clockwise seen from outside; returns which.
template <int Dim>
CellFace<Dim> faceOf(const std::array<Point, 4>& quad, const Cell<Dim>& cell) {
  const Point normal = normalOf(quad);
  EXPECT_EQ(std::abs(normal[0]) + std::abs(normal[1]) + std::abs(normal[2]), 1.0);
  const int axis = normal[0] != 0.0 ? 0 : normal[1] != 0.0 ? 1 : 2;
  const bool upper = normal[static_cast<std::size_t>(axis)] > 0.0;
  EXPECT_EQ(std::set<Point>(quad.begin(), quad.end()).size(), 4U);
  for (const Point& corner : quad) {
    for (int d = 0; d < Dim; ++d) {
      const double above = corner[static_cast<std::size_t>(d)] - cell.at[d];
      EXPECT_TRUE(above == 0.0 || above == 1.0);
      EXPECT_TRUE(d != axis || above == (upper ? 1.0 : 0.0));
    }
  }
  EXPECT_TRUE(Dim == 3 || (axis == 2 && upper && quad[0][2] == 0.0));
  return {cell, Dim == 2 ? 0 : 2 * axis + (upper ? 1 : 0)};
}

/// Expects the surface of `cells`, some of `all`, with the faces that `hiding` does not hide.
template <class Space, int Dim>
void expectSurface(
  const SurfaceCells<Dim>& given, const CellList<Dim>& all, const CellList<Dim>& cells, const CellList<Dim>& hiding) {
  const std::vector<Cell<Dim>> numbered(all.begin(), all.end());
  const std::set<CellFace<Dim>> expected = exposedFaces<Dim>(cells, hiding, given.faces);
  for (const Space& space : ofSeveralThreads<Space>()) {
    const geometry::CellSurface<Space, Dim> surface(space, given);
    EXPECT_EQ(surface.numQuads(), (countQuads<Space, Dim>(Context(space), given)));
    const ArrayOn<long long, Space> cellsOn = newArray<long long, Space>(surface.numQuads());
    surface.fillCells(cellsOn.data());
    const std::vector<long long> cellOf = onHost<Space, long long>(space, cellsOn);
    const Polygons<4> quads = quadsOf(space, surface);
    ASSERT_EQ(quads.size(), expected.size());
    std::set<CellFace<Dim>> found;
    for (std::size_t q = 0; q < quads.size(); ++q) {
      EXPECT_FALSE(surface.keepsNumbers() && cellOf[q] != static_cast<long long>(q));
      found.insert(faceOf<Dim>(quads[q], numbered.at(static_cast<std::size_t>(cellOf[q]))));
    }
    EXPECT_TRUE(found == expected);
  }
}

template <class Space, int dim>
void expectExposedFaces(std::mt19937& random) {
  for (const CellList<dim>& cells : shapes<dim>(random, dim == 2 ? 12 : 6)) {
    const SurfaceGrid<Space, dim> grid(cells);
    expectSurface<Space, dim>(grid.cells(), cells, cells, cells);
    EXPECT_EQ((geometry::CellSurface<Space, dim>(Space(), grid.cells()).keepsNumbers()), dim == 2);
    for (const FaceSet faces : {0U, 1U, 0b100110U}) {
      SurfaceCells<dim> some = grid.cells();
      some.faces = faces;
      expectSurface<Space, dim>(some, cells, cells, cells);
    }
  }
}

TYPED_TEST(CellSurface, HasEachExposedFaceOnce) {
  expectExposedFaces<TypeParam, 2>(this->random);
  expectExposedFaces<TypeParam, 3>(this->random);
}

template <class Space, int dim>
void expectChosenCells(std::mt19937& random) {
  constexpr unsigned char marked = 2;
  for (const CellList<dim>& all : shapes<dim>(random, dim == 2 ? 12 : 6)) {
    const SurfaceGrid<Space, dim> grid(all);
    Box<dim> region{};
    for (int d = 0; d < dim; ++d) {
      region.begin[d] = -4;
      region.end[d] = 3 + d;
    }
    std::vector<unsigned char> flags;
    for (std::size_t c = 0; c < all.size(); ++c) {
      flags.push_back(static_cast<unsigned char>(random() % 4));
    }
    const ArrayOn<unsigned char, Space> flagsOn = arrayOn<Space>(flags);
    for (const bool inRegion : {false, true}) {
      for (const bool unmarked : {false, true}) {
        const CellChoice<dim> choice{inRegion ? &region : nullptr, unmarked ? flagsOn.data() : nullptr, marked};
        IntervalSetOn<dim, Space> chosen;
        ArrayOn<std::int64_t, Space> intervalOf;
        chooseCells<Space, dim>(Context<Space>(), grid.cells().set, choice, chosen, intervalOf);
        CellList<dim> cells;
        std::size_t c = 0;
        for (const Cell<dim>& cell : all) {
          bool isChosen = !unmarked || (flags[c++] & marked) == 0;
          for (int d = 0; d < dim && inRegion; ++d) {
            isChosen = isChosen && cell.at[d] >= region.begin[d] && cell.at[d] < region.end[d];
          }
          if (isChosen) {
            cells.insert(cell);
          }
        }
        expectCells<Space, dim>(chosen, cells);
        SurfaceCells<dim> given = grid.cells();
        given.set = chosen.view();
        given.intervalOfGrid = intervalOf.data();
        expectSurface<Space, dim>(given, all, cells, all); // the others hide faces
        given.hiding = chosen.view();
        expectSurface<Space, dim>(given, all, cells, cells); // the others are not there
      }
    }
  }
}

TYPED_TEST(CellSurface, OfARegionAndOfUnmarkedCellsHasTheirFaces) {
  expectChosenCells<TypeParam, 2>(this->random);
  expectChosenCells<TypeParam, 3>(this->random);
}

template <class Space, int dim>
void expectSharedNodes(std::mt19937& random) {
  const CellList<dim> cells = randomCells<dim>(random, 5, 0.6);
  const SurfaceGrid<Space, dim> grid(cells);
  CellList<dim> nodes;
  for (const Cell<dim>& cell : cells) {
    for (int corner = 0; corner < (1 << dim); ++corner) {
      Cell<dim> node = cell;
      for (int d = 0; d < dim; ++d) {
        node.at[d] += (corner >> d) & 1;
      }
      nodes.insert(node);
    }
  }
  const std::vector<Cell<dim>> numbered(nodes.begin(), nodes.end());
  const GridGeometry<3> lattice{{0.5, -1.25, 3.0}, {0.5, 0.25, 2.0}};
  const Space space;
  const geometry::CellSurface<Space, dim> surface(space, grid.cells());
  const ArrayOn<float, Space> pointsOn = newArray<float, Space>(3 * surface.numPoints());
  const ArrayOn<long, Space> nodesOn = newArray<long, Space>(surface.numPoints());
  surface.fillPoints(lattice, pointsOn.data(), nodesOn.data());
  const std::vector<float> points = onHost<Space, float>(space, pointsOn);
  const std::vector<long> nodeOf = onHost<Space, long>(space, nodesOn);
  for (std::size_t p = 0; p < nodeOf.size(); ++p) {
    EXPECT_TRUE(p == 0 || nodeOf[p - 1] < nodeOf[p]);
    EXPECT_FALSE(surface.keepsNumbers() && nodeOf[p] != static_cast<long>(p));
    const Cell<dim>& node = numbered.at(static_cast<std::size_t>(nodeOf[p]));
    for (int d = 0; d < 3; ++d) {
      const double at = lattice.origin[d] + (d < dim ? node.at[d] : 0) * lattice.spacing[d];
      EXPECT_EQ(points[3 * p + static_cast<std::size_t>(d)], static_cast<float>(at));
    }
  }
  std::set<Point> corners;
  for (const auto& quad : quadsOf(space, surface)) {
    corners.insert(quad.begin(), quad.end());
  }
  EXPECT_EQ(corners.size(), nodeOf.size());
}

TYPED_TEST(CellSurface, SharesPointsAndTellsTheNodesBehindThem) {
  expectSharedNodes<TypeParam, 2>(this->random);
  expectSharedNodes<TypeParam, 3>(this->random);
}

} // namespace
} // namespace spanwise::testing
