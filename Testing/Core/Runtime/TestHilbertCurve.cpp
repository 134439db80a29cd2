#include "Core/Runtime/HilbertCurve.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace spanwise::testing {
namespace {

TEST(HilbertCurve, GoesFromCellToNeighbourThroughAllCells) {
  for (const int numAxes : {1, 2, 3}) {
    const int bits = numAxes == 3 ? 3 : 5;
    const int perAxis = 1 << bits;
    const int count = 1 << (bits * numAxes);
    std::vector<std::array<int, 3>> cells(static_cast<std::size_t>(count), std::array{-1, -1, -1});
    for (int i = 0; i < count; ++i) {
      const std::array<int, 3> at{i % perAxis, i / perAxis % perAxis, i / perAxis / perAxis};
      std::uint32_t cell[3] = {
        static_cast<std::uint32_t>(at[0]), static_cast<std::uint32_t>(at[1]), static_cast<std::uint32_t>(at[2])};
      const std::uint64_t number = hilbertNumber(cell, numAxes, bits);
      ASSERT_LT(number, static_cast<std::uint64_t>(count));
      EXPECT_EQ(cells[number][0], -1) << "a number is there twice";
      cells[number] = at;
    }
    for (int k = 1; k < count; ++k) {
      int distance = 0;
      for (int axis = 0; axis < 3; ++axis) {
        distance += std::abs(cells[k][axis] - cells[k - 1][axis]);
      }
      EXPECT_EQ(distance, 1);
    }
  }
}

TEST(HilbertCurve, TakesAllBits) {
  std::uint32_t last[3] = {(1U << 21) - 1, 0, 0};
  EXPECT_EQ(hilbertNumber(last, 3, 21), (std::uint64_t{1} << 63) - 1); // ends beside where it began
  std::uint32_t lastOfPlane[2] = {(1U << 31) - 1, 0};
  EXPECT_EQ(hilbertNumber(lastOfPlane, 2, 31), (std::uint64_t{1} << 62) - 1);
}

} // namespace
} // namespace spanwise::testing
