// Copies between the host and the memory of kernels.

#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/StagedCopy.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace spanwise::testing {
namespace {

template <class Space>
class HostCopy : public ::testing::Test {};

TYPED_TEST_SUITE(HostCopy, AllSpaces, SpaceNames);

std::vector<std::int64_t> randomNumbers(std::int64_t count, std::mt19937_64& random) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  for (std::int64_t& number : numbers) {
    number = static_cast<std::int64_t>(random());
  }
  return numbers;
}

TYPED_TEST(HostCopy, BringsAllElementsThereAndBack) {
  using Memory = typename TypeParam::memory_space;
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937_64 random(seed());
  const TypeParam space;
  const auto staged = static_cast<std::int64_t>(minStagedBytes / sizeof(std::int64_t));
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, staged - 1, staged, 3 * staged + 12345}) {
    SCOPED_TRACE(count);
    const std::vector<std::int64_t> sent = randomNumbers(count, random);
    const Kokkos::View<std::int64_t*, Memory> there("there", sent.size());
    std::vector<std::int64_t> back(sent.size());
    copyFromHost(space, sent.data(), count, there.data());
    copyToHost(space, static_cast<const std::int64_t*>(there.data()), count, back.data());
    EXPECT_TRUE(back == sent);
    const Kokkos::View<std::int64_t*, Memory> again("again", sent.size());
    std::vector<std::int64_t> andBack(sent.size());
    copyBetween<Kokkos::HostSpace, Memory>(sent.data(), count, again.data());
    copyBetween<Memory, Kokkos::HostSpace>(static_cast<const std::int64_t*>(again.data()), count, andBack.data());
    EXPECT_TRUE(andBack == sent);
  }
}

// The host's memory stands in for a device's and for pinned memory.
TEST(StagedCopy, BringsAllBytesAndNoOthers) {
  using Copy = spanwise::detail::StagedCopy<HostExecutionSpace, Kokkos::HostSpace>;
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937_64 random(seed());
  constexpr std::size_t stage = 1000;
  const auto memory = [] { return Kokkos::View<char*, Kokkos::HostSpace>("stage", stage); };
  const Copy::Stages stages{{{HostExecutionSpace(), memory()}, {HostExecutionSpace(), memory()}}};
  std::vector<char> sent(10 * stage);
  for (char& byte : sent) {
    byte = static_cast<char>(random() % 127 + 1);
  }
  std::uniform_int_distribution<std::size_t> length(0, sent.size());
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t bytes = trial < 10 ? static_cast<std::size_t>(trial) * stage : length(random);
    SCOPED_TRACE(bytes);
    std::vector<char> expected(sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(bytes));
    expected.resize(sent.size(), 0);
    std::vector<char> up(sent.size(), 0);
    Copy(stages, sent.data(), bytes, up.data()).fromHost();
    EXPECT_TRUE(up == expected);
    std::vector<char> down(sent.size(), 0);
    Copy(stages, sent.data(), bytes, down.data()).toHost();
    EXPECT_TRUE(down == expected);
  }
}

} // namespace
} // namespace spanwise::testing
