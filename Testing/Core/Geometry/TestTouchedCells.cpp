#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/TouchedCells.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Arrays.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <limits>

namespace spanwise::testing {
namespace {

using Point = std::array<double, 3>;
using Triangle = std::array<std::int64_t, 3>;

constexpr GridGeometry<3> unitLattice{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};

/// Whether a triangle has a point in the box [low, high]: whether cutting it by the box's sides leaves anything.
bool touches(std::vector<Point> polygon, const Point& low, const Point& high) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const double sign : {-1.0, 1.0}) {
      const double limit = sign < 0.0 ? -low[axis] : high[axis];
      std::vector<Point> kept;
      for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Point& here = polygon[k];
        const Point& next = polygon[(k + 1) % polygon.size()];
        const double inside = limit - sign * here[axis];
        const double insideNext = limit - sign * next[axis];
        if (inside >= 0.0) {
          kept.push_back(here);
        }
        if ((inside >= 0.0) != (insideNext >= 0.0)) {
          const double share = inside / (inside - insideNext);
          Point cut{};
          for (std::size_t d = 0; d < 3; ++d) {
            cut[d] = here[d] + share * (next[d] - here[d]);
          }
          kept.push_back(cut);
        }
      }
      polygon = kept;
    }
  }
  return !polygon.empty();
}

template <class Space>
class TouchedCells : public ::testing::Test {
protected:
  using Set = IntervalSetOn<3, Space>;
  const Context<Space> context{Space()};

  static TriangleSurface<typename Space::memory_space> surfaceOf(
    const std::vector<Point>& points, const std::vector<Triangle>& triangles) {
    return {rowsOn<Space>(points), rowsOn<Space>(triangles)};
  }
  Set made(const std::vector<Point>& points, const std::vector<Triangle>& triangles, const GridGeometry<3>& lattice,
    const PlaneRange& planes = {}) {
    Set out;
    makeTouchedCells<Space>(context, surfaceOf(points, triangles), lattice, out, planes);
    EXPECT_EQ(validate(context, out), "");
    return out;
  }
};
TYPED_TEST_SUITE(TouchedCells, AllSpaces, SpaceNames);

// Every cell of a box around a triangle either has a point of it, or not even if the cell is larger by a thousandth;
// what is between may be either.
TYPED_TEST(TouchedCells, AreThoseThatTrianglesHaveAPointIn) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> share(-1.0, 1.0);
  constexpr double grown = 1e-3;
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE("triangle " + std::to_string(k));
    // Near the origin, and where coordinates of cells end; in steps of halves, with corners on faces of cells; needles,
    // segments and points.
    const double away = k % 5 == 4 ? 2147483600.0 : 3.0;
    const double size = k % 3 == 0 ? 0.8 : 6.0;
    const auto corner = [&] {
      Point point{};
      for (double& x : point) {
        x = size * share(random);
        x = away + (k % 4 == 3 ? std::round(2.0 * x) / 2.0 : x);
      }
      return point;
    };
    const GridGeometry<3> lattice{{-3.0, 0.0, 1.5}, {1.0, k % 2 == 0 ? 1.0 : 1.25, 1.5}};
    std::vector<Point> corners{corner(), corner(), corner()};
    if (k % 7 == 5) { // in a line, but for rounding
      for (std::size_t d = 0; d < 3; ++d) {
        corners[2][d] = corners[0][d] + 0.3 * (corners[1][d] - corners[0][d]);
      }
    } else if (k % 7 == 6) {
      corners[2] = corners[1];
    } else if (k % 29 == 0) {
      corners[1] = corners[2] = corners[0];
    }
    const CellList<3> cells = toCells(this->made(corners, {{0, 1, 2}}, lattice));
    std::array<std::int64_t, 3> first{};
    std::array<std::int64_t, 3> last{};
    std::vector<Point> inCells = corners; // from the first cell, so that the reference has all digits
    for (std::size_t d = 0; d < 3; ++d) {
      for (Point& point : inCells) {
        point[d] = (point[d] - lattice.origin[d]) / lattice.spacing[d];
      }
      first[d] = static_cast<std::int64_t>(std::floor(std::min({inCells[0][d], inCells[1][d], inCells[2][d]}))) - 1;
      last[d] = static_cast<std::int64_t>(std::floor(std::max({inCells[0][d], inCells[1][d], inCells[2][d]}))) + 1;
      for (Point& point : inCells) {
        point[d] -= static_cast<double>(first[d]);
      }
    }
    std::size_t numSeen = 0;
    for (std::int64_t z = first[2]; z <= last[2]; ++z) {
      for (std::int64_t y = first[1]; y <= last[1]; ++y) {
        for (std::int64_t x = first[0]; x <= last[0]; ++x) {
          const Point low{
            static_cast<double>(x - first[0]), static_cast<double>(y - first[1]), static_cast<double>(z - first[2])};
          const Point high{low[0] + 1.0, low[1] + 1.0, low[2] + 1.0};
          const bool isIn =
            cells.count({{static_cast<Coordinate>(x), static_cast<Coordinate>(y), static_cast<Coordinate>(z)}}) > 0;
          numSeen += isIn ? 1 : 0;
          if (touches(inCells, low, high)) {
            EXPECT_TRUE(isIn) << x << ' ' << y << ' ' << z;
          } else if (isIn) {
            EXPECT_TRUE(touches(inCells, {low[0] - grown, low[1] - grown, low[2] - grown},
              {high[0] + grown, high[1] + grown, high[2] + grown}))
              << x << ' ' << y << ' ' << z;
          }
        }
      }
    }
    EXPECT_EQ(numSeen, cells.size()); // none is elsewhere
  }
}

