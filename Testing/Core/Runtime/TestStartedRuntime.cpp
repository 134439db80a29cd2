// An application that starts and stops Kokkos itself.

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Runtime.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <algorithm>

namespace spanwise::testing {
namespace {

TEST(StartedRuntime, AccountsForMemory) {
  startRuntime();
  const Kokkos::View<double*, Kokkos::HostSpace> view("Runtime test", 1000);
  const RuntimeReport report = runtimeReport();
  EXPECT_TRUE(std::any_of(
    report.memory.begin(), report.memory.end(), [](const MemoryAccount& account) { return account.bytesNow >= 8000; }));
}

TEST(StartedRuntime, CountsTheMostMemoryAnew) {
  startRuntime();
  const auto most = [] {
    std::size_t bytes = 0;
    for (const MemoryAccount& account : runtimeReport().memory) {
      bytes = std::max(bytes, account.bytesPeak);
    }
    return bytes;
  };
  restartMemoryPeaks();
  const std::size_t before = most();
  {
    const Kokkos::View<double*, Kokkos::HostSpace> view("Runtime test", 1000000);
  }
  EXPECT_GE(most(), before + 8000000);
  restartMemoryPeaks();
  EXPECT_EQ(most(), before);
}

} // namespace
} // namespace spanwise::testing

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  Kokkos::initialize(argc, argv);
  const int failed = RUN_ALL_TESTS();
  Kokkos::finalize();
  try {
    spanwise::startRuntime();
  } catch (const spanwise::RuntimeError&) {
    return failed;
  }
  return 1; // it cannot run any more
}
