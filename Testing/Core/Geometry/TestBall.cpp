#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace spanwise::testing {
namespace {

template <class Space>
class BallBuilder : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};

  template <int Dim>
  IntervalSetOn<Dim, Space> made(const Ball<Dim>& ball) {
    IntervalSetOn<Dim, Space> out;
    makeBall<Space, Dim>(context, ball, out);
    return out;
  }
};
TYPED_TEST_SUITE(BallBuilder, AllSpaces, SpaceNames);

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// The cells within a ball, one by one.
template <int Dim>
CellList<Dim> cellsWithin(const Ball<Dim>& ball) {
  Coordinate low[3] = {0, 0, 0};
  Coordinate high[3] = {0, 0, 0};
  for (int d = 0; d < Dim; ++d) {
    low[d] = static_cast<Coordinate>(std::floor(ball.centre[d] - ball.radius)) - 2;
    high[d] = static_cast<Coordinate>(std::ceil(ball.centre[d] + ball.radius)) + 2;
  }
  CellList<Dim> cells;
  for (Coordinate z = low[2]; z <= high[2]; ++z) {
    for (Coordinate y = low[1]; y <= high[1]; ++y) {
      for (Coordinate x = low[0]; x <= high[0]; ++x) {
        const Coordinate at[3] = {x, y, z};
        Cell<Dim> cell{};
        double square = 0.0;
        for (int d = 0; d < Dim; ++d) {
          cell.at[d] = at[d];
          const double distance = at[d] + 0.5 - ball.centre[d];
          square += distance * distance;
        }
        if (square <= ball.radius * ball.radius) {
          cells.insert(cell);
        }
      }
    }
  }
  return cells;
}

// Centres and radii in steps of 1/64: all arithmetic is exact, and many cells' centres lie exactly on the ball's
// border.
template <int Dim>
Ball<Dim> randomBall(std::mt19937& random) {
  std::uniform_int_distribution<int> centre(-64 * 20, 64 * 20);
  std::uniform_int_distribution<int> radius(0, 64 * (Dim == 2 ? 20 : 8));
  std::bernoulli_distribution onHalves(0.5);
  Ball<Dim> ball{};
  const int step = onHalves(random) ? 32 : 1;
  for (int d = 0; d < Dim; ++d) {
    ball.centre[d] = centre(random) / step * step / 64.0;
  }
  ball.radius = radius(random) / step * step / 64.0;
  return ball;
}

TYPED_TEST(BallBuilder, HasTheCellsWithinTheRadius) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int k = 0; k < 25; ++k) {
    SCOPED_TRACE("ball " + std::to_string(k));
    const Ball<2> disk = randomBall<2>(random);
    expectCells<TypeParam, 2>(this->template made<2>(disk), cellsWithin(disk));
    const Ball<3> ball = randomBall<3>(random);
    expectCells<TypeParam, 3>(this->template made<3>(ball), cellsWithin(ball));
  }
}

TYPED_TEST(BallBuilder, HasTheCellsWithinAnyRadius) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> centre(-20.0, 20.0);
  for (int k = 0; k < 15; ++k) {
    SCOPED_TRACE("ball " + std::to_string(k));
    const Ball<2> disk{{centre(random), centre(random)}, std::abs(centre(random))};
    expectCells<TypeParam, 2>(this->template made<2>(disk), cellsWithin(disk));
    const Ball<3> ball{{centre(random), centre(random), centre(random)}, std::abs(centre(random)) / 3.0};
    expectCells<TypeParam, 3>(this->template made<3>(ball), cellsWithin(ball));
  }
}

