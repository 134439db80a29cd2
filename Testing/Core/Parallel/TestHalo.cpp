#include "Core/Parallel/Halo.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <random>

namespace spanwise::testing {
namespace {

TEST(Halo, HoldsThePlanesAround) {
  const std::vector<HeldPlanes> held = heldPlanes({3, 5}, 4);
  ASSERT_EQ(held.size(), 1U);
  EXPECT_TRUE((held[0].planes == PlaneRange{-1, 9}));
  EXPECT_EQ(held[0].shift, 0);
  EXPECT_TRUE(heldPlanes({5, 5}, 4).empty());
  EXPECT_TRUE(heldPlanes({}, 7)[0].planes == PlaneRange()); // infinity stays where it is
  EXPECT_TRUE((heldPlanes({PlaneRange().begin, 0}, 7)[0].planes == PlaneRange{PlaneRange().begin, 7}));
}

TEST(Halo, HoldsEachPlaneOfAPeriodicAxisOnce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_int_distribution<std::int64_t> place(-10, 10);
  for (int trial = 0; trial < 500; ++trial) {
    const std::int64_t begin = place(random);
    const Halo halo(std::abs(place(random)), {begin, begin + std::abs(place(random)) + 1});
    const std::int64_t first = place(random);
    const PlaneRange owned{first, first + std::abs(place(random))};
    std::vector<std::int64_t> expected;
    const PlaneRange own = owned.within(halo.period);
    for (std::int64_t p = own.begin - halo.planes; p < own.end + halo.planes && !own.empty(); ++p) {
      expected.push_back(p);
    }
    std::vector<std::int64_t> found;
    for (const HeldPlanes& held : heldPlanes(owned, halo)) {
      EXPECT_FALSE(held.planes.empty());
      EXPECT_TRUE(held.planes.within(halo.period) == held.planes);
      EXPECT_EQ(held.shift % halo.periodLength(), 0);
      for (std::int64_t p = held.planes.begin; p < held.planes.end; ++p) {
        found.push_back(p + held.shift);
      }
    }
    EXPECT_EQ(found, expected);
  }
}

TEST(Halo, HasLimits) {
  EXPECT_THROW(heldPlanes({0, 1}, -1), InvalidArgument);
  const PlaneRange all{minCoordinate, std::int64_t{maxRowKey} + 1};
  EXPECT_THROW(heldPlanes({0, all.end}, {1, all}), CoordinateOverflow);
  EXPECT_THROW(heldPlanes({all.begin, 0}, {1, all}), CoordinateOverflow);
  EXPECT_EQ(heldPlanes({0, 1}, {1, all}).size(), 1U);
}

TEST(Halo, CutsAreMadeOfParts) {
  using Limits = PlaneRange;
  EXPECT_EQ(cutOf({{0, 3}, {3, 9}}).bounds, (std::vector<std::int64_t>{Limits().begin, 3, Limits().end}));
  EXPECT_EQ(cutOf({{}}).bounds, (std::vector<std::int64_t>{Limits().begin, Limits().end}));
  // Parts without planes stay without.
  EXPECT_EQ(cutOf({{7, 7}, {0, 3}, {-5, -5}, {4, 6}, {0, 0}}).bounds,
    (std::vector<std::int64_t>{Limits().begin, Limits().begin, 4, 4, Limits().end, Limits().end}));
  EXPECT_THROW(cutOf({{0, 3}, {2, 9}}), InvalidArgument);
  EXPECT_THROW(cutOf({{3, 9}, {5, 5}, {0, 3}}), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
