#include "Core/Runtime/AtomicMinimum.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace spanwise::testing {
namespace {

template <class Space>
class AtomicMinimum : public ::testing::Test {};
TYPED_TEST_SUITE(AtomicMinimum, AllSpaces, SpaceNames);

/// Value i goes to place i % count, and what was there before is kept.
struct Lower {
  const double* values;
  double* least;
  std::int64_t count;
  double* before;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { before[i] = atomicFetchMin(least + i % count, values[i]); }
};

TYPED_TEST(AtomicMinimum, IsTheLeastOfBothSigns) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> exponent(-300.0, 300.0);
  constexpr std::int64_t count = 7; // all threads meet at few places
  constexpr std::int64_t numValues = 70000;
  const Kokkos::View<double*, typename TypeParam::memory_space> values("Testing::values", numValues);
  const Kokkos::View<double*, typename TypeParam::memory_space> least("Testing::least", count);
  const Kokkos::View<double*, typename TypeParam::memory_space> before("Testing::before", numValues);
  const auto hostValues = Kokkos::create_mirror_view(values);
  const auto hostLeast = Kokkos::create_mirror_view(least);
  // From infinity, 0, and numbers of both signs, to what may be less or not.
  const std::vector<double> starts{std::numeric_limits<double>::infinity(), 0.0, -0.0, 1.5, -1.5, 1e300, -1e300};
  std::vector<double> expected = starts;
  for (std::int64_t place = 0; place < count; ++place) {
    hostLeast(place) = starts[static_cast<std::size_t>(place)];
  }
  for (std::int64_t i = 0; i < numValues; ++i) {
    const bool onlyPositive = i % count < 2;
    hostValues(i) = std::pow(10.0, exponent(random)) * (onlyPositive || random() % 2 == 0 ? 1.0 : -1.0);
    double& lowest = expected[static_cast<std::size_t>(i % count)];
    lowest = std::min(lowest, hostValues(i));
  }
  Kokkos::deep_copy(values, hostValues);
  Kokkos::deep_copy(least, hostLeast);
  const TypeParam space;
  Kokkos::parallel_for("Testing::lower", IndexRange<TypeParam>(space, 0, numValues),
    Lower{values.data(), least.data(), count, before.data()});
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), least);
  const auto was = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), before);
  for (std::int64_t place = 0; place < count; ++place) {
    const double start = starts[static_cast<std::size_t>(place)];
    EXPECT_EQ(found(place), expected[static_cast<std::size_t>(place)]);
    // What was there fell from the start to the end, a value at a time.
    std::vector<double> fall{start, found(place)};
    for (std::int64_t i = place; i < numValues; i += count) {
      EXPECT_GE(was(i), found(place));
      EXPECT_LE(was(i), start);
      if (hostValues(i) < was(i)) {
        fall.push_back(was(i));
        fall.push_back(hostValues(i));
      }
    }
    std::sort(fall.begin(), fall.end());
    for (std::size_t k = 0; k < fall.size(); k += 2) { // each came once and went once
      EXPECT_EQ(fall[k], fall[k + 1]);
    }
  }
}

} // namespace
} // namespace spanwise::testing
