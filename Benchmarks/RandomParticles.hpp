#pragma once

// What the measurements of sums over particles share.

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <ctime>
#include <random>

namespace spanwise::benchmarks {

/// Columns of so many particles, one after the other: coordinates, uniform in the unit square or cube, then charges in
/// [-1, 1]. The same in every run.
template <class Real, class Memory>
Kokkos::View<Real*, Memory> randomParticles(std::int64_t count, int dimension, int numCharges) {
  const Kokkos::View<Real*, Memory> values("Benchmarks::values", (dimension + numCharges) * count);
  const auto host = Kokkos::create_mirror_view(values);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (std::int64_t i = 0; i < (dimension + numCharges) * count; ++i) {
    host(i) = static_cast<Real>(i < dimension * count ? uniform(random) : 2.0 * uniform(random) - 1.0);
  }
  Kokkos::deep_copy(values, host);
  return values;
}

/// What all threads of this process have taken of the processors.
inline double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

} // namespace spanwise::benchmarks
