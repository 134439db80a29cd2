#pragma once

// Counts the kernels that Kokkos launches: of ours, and those by which it fills Views.

#include "Core/Runtime/KernelTimes.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace spanwise::testing {

/// Kokkos reports as a kernel too what it sets to zero by memset().
inline bool isLaunched(const KernelTime& kernel) { return !kernel.kernel.ends_with("via memset"); }

template <class Operation>
std::vector<KernelTime> launchesOf(const Operation& operation) {
  const KernelTimes measured;
  operation();
  std::vector<KernelTime> launches = measured.times();
  std::erase_if(launches, [](const KernelTime& kernel) { return !isLaunched(kernel); });
  return launches;
}

/// For operations on some thousand items at most, the first time, when memory is taken, and after.
template <class Operation>
void expectNoLaunches(const Operation& operation) {
  for (const char* const when : {"the first time", "again"}) {
    const std::vector<KernelTime> launches = launchesOf(operation);
    EXPECT_TRUE(launches.empty()) << when << '\n' << toString(launches);
  }
}

} // namespace spanwise::testing
