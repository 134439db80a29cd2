// Threads sleep between kernels, in a process whose environment does not say so.

#include "Core/Runtime/Runtime.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <unistd.h>

namespace spanwise::testing {
namespace {

double processorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Nothing {
  void operator()(int /*i*/) const {}
};

// Spinning threads would take about all of the time between.
TEST(WaitingThreads, SleepBetweenKernels) {
  startRuntime();
  const RuntimeReport report = runtimeReport();
  if (report.hostThreads == 1 || report.hostExecutionSpace != "OpenMP") {
    GTEST_SKIP() << report.hostThreads << " threads of " << report.hostExecutionSpace;
  }
  EXPECT_EQ(report.waitingThreads, "threads sleep");
  const HostExecutionSpace space;
  constexpr int numKernels = 20;
  constexpr std::chrono::milliseconds between(5);
  const double before = processorSeconds();
  for (int k = 0; k < numKernels; ++k) {
    Kokkos::parallel_for("nothing", Kokkos::RangePolicy<HostExecutionSpace>(space, 0, 100000), Nothing());
    space.fence("nothing");
    std::this_thread::sleep_for(between);
  }
  EXPECT_LT(processorSeconds() - before, 0.25 * numKernels * std::chrono::duration<double>(between).count());
}

} // namespace
} // namespace spanwise::testing

// What OpenMP reads of the environment it reads while it is loaded, so the program starts itself once more.
int main(int argc, char** argv) {
  bool says = false;
  for (const char* const name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMP_NUM_THREADS", "OMP_PROC_BIND"}) {
    says = says || std::getenv(name) != nullptr;
    unsetenv(name);
  }
  if (says) {
    execv("/proc/self/exe", argv);
    return 1;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
