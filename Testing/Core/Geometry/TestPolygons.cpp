#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Builders/Polygons.hpp"
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
#include <numbers>

namespace spanwise::testing {
namespace {

using Point = std::array<double, 2>;
using Ring = std::vector<Point>;
using Integer = __int128;

constexpr GridGeometry<2> unitLattice{{0.0, 0.0}, {1.0, 1.0}};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

template <class Space>
class PolygonsBuilder : public ::testing::Test {
protected:
  using Memory = typename Space::memory_space;
  using Set = IntervalSetOn<2, Space>;
  Space space;
  const Context<Space> context{space};

  static Rings<Memory> ringsOf(const std::vector<Ring>& rings) {
    std::vector<Point> points;
    std::vector<std::int64_t> offsets{0};
    for (const Ring& ring : rings) {
      points.insert(points.end(), ring.begin(), ring.end());
      offsets.push_back(static_cast<std::int64_t>(points.size()));
    }
    return {rowsOn<Space>(points), arrayOn<Space>(offsets)};
  }

  Set made(const std::vector<Ring>& rings, const GridGeometry<2>& lattice = unitLattice) {
    Set out;
    makeFromPolygons<Space>(context, ringsOf(rings), lattice, out);
    EXPECT_EQ(validate(context, out), "");
    return out;
  }

  Set box(const Box<2>& cells) {
    Set out;
    makeBox<Space, 2>(context, cells, out);
    return out;
  }

  bool same(const Set& a, const Set& b) { return equal<Space, 2>(context, a, b); }

  Set combined(SetOperation operation, const Set& a, const Set& b) {
    Set out;
    combine<Space, 2>(context, operation, a, b, out);
    return out;
  }

