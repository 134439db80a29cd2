#include "Core/Runtime/WaitingThreads.hpp"

#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <thread>
#include <type_traits>
#include <utility>

#if defined(KOKKOS_ENABLE_OPENMP) && defined(__GNUC__) && !defined(__clang__) && !defined(__INTEL_LLVM_COMPILER)
#define SPANWISE_HAS_LIBGOMP
#include <omp.h>
#endif

namespace spanwise {

namespace {

std::atomic<bool> areAsleep{false};

/// The environment variable that says how threads wait; nullptr: none.
const char* chosenByEnvironment() {
  for (const char* const name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"}) {
    if (std::getenv(name) != nullptr) { // NOLINT(concurrency-mt-unsafe)
      return name;
    }
  }
  return nullptr;
}

#ifdef SPANWISE_HAS_LIBGOMP

/// Starts a team of so many threads, which have nothing to do for the life of the process.
void keepIdleTeam(int numThreads) {
  std::promise<void> started;
  std::future<void> whenStarted = started.get_future();
  std::thread([numThreads, done = std::move(started)]() mutable {
    omp_set_dynamic(0);
    std::atomic<int> count{0}; // a team without any work is not made
#pragma omp parallel num_threads(numThreads)
    count.fetch_add(1);
    done.set_value();
    for (;;) { // its team lives as long as this thread
      std::this_thread::sleep_for(std::chrono::hours(24));
    }
  }).detach();
  whenStarted.wait();
}

/// libgomp reads its environment while it is loaded, and lets a waiting thread spin 300,000 times: for milliseconds.
/// Where there are more of its threads than processors, it spins 100 times and sleeps then (GNU libgomp manual,
/// GOMP_SPINCOUNT). So a team that sleeps makes up for what is missing to one more thread than processors: two threads,
/// where there is one for each processor already.
void sleepInLibgomp() {
  const int numThreads = HostExecutionSpace().concurrency();
  const int numMissing = omp_get_num_procs() + 1 - numThreads;
  const bool spareProcessors = numMissing > numThreads; // threads were limited: most processors are free of them
  if (numThreads == 1 || spareProcessors) {
    return;
  }
  if (numMissing > 0) {
    keepIdleTeam(numMissing + 1); // the first of a team was there before
  }
  areAsleep = true;
}

#endif

} // namespace

void letThreadsSleep() {
#ifdef SPANWISE_HAS_LIBGOMP
  if constexpr (std::is_same_v<HostExecutionSpace, Kokkos::OpenMP>) {
    if (chosenByEnvironment() == nullptr && !areAsleep) {
      sleepInLibgomp();
    }
  }
#endif
}

std::string waitingThreads() {
  if (HostExecutionSpace().concurrency() == 1) {
    return "nobody waits: there is one thread";
  }
  if (areAsleep) {
    return "threads sleep";
  }
  const char* const name = chosenByEnvironment();
  return name != nullptr ? std::string("threads wait as ") + name + " says" : "threads wait as their library has it";
}

} // namespace spanwise
