#include "Core/Runtime/Runtime.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <cstdint>

namespace spanwise::testing {
namespace {

std::size_t allocationsSoFar() {
  std::size_t sum = 0;
  for (const MemoryAccount& account : runtimeReport().memory) {
    sum += account.allocations;
  }
  return sum;
}

template <class Space>
class WorkspaceOf : public ::testing::Test {};
TYPED_TEST_SUITE(WorkspaceOf, AllSpaces, SpaceNames);

TYPED_TEST(WorkspaceOf, ServesTheSameRequestsWithoutAllocating) {
  using W = Workspace<typename TypeParam::memory_space>;
  W workspace;
  const auto requests = [&] {
    typename W::Frame outer(workspace);
    const auto a = outer.template array<double>(1000);
    {
      typename W::Frame inner(workspace);
      const auto b = inner.template array<std::int64_t>(5000);
      EXPECT_NE(b.data(), nullptr);
    }
    const auto c = outer.template array<char>(100000);
    // arrays that live at the same time do not overlap
    const auto* const beginC = reinterpret_cast<const char*>(c.data());
    const auto* const beginA = reinterpret_cast<const char*>(a.data());
    EXPECT_TRUE(beginC >= beginA + 8000 || beginC + 100000 <= beginA);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % alignof(double), 0U);
  };
  requests();
  const std::size_t before = allocationsSoFar();
  const std::size_t held = workspace.bytes();
  for (int k = 0; k < 10; ++k) {
    requests();
  }
  EXPECT_EQ(allocationsSoFar(), before);
  EXPECT_EQ(workspace.bytes(), held);
  workspace.clear();
  EXPECT_EQ(workspace.bytes(), 0U);
}

TYPED_TEST(WorkspaceOf, GivesEmptyArrays) {
  using W = Workspace<typename TypeParam::memory_space>;
  W workspace;
  typename W::Frame frame(workspace);
  EXPECT_EQ(frame.template array<int>(0).extent(0), 0U);
}

TYPED_TEST(WorkspaceOf, RefusesAnArrayWhoseBytesOverflow) {
  using W = Workspace<typename TypeParam::memory_space>;
  W workspace;
  typename W::Frame frame(workspace);
  EXPECT_THROW(frame.template array<double>(std::int64_t{1} << 61), Error);
  EXPECT_THROW(frame.template array<double>(-1), Error);
}

} // namespace
} // namespace spanwise::testing
