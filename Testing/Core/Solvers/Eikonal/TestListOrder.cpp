#include "Core/Solvers/Eikonal/Detail/ListOrder.hpp"

#include "Core/Runtime/Workspace.hpp"

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace spanwise::eikonal {
namespace {

using fronts::ListOrder;

std::vector<std::int32_t> sorted(std::int64_t numVertices, const std::vector<std::int32_t>& list) {
  Workspace<Kokkos::HostSpace> workspace;
  Workspace<Kokkos::HostSpace>::Frame frame(workspace);
  std::vector<std::int32_t> result(list.size());
  ListOrder(numVertices, frame).sort(list.data(), static_cast<std::int64_t>(list.size()), result.data());
  return result;
}

TEST(ListOrder, SortsVerticesOfASmallMesh) {
  EXPECT_EQ(sorted(10, {7, 0, 9, 3}), (std::vector<std::int32_t>{0, 3, 7, 9}));
  EXPECT_EQ(sorted(10, {}), std::vector<std::int32_t>());
}

TEST(ListOrder, KeepsAllVerticesOfALargeMeshInOrderButForNeighbours) {
  constexpr std::uint32_t seed = 1;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  for (const std::int64_t numVertices : {std::int64_t{4096}, std::int64_t{1030301}, std::int64_t{2147483646}}) {
    SCOPED_TRACE(testing::Message() << numVertices << " vertices");
    std::mt19937 random(seed);
    std::uniform_int_distribution<std::int64_t> vertex(0, numVertices - 1);
    std::vector<std::int32_t> list(5000);
    std::generate(list.begin(), list.end(), [&] { return static_cast<std::int32_t>(vertex(random)); });
    list.front() = static_cast<std::int32_t>(numVertices - 1);
    const std::vector<std::int32_t> result = sorted(numVertices, list);
    EXPECT_TRUE(std::is_permutation(result.begin(), result.end(), list.begin()));
    // A vertex comes at most so many before one with a smaller number: 4096 buckets, whose width is a power of two.
    std::int32_t farthestBack = 0;
    std::int32_t largest = 0;
    for (const std::int32_t v : result) {
      farthestBack = std::max(farthestBack, largest - v);
      largest = std::max(largest, v);
    }
    EXPECT_LE(farthestBack, numVertices / 2048);
  }
}

} // namespace
} // namespace spanwise::eikonal
