#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/ExtractRegion.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace spanwise::testing {
namespace {

constexpr std::array modes{RegionCells::WithCentre, RegionCells::Touching};
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Space>
class ExtractRegion : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};

  template <int Dim, class Region>
  IntervalSetOn<Dim, Space> extracted(const IntervalSetOn<Dim, Space>& set, const GridGeometry<Dim>& lattice,
    const Region& region, RegionCells cells, RegionSide side = RegionSide::Inside) {
    IntervalSetOn<Dim, Space> out;
    extractRegion<Space, Dim>(context, set, lattice, region, {cells, side}, out);
    return out;
  }

  /// Both sides against a test of each cell.
  template <int Dim, class Region, class Belongs>
  void expectSides(const CellList<Dim>& all, const GridGeometry<Dim>& lattice, const Region& region, RegionCells cells,
    const Belongs& belongs) {
    CellList<Dim> inside;
    CellList<Dim> outside;
    for (const Cell<Dim>& cell : all) {
      (belongs(cell) ? inside : outside).insert(cell);
    }
    const auto set = toSet<Space, Dim>(all);
    expectCells<Space, Dim>(extracted<Dim>(set, lattice, region, cells), inside);
    expectCells<Space, Dim>(extracted<Dim>(set, lattice, region, cells, RegionSide::Outside), outside);
  }
};
TYPED_TEST_SUITE(ExtractRegion, AllSpaces, SpaceNames);

/// Multiples of 1/8, with which nothing is rounded.
double eighths(std::mt19937& random, int from, int to) {
  return (from * 8 + static_cast<int>(random() % static_cast<unsigned>((to - from) * 8 + 1))) / 8.0;
}

template <int Dim>
GridGeometry<Dim> randomLattice(std::mt19937& random) {
  GridGeometry<Dim> lattice{};
  for (int d = 0; d < Dim; ++d) {
    lattice.origin[d] = eighths(random, -3, 3);
    lattice.spacing[d] = std::array{0.25, 0.5, 1.0, 3.0}[random() % 4];
  }
  return lattice;
}

template <int Dim>
bool boxHas(const GridGeometry<Dim>& lattice, const BoxRegion<Dim>& box, RegionCells cells, const Cell<Dim>& cell) {
  for (int d = 0; d < Dim; ++d) {
    const double low = lattice.origin[d] + cell.at[d] * lattice.spacing[d];
    const double high = low + lattice.spacing[d];
    const double centre = (low + high) / 2;
    if (box.high[d] < box.low[d]) { // no point is in it
      return false;
    }
    if (cells == RegionCells::WithCentre ? centre < box.low[d] || centre >= box.high[d]
                                         : high <= box.low[d] || low >= box.high[d]) {
      return false;
    }
  }
  return true;
}

template <int Dim>
bool ballHas(const GridGeometry<Dim>& lattice, const BallRegion<Dim>& ball, RegionCells cells, const Cell<Dim>& cell) {
  double square = 0.0;
  bool holdsCentre = true;
  for (int d = 0; d < Dim; ++d) {
    const double low = lattice.origin[d] + cell.at[d] * lattice.spacing[d];
    const double high = low + lattice.spacing[d];
    const double nearest = cells == RegionCells::WithCentre ? (low + high) / 2 : std::clamp(ball.centre[d], low, high);
    square += (nearest - ball.centre[d]) * (nearest - ball.centre[d]);
    holdsCentre = holdsCentre && low < ball.centre[d] && ball.centre[d] < high;
  }
  const double limit = ball.radius * ball.radius;
  return cells == RegionCells::WithCentre ? square <= limit : square < limit || holdsCentre;
}

