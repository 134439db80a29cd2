#include "Testing/Filters/Rendering/Faces.hpp"
#include "Testing/Filters/Rendering/Grids.hpp"

#include "SpanwiseSurface.h"

#include <cmath>
#include <map>

namespace spanwise::testing {
namespace {

using Point = std::array<double, 3>;

struct Triangle {
  Point p[3];
};

std::vector<Triangle> trianglesOf(vtkPolyData* surface) {
  std::vector<Triangle> triangles;
  vtkNew<vtkIdList> points;
  for (vtkIdType c = 0; c < surface->GetNumberOfCells(); ++c) {
    surface->GetCellPoints(c, points);
    Triangle triangle;
    EXPECT_EQ(points->GetNumberOfIds(), 3);
    for (int k = 0; k < 3; ++k) {
      surface->GetPoint(points->GetId(k), triangle.p[k].data());
    }
    triangles.push_back(triangle);
  }
  return triangles;
}

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Twice the area times the normal.
Point normalOf(const Triangle& t) { return cross(minus(t.p[1], t.p[0]), minus(t.p[2], t.p[0])); }

// Whether a triangle that is flat along `axis` covers the point q, by the signs of q against its edges.
bool covers(const Triangle& t, const Point& q, std::size_t axis) {
  int signs = 0;
  for (int k = 0; k < 3; ++k) {
    const Point side = cross(minus(t.p[(k + 1) % 3], t.p[k]), minus(q, t.p[k]));
    signs += side[axis] > 0.0 ? 1 : -1;
  }
  return std::abs(signs) == 3;
}

template <int Dim>
vtkSmartPointer<vtkPolyData> runsOf(const CellList<Dim>& cells, SurfaceKind kind = SurfaceKind::Runs) {
  const auto grid = makeGrid<Dim>(cells, GridPlacement());
  auto surface = vtkSmartPointer<vtkPolyData>::New();
  SurfaceOptions options;
  options.kind = kind;
  makeSurface(grid.Get(), drawnCells<Dim>(gridOf<Dim>(grid)), options, surface.Get());
  return surface;
}

TEST(RunSurface2D, CoversEachCellOnceAndNothingElse) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const CellList<2>& cells : shapes<2>(random, 8)) {
    const auto triangles = trianglesOf(runsOf<2>(cells));
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
    for (const Triangle& t : trianglesOf(runsOf<3>(cells))) {
      const Point n = normalOf(t);
      EXPECT_EQ((n[0] != 0.0) + (n[1] != 0.0) + (n[2] != 0.0), 1);
      volume += (t.p[0][0] * n[0] + t.p[0][1] * n[1] + t.p[0][2] * n[2]) / 6.0;
      for (int k = 0; k < 3; ++k) {
        const Point& a = t.p[k];
        const Point& b = t.p[(k + 1) % 3];
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
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const CellList<3>& cells : shapes<3>(random, 4)) {
    const auto triangles = trianglesOf(runsOf<3>(cells));
    double area = 0.0;
    for (const Triangle& t : triangles) {
      const Point n = normalOf(t);
      area += 0.5 * std::hypot(n[0], n[1], n[2]);
    }
    const auto faces = facesOf(runsOf<3>(cells, SurfaceKind::Cells));
    EXPECT_EQ(area, static_cast<double>(faces.size()));
    for (const Face& face : faces) {
      const Triangle half{{{face.corners[0][0], face.corners[0][1], face.corners[0][2]},
        {face.corners[1][0], face.corners[1][1], face.corners[1][2]},
        {face.corners[3][0], face.corners[3][1], face.corners[3][2]}}};
      const Point n = normalOf(half);
      const std::size_t axis = n[0] != 0.0 ? 0 : n[1] != 0.0 ? 1 : 2;
      Point q = half.p[0];
      for (std::size_t d = 0; d < 3; ++d) {
        q[d] += (0.5 + 1.0 / 17.0) * (half.p[1][d] - half.p[0][d]) + (0.5 - 1.0 / 71.0) * (half.p[2][d] - half.p[0][d]);
      }
      const auto count = std::count_if(triangles.begin(), triangles.end(), [&](const Triangle& t) {
        return t.p[0][axis] == q[axis] && normalOf(t)[axis] * n[axis] > 0.0 && covers(t, q, axis);
      });
      EXPECT_EQ(count, 1);
    }
  }
}

TEST(RunSurface3D, OfARegionHasTheAreaOfItsCells) {
  std::mt19937 random(seed());
  const auto grid = makeGrid<3>(randomCells<3>(random, 6, 0.7), GridPlacement());
  const Box<3> region{{-3, -2, -4}, {4, 3, 2}};
  const DrawnCells<3> drawn = drawnCells<3>(gridOf<3>(grid), nullptr, &region);
  vtkNew<vtkPolyData> runs;
  SurfaceOptions options;
  options.kind = SurfaceKind::Runs;
  makeSurface(grid.Get(), drawn, options, runs.Get());
  double area = 0.0;
  for (const Triangle& t : trianglesOf(runs)) {
    const Point n = normalOf(t);
    area += 0.5 * std::hypot(n[0], n[1], n[2]);
  }
  EXPECT_EQ(area, static_cast<double>(countPolygons(drawn, SurfaceKind::Cells)));
}

TEST(RunSurface3D, HasTheFacesThatAreWanted) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const auto grid = makeGrid<3>(randomCells<3>(random, 6, 0.7), GridPlacement());
  for (const int shift : {0, 1}) {
    for (const SurfaceKind kind : {SurfaceKind::Cells, SurfaceKind::Runs}) {
      const auto areasOf = [&](FaceSet faces) { // towards -x, +x, -y, +y, -z, +z
        DrawnCells<3> drawn = drawnCells<3>(gridOf<3>(grid));
        drawn.faces = faces;
        SurfaceOptions options;
        options.kind = kind;
        options.shift = shift;
        vtkNew<vtkPolyData> surface;
        makeSurface(grid.Get(), drawn, options, surface.Get());
        std::array<double, 6> areas{};
        for (const Face& face : facesOf(surface)) {
          const auto corner = [&](std::size_t k) {
            return Point{face.corners[k][0], face.corners[k][1], face.corners[k][2]};
          };
          const Point n = normalOf(Triangle{{corner(0), corner(1), corner(2)}}); // as long as a quad's area
          for (std::size_t d = 0; d < 3; ++d) {
            areas[2 * d + (n[d] > 0.0 ? 1 : 0)] += std::abs(n[d]) / (face.corners.size() == 4 ? 1.0 : 2.0);
          }
        }
        return areas;
      };
      const auto all = areasOf(allFaces);
      for (const FaceSet faces : {0U, 1U, 2U, 4U, 8U, 16U, 32U, 0b100110U}) {
        const auto areas = areasOf(faces);
        for (unsigned f = 0; f < 6; ++f) {
          EXPECT_EQ(areas[f], ((faces >> f) & 1U) != 0 ? all[f] : 0.0) << "face " << f << " of " << faces;
        }
      }
    }
  }
}

TEST(RunSurface2D, DoesNotGrowWithTheCells) {
  CellList<2> wide;
  for (Coordinate x = 0; x < 5000; ++x) {
    wide.insert({{x, 0}});
  }
  EXPECT_EQ(runsOf<2>(wide)->GetNumberOfCells(), 2);
}

} // namespace
} // namespace spanwise::testing
