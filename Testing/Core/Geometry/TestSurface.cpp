#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Builders/Surface.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Arrays.hpp"
#include "Testing/Core/Geometry/ExpectProgress.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

namespace spanwise::testing {
namespace {

using Point = std::array<double, 3>;
using Triangle = std::array<std::int64_t, 3>;
using Integer = __int128;

constexpr GridGeometry<3> unitLattice{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

struct Mesh {
  std::vector<Point> points;
  std::vector<Triangle> triangles;
};

/// Both surfaces, as one.
Mesh joined(const Mesh& a, const Mesh& b) {
  Mesh both = a;
  const auto shift = static_cast<std::int64_t>(a.points.size());
  both.points.insert(both.points.end(), b.points.begin(), b.points.end());
  for (const Triangle& t : b.triangles) {
    both.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  }
  return both;
}

Mesh tetrahedron(const Point& a, const Point& b, const Point& c, const Point& d) {
  return {{a, b, c, d}, {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}};
}

// The corner with bit d set is at the high end of axis d.
const std::vector<Triangle> boxTriangles{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3},
  {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

Mesh boxSurface(const Point& low, const Point& high) {
  Mesh box{{}, boxTriangles};
  for (unsigned corner = 0; corner < 8; ++corner) {
    Point point{};
    for (unsigned d = 0; d < 3; ++d) {
      point[d] = (corner >> d & 1U) != 0 ? high[d] : low[d];
    }
    box.points.push_back(point);
  }
  return box;
}

Mesh octahedron(const Point& centre, double radius) {
  Mesh mesh;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-radius, radius}) {
      Point point = centre;
      point[static_cast<std::size_t>(axis)] += side;
      mesh.points.push_back(point);
    }
  }
  for (const std::int64_t x : {0, 1}) {
    for (const std::int64_t y : {2, 3}) {
      for (const std::int64_t z : {4, 5}) {
        mesh.triangles.push_back({x, y, z});
      }
    }
  }
  return mesh;
}

/// An octahedron whose triangles are split in four, `depth` times, with all points moved onto the sphere.
Mesh sphere(const Point& centre, double radius, int depth) {
  Mesh mesh = octahedron({0, 0, 0}, 1.0);
  for (int k = 0; k < depth; ++k) {
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> middles;
    const auto middle = [&](std::int64_t a, std::int64_t b) {
      const auto [found, isNew] = middles.try_emplace(std::minmax(a, b), static_cast<std::int64_t>(mesh.points.size()));
      if (isNew) {
        const Point& p = mesh.points[static_cast<std::size_t>(a)];
        const Point& q = mesh.points[static_cast<std::size_t>(b)];
        const double length = std::hypot(p[0] + q[0], p[1] + q[1], p[2] + q[2]);
        mesh.points.push_back({(p[0] + q[0]) / length, (p[1] + q[1]) / length, (p[2] + q[2]) / length});
      }
      return found->second;
    };
    std::vector<Triangle> finer;
    for (const Triangle& t : mesh.triangles) {
      const Triangle m{middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])};
      finer.insert(finer.end(), {{t[0], m[0], m[2]}, {t[1], m[1], m[0]}, {t[2], m[2], m[1]}, m});
    }
    mesh.triangles = finer;
  }
  for (Point& point : mesh.points) {
    for (std::size_t d = 0; d < 3; ++d) {
      point[d] = centre[d] + radius * point[d];
    }
  }
  return mesh;
}

template <class Space>
class SurfaceBuilder : public ::testing::Test {
protected:
  using Memory = typename Space::memory_space;
  using Set = IntervalSetOn<3, Space>;
  Space space;
  const Context<Space> context{space};

  static TriangleSurface<Memory> surfaceOf(const Mesh& mesh) {
    return {rowsOn<Space>(mesh.points), rowsOn<Space>(mesh.triangles)};
  }

  Set made(const Mesh& mesh, const GridGeometry<3>& lattice = unitLattice) {
    Set out;
    makeFromSurface<Space>(context, surfaceOf(mesh), lattice, out);
    EXPECT_EQ(validate(context, out), "");
    return out;
  }

  Set box(const Box<3>& cells) {
    Set out;
    makeBox<Space, 3>(context, cells, out);
    return out;
  }

  bool same(const Set& a, const Set& b) { return equal<Space, 3>(context, a, b); }

  Set combined(SetOperation operation, const Set& a, const Set& b) {
    Set out;
    combine<Space, 3>(context, operation, a, b, out);
    return out;
  }

