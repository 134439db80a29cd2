// What 16 bits round populations to: numbers that they hold, next to the value, and right in the mean.

#include "Core/Solvers/Lattice/Detail/RoundAtRandom.hpp"
#include "Testing/Core/Seed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace spanwise::lattice::testing {
namespace {

constexpr int count = 19;

TEST(RoundAtRandom, TakesANumberNextToTheValue) {
  std::mt19937 random(spanwise::testing::seed());
  std::uniform_real_distribution<float> exponent(-16.0F, -1.0F);
  for (int k = 0; k < 10000; ++k) {
    float f[count];
    float rounded[count];
    for (float& value : f) {
      value = (random() % 2 == 0 ? 1.0F : -1.0F) * std::exp2(exponent(random));
    }
    std::copy(f, f + count, rounded);
    detail::roundAtRandom(rounded);
    for (int q = 0; q < count; ++q) {
      EXPECT_EQ(static_cast<float>(ScaledHalf(rounded[q])), rounded[q]);
      EXPECT_LT(std::abs(rounded[q] - f[q]), std::abs(f[q]) / 1024.0F) << f[q];
    }
  }
}

TEST(RoundAtRandom, IsRightInTheMean) {
  std::mt19937 random(spanwise::testing::seed());
  std::uniform_real_distribution<float> value(0.0625F, 0.125F);
  constexpr int times = 20000;
  const double step = 0.0625 / 1024.0;
  for (const double part : {0.0, 0.1, 0.5, 0.9}) { // of the step between two numbers
    const auto kept = static_cast<float>(0.0625 + (37.0 + part) * step);
    double sum[count] = {};
    for (int k = 0; k < times; ++k) {
      for (int q = 0; q < count; ++q) { // the others are what makes it random
        float f[count];
        std::generate(f, f + count, [&] { return value(random); });
        f[q] = kept;
        detail::roundAtRandom(f);
        sum[q] += static_cast<double>(f[q]) - static_cast<double>(kept);
      }
    }
    const double deviation = step * std::sqrt(part * (1.0 - part) / times);
    for (int q = 0; q < count; ++q) {
      EXPECT_NEAR(sum[q] / times, 0.0, 5.0 * deviation + 1e-9 * step) << "population " << q << ", part " << part;
    }
  }
}

TEST(RoundAtRandom, LeavesRestAtRest) {
  float f[count] = {};
  detail::roundAtRandom(f);
  EXPECT_TRUE(std::all_of(f, f + count, [](float value) { return static_cast<float>(ScaledHalf(value)) == 0.0F; }));
}

} // namespace
} // namespace spanwise::lattice::testing
