// Vertices of several ranks that are near each other: against one rank that has all of them.

#include "Core/Mesh/MergeVertices.hpp"
#include "Core/Mesh/RankMerge.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace spanwise::testing {
namespace {

bool isBefore(const Point& a, const Point& b) { return std::lexicographical_compare(a.at, a.at + 3, b.at, b.at + 3); }

/// Where the vertices go, by going through all pairs until nothing changes.
std::vector<Point> reference(const std::vector<Point>& points, double distance) {
  std::vector<Point> merged = points;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t a = 0; a < points.size(); ++a) {
      for (std::size_t b = 0; b < points.size(); ++b) {
        const Point apart = points[a] - points[b];
        if (dot(apart, apart) <= distance * distance && isBefore(merged[a], merged[b])) {
          merged[b] = merged[a];
          changed = true;
        }
      }
    }
  }
  return merged;
}

TEST(RankMerge, IsThatOfOneRank) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto size = static_cast<std::size_t>(world().size());
  for (const bool bySlabs : {false, true}) {
    std::vector<Point> points;
    std::vector<std::size_t> owners;
    for (int v = 0; v < 300; ++v) {
      Point point{{unit(random), 0.3 * unit(random), v % 4 == 0 ? -0.0 : 0.1 * unit(random)}};
      point = v % 5 == 4 ? points[random() % points.size()] : point; // some are on several ranks
      points.push_back(point);
      const double share = 0.5 * (point[0] + 1.0) * static_cast<double>(size);
      owners.push_back(bySlabs ? std::min(static_cast<std::size_t>(share), size - 1) : random() % size);
    }
    for (const double distance : {0.0, 1e-9, 0.03, 0.08, 0.15, 10.0}) {
      const std::vector<Point> expected = reference(points, distance);
      std::vector<Point> mine;
      std::vector<Point> wanted;
      for (std::size_t v = 0; v < points.size(); ++v) {
        if (owners[v] == static_cast<std::size_t>(world().rank())) {
          mine.push_back(points[v]);
          wanted.push_back(expected[v]);
        }
      }
      const Point nowhere{{std::nan(""), 0.0, 0.0}};
      mine.push_back(nowhere);
      const std::vector<Point> merged = mergedPlaces(world(), mine, distance);
      ASSERT_EQ(merged.size(), mine.size());
      int differ = 0;
      for (std::size_t v = 0; v < wanted.size(); ++v) {
        differ += std::equal(merged[v].at, merged[v].at + 3, wanted[v].at) ? 0 : 1;
      }
      EXPECT_EQ(differ, 0) << "distance " << distance;
      EXPECT_TRUE(std::isnan(merged.back()[0]));
    }
  }
}

// A chain that goes from rank to rank and back is one group.
TEST(RankMerge, FollowsChainsAcrossRanks) {
  std::vector<Point> mine;
  const int length = 6 * world().size();
  for (int k = 0; k < length; ++k) {
    if (k % world().size() == world().rank()) {
      mine.push_back({{0.1 * k, 0.0, 0.0}});
    }
  }
  for (const Point& place : mergedPlaces(world(), mine, 0.11)) {
    EXPECT_EQ(place[0], 0.0);
  }
  const std::vector<Point> apart = mergedPlaces(world(), mine, 0.09);
  for (std::size_t v = 0; v < mine.size(); ++v) {
    EXPECT_EQ(apart[v][0], mine[v][0]);
  }
}

// Groups are farther apart than the distance: so a solver may merge again what a rank has, within the same distance.
TEST(RankMerge, MergedPlacesStayWhenTheyAreMergedAgain) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed() + static_cast<unsigned>(world().rank()));
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::vector<Point> mine(200);
  for (Point& point : mine) {
    point = {{unit(random), 0.3 * unit(random), 0.1 * unit(random)}};
  }
  const HostExecutionSpace space;
  const Context context(space);
  const Kokkos::View<std::int32_t*, HostExecutionSpace::memory_space> inOnePlace("Testing::inOnePlace", mine.size());
  const Kokkos::View<std::int32_t*, HostExecutionSpace::memory_space> near("Testing::near", mine.size());
  for (const double distance : {0.0, 1e-9, 0.03, 0.08, 0.15, 10.0}) {
    const std::vector<Point> merged = mergedPlaces(world(), mine, distance);
    const std::vector<Point> again = mergedPlaces(world(), merged, distance);
    std::vector<double> coordinates;
    for (std::size_t v = 0; v < mine.size(); ++v) {
      EXPECT_TRUE(std::equal(merged[v].at, merged[v].at + 3, again[v].at)) << "distance " << distance;
      coordinates.insert(coordinates.end(), merged[v].at, merged[v].at + 3);
    }
    const auto vertices = VertexView<double>::interleaved(coordinates.data(), std::ssize(mine));
    const std::int64_t numInOnePlace = mergeVertices(context, vertices, 0.0, inOnePlace);
    EXPECT_EQ(mergeVertices(context, vertices, distance, near), numInOnePlace) << "distance " << distance;
    EXPECT_TRUE(std::equal(near.data(), near.data() + near.extent(0), inOnePlace.data())) << "distance " << distance;
  }
}

TEST(RankMerge, TakesRanksWithoutVerticesAndRefusesWhatIsNoDistance) {
  std::vector<Point> mine;
  if (world().rank() == world().size() - 1) {
    mine = {{{1.0, 0.0, 0.0}}, {{1.0, 0.0, 0.05}}};
  }
  const std::vector<Point> merged = mergedPlaces(world(), mine, 0.1);
  ASSERT_EQ(merged.size(), mine.size());
  for (const Point& place : merged) {
    EXPECT_EQ(place[2], 0.0);
  }
  for (const double distance : {-1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(static_cast<void>(mergedPlaces(world(), mine, distance)), InvalidArgument);
  }
  if (!world().alone()) {
    EXPECT_THROW(static_cast<void>(mergedPlaces(world(), mine, 0.1 * world().rank())), InvalidArgument);
  }
}

} // namespace
} // namespace spanwise::testing