  void expectRefused(const Mesh& mesh, const GridGeometry<3>& lattice, const std::string& part) {
    Set out = box({{0, 0, 0}, {1, 1, 1}});
    try {
      makeFromSurface<Space>(context, surfaceOf(mesh), lattice, out);
      ADD_FAILURE() << "taken, but should be refused with: " << part;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
    EXPECT_TRUE(out.empty());
  }
};
TYPED_TEST_SUITE(SurfaceBuilder, AllSpaces, SpaceNames);

// --- the reference: integers only ---------------------------------------------------------------------------------

using IntegerPoint = std::array<Integer, 3>;

int orientationOf(const IntegerPoint& a, const IntegerPoint& b, const IntegerPoint& c, const IntegerPoint& d) {
  Integer m[3][3];
  for (std::size_t k = 0; k < 3; ++k) {
    m[0][k] = a[k] - d[k];
    m[1][k] = b[k] - d[k];
    m[2][k] = c[k] - d[k];
  }
  const Integer determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) +
    m[1][0] * (m[2][1] * m[0][2] - m[2][2] * m[0][1]) + m[2][0] * (m[0][1] * m[1][2] - m[0][2] * m[1][1]);
  return static_cast<int>(determinant > 0) - static_cast<int>(determinant < 0);
}

/// Whether d lies on the same side of each face as the tetrahedron. It lies on no face's plane.
bool isInside(const std::array<IntegerPoint, 4>& corners, const IntegerPoint& point) {
  const int whole = orientationOf(corners[0], corners[1], corners[2], corners[3]);
  for (std::size_t k = 0; k < 4 && whole != 0; ++k) {
    std::array<IntegerPoint, 4> replaced = corners;
    replaced[k] = point;
    if (orientationOf(replaced[0], replaced[1], replaced[2], replaced[3]) != whole) {
      return false;
    }
  }
  return whole != 0;
}

// Points in steps of 1/2 within [-3, 3]: many vertices, edges and faces meet centres of cells or their rays. In the
// reference centres are moved by 2^-10, 2^-20 and 2^-30 halves: a determinant of such points is a whole number, and
// what a step changes is at most 2 * 12^2 times the step, so that no step makes up for a whole number or for the step
// before.
constexpr Coordinate extent = 3;
constexpr Integer half = Integer{1} << 30;

TYPED_TEST(SurfaceBuilder, HasTheCentresInsideTetrahedraMovedByAnInfinitelySmallStep) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_int_distribution<int> coordinate(-2 * extent, 2 * extent);
  const GridGeometry<3> shifted{{10.5, -7.25, 0.125}, {0.25, 3.0, 0.5}};
  for (int k = 0; k < 120; ++k) {
    SCOPED_TRACE("tetrahedra " + std::to_string(k));
    Mesh mesh;
    Mesh meshShifted;
    std::vector<std::array<IntegerPoint, 4>> reference;
    for (int n = 0; n < 1 + k % 3; ++n) { // the cells in an odd number of them
      std::array<Point, 4> corners{};
      std::array<Point, 4> cornersShifted{};
      reference.emplace_back();
      for (std::size_t c = 0; c < 4; ++c) {
        for (std::size_t d = 0; d < 3; ++d) {
          const int value = coordinate(random);
          corners[c][d] = value / 2.0;
          cornersShifted[c][d] = shifted.origin[d] + shifted.spacing[d] * value / 2.0;
          reference.back()[c][d] = value * half;
        }
      }
      mesh = joined(mesh, tetrahedron(corners[0], corners[1], corners[2], corners[3]));
      meshShifted =
        joined(meshShifted, tetrahedron(cornersShifted[0], cornersShifted[1], cornersShifted[2], cornersShifted[3]));
    }
    CellList<3> expected;
    for (Coordinate z = -extent; z < extent; ++z) {
      for (Coordinate y = -extent; y < extent; ++y) {
        for (Coordinate x = -extent; x < extent; ++x) {
          const IntegerPoint centre{
            (2 * x + 1) * half + (half >> 10), (2 * y + 1) * half + (half >> 20), (2 * z + 1) * half + (half >> 30)};
          bool inside = false;
          for (const auto& corners : reference) {
            inside ^= isInside(corners, centre);
          }
          if (inside) {
            expected.insert({{x, y, z}});
          }
        }
      }
    }
    expectCells<TypeParam, 3>(this->made(mesh), expected);
    expectCells<TypeParam, 3>(this->made(meshShifted, shifted), expected);
  }
}

