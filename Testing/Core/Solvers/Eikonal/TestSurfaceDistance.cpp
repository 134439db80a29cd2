#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Field.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/SurfaceDistance.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Solvers/Eikonal/Surfaces.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <limits>

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::CellList;
using spanwise::testing::expectNoAllocations;
using spanwise::testing::messageOf;
using spanwise::testing::toCells;
using spanwise::testing::toSet;

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Space>
class SurfaceDistance : public ::testing::Test {
protected:
  using Memory = typename Space::memory_space;
  using Set = IntervalSetOn<3, Space>;
  const Context<Space> context{Space()};

  TriangleSurface<Memory> surfaceOf(const Triangles& triangles) {
    const auto points = onDevice<double, Space>(triangles.points);
    const auto corners = onDevice<std::int64_t, Space>(triangles.corners);
    kept.push_back({points, corners});
    using Surface = TriangleSurface<Memory>;
    return {decltype(Surface::points)(points.data(), points.extent(0) / 3),
      decltype(Surface::triangles)(corners.data(), corners.extent(0) / 3)};
  }

  std::vector<double> distancesOf(
    const Triangles& triangles, const GridGeometry<3>& lattice, const Set& where, double most = infinity) {
    const Kokkos::View<double*, Memory> distances("Testing::distances", static_cast<std::size_t>(where.numCells()));
    distanceToSurface<Space>(context, surfaceOf(triangles), lattice, where, most, distances);
    return onHost(distances);
  }

  Set box(const Box<3>& cells) {
    Set out;
    makeBox<Space, 3>(context, cells, out);
    return out;
  }

private:
  std::vector<std::pair<Kokkos::View<double*, Memory>, Kokkos::View<std::int64_t*, Memory>>> kept;
};
TYPED_TEST_SUITE(SurfaceDistance, AllSpaces, SpaceNames);

Point centreOf(const GridGeometry<3>& lattice, const Cell<3>& cell) {
  return {{lattice.centre(0, cell.at[0]), lattice.centre(1, cell.at[1]), lattice.centre(2, cell.at[2])}};
}

Point normalized(const Point& a) { return (1.0 / std::sqrt(dot(a, a))) * a; }

/// The least distance of all triangles, one after the other.
double leastDistance(const Triangles& triangles, const Point& point) {
  constexpr SymmetricTensor euclidean; // the identity
  double least = infinity;
  for (std::size_t t = 0; t < triangles.count(); ++t) {
    least = std::min(
      least, distanceTo(euclidean, triangles.corner(t, 0), triangles.corner(t, 1), triangles.corner(t, 2), point));
  }
  return least;
}

// Rounding: a squared distance is a sum of products of coordinates, each of which is off by a few units in its last
// place. What that makes of a distance near 0 is the root of it.
constexpr double epsilon = std::numeric_limits<double>::epsilon();

TYPED_TEST(SurfaceDistance, IsTheLeastOfAllTriangles) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const GridGeometry<3> lattice{{-1.0, 2.0, 0.5}, {0.11, 0.13, 0.17}};
  const Point low{{-1.0, 2.0, 0.5}};
  const Point high{{0.1, 3.3, 2.2}};
  for (const int count : {1, 2, 5, 40, 333}) {
    SCOPED_TRACE(std::to_string(count) + " triangles");
    const Triangles triangles = randomTriangles(random, count, low, high, count % 2 == 0 ? 0.9 : 0.2);
    CellList<3> cells;
    std::uniform_int_distribution<Coordinate> coordinate(-4, 14);
    for (int k = 0; k < 900; ++k) {
      cells.insert({{coordinate(random), coordinate(random), coordinate(random)}});
    }
    const auto where = toSet<TypeParam, 3>(cells);
    const std::vector<double> all = this->distancesOf(triangles, lattice, where);
    constexpr double most = 0.3;
    const std::vector<double> near = this->distancesOf(triangles, lattice, where, most);
    std::size_t k = 0;
    for (const Cell<3>& cell : cells) { // in the order of the set
      const double expected = leastDistance(triangles, centreOf(lattice, cell));
      const double rounding = 100.0 * epsilon * 4.0 / std::max(expected, std::sqrt(epsilon));
      EXPECT_NEAR(all[k], expected, rounding);
      if (std::abs(expected - most) > rounding) {
        EXPECT_EQ(near[k], expected < most ? all[k] : infinity);
      }
      ++k;
    }
  }
}