// Gauss's circle problem: the points of Z^2 and Z^3 within a radius (OEIS A000328, A000605).
TYPED_TEST(BallBuilder, CountsLatticePoints) {
  const std::pair<double, std::int64_t> inPlane[] = {
    {0, 1}, {1, 5}, {2, 13}, {3, 29}, {5, 81}, {10, 317}, {20, 1257}, {100, 31417}};
  for (const auto& [radius, count] : inPlane) {
    EXPECT_EQ(this->template made<2>({{0.5, -7.5}, radius}).numCells(), count) << "radius " << radius;
  }
  const std::pair<double, std::int64_t> inSpace[] = {{0, 1}, {1, 7}, {2, 33}, {3, 123}, {4, 257}, {5, 515}, {10, 4169}};
  for (const auto& [radius, count] : inSpace) {
    EXPECT_EQ(this->template made<3>({{0.5, -7.5, 3.5}, radius}).numCells(), count) << "radius " << radius;
  }
}

// A cell of the ball lies within the radius plus half the cell's diagonal, and covers every point within the radius
// minus half a diagonal.
TYPED_TEST(BallBuilder, FineBallHasTheBallsVolume) {
  for (const double radius : {10.0, 50.0, 90.0}) {
    const auto area = static_cast<double>(this->template made<2>({{0.3, 0.2}, radius}).numCells());
    EXPECT_LE(area, std::numbers::pi * std::pow(radius + std::sqrt(2.0) / 2, 2));
    EXPECT_GE(area, std::numbers::pi * std::pow(radius - std::sqrt(2.0) / 2, 2));
    const auto volume = static_cast<double>(this->template made<3>({{0.3, 0.2, -0.7}, radius}).numCells());
    EXPECT_LE(volume, 4.0 / 3.0 * std::numbers::pi * std::pow(radius + std::sqrt(3.0) / 2, 3));
    EXPECT_GE(volume, 4.0 / 3.0 * std::numbers::pi * std::pow(radius - std::sqrt(3.0) / 2, 3));
  }
}

TYPED_TEST(BallBuilder, WithoutACentreInsideIsEmpty) {
  EXPECT_TRUE(this->template made<2>({{0.0, 0.0}, 0.5}).empty());
  EXPECT_TRUE(this->template made<3>({{7.0, 0.5, 0.5}, 0.0}).empty());
}

TYPED_TEST(BallBuilder, ReachesTheCoordinateLimits) {
  const double last = maxIntervalEnd;
  const auto high = this->template made<2>({{last - 3.0, last - 2.0}, 2.0});
  EXPECT_EQ(high.numCells(), this->template made<2>({{0.0, 0.0}, 2.0}).numCells());
  EXPECT_EQ(validate(Context<TypeParam>(), high), "");
  const auto low = this->template made<3>({{minCoordinate + 2.5, minCoordinate + 2.5, minCoordinate + 2.5}, 2.5});
  EXPECT_EQ(validate(Context<TypeParam>(), low), "");
  const Box<3> box = boundingBox<TypeParam, 3>(this->context, low);
  for (int d = 0; d < 3; ++d) {
    EXPECT_EQ(box.begin[d], minCoordinate);
    EXPECT_EQ(box.end[d], minCoordinate + 5);
  }
}

TYPED_TEST(BallBuilder, RefusesWhatIsNotABall) {
  const double last = maxIntervalEnd;
  for (const Ball<2>& ball : {Ball<2>{{0, 0}, -1.0}, Ball<2>{{0, 0}, notANumber}, Ball<2>{{0, 0}, infinity},
         Ball<2>{{notANumber, 0}, 1.0}, Ball<2>{{0, infinity}, 1.0}, Ball<2>{{last, 0}, 0.5},
         Ball<2>{{0, minCoordinate + 1.0}, 1.5}, Ball<2>{{0, 0}, 3e9}}) {
    IntervalSetOn<2, TypeParam> out = this->template made<2>({{0.5, 0.5}, 1.0});
    EXPECT_THROW((makeBall<TypeParam, 2>(this->context, ball, out)), InvalidArgument);
    EXPECT_TRUE(out.empty());
  }
  EXPECT_THROW(this->template made<3>({{0, 0, 0}, 2e9}), InvalidArgument); // more cells than 64 bits count
}

} // namespace
} // namespace spanwise::testing