TYPED_TEST(SurfaceBuilder, BoxHasTheCentresInItsHalfOpenRanges) {
  EXPECT_TRUE(this->same(this->made(boxSurface({0, 0, 0}, {3, 4, 5})), this->box({{0, 0, 0}, {3, 4, 5}})));
  // Faces through centres, edges and diagonals along rays.
  EXPECT_TRUE(this->same(this->made(boxSurface({0.5, 0.5, 0.5}, {4.5, 4.5, 4.5})), this->box({{0, 0, 0}, {4, 4, 4}})));
  EXPECT_TRUE(
    this->same(this->made(boxSurface({-2.5, 0.25, -7.5}, {4.5, 4.75, -1.5})), this->box({{-3, 0, -8}, {4, 5, -2}})));
  const GridGeometry<3> decimal{{0.1, -0.2, 0.3}, {0.1, 0.1, 0.1}};
  const Point low{decimal.centre(0, -5), decimal.centre(1, 2), decimal.centre(2, 40)};
  const Point high{decimal.centre(0, 30), decimal.centre(1, 33), decimal.centre(2, 61)};
  EXPECT_TRUE(this->same(this->made(boxSurface(low, high), decimal), this->box({{-5, 2, 40}, {30, 33, 61}})));
}

TYPED_TEST(SurfaceBuilder, RaysThroughVerticesAndEdges) {
  // Corners on centres. Moved a little, a centre is inside while the distances along the axes sum up to less than 3.
  const auto set = this->made(octahedron({0.5, 0.5, 0.5}, 3.0));
  CellList<3> expected;
  for (Coordinate z = -4; z <= 4; ++z) {
    for (Coordinate y = -4; y <= 4; ++y) {
      for (Coordinate x = -4; x <= 4; ++x) {
        const double sum = std::abs(x + 0x1p-10) + std::abs(y + 0x1p-20) + std::abs(z + 0x1p-30);
        if (sum < 3.0) {
          expected.insert({{x, y, z}});
        }
      }
    }
  }
  expectCells<TypeParam, 3>(set, expected);
}

// The mesh lies within the sphere by at most r (1 - cos(half the angle of an edge)), here 0.01 cells.
TYPED_TEST(SurfaceBuilder, FineSphereIsTheBall) {
  const double radius = 30.0;
  const auto set = this->made(sphere({0.2, 0.3, -0.4}, radius, 6));
  typename TestFixture::Set within;
  makeBall<TypeParam, 3>(this->context, {{0.2, 0.3, -0.4}, radius}, within);
  typename TestFixture::Set surelyWithin;
  makeBall<TypeParam, 3>(this->context, {{0.2, 0.3, -0.4}, radius - 0.02}, surelyWithin);
  EXPECT_TRUE(this->combined(SetOperation::Difference, set, within).empty());
  EXPECT_TRUE(this->combined(SetOperation::Difference, surelyWithin, set).empty());
  const double volume = 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3);
  EXPECT_NEAR(static_cast<double>(set.numCells()), volume, 0.01 * volume);
}

TYPED_TEST(SurfaceBuilder, NumberingAndOrientationDoNotMatter) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const GridGeometry<3> lattice{{0.03, 0.02, 0.01}, {0.11, 0.13, 0.17}};
  Mesh mesh = joined(
    sphere({lattice.centre(0, 4), lattice.centre(1, 3), lattice.centre(2, 2)}, 1.5, 3), octahedron({1, 1, 1}, 1.1));
  const auto expected = this->made(mesh, lattice);
  EXPECT_FALSE(expected.empty());
  for (int k = 0; k < 8; ++k) {
    std::vector<std::int64_t> order(mesh.points.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    Mesh shuffled{std::vector<Point>(mesh.points.size()), mesh.triangles};
    for (std::size_t i = 0; i < order.size(); ++i) {
      shuffled.points[static_cast<std::size_t>(order[i])] = mesh.points[i];
    }
    for (Triangle& triangle : shuffled.triangles) {
      for (std::int64_t& corner : triangle) {
        corner = order[static_cast<std::size_t>(corner)];
      }
      std::shuffle(triangle.begin(), triangle.end(), random); // turns half of them around
    }
    std::shuffle(shuffled.triangles.begin(), shuffled.triangles.end(), random);
    EXPECT_TRUE(this->same(this->made(shuffled, lattice), expected));
  }
}