TYPED_TEST(SurfaceDistance, AboveThinTrianglesIsTheHeight) {
  // Rounding moves the corners by some 1e-16 of their length, and tilts the plane by that over the triangle's width.
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (int k = 0; k < 400; ++k) {
    const double width = std::pow(10.0, -7.0 * share(random));
    SCOPED_TRACE("width " + std::to_string(width));
    const Point along = normalized({{share(random) - 0.5, share(random) - 0.5, share(random) - 0.5}});
    const Point across = normalized(cross(along, {{share(random), share(random), share(random)}}));
    const Point up = cross(along, across);
    const Point a{{share(random), share(random), share(random)}};
    const Point b = a + along;
    const Point c = a + share(random) * along + width * across;
    Triangles thin;
    switch (k % 3) {
    case 0:
      thin.add(a, b, c);
      break;
    case 1:
      thin.add(b, c, a);
      break;
    default:
      thin.add(c, a, b);
    }
    const double first = 0.1 + 0.4 * share(random);
    const double second = 0.1 + 0.3 * share(random);
    const double height = std::pow(10.0, -8.0 * share(random));
    const Point place = a + (first * (b - a) + (second * (c - a) + height * up));
    const GridGeometry<3> lattice{{place[0] - 0.5, place[1] - 0.5, place[2] - 0.5}, {1.0, 1.0, 1.0}};
    const std::vector<double> found = this->distancesOf(thin, lattice, this->box({{0, 0, 0}, {1, 1, 1}}));
    EXPECT_NEAR(found.front(), height, 20.0 * epsilon / width);
  }
}

TYPED_TEST(SurfaceDistance, OfNeedlesIsThatOfTheirSides) {
  // Corners in a line but for rounding: the distance is that to the longest side.
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> share(-3.0, 3.0);
  const auto place = [&] { return Point{{share(random), share(random), share(random)}}; };
  const GridGeometry<3> lattice{{-3.0, -3.0, -3.0}, {0.6, 0.6, 0.6}};
  const auto where = this->box({{0, 0, 0}, {10, 10, 10}});
  for (int k = 0; k < 100; ++k) {
    const Point a = place();
    const Point b = place();
    Triangles needle;
    needle.add(a, a + 0.37 * (b - a), b);
    Triangles segment;
    segment.addSegment(a, b);
    const std::vector<double> found = this->distancesOf(needle, lattice, where);
    const std::vector<double> expected = this->distancesOf(segment, lattice, where);
    for (std::size_t cell = 0; cell < found.size(); ++cell) {
      EXPECT_NEAR(found[cell], expected[cell], 1e-14 * 100.0 / expected[cell]);
    }
  }
}

TYPED_TEST(SurfaceDistance, AroundACubeIsKnown) {
  // The faces of the cube [-1, 1]^3: outside the distance to the box, inside to the nearest face.
  Triangles cube;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const auto corner = [&](double u, double v) {
        Point point;
        point[axis] = side;
        point[(axis + 1) % 3] = u;
        point[(axis + 2) % 3] = v;
        return point;
      };
      cube.add(corner(-1, -1), corner(1, -1), corner(1, 1));
      cube.add(corner(-1, -1), corner(1, 1), corner(-1, 1));
    }
  }
  const GridGeometry<3> lattice{{-2.0, -2.0, -2.0}, {0.0625, 0.125, 0.25}};
  const auto where = this->box({{0, 0, 0}, {64, 32, 16}});
  const std::vector<double> found = this->distancesOf(cube, lattice, where);
  std::size_t k = 0;
  for (const Cell<3>& cell : toCells(where)) {
    const Point centre = centreOf(lattice, cell);
    double outside = 0.0;
    double inside = infinity;
    for (int axis = 0; axis < 3; ++axis) {
      outside += std::pow(std::max(std::abs(centre[axis]) - 1.0, 0.0), 2);
      inside = std::min(inside, 1.0 - std::abs(centre[axis]));
    }
    EXPECT_NEAR(found[k++], outside > 0.0 ? std::sqrt(outside) : std::max(inside, 0.0), 4.0 * epsilon);
  }
}

