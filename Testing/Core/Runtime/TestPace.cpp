#include "Core/Runtime/Pace.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

namespace spanwise::testing {
namespace {

/// How many of so many pieces are shared, where an item takes these times.
int numShared(Pace& pace, int numPieces, double alone, double shared) {
  int count = 0;
  for (int k = 0; k < numPieces; ++k) {
    const bool shares = pace.shares();
    count += shares ? 1 : 0;
    const int items = 100 + 37 * k % 1000; // pieces differ in size
    pace.note(items, items * (shares ? shared : alone));
  }
  return count;
}

TEST(Pace, TakesTheFasterWay) {
  constexpr int numPieces = 4000;
  Pace slow(true);
  EXPECT_LT(numShared(slow, numPieces, 1.0, 1.5), 0.02 * numPieces);
  Pace fast(true);
  EXPECT_GT(numShared(fast, numPieces, 1.0, 0.6), 0.98 * numPieces);
}

TEST(Pace, ChangesWhenTheOtherWayBecomesFaster) {
  Pace pace(true);
  numShared(pace, 4000, 1.0, 0.6);
  numShared(pace, 1000, 1.0, 3.0); // other programs want the processors
  EXPECT_LT(numShared(pace, 1000, 1.0, 3.0), 50);
  numShared(pace, 1000, 1.0, 0.6);
  EXPECT_GT(numShared(pace, 1000, 1.0, 0.6), 950);
}

TEST(Pace, OneThreadSharesNothing) {
  Pace pace(false);
  EXPECT_EQ(numShared(pace, 100, 1.0, 0.1), 0);
}

} // namespace
} // namespace spanwise::testing