TYPED_TEST(SurfaceBuilder, NestedShellsAreHollow) {
  const Mesh shells = joined(boxSurface({0, 0, 0}, {9, 9, 9}), boxSurface({2, 3, 4}, {5, 6, 7}));
  const auto hollow =
    this->combined(SetOperation::Difference, this->box({{0, 0, 0}, {9, 9, 9}}), this->box({{2, 3, 4}, {5, 6, 7}}));
  EXPECT_TRUE(this->same(this->made(shells), hollow));
  const auto filled = this->combined(SetOperation::Union, hollow, this->box({{3, 4, 5}, {4, 5, 6}}));
  EXPECT_TRUE(this->same(this->made(joined(shells, boxSurface({3, 4, 5}, {4, 5, 6}))), filled));
}

TYPED_TEST(SurfaceBuilder, SurfacesThatShareTrianglesPartitionTheirUnion) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const GridGeometry<3> lattice{{-0.3, 0.7, 0.1}, {0.1, 0.03, 0.07}};
  std::uniform_int_distribution<int> cell(1, 19);
  for (int k = 0; k < 10; ++k) {
    // A box is cut into the twelve tetrahedra between its faces and a point that is the centre of a cell.
    const Mesh whole = boxSurface({lattice.centre(0, 0), lattice.centre(1, 0), lattice.centre(2, 0)},
      {lattice.centre(0, 20), lattice.centre(1, 20), lattice.centre(2, 20)});
    const Point middle{
      lattice.centre(0, cell(random)), lattice.centre(1, cell(random)), lattice.centre(2, cell(random))};
    typename TestFixture::Set all;
    std::int64_t cells = 0;
    for (const Triangle& t : whole.triangles) {
      const auto corner = [&](std::size_t c) { return whole.points[static_cast<std::size_t>(t[c])]; };
      const auto part = this->made(tetrahedron(corner(0), corner(1), corner(2), middle), lattice);
      cells += part.numCells();
      all = this->combined(SetOperation::Union, all, part);
    }
    EXPECT_EQ(cells, 8000);
    EXPECT_TRUE(this->same(all, this->box({{0, 0, 0}, {20, 20, 20}})));
  }
}

TYPED_TEST(SurfaceBuilder, PointsAreTheSameByTheirCoordinates) {
  const Mesh mesh = sphere({1.5, 2.5, 3.5}, 7.0, 5); // more points than one thread sorts
  Mesh soup;                                         // each triangle has points of its own
  for (const Triangle& triangle : mesh.triangles) {
    soup.triangles.push_back({});
    for (std::size_t c = 0; c < 3; ++c) {
      soup.triangles.back()[c] = static_cast<std::int64_t>(soup.points.size());
      soup.points.push_back(mesh.points[static_cast<std::size_t>(triangle[c])]);
    }
  }
  EXPECT_TRUE(this->same(this->made(soup), this->made(mesh)));
  Mesh zeros = boxSurface({0, 0, 0}, {3, 3, 3});
  zeros.points.push_back({-0.0, -0.0, 0.0});
  zeros.triangles[0][0] = 8;
  EXPECT_TRUE(this->same(this->made(zeros), this->box({{0, 0, 0}, {3, 3, 3}})));
}

TYPED_TEST(SurfaceBuilder, OpenSurfaceNamesAnEdge) {
  Mesh open = boxSurface({0, 0, 0}, {3, 0.25, 5});
  open.triangles.erase(open.triangles.begin()); // the corners 0, 2, 1
  this->expectRefused(open, unitLattice,
    "the surface is open: 3 edges have an odd number of triangles, such as the one from (0, 0, 0) to (3, 0, 0), which "
    "has 1;");
  Mesh fin = boxSurface({0, 0, 0}, {3, 4, 5});
  fin.points.push_back({9, 9, 9});
  fin.triangles.push_back({0, 1, 8}); // on an edge of the box
  this->expectRefused(fin, unitLattice, "such as the one from (0, 0, 0) to (3, 0, 0), which has 3;");
  this->expectRefused({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}, unitLattice, "3 edges");
}