  void expectRefused(const Rings<Memory>& rings, const GridGeometry<2>& lattice, const std::string& part) {
    Set out = made({{{0, 0}, {4, 0}, {0, 4}}});
    try {
      makeFromPolygons<Space>(context, rings, lattice, out);
      ADD_FAILURE() << "taken, but should be refused with: " << part;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
    EXPECT_TRUE(out.empty());
  }
};
TYPED_TEST_SUITE(PolygonsBuilder, AllSpaces, SpaceNames);

// --- the reference: integers only ---------------------------------------------------------------------------------

struct IntegerPoint {
  Integer x;
  Integer y;
};

/// Whether a point is inside, by the edges on its left. It lies on no edge and level with no vertex.
bool isInside(const std::vector<std::vector<IntegerPoint>>& rings, const IntegerPoint& point) {
  bool inside = false;
  for (const auto& ring : rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      IntegerPoint low = ring[i];
      IntegerPoint high = ring[(i + 1) % ring.size()];
      if (low.y > high.y) {
        std::swap(low, high);
      }
      if (low.y < point.y && point.y < high.y) {
        const Integer left = (high.x - low.x) * (point.y - low.y) - (high.y - low.y) * (point.x - low.x);
        inside ^= left < 0;
      }
    }
  }
  return inside;
}

// Points in steps of 1/2, so that most vertices and many edges meet centres of cells. In the reference centres are
// moved by 2^-12 towards +x and 2^-24 towards +y. That is little enough: for coordinates up to 8 a centre that is not
// on an edge is at least 2^-6 away from it along x, and 2^-12 along x is not made up for by 2^-24 across at any slope
// that occurs.
constexpr int halves = 2;
constexpr Integer unit = Integer{1} << 25; // a cell, in the reference

CellList<2> referenceCells(const std::vector<std::vector<std::array<int, 2>>>& rings, Coordinate extent) {
  std::vector<std::vector<IntegerPoint>> scaled;
  for (const auto& ring : rings) {
    scaled.emplace_back();
    for (const auto& point : ring) {
      scaled.back().push_back({point[0] * unit / halves, point[1] * unit / halves});
    }
  }
  CellList<2> cells;
  for (Coordinate y = -extent; y < extent; ++y) {
    for (Coordinate x = -extent; x < extent; ++x) {
      const IntegerPoint centre{x * unit + unit / 2 + (unit >> 12), y * unit + unit / 2 + (unit >> 24)};
      if (isInside(scaled, centre)) {
        cells.insert({{x, y}});
      }
    }
  }
  return cells;
}

std::vector<std::vector<std::array<int, 2>>> randomRings(
  std::mt19937& random, int numRings, int maxPoints, int extent) {
  std::uniform_int_distribution<int> coordinate(-halves * extent, halves * extent);
  std::uniform_int_distribution<int> count(1, maxPoints);
  std::vector<std::vector<std::array<int, 2>>> rings(static_cast<std::size_t>(numRings));
  for (auto& ring : rings) {
    ring.resize(static_cast<std::size_t>(count(random)));
    for (auto& point : ring) {
      point = {coordinate(random), coordinate(random)};
    }
  }
  return rings;
}

/// The rings in a lattice of which both origin and spacing, and with them all centres, are exact.
std::vector<Ring> placed(const std::vector<std::vector<std::array<int, 2>>>& rings, const GridGeometry<2>& lattice) {
  std::vector<Ring> result;
  for (const auto& ring : rings) {
    result.emplace_back();
    for (const auto& point : ring) {
      result.back().push_back({lattice.origin[0] + lattice.spacing[0] * point[0] / halves,
        lattice.origin[1] + lattice.spacing[1] * point[1] / halves});
    }
  }
  return result;
}

TYPED_TEST(PolygonsBuilder, HasTheCentresInsideMovedByAnInfinitelySmallStep) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const GridGeometry<2> shifted{{-3.25, 100.5}, {0.375, 2.0}};
  for (int k = 0; k < 150; ++k) {
    SCOPED_TRACE("polygon " + std::to_string(k));
    const auto rings = randomRings(random, 1 + k % 3, 3 + k % 12, 8);
    const CellList<2> expected = referenceCells(rings, 9);
    expectCells<TypeParam, 2>(this->made(placed(rings, unitLattice)), expected);
    expectCells<TypeParam, 2>(this->made(placed(rings, shifted), shifted), expected);
  }
}

// Doubles in [1/8, 2) are multiples of 2^-55: as integers they are below 2^56, and products of their differences fit in
// 128 bits.
Integer scaledUp(double value) { return static_cast<Integer>(std::ldexp(value, 55)); }

TYPED_TEST(PolygonsBuilder, IsExactWhereRoundingDecides) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const GridGeometry<2> lattice{{0.1, 0.2}, {0.1, 0.07}};
  std::uniform_int_distribution<int> cell(0, 17);
  std::uniform_int_distribution<int> nudge(-2, 2);
  const auto nudged = [&](double value) {
    for (int k = nudge(random); k != 0; k += k < 0 ? 1 : -1) {
      value = std::nextafter(value, k < 0 ? -infinity : infinity);
    }
    return value;
  };
  for (int k = 0; k < 100; ++k) {
    SCOPED_TRACE("polygon " + std::to_string(k));
    Ring ring;
    for (int i = 0; i < 9; ++i) { // centres of cells, some off by a few roundings: edges pass centres at that distance
      ring.push_back({nudged(lattice.centre(0, cell(random))), nudged(lattice.centre(1, cell(random)))});
    }
    CellList<2> expected;
    for (Coordinate y = -1; y < 20; ++y) {
      for (Coordinate x = -1; x < 20; ++x) {
        bool inside = false;
        const Integer cx = scaledUp(lattice.centre(0, x));
        const Integer cy = scaledUp(lattice.centre(1, y));
        for (std::size_t i = 0; i < ring.size(); ++i) {
          IntegerPoint low{scaledUp(ring[i][0]), scaledUp(ring[i][1])};
          const Point& next = ring[(i + 1) % ring.size()];
          IntegerPoint high{scaledUp(next[0]), scaledUp(next[1])};
          if (low.y > high.y) {
            std::swap(low, high);
          }
          inside ^= low.y <= cy && cy < high.y && (high.x - low.x) * (cy - low.y) <= (high.y - low.y) * (cx - low.x);
        }
        if (inside) {
          expected.insert({{x, y}});
        }
      }
    }
    expectCells<TypeParam, 2>(this->made({ring}, lattice), expected);
  }
}