// Seen along an axis, walls are triangles between three points of a line but for rounding, two of which nearly
// coincide.
TYPED_TEST(TouchedCells, OfWallsHaveThePlacesOfThese) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (int k = 0; k < 3000; ++k) {
    const std::size_t up = static_cast<std::size_t>(k % 3);
    const std::size_t along = (up + 1) % 3;
    const std::size_t across = (up + 2) % 3;
    std::vector<Point> corners(3, Point{});
    const double length = 5.0 + 15.0 * share(random);
    const double angle = 6.3 * share(random);
    corners[1][along] = corners[2][along] = length * std::cos(angle);
    corners[1][across] = corners[2][across] = length * std::sin(angle);
    corners[2][up] = 6.0;
    for (const std::size_t axis : {along, across}) { // none to two units in the last place away
      for (unsigned step = random() % 3; step > 0; --step) {
        corners[2][axis] = std::nextafter(corners[2][axis], k % 2 == 0 ? 100.0 : -100.0);
      }
    }
    const CellList<3> cells = toCells(this->made(corners, {{0, 1, 2}}, unitLattice));
    for (int place = 0; place < 20; ++place) {
      const double first = share(random);
      const double second = (1.0 - first) * share(random);
      Cell<3> cell{};
      for (std::size_t d = 0; d < 3; ++d) {
        cell.at[d] = static_cast<Coordinate>(std::floor(first * corners[1][d] + second * corners[2][d]));
      }
      EXPECT_TRUE(cells.count(cell) > 0) << cell.at[0] << ' ' << cell.at[1] << ' ' << cell.at[2];
    }
  }
}

TYPED_TEST(TouchedCells, PointsOfNoTriangleDoNotMatter) {
  const auto cells =
    this->made({{0.5, 0.5, 0.5}, {1.4, 0.5, 0.5}, {0.5, 1.4, 0.5}, {0, 0, 1e60}}, {{0, 1, 2}}, unitLattice);
  EXPECT_TRUE((toCells(cells) == CellList<3>{{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}}));
}

TYPED_TEST(TouchedCells, PlanesOfRanksAreThoseOfTheWhole) {
  const std::vector<Point> points{{0.5, 0.5, -4.2}, {9.5, 2.0, 7.7}, {3.0, 8.8, 1.1}, {2.5, 2.5, 20.5}};
  const std::vector<Triangle> triangles{{0, 1, 2}, {1, 2, 3}};
  const auto whole = this->made(points, triangles, unitLattice);
  for (const PlaneRange planes : {PlaneRange{-100, -3}, PlaneRange{-3, 4}, PlaneRange{4, 5}, PlaneRange{5, 100}}) {
    typename TestFixture::Set expected;
    restrictRows<TypeParam, 3>(this->context, whole, planes, expected);
    EXPECT_TRUE((equal<TypeParam, 3>(this->context, this->made(points, triangles, unitLattice, planes), expected)))
      << toString(planes);
  }
}

TYPED_TEST(TouchedCells, RefusesWhatHasNoCells) {
  const auto messageFor = [&](const std::vector<Point>& points, const Triangle& triangle,
                            const GridGeometry<3>& lattice = unitLattice) {
    typename TestFixture::Set out;
    return messageOf(
      [&] { makeTouchedCells<TypeParam>(this->context, this->surfaceOf(points, {triangle}), lattice, out); });
  };
  const std::vector<Point> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_NE(messageFor(points, {0, 1, 3}).find("triangle 0 has a point that is not in [0, 3)"), std::string::npos);
  EXPECT_NE(messageFor({{0, 0, 0}, {1, std::numeric_limits<double>::infinity(), 0}, {0, 1, 0}}, {0, 1, 2})
              .find("point 1, (1, inf, 0), is not finite"),
    std::string::npos);
  EXPECT_NE(messageFor({{0, 0, 0}, {3e9, 0, 0}, {0, 1, 0}}, {0, 1, 2}).find("beyond the cells"), std::string::npos);
  EXPECT_NE(messageFor(points, {0, 1, 2}, {{0, 0, 0}, {1, 0, 1}}).find("spacing"), std::string::npos);
}

TYPED_TEST(TouchedCells, NoTriangleTouchesNone) { EXPECT_TRUE(this->made({{0, 0, 0}}, {}, unitLattice).empty()); }

TYPED_TEST(TouchedCells, ARepeatedCallAllocatesNothing) {
  const auto surface = this->surfaceOf({{0.5, 0.5, -4.2}, {9.5, 2.0, 7.7}, {3.0, 8.8, 1.1}}, {{0, 1, 2}});
  typename TestFixture::Set out;
  expectNoAllocations<TypeParam>([&] { makeTouchedCells<TypeParam>(this->context, surface, unitLattice, out); });
}

} // namespace
} // namespace spanwise::testing
