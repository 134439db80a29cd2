#pragma once

// What the measurements of sums over particles share.

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/MixBits.hpp"

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

/// Columns of so many bodies of equal masses, 1 together, as in Plummer's sphere of length 1 up to 10 of its lengths:
/// coordinates, then masses. The same in every run.
template <class Real, class ExecutionSpace>
Kokkos::View<Real*, typename ExecutionSpace::memory_space> plummerSphere(
  const ExecutionSpace& space, std::int64_t count) {
  const Kokkos::View<Real*, typename ExecutionSpace::memory_space> values("Benchmarks::values", 4 * count);
  forEach(
    SPANWISE_KERNEL("Plummer"), IndexRange<ExecutionSpace>(space, 0, count), KOKKOS_LAMBDA(std::int64_t i) {
      const auto unit = [i](int k) { // in (0, 1)
        return (static_cast<double>(mixBits(4 * static_cast<std::uint64_t>(i) + k + 1) >> 12U) + 0.5) * 0x1p-52;
      };
      const double part = 0.985 * unit(0); // of the mass within the radius
      const double radius = 1.0 / Kokkos::sqrt(Kokkos::pow(part, -2.0 / 3.0) - 1.0);
      const double z = 2.0 * unit(1) - 1.0;
      const double angle = 2.0 * Kokkos::numbers::pi * unit(2);
      const double across = Kokkos::sqrt(1.0 - z * z);
      values[i] = static_cast<Real>(radius * across * Kokkos::cos(angle));
      values[count + i] = static_cast<Real>(radius * across * Kokkos::sin(angle));
      values[2 * count + i] = static_cast<Real>(radius * z);
      values[3 * count + i] = static_cast<Real>(1.0 / static_cast<double>(count));
    });
  space.fence();
  return values;
}

/// What all threads of this process have taken of the processors.
inline double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

} // namespace spanwise::benchmarks