TYPED_TEST(ExtractRegion, AgreesWithBruteForce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto expectRandom = [&]<int Dim>(int numCases, Coordinate extent) {
    for (int k = 0; k < numCases && !::testing::Test::HasFailure(); ++k) {
      SCOPED_TRACE("case " + std::to_string(k));
      const auto all = randomCells<Dim>(random, extent, std::array{0.0, 0.2, 0.8, 1.0}[random() % 4]);
      const GridGeometry<Dim> lattice = randomLattice<Dim>(random);
      BoxRegion<Dim> box{};
      BallRegion<Dim> ball{};
      for (int d = 0; d < Dim; ++d) {
        box.low[d] = random() % 10 == 0 ? -infinity : eighths(random, -8, 6);
        box.high[d] = random() % 10 == 0 ? infinity : std::max(-9.0, box.low[d]) + eighths(random, -1, 8);
        ball.centre[d] = eighths(random, -8, 8);
      }
      ball.radius = eighths(random, 0, 9);
      for (const RegionCells cells : modes) {
        this->template expectSides<Dim>(
          all, lattice, box, cells, [&](const auto& cell) { return boxHas<Dim>(lattice, box, cells, cell); });
        this->template expectSides<Dim>(
          all, lattice, ball, cells, [&](const auto& cell) { return ballHas<Dim>(lattice, ball, cells, cell); });
      }
    }
  };
  expectRandom.template operator()<2>(1000, 7);
  expectRandom.template operator()<3>(200, 4);
}

TYPED_TEST(ExtractRegion, CellsOnTheSurface) {
  const GridGeometry<2> lattice{{0.0, 0.0}, {1.0, 1.0}};
  CellList<2> all;
  for (Coordinate y = -3; y < 3; ++y) {
    for (Coordinate x = -3; x < 3; ++x) {
      all.insert({{x, y}});
    }
  }
  const auto set = toSet<TypeParam, 2>(all);
  const auto count = [&](const auto& region, RegionCells cells) {
    return this->template extracted<2>(set, lattice, region, cells).numCells();
  };
  // A box from face to face holds the cells between, and does not reach into others.
  const BoxRegion<2> whole{{-1.0, -1.0}, {1.0, 1.0}};
  EXPECT_EQ(count(whole, RegionCells::WithCentre), 4);
  EXPECT_EQ(count(whole, RegionCells::Touching), 4);
  // Centres on the lower end are in, on the upper end are not.
  const BoxRegion<2> fromCentres{{-0.5, -0.5}, {1.5, 1.5}};
  EXPECT_EQ(count(fromCentres, RegionCells::WithCentre), 4);
  EXPECT_EQ(count(fromCentres, RegionCells::Touching), 9);
  // A plane within cells reaches into them, one on faces does not.
  EXPECT_EQ(count(BoxRegion<2>{{-9.0, 0.25}, {9.0, 0.25}}, RegionCells::Touching), 6);
  EXPECT_EQ(count(BoxRegion<2>{{-9.0, 0.0}, {9.0, 0.0}}, RegionCells::Touching), 0);
  EXPECT_EQ(count(BoxRegion<2>{{1.0, 1.0}, {-1.0, -1.0}}, RegionCells::WithCentre), 0);
  // Balls, and points as balls.
  EXPECT_EQ(count(BallRegion<2>{{0.5, 0.5}, 1.0}, RegionCells::WithCentre), 5);
  EXPECT_EQ(count(BallRegion<2>{{0.5, 0.5}, 0.5}, RegionCells::Touching), 1);
  EXPECT_EQ(count(BallRegion<2>{{0.5, 0.5}, 0.625}, RegionCells::Touching), 5);
  EXPECT_EQ(count(BallRegion<2>{{0.25, 0.5}, 0.0}, RegionCells::Touching), 1);
  EXPECT_EQ(count(BallRegion<2>{{0.0, 0.5}, 0.0}, RegionCells::Touching), 0);
}