TYPED_TEST(PolygonsBuilder, RingsThatShareEdgesPartitionTheirUnion) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const GridGeometry<2> lattice{{-0.3, 0.7}, {0.1, 0.03}};
  std::uniform_int_distribution<int> cell(0, 60);
  std::bernoulli_distribution onCentre(0.5);
  std::uniform_real_distribution<double> anywhere(0.0, 60.0);
  for (int k = 0; k < 40; ++k) {
    SCOPED_TRACE("border " + std::to_string(k));
    Ring border; // wanders through the square and crosses itself
    for (int i = 0; i < 12; ++i) {
      border.push_back(onCentre(random)
          ? Point{lattice.centre(0, cell(random)), lattice.centre(1, cell(random))}
          : Point{lattice.origin[0] + 0.1 * anywhere(random), lattice.origin[1] + 0.03 * anywhere(random)});
    }
    const Point low{lattice.origin[0] - 1.0, lattice.origin[1] - 1.0};
    const Point high{lattice.origin[0] + 9.0, lattice.origin[1] + 4.0};
    const Point lowRight{high[0], low[1]};
    const Point highLeft{low[0], high[1]};
    Ring left{low};
    left.insert(left.end(), border.begin(), border.end());
    left.push_back(high);
    left.push_back(highLeft);
    Ring right{high};
    right.insert(right.end(), border.rbegin(), border.rend());
    right.push_back(low);
    right.push_back(lowRight);
    const auto a = this->made({left}, lattice);
    const auto b = this->made({right}, lattice);
    // Both are even-odd: where the border crosses itself, one of the two covers, never both and never none.
    const auto whole = this->made({{low, lowRight, high, highLeft}}, lattice);
    EXPECT_FALSE(a.empty());
    EXPECT_FALSE(b.empty());
    EXPECT_TRUE(this->combined(SetOperation::Intersection, a, b).empty());
    EXPECT_TRUE(this->same(this->combined(SetOperation::Union, a, b), whole));
  }
}

TYPED_TEST(PolygonsBuilder, CentresOnTheBorderBelongToTheirRightAndAbove) {
  const Ring square{{0.5, 0.5}, {3.5, 0.5}, {3.5, 3.5}, {0.5, 3.5}}; // its sides run through centres of cells
  EXPECT_TRUE(this->same(this->made({square}), this->box({{0, 0}, {3, 3}})));
  const Ring diamond{{2.5, 0.5}, {4.5, 2.5}, {2.5, 4.5}, {0.5, 2.5}};
  expectCells<TypeParam, 2>(this->made({diamond}), // of its corners' cells the left one alone
    {{{1, 1}}, {{2, 1}}, {{0, 2}}, {{1, 2}}, {{2, 2}}, {{3, 2}}, {{1, 3}}, {{2, 3}}});
}

TYPED_TEST(PolygonsBuilder, RingWithinARingIsAHole) {
  const Ring outer{{-5, -5}, {5, -5}, {5, 5}, {-5, 5}};
  const Ring hole{{-2, -1}, {3, -1}, {3, 2}, {-2, 2}};
  const Ring island{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  auto expected =
    this->combined(SetOperation::Difference, this->box({{-5, -5}, {5, 5}}), this->box({{-2, -1}, {3, 2}}));
  EXPECT_TRUE(this->same(this->made({outer, hole}), expected));
  EXPECT_TRUE(this->same(this->made({hole, outer}), expected));
  expected = this->combined(SetOperation::Union, expected, this->box({{0, 0}, {1, 1}}));
  EXPECT_TRUE(this->same(this->made({island, outer, hole}), expected));
  EXPECT_TRUE(this->made({outer, outer}).empty());
  EXPECT_TRUE(this->same(this->made({outer, hole, hole}), this->box({{-5, -5}, {5, 5}})));
}

TYPED_TEST(PolygonsBuilder, RingsThatTouchThemselves) {
  // An eight: two squares that meet in one point, in one ring.
  const Ring eight{{0, 0}, {3, 0}, {3, 3}, {6, 3}, {6, 6}, {3, 6}, {3, 3}, {0, 3}};
  const auto squares = this->combined(SetOperation::Union, this->box({{0, 0}, {3, 3}}), this->box({{3, 3}, {6, 6}}));
  EXPECT_TRUE(this->same(this->made({eight}), squares));
  // A bridge that is walked there and back again joins a hole to its ring.
  const Ring bridged{{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 4}, {3, 4}, {3, 6}, {6, 6}, {6, 3}, {3, 3}, {3, 4}, {0, 4}};
  const auto ring = this->combined(SetOperation::Difference, this->box({{0, 0}, {9, 9}}), this->box({{3, 3}, {6, 6}}));
  EXPECT_TRUE(this->same(this->made({bridged}), ring));
  // A bow tie has two triangles.
  const auto tie = this->made({{{0, 0}, {8, 8}, {8, 0}, {0, 8}}});
  const auto triangles = this->made({{{0, 0}, {4, 4}, {0, 8}}, {{4, 4}, {8, 8}, {8, 0}}});
  EXPECT_TRUE(this->same(tie, triangles));
}

TYPED_TEST(PolygonsBuilder, OrientationAndFirstPointDoNotMatter) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> coordinate(-20.0, 20.0);
  Ring ring(25);
  for (Point& point : ring) {
    point = {coordinate(random), coordinate(random)};
  }
  const auto expected = this->made({ring});
  EXPECT_FALSE(expected.empty());
  for (int k = 0; k < 10; ++k) {
    std::rotate(ring.begin(), ring.begin() + 7, ring.end());
    EXPECT_TRUE(this->same(this->made({ring}), expected));
    std::reverse(ring.begin(), ring.end());
    EXPECT_TRUE(this->same(this->made({ring}), expected));
  }
  ring.push_back(ring.front()); // some write the first point again at the end
  EXPECT_TRUE(this->same(this->made({ring}), expected));
  ring.insert(ring.begin() + 4, 3, ring[4]);
  EXPECT_TRUE(this->same(this->made({ring}), expected));
}

