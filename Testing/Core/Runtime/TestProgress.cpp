#include "Core/Runtime/Progress.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace spanwise::testing {
namespace {

TEST(Progress, SilentByDefault) {
  EXPECT_NO_THROW(Progress().report(0.5));
  EXPECT_NO_THROW(Progress().part(0.2, 0.4).report(1.0));
}

TEST(Progress, PartsNest) {
  std::vector<double> seen;
  const Progress whole([&](double fraction) {
    seen.push_back(fraction);
    return true;
  });
  const Progress secondHalf = whole.part(0.5, 1.0);
  secondHalf.report(0.0);
  secondHalf.report(1.0);
  secondHalf.part(0.0, 0.5).report(0.5);
  EXPECT_EQ(seen, (std::vector<double>{0.5, 1.0, 0.625}));
}

TEST(Progress, CancelsByException) {
  const Progress stop([](double) { return false; });
  EXPECT_THROW(stop.report(0.1), Cancelled);
}

} // namespace
} // namespace spanwise::testing
