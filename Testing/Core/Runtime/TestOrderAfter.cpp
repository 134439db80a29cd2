// What one instance does after another, in the order of launches, as often as a device could get it wrong.

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/OrderAfter.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Testing/Core/Runtime/CountFences.hpp"
#include "Testing/Core/Spaces.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace spanwise::testing {
namespace {

template <class Space>
class OrderAfter : public ::testing::Test {};
TYPED_TEST_SUITE(OrderAfter, AllSpaces, SpaceNames);

struct Increment {
  std::int32_t* values;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { values[i] += 1; }
};

struct CopyValue {
  const std::int32_t* from;
  std::int32_t* to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

TYPED_TEST(OrderAfter, WhatFollowsSeesWhatWasBefore) {
  constexpr std::int64_t count = 1 << 22;
  constexpr int rounds = 20;
  const TypeParam first;
  const auto other = Kokkos::Experimental::partition_space(first, 1)[0];
  const Kokkos::View<std::int32_t*, typename TypeParam::memory_space> values("values", count);
  const Kokkos::View<std::int32_t*, typename TypeParam::memory_space> copies("copies", count);
  Kokkos::fence("OrderAfter");
  for (int round = 1; round <= rounds; ++round) {
    for (int k = 0; k < 5; ++k) { // takes a while
      forEach(SPANWISE_KERNEL("increment"), IndexRange<TypeParam>(first, 0, count), Increment{values.data()});
    }
    orderAfter(other, first, SPANWISE_LABEL("OrderAfter"));
    forEach(SPANWISE_KERNEL("copy"), IndexRange<TypeParam>(other, 0, count), CopyValue{values.data(), copies.data()});
    orderAfter(first, other, SPANWISE_LABEL("OrderAfter")); // before the next round changes what is copied
    other.fence("OrderAfter");
    const auto onHost = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), copies);
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      wrong += onHost(i) == 5 * round ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0) << "round " << round;
  }
}

#ifdef KOKKOS_ENABLE_CUDA
TEST(OrderAfterOnCuda, DoesNotWait) {
  const Kokkos::Cuda first;
  const auto other = Kokkos::Experimental::partition_space(first, 1)[0];
  const FencesOf fences;
  orderAfter(other, first, SPANWISE_LABEL("OrderAfter"));
  EXPECT_TRUE(FencesOf::fences().empty());
}
#endif

} // namespace
} // namespace spanwise::testing