TYPED_TEST(PolygonsBuilder, HorizontalEdgesOnCentres) {
  const Ring step{{0, 0.5}, {4, 0.5}, {4, 2.5}, {2, 2.5}, {2, 4.5}, {0, 4.5}};
  const auto expected = this->combined(SetOperation::Union, this->box({{0, 0}, {4, 2}}), this->box({{0, 2}, {2, 4}}));
  EXPECT_TRUE(this->same(this->made({step}), expected));
  EXPECT_TRUE(this->made({{{0, 0.5}, {9, 0.5}, {4, 0.5}}}).empty());
}

TYPED_TEST(PolygonsBuilder, WithoutAreaIsEmpty) {
  EXPECT_TRUE(this->made({}).empty());
  EXPECT_TRUE(this->made({{}, {}}).empty());
  EXPECT_TRUE(this->made({{{3, 3}}}).empty());
  EXPECT_TRUE(this->made({{{0, 0}, {9, 7}}}).empty());
  EXPECT_TRUE(this->made({{{0.1, 0.1}, {0.2, 0.1}, {0.2, 0.9}}}).empty()); // no centre inside
  EXPECT_TRUE(this->same(this->made({{}, {{0, 0}, {2, 0}, {2, 1}, {0, 1}}, {}}), this->box({{0, 0}, {2, 1}})));
  Rings<typename TypeParam::memory_space> none;
  typename TestFixture::Set out = this->box({{0, 0}, {1, 1}});
  makeFromPolygons<TypeParam>(this->context, none, unitLattice, out);
  EXPECT_TRUE(out.empty());
}

// A regular polygon with n corners on a circle has the area n/2 r^2 sin(2 pi/n); the cells on its border, no more than
// 4 (2 r + 1) of a convex shape, are the error.
TYPED_TEST(PolygonsBuilder, FineRingHasThePolygonsArea) {
  constexpr int corners = 30000;
  const double radius = 400.0;
  Ring ring;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / corners;
    ring.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  const double area = corners / 2.0 * radius * radius * std::sin(2.0 * std::numbers::pi / corners);
  EXPECT_NEAR(static_cast<double>(this->made({ring}).numCells()), area, 4.0 * (2.0 * radius + 1.0));
}

