#pragma once

#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <cstdint>
#include <exception>
#include <mutex>

namespace spanwise::hdf5 {

/// To wake the threads costs more than to pack or unpack so much.
inline constexpr std::uint64_t bytesWorthThreads = 1U << 21;

/// Runs body(i) for i in [0, count), on the host's threads if `bytes` are many, and throws what the lowest i threw.
template <class Body>
void forEachChunk(std::uint64_t count, std::uint64_t bytes, const Body& body) {
  std::mutex mutex;
  std::exception_ptr failure;
  std::uint64_t failed = count;
  const auto guarded = [&](std::uint64_t i) {
    try {
      body(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (i < failed) {
        failed = i;
        failure = std::current_exception();
      }
    }
  };
  if (count == 1 || bytes < bytesWorthThreads) {
    for (std::uint64_t i = 0; i < count && !failure; ++i) {
      guarded(i);
    }
  } else {
    using Policy =
      Kokkos::RangePolicy<HostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::uint64_t>>;
    startRuntime();
    SPANWISE_REGION("Readers::forEachChunk");
    const HostExecutionSpace space;
    Kokkos::parallel_for(SPANWISE_KERNEL("chunks"), Policy(space, 0, count, Kokkos::ChunkSize(1)), guarded);
    space.fence(SPANWISE_LABEL("Readers::forEachChunk"));
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

} // namespace spanwise::hdf5
