#pragma once

// What every long function promises about progress.

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace spanwise::testing {

/// Expects that `make(progress)`, which makes the set `out`, reports ascending fractions up to 1, and at each of them
/// can be cancelled, which leaves no cells.
template <class Set, class Make>
void expectProgressAndCancelling(const Set& out, const Make& make) {
  std::vector<double> reported;
  make(Progress([&](double fraction) {
    reported.push_back(fraction);
    return true;
  }));
  EXPECT_FALSE(out.empty());
  ASSERT_GE(reported.size(), 3U);
  EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
  EXPECT_DOUBLE_EQ(reported.back(), 1.0);
  for (const double last : reported) {
    EXPECT_THROW(make(Progress([&](double fraction) { return fraction < last; })), Cancelled);
    EXPECT_TRUE(out.empty());
  }
}

} // namespace spanwise::testing
