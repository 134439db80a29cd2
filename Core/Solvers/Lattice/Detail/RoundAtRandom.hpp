#pragma once

#include "Core/Runtime/ScaledHalf.hpp"
#include "Core/Solvers/Lattice/VelocitySet.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::lattice::detail {

/// Rounds the populations of a cell to numbers that ScaledHalf holds: up or down at random, with the odds by which the
/// mean is the value (stochastic rounding: Croci, Fasi, Higham, Mary and Mikaitis 2022). The nearest number would do
/// the same in each step of a steady flow, which then is as wrong as under a force. The random numbers are made of the
/// bits of the populations: equal states have equal steps, on any number of ranks. Zero stays zero.
template <int count>
KOKKOS_FORCEINLINE_FUNCTION void roundAtRandom(float (&f)[count]) {
  std::uint32_t random = 0;
  unrolled<count>([&](auto q) { random += Kokkos::bit_cast<std::uint32_t>(f[q]); });
  random *= 2654435761U;
  random ^= random >> 15;
  unrolled<count>([&](auto q) {
    constexpr int lostBits = 13;              // of 24
    random = random * 1664525U + 1013904223U; // the generator of Numerical Recipes, whose high bits are the better
    const std::uint32_t raised = Kokkos::bit_cast<std::uint32_t>(f[q]) + (random >> (32 - lostBits));
    f[q] = Kokkos::bit_cast<float>(raised >> lostBits << lostBits);
  });
}

} // namespace spanwise::lattice::detail
