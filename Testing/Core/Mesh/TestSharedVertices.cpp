// Vertices that ranks have in common: against everything that all ranks have, compared with each other.

#include "Core/Mesh/SharedVertices.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/Parallel/World.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace spanwise::testing {
namespace {

/// What each rank has: a random part of the numbers below `end`, in random order; some ranks may have none. The same on
/// all ranks.
std::vector<std::vector<std::int64_t>> randomIds(std::mt19937& random, std::int64_t end, double share) {
  std::vector<std::vector<std::int64_t>> ids(static_cast<std::size_t>(world().size()));
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (auto& mine : ids) {
    const double some = unit(random) < 0.2 ? 0.0 : share;
    for (std::int64_t id = 0; id < end; ++id) {
      if (unit(random) < some) {
        mine.push_back(id - end / 2);
      }
    }
    std::shuffle(mine.begin(), mine.end(), random);
  }
  return ids;
}

/// Expects what comparing each with each finds, and on both sides the same in each slot.
void expectShared(const SharedVertices& shared, const std::vector<std::vector<std::int64_t>>& ids) {
  const std::vector<std::int64_t>& mine = ids[static_cast<std::size_t>(world().rank())];
  std::size_t n = 0;
  for (int r = 0; r < world().size(); ++r) {
    std::vector<std::int64_t> both;
    for (const std::int64_t id : mine) {
      const auto& theirs = ids[static_cast<std::size_t>(r)];
      if (r != world().rank() && std::find(theirs.begin(), theirs.end(), id) != theirs.end()) {
        both.push_back(id);
      }
    }
    if (both.empty()) {
      continue;
    }
    std::sort(both.begin(), both.end());
    ASSERT_LT(n, shared.ranks.size());
    EXPECT_EQ(shared.ranks[n], r);
    std::vector<std::int64_t> found;
    for (std::int64_t k = shared.firstSlot[n]; k < shared.firstSlot[n + 1]; ++k) {
      found.push_back(mine.at(static_cast<std::size_t>(shared.vertices[k])));
    }
    EXPECT_EQ(found, both); // ascending, so in one order on both
    ++n;
  }
  EXPECT_EQ(n, shared.ranks.size());
  EXPECT_EQ(shared.numSlots(), shared.firstSlot.back());
}

TEST(SharedVertices, AreFoundByIds) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const double share : {0.02, 0.3, 1.0}) {
    for (int round = 0; round < 5; ++round) {
      const auto ids = randomIds(random, 300, share);
      expectShared(findSharedVertices(world(), ids[static_cast<std::size_t>(world().rank())]), ids);
    }
  }
}

TEST(SharedVertices, AreFoundByPlaces) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto ids = randomIds(random, 400, 0.5);
  // places in the order of ids, as slots are ordered by them; 0 and -0 are one place
  std::vector<Point> places;
  for (const std::int64_t id : ids[static_cast<std::size_t>(world().rank())]) {
    const double zero = world().rank() % 2 == 0 ? 0.0 : -0.0;
    places.push_back({{static_cast<double>(id / 10), id % 10 == 0 ? zero : 0.1 * static_cast<double>(id % 10), zero}});
  }
  std::vector<std::vector<std::int64_t>> sorted = ids;
  expectShared(findSharedVertices(world(), std::span<const Point>(places)), sorted);
}

TEST(SharedVertices, OrderByPlaceIsTheSameForAnyNumbering) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  HostMesh mesh = gridMesh(ElementType::Hexahedron, 4);
  const std::vector<std::int64_t> before = orderByPlace(mesh.points);
  std::vector<std::size_t> to(mesh.points.size());
  std::iota(to.begin(), to.end(), std::size_t{0});
  std::shuffle(to.begin(), to.end(), random);
  std::vector<Point> moved(mesh.points.size());
  for (std::size_t v = 0; v < to.size(); ++v) {
    moved[to[v]] = mesh.points[v];
  }
  const std::vector<std::int64_t> after = orderByPlace(moved);
  for (std::size_t v = 0; v < to.size(); ++v) {
    EXPECT_EQ(after[to[v]], before[v]);
  }
}

TEST(SharedVertices, NameWhatIsAmbiguous) {
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  const bool last = world().rank() + 1 == world().size();
  // an id twice on the last rank alone: all hear of it
  const std::vector<std::int64_t> ids = last ? std::vector<std::int64_t>{4, 5, 4} : std::vector<std::int64_t>{7};
  EXPECT_NE(message([&] { findSharedVertices(world(), ids); }).find("the id 4"), std::string::npos);
  std::vector<Point> places{{{1.0, 2.0, 3.0}}};
  if (last) {
    places.push_back({{std::nan(""), 0.0, 0.0}});
  }
  EXPECT_NE(message([&] {
    findSharedVertices(world(), std::span<const Point>(places));
  }).find("a coordinate of vertex 1 is NaN: vertices are told apart by their coordinates, where they have no ids"),
    std::string::npos);
  // Two vertices in one place may be, where no other rank has one there.
  if (last) {
    places = {{{4.0, 0.0, 0.0}}, {{4.0, 0.0, 0.0}}};
  }
  EXPECT_EQ(message([&] { findSharedVertices(world(), std::span<const Point>(places)); }), "");
  places.push_back({{4.0, 0.0, 0.0}});
  EXPECT_EQ(message([&] {
    findSharedVertices(world(), std::span<const Point>(places));
  }).find("two vertices of rank") != std::string::npos,
    world().size() > 1);
}

} // namespace
} // namespace spanwise::testing
