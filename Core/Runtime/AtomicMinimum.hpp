#pragma once

#include <Kokkos_Core.hpp>

namespace spanwise {

/// *to = the lesser of *to and `value`, neither of which is NaN; returns what was there. On CUDA one instruction, where
/// Kokkos has a loop of compare-exchanges for real numbers: as integers with a sign numbers from 0 on are in their
/// order, and those below 0 as integers without one in the reverse. O(1).
KOKKOS_FORCEINLINE_FUNCTION double atomicFetchMin(double* to, double value) {
#ifdef __CUDA_ARCH__
  const auto bits = Kokkos::bit_cast<long long>(value);
  return bits < 0 ? Kokkos::bit_cast<double>(
                      ::atomicMax(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(bits)))
                  : Kokkos::bit_cast<double>(::atomicMin(reinterpret_cast<long long*>(to), bits));
#else
  return Kokkos::atomic_fetch_min(to, value);
#endif
}

} // namespace spanwise