TYPED_TEST(PolygonsBuilder, ReachesTheCoordinateLimits) {
  const auto rectangle = [](double x0, double y0, double x1, double y1) {
    return Ring{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
  };
  const double last = maxIntervalEnd;
  const double first = minCoordinate;
  EXPECT_TRUE(this->same(this->made({rectangle(last - 4, last - 3, last, last)}),
    this->box({{maxIntervalEnd - 4, maxIntervalEnd - 3}, {maxIntervalEnd, maxIntervalEnd}})));
  EXPECT_TRUE(this->same(this->made({rectangle(first, first, first + 2, first + 3)}),
    this->box({{minCoordinate, minCoordinate}, {minCoordinate + 2, minCoordinate + 3}})));
  EXPECT_TRUE(
    this->same(this->made({rectangle(first, -1, last, 1)}), this->box({{minCoordinate, -1}, {maxIntervalEnd, 1}})));
  for (const Ring& ring : {rectangle(last - 4, 0, last + 1, 1), rectangle(0, last - 4, 1, last + 1),
         rectangle(first - 1, 0, 0, 1), rectangle(0, first - 1, 1, 0), rectangle(0, 0, 1e60, 1)}) {
    this->expectRefused(this->ringsOf({ring}), unitLattice, "beyond the cells [-2^31, 2^31 - 2]");
  }
}

TYPED_TEST(PolygonsBuilder, ManyCellsMayShareACentre) {
  // At this origin the spacing is less than the distance of doubles: many cells have one centre, and are all in or all
  // out.
  const GridGeometry<2> lattice{{0x1p56, 0.0}, {1.0, 1.0}};
  const auto set = this->made({{{0x1p56 - 64, 0}, {0x1p56 + 64, 0}, {0x1p56 + 64, 2}, {0x1p56 - 64, 2}}}, lattice);
  CellList<2> expected;
  for (Coordinate x = -200; x < 200; ++x) {
    const double centre = lattice.centre(0, x);
    if (centre >= 0x1p56 - 64 && centre < 0x1p56 + 64) {
      expected.insert({{x, 0}});
      expected.insert({{x, 1}});
    }
  }
  expectCells<TypeParam, 2>(set, expected);
}

TYPED_TEST(PolygonsBuilder, TinyAndHugeUnits) {
  const Ring ring{{0.0, 0.0}, {7.3, 1.1}, {5.2, 9.6}, {-3.4, 6.5}};
  const auto expected = this->made({ring});
  for (const double scale : {0x1p-150, 0x1p150}) { // powers of two: all stays exact
    Ring scaled = ring;
    for (Point& point : scaled) {
      point = {point[0] * scale, point[1] * scale};
    }
    EXPECT_TRUE(this->same(this->made({scaled}, {{0.0, 0.0}, {scale, scale}}), expected));
  }
}

TYPED_TEST(PolygonsBuilder, RefusesWhatIsNotValid) {
  const Ring ring{{0, 0}, {4, 0}, {0, 4}};
  const auto rings = this->ringsOf({ring});
  this->expectRefused(this->ringsOf({{{0, 0}, {1, notANumber}, {1, 0}}}), unitLattice, "point 1, (1, nan)");
  this->expectRefused(this->ringsOf({ring, {{0, 0}, {-infinity, 2}, {1, 0}}}), unitLattice, "point 4, (-inf, 2)");
  this->expectRefused(this->ringsOf({{{0, 0}, {1e71, 1}, {1, 0}}}), unitLattice, "beyond 1e70");
  this->expectRefused(rings, {{0, 0}, {1, 0}}, "spacing is (1, 0)");
  this->expectRefused(rings, {{0, 0}, {-1, 1}}, "spacing is (-1, 1)");
  this->expectRefused(rings, {{0, 0}, {1, notANumber}}, "spacing");
  this->expectRefused(rings, {{0, infinity}, {1, 1}}, "origin is (0, inf)");

  const auto points = rings.points;
  const auto offsets = [](const std::vector<std::int64_t>& values) { return arrayOn<TypeParam>(values); };
  this->expectRefused({points, offsets({})}, unitLattice, "3 points but no rings");
  this->expectRefused({points, offsets({0})}, unitLattice, "3 points but no rings");
  this->expectRefused({points, offsets({0, 2})}, unitLattice, "ring 0 of 1 has the points from 0 to 2");
  this->expectRefused({points, offsets({1, 3})}, unitLattice, "ring 0 of 1 has the points from 1 to 3");
  this->expectRefused({points, offsets({0, 3, 2, 3})}, unitLattice, "ring 1 of 3 has the points from 3 to 2");
  this->expectRefused({points, offsets({0, 3, 1000})}, unitLattice, "ring 1 of 2 has the points from 3 to 1000");
}

TYPED_TEST(PolygonsBuilder, ReportsProgressAndCanBeCancelled) {
  const auto rings = this->ringsOf({{{0, 0}, {40, 0}, {0, 40}}});
  typename TestFixture::Set out;
  expectProgressAndCancelling(out, [&](const Progress& progress) {
    makeFromPolygons<TypeParam>(this->context.with(progress), rings, unitLattice, out);
  });
}

} // namespace
} // namespace spanwise::testing
