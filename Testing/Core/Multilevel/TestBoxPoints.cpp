#include "Core/Multilevel/BoxPoints.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace spanwise::testing {
namespace {

constexpr BoxPoints box{{-1.0, 0.1, 2.0}, {2.0, 0.2, 3.0}, {5, 3, 4}};

TEST(BoxPoints, AreAtEqualDistancesFromFaceToFace) {
  for (int d = 0; d < 3; ++d) {
    EXPECT_EQ(box.count(d), box.resolution[d]);
    EXPECT_EQ(box.origin(d), box.corner[d]);
    EXPECT_EQ(box.at(d, 0), box.corner[d]);
    EXPECT_EQ(box.at(d, box.count(d) - 1), box.corner[d] + box.lengths[d]); // to the last bit
    for (int k = 1; k < box.count(d); ++k) {
      EXPECT_NEAR(box.at(d, k) - box.at(d, k - 1), box.spacing(d), 1e-15);
    }
  }
}

TEST(BoxPoints, AreOneInTheMiddleWhereThereIsNoLengthOrOneIsAskedFor) {
  constexpr BoxPoints flat{{-1.0, 0.5, 2.0}, {2.0, 0.0, 3.0}, {1, 7, 4}};
  EXPECT_EQ(flat.count(0), 1);
  EXPECT_EQ(flat.at(0, 0), 0.0);
  EXPECT_EQ(flat.count(1), 1);
  EXPECT_EQ(flat.at(1, 0), 0.5);
  EXPECT_GT(flat.spacing(1), 0.0);
  int extent[6];
  flat.wholeExtent(extent);
  EXPECT_EQ(positionsOf<3>(flat, extent).size(), 4U);
}

TEST(BoxPoints, AreListedAlongXFirst) {
  int extent[6];
  box.wholeExtent(extent);
  const std::vector<Position<3>> positions = positionsOf<3>(box, extent);
  ASSERT_EQ(positions.size(), 60U);
  const std::vector<Position<2>> flat = positionsOf<2>(box, extent);
  ASSERT_EQ(flat.size(), 60U);
  for (int p = 0; p < 60; ++p) {
    const std::array<int, 3> k{p % 5, p / 5 % 3, p / 15};
    for (int d = 0; d < 3; ++d) {
      EXPECT_EQ(positions[static_cast<std::size_t>(p)].at[d], box.at(d, k[static_cast<std::size_t>(d)]));
    }
    EXPECT_EQ(flat[static_cast<std::size_t>(p)].at[1], positions[static_cast<std::size_t>(p)].at[1]);
  }
}

// Each cell between points is in one piece.
TEST(BoxPoints, AreCutBetweenCellsOfTheSlowestAxis) {
  for (const BoxPoints& points : {box, BoxPoints{{0.0, 0.0, 0.0}, {1.0, 1.0, 0.0}, {9, 6, 5}}}) {
    const int axis = points.count(2) > 1 ? 2 : 1;
    for (const int pieces : {1, 2, 3, 7}) {
      int next = 0;
      for (int piece = 0; piece < pieces; ++piece) {
        int extent[6];
        points.extentOf(piece, pieces, extent);
        if (extent[2 * axis] > extent[2 * axis + 1]) {
          EXPECT_TRUE(positionsOf<3>(points, extent).empty());
          continue;
        }
        EXPECT_EQ(extent[2 * axis], next);
        next = extent[2 * axis + 1];
      }
      EXPECT_EQ(next, points.count(axis) - 1);
    }
  }
}

TEST(BoxPoints, RefuseWhatIsNoBox) {
  const auto messageFor = [](const BoxPoints& points) { return messageOf([&] { points.check(); }); };
  EXPECT_EQ(messageFor(box), "");
  EXPECT_NE(messageFor({{0, 0, 0}, {1, 1, 1}, {4, 0, 4}}).find("the resolution along axis 1 is 0"), std::string::npos);
  EXPECT_NE(messageFor({{0, 0, 0}, {1, 1, 1}, {40000, 40000, 40000}}).find("2^31 - 1"), std::string::npos);
  EXPECT_NE(messageFor({{0, 0, 0}, {1, -1, 1}, {4, 4, 4}}).find("the length -1"), std::string::npos);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(messageFor({{0, 0, nan}, {1, 1, 1}, {4, 4, 4}}).find("along axis 2"), std::string::npos);
}

} // namespace
} // namespace spanwise::testing