TYPED_TEST(SurfaceDistance, BandHasAllCellsWithinTheWidth) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const GridGeometry<3> lattice{{0.0, 0.0, 0.0}, {0.1, 0.07, 0.13}};
  const auto box = this->box({{-12, -12, -12}, {24, 26, 20}});
  for (const double width : {0.0, 0.05, 0.2, 0.45}) {
    SCOPED_TRACE("width " + std::to_string(width));
    const Triangles triangles = randomTriangles(random, 12, {{0, 0, 0}}, {{1, 1, 1}}, 0.5);
    const auto surface = this->surfaceOf(triangles);
    CellList<3> cells;
    for (const PlaneRange planes : {PlaneRange{-100, 2}, PlaneRange{2, 5}, PlaneRange{5, 100}}) {
      typename TestFixture::Set part;
      FieldOn<double, TypeParam> distances;
      makeSurfaceBand<TypeParam>(this->context, surface, lattice, width, part, distances, planes);
      const std::vector<double> values = onHost(Kokkos::View<double*, typename TestFixture::Memory>(
        distances.view().values, static_cast<std::size_t>(distances.numCells())));
      ASSERT_EQ(static_cast<std::int64_t>(values.size()), part.numCells());
      EXPECT_EQ(values, this->distancesOf(triangles, lattice, part));
      for (const Cell<3>& cell : toCells(part)) {
        EXPECT_TRUE(planes.contains(cell.at[2]));
        cells.insert(cell);
      }
    }
    for (const Cell<3>& cell : toCells(box)) {
      const double distance = leastDistance(triangles, centreOf(lattice, cell));
      if (std::abs(distance - width) > 1e-12) {
        EXPECT_EQ(cells.count(cell) > 0, distance < width) << cell.at[0] << ' ' << cell.at[1] << ' ' << cell.at[2];
      }
      cells.erase(cell);
    }
    EXPECT_TRUE(cells.empty()); // none is elsewhere
  }
}

TYPED_TEST(SurfaceDistance, BandHasTheCellsThatAreAsFarAsItIsWide) {
  // Centres at 0.1, 0.3 ... 1.5 around a plane at 0.8: those that are 0.7 away count on both sides, as rounding has it.
  const GridGeometry<3> lattice{{0, 0, 0}, {0.2, 0.2, 0.2}};
  Triangles plane;
  plane.add({{-9, -9, 0.8}}, {{9, -9, 0.8}}, {{0, 9, 0.8}});
  typename TestFixture::Set band;
  FieldOn<double, TypeParam> distances;
  makeSurfaceBand<TypeParam>(this->context, this->surfaceOf(plane), lattice, 0.7, band, distances, {-20, 20});
  const CellList<3> cells = toCells(band);
  for (Coordinate z = -3; z < 12; ++z) {
    EXPECT_EQ(cells.count({{0, 0, z}}) > 0, z >= 0 && z < 8) << z;
  }
}

TYPED_TEST(SurfaceDistance, ReachesTheFirstCells) {
  const GridGeometry<3> lattice{{0, 0, 0}, {1, 1, 1}};
  Triangles triangle;
  const double first = geometry::minCoordinate;
  triangle.add({{first, first, first}}, {{first + 1, first, first}}, {{first, first + 1, first}});
  constexpr Coordinate begin = geometry::minCoordinate;
  const auto where = this->box({{begin, begin, begin}, {begin + 2, begin + 2, begin + 2}});
  for (const double most : {2.0, infinity}) { // as each triangle looks around, and as cells search
    const std::vector<double> found = this->distancesOf(triangle, lattice, where, most);
    EXPECT_EQ(found.front(), 0.5);
  }
}