// A region much larger than the set costs no more, and rows that reach from limit to limit are cut where they should.
TYPED_TEST(ExtractRegion, AtTheLimitsOfCoordinates) {
  IntervalSetOn<2, TypeParam> set;
  makeBox<TypeParam, 2>(this->context, {{minCoordinate, maxRowKey - 1}, {maxIntervalEnd, maxIntervalEnd}}, set);
  ASSERT_EQ(set.numRows(), 2);
  const GridGeometry<2> lattice{{0.0, 0.0}, {0.5, 0.5}};
  const auto count = [&](const auto& region, RegionCells cells, RegionSide side = RegionSide::Inside) {
    return this->template extracted<2>(set, lattice, region, cells, side).numCells();
  };
  const std::int64_t all = set.numCells();
  for (const RegionCells cells : modes) {
    EXPECT_EQ(count(BoxRegion<2>{{-infinity, -infinity}, {infinity, infinity}}, cells), all);
    EXPECT_EQ(count(BoxRegion<2>{{-1e300, -1e300}, {1e300, 1e300}}, cells), all);
    EXPECT_EQ(count(BoxRegion<2>{{-1e300, -1e300}, {1e300, 0.0}}, cells), 0);
    EXPECT_EQ(count(BoxRegion<2>{{-1.0, -infinity}, {1.0, infinity}}, cells), 2 * 4);
    EXPECT_EQ(count(BoxRegion<2>{{0.0, -infinity}, {infinity, infinity}}, cells), 2 * std::int64_t{maxIntervalEnd});
    EXPECT_EQ(count(BallRegion<2>{{0.0, 0.0}, 1e12}, cells), all);
    EXPECT_EQ(count(BallRegion<2>{{0.0, 0.0}, 1e12}, cells, RegionSide::Outside), 0);
    EXPECT_EQ(count(BallRegion<2>{{1e12, 0.0}, 1.0}, cells), 0);
  }
  const double y = (maxRowKey + 0.5) * 0.5; // the centre of the last row
  EXPECT_EQ(count(BallRegion<2>{{0.25, y}, 0.5}, RegionCells::WithCentre), 3 + 1);
}

TYPED_TEST(ExtractRegion, BadNumbersAreErrors) {
  const auto set = toSet<TypeParam, 2>({{{0, 0}}});
  const GridGeometry<2> lattice{{0.0, 0.0}, {1.0, 1.0}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto extract = [&](const auto& region) {
    return this->template extracted<2>(set, lattice, region, RegionCells::WithCentre);
  };
  EXPECT_THROW(extract(BoxRegion<2>{{0.0, nan}, {1.0, 1.0}}), InvalidArgument);
  EXPECT_THROW(extract(BoxRegion<2>{{0.0, 0.0}, {nan, 1.0}}), InvalidArgument);
  EXPECT_THROW(extract(BallRegion<2>{{0.0, nan}, 1.0}), InvalidArgument);
  EXPECT_THROW(extract(BallRegion<2>{{0.0, infinity}, 1.0}), InvalidArgument);
  EXPECT_THROW(extract(BallRegion<2>{{0.0, 0.0}, nan}), InvalidArgument);
  EXPECT_THROW(extract(BallRegion<2>{{0.0, 0.0}, infinity}), InvalidArgument);
  EXPECT_THROW(extract(BallRegion<2>{{0.0, 0.0}, -1.0}), InvalidArgument);
}

TYPED_TEST(ExtractRegion, ABoxThatEndsBeforeItBeginsHasNoPoint) {
  const auto set = toSet<TypeParam, 2>({{{0, 0}}, {{1, 0}}});
  const GridGeometry<2> lattice{{0.0, 0.0}, {1.0, 1.0}};
  for (const RegionCells cells : modes) {
    const BoxRegion<2> within{{0.75, 0.25}, {0.25, 0.75}}; // both ends within a cell
    EXPECT_TRUE((this->template extracted<2>(set, lattice, within, cells).empty()));
    EXPECT_EQ((this->template extracted<2>(set, lattice, within, cells, RegionSide::Outside).numCells()), 2);
  }
}

} // namespace
} // namespace spanwise::testing