TYPED_TEST(SurfaceBuilder, TrianglesWithoutArea) {
  const auto expected = this->box({{0, 0, 0}, {4, 4, 4}});
  Mesh collapsed = boxSurface({0, 0, 0}, {4, 4, 4});
  collapsed.triangles.push_back({0, 0, 7});
  collapsed.triangles.push_back({5, 5, 5});
  EXPECT_TRUE(this->same(this->made(collapsed), expected));
  // A point in the middle of an edge, of which one neighbour knows nothing, is sewn up by a triangle without area.
  Mesh sewn = boxSurface({0, 0, 0}, {4, 4, 4});
  sewn.points.push_back({2, 0, 0}); // on the edge from 0 to 1, shared by {0, 2, 1} and {0, 1, 4}
  sewn.triangles[0] = {0, 2, 8};
  sewn.triangles.push_back({8, 2, 1});
  this->expectRefused(sewn, unitLattice, "the surface is open");
  sewn.triangles.push_back({0, 8, 1});
  EXPECT_TRUE(this->same(this->made(sewn), expected));
}

TYPED_TEST(SurfaceBuilder, WithoutVolumeIsEmpty) {
  EXPECT_TRUE(this->made({}).empty());
  EXPECT_TRUE(this->made({{{0, 0, 0}, {9, 0, 0}, {0, 9, 9}}, {{0, 1, 2}, {0, 2, 1}}}).empty());
  EXPECT_TRUE(this->made(boxSurface({0, 0, 2.5}, {9, 9, 2.5})).empty());
  EXPECT_TRUE(this->made(boxSurface({0.6, 0.6, 0.6}, {1.4, 1.4, 1.4})).empty()); // no centre inside
}

TYPED_TEST(SurfaceBuilder, ReachesTheCoordinateLimits) {
  const double last = maxIntervalEnd;
  const double first = minCoordinate;
  EXPECT_TRUE(this->same(this->made(boxSurface({last - 2, last - 3, last - 4}, {last, last, last})),
    this->box({{maxIntervalEnd - 2, maxIntervalEnd - 3, maxIntervalEnd - 4},
      {maxIntervalEnd, maxIntervalEnd, maxIntervalEnd}})));
  EXPECT_TRUE(this->same(this->made(boxSurface({first, first, first}, {first + 2, first + 3, first + 4})),
    this->box(
      {{minCoordinate, minCoordinate, minCoordinate}, {minCoordinate + 2, minCoordinate + 3, minCoordinate + 4}})));
  EXPECT_TRUE(this->same(
    this->made(boxSurface({first, 0, 0}, {last, 1, 1})), this->box({{minCoordinate, 0, 0}, {maxIntervalEnd, 1, 1}})));
  this->expectRefused(
    boxSurface({0, 0, 0}, {1, 1, last + 1}), unitLattice, "along axis 2, beyond the cells [-2^31, 2^31 - 2]");
  this->expectRefused(boxSurface({first - 1, 0, 0}, {1, 1, 1}), unitLattice, "along axis 0, beyond the cells");
  Mesh stray = boxSurface({0, 0, 0}, {1, 1, 1});
  stray.points.push_back({1e30, 0, 0}); // of no triangle
  EXPECT_EQ(this->made(stray).numCells(), 1);
}

TYPED_TEST(SurfaceBuilder, RefusesWhatIsNotValid) {
  const Mesh box = boxSurface({0, 0, 0}, {3, 3, 3});
  Mesh wrong = box;
  wrong.points[5][1] = notANumber;
  this->expectRefused(wrong, unitLattice, "point 5, (3, nan, 3)");
  wrong = box;
  wrong.points[7][2] = infinity;
  this->expectRefused(wrong, unitLattice, "point 7, (3, 3, inf)");
  wrong = box;
  wrong.triangles[4][1] = 8;
  wrong.triangles[9][2] = -1;
  this->expectRefused(wrong, unitLattice, "triangle 4 has a point that is not in [0, 8)");
  this->expectRefused({{}, {{0, 1, 2}}}, unitLattice, "triangle 0 has a point that is not in [0, 0)");
  this->expectRefused(box, {{0, 0, 0}, {1, 1, 0}}, "spacing is (1, 1, 0)");
  this->expectRefused(box, {{0, 0, 0}, {1, -2, 1}}, "spacing");
  this->expectRefused(box, {{0, notANumber, 0}, {1, 1, 1}}, "origin is (0, nan, 0)");
}

TYPED_TEST(SurfaceBuilder, ReportsProgressAndCanBeCancelled) {
  const auto surface = this->surfaceOf(octahedron({0, 0, 0}, 9.0));
  typename TestFixture::Set out;
  expectProgressAndCancelling(out, [&](const Progress& progress) {
    makeFromSurface<TypeParam>(this->context.with(progress), surface, unitLattice, out);
  });
}

} // namespace
} // namespace spanwise::testing
