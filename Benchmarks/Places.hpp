#pragma once

// The spaces in which operations are measured.

#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::benchmarks {

using HostSpace = Kokkos::DefaultHostExecutionSpace;

// Where an operation runs.
struct OneThread {
#ifdef KOKKOS_ENABLE_OPENMP
  using Space = HostSpace;
  static Space space() { return Space(1); }
#else
  using Space = Kokkos::Serial; // other spaces of the host have as many threads as Kokkos was started with
  static Space space() { return {}; }
#endif
};
struct AllThreads {
  using Space = HostSpace;
  static Space space() { return {}; }
};
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
struct Device {
  using Space = Kokkos::DefaultExecutionSpace;
  static Space space() { return {}; }
};
#endif

} // namespace spanwise::benchmarks
