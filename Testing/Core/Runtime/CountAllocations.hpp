#pragma once

// Counts what is allocated, of Kokkos and from malloc and operator new.

#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <limits>

namespace spanwise::testing {

inline std::atomic<long> mallocCalls{0};
inline std::atomic<bool> counting{false};
inline constinit thread_local bool isCounted = false; // a device's driver has threads of its own

inline void count() {
  if (isCounted && counting.load(std::memory_order_relaxed)) {
    mallocCalls.fetch_add(1, std::memory_order_relaxed);
  }
}

} // namespace spanwise::testing

// The whole process goes through these, libraries included; the sanitizers bring their own, which must not be replaced.
// Weak, so that several sources of a program may have them.
#ifndef __SANITIZE_ADDRESS__
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);
__attribute__((weak)) void* malloc(std::size_t size) noexcept {
  spanwise::testing::count();
  return __libc_malloc(size);
}
__attribute__((weak)) void* calloc(std::size_t number, std::size_t size) noexcept {
  spanwise::testing::count();
  return __libc_calloc(number, size);
}
__attribute__((weak)) void* realloc(void* pointer, std::size_t size) noexcept {
  spanwise::testing::count();
  return __libc_realloc(pointer, size);
}
}
#endif

namespace spanwise::testing {

inline std::size_t kokkosAllocations() {
  std::size_t sum = 0;
  for (const MemoryAccount& account : runtimeReport().memory) {
    sum += account.allocations;
  }
  return sum;
}

// A launch on a device may use the heap of the host. Kokkos's Threads space makes the label of a fence there after
// each, and nvcc keeps each kernel's lambda there, those of the host too.
#ifdef KOKKOS_ENABLE_CUDA
template <class Space>
constexpr bool launchesUseTheHeap = true;
#else
template <class Space>
constexpr bool launchesUseTheHeap = !runsOnHost<Space>;
#endif
#ifdef KOKKOS_ENABLE_THREADS
template <>
constexpr bool launchesUseTheHeap<Kokkos::Threads> = true;
#endif

struct CountThread {
  void operator()(int) const { isCounted = true; }
};

/// Counts what this thread and those of the host's execution space allocate.
inline void countThreads() {
  using Host = Kokkos::DefaultHostExecutionSpace;
  spanwise::detail::littleWork() = {512}; // launches may allocate too
  isCounted = true;
  Kokkos::parallel_for("count threads", Kokkos::RangePolicy<Host>(0, 100 * Host().concurrency()), CountThread());
  Host().fence("count threads");
}

/// No arrays; lists of messages may come from the host's heap.
template <class Operation>
void expectNoArrays(const Operation& operation, int rounds = 1) {
  countThreads();
  for (int warmUp = 0; warmUp < 3; ++warmUp) {
    operation();
  }
  const std::size_t before = kokkosAllocations();
  long least = std::numeric_limits<long>::max();
  for (int batch = 0; batch < rounds; ++batch) {
    mallocCalls = 0;
    counting = true;
    for (int k = 0; k < 5; ++k) {
      operation();
    }
    counting = false;
    least = std::min(least, mallocCalls.load());
  }
  mallocCalls = least;
  EXPECT_EQ(kokkosAllocations(), before);
}

/// With several rounds one of them must have none: MPI's own lists grow now and then, when messages come early.
template <class Space, class Operation>
void expectNoAllocations(const Operation& operation, int rounds = 1) {
  expectNoArrays(operation, rounds);
  if (!launchesUseTheHeap<Space>) {
    EXPECT_EQ(mallocCalls.load(), 0);
  }
}

} // namespace spanwise::testing