TYPED_TEST(SurfaceDistance, SidesWhoseSquareIsNoNumberAreCorners) {
  const GridGeometry<3> lattice{{-0.5, -0.5, 1.5}, {1, 1, 1}};
  Triangles tiny;
  tiny.add({{0, 0, 0}}, {{1e-160, 0, 0}}, {{1, 0, 0}});
  tiny.add({{0, 0, 0}}, {{0, 1e-160, 0}}, {{1e-160, 0, 0}});
  EXPECT_EQ(this->distancesOf(tiny, lattice, this->box({{0, 0, 0}, {1, 1, 1}})).front(), 2.0);
}

TYPED_TEST(SurfaceDistance, IsNegatedInside) {
  const auto where = this->box({{0, 0, 0}, {4, 3, 2}});
  const auto inside = this->box({{2, 1, -1}, {9, 2, 1}});
  FieldOn<double, TypeParam> distances("Testing::distances", where.numCells());
  fill<TypeParam, double>(this->context, distances, 2.5);
  negateInside<TypeParam>(this->context, inside, where, distances);
  const std::vector<double> values = onHost(Kokkos::View<double*, typename TestFixture::Memory>(
    distances.view().values, static_cast<std::size_t>(distances.numCells())));
  std::size_t k = 0;
  for (const Cell<3>& cell : toCells(where)) {
    EXPECT_EQ(values[k++], toCells(inside).count(cell) > 0 ? -2.5 : 2.5);
  }
}

TYPED_TEST(SurfaceDistance, WithoutTrianglesIsInfinite) {
  const auto where = this->box({{0, 0, 0}, {3, 2, 1}});
  const GridGeometry<3> lattice{{0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(this->distancesOf({}, lattice, where), std::vector<double>(6, infinity));
  Triangles one;
  one.add({{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}});
  EXPECT_TRUE(this->distancesOf(one, lattice, {}).empty());
}

TYPED_TEST(SurfaceDistance, RefusesWhatIsNoDistance) {
  Triangles one;
  one.add({{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}});
  const auto surface = this->surfaceOf(one);
  const auto where = this->box({{0, 0, 0}, {3, 2, 1}});
  const GridGeometry<3> lattice{{0, 0, 0}, {1, 1, 1}};
  const Kokkos::View<double*, typename TestFixture::Memory> distances("Testing::distances", 6);
  const auto messageFor = [&](double most, std::size_t length) {
    return messageOf([&] {
      distanceToSurface<TypeParam>(this->context, surface, lattice, where, most,
        Kokkos::View<double*, typename TestFixture::Memory>(distances.data(), length));
    });
  };
  EXPECT_EQ(messageFor(-0.5, 6), "the greatest distance is -0.5: it must not be negative");
  EXPECT_EQ(messageFor(std::nan(""), 6), "the greatest distance is nan: it must not be negative");
  EXPECT_EQ(messageFor(1.0, 5), "there are 5 distances for 6 cells: there must be one for each");
  typename TestFixture::Set out;
  FieldOn<double, TypeParam> field;
  EXPECT_EQ(messageOf([&] { makeSurfaceBand<TypeParam>(this->context, surface, lattice, infinity, out, field); }),
    "the width is inf: it must be finite and not negative");
}

TYPED_TEST(SurfaceDistance, ARepeatedCallAllocatesNothing) {
  std::mt19937 random(seed());
  const auto surface = this->surfaceOf(randomTriangles(random, 50, {{0, 0, 0}}, {{1, 1, 1}}, 0.3));
  const auto where = this->box({{0, 0, 0}, {10, 10, 10}});
  const GridGeometry<3> lattice{{0, 0, 0}, {0.1, 0.1, 0.1}};
  const Kokkos::View<double*, typename TestFixture::Memory> distances("Testing::distances", 1000);
  expectNoAllocations<TypeParam>(
    [&] { distanceToSurface<TypeParam>(this->context, surface, lattice, where, infinity, distances); });
}

} // namespace
} // namespace spanwise::eikonal::testing
