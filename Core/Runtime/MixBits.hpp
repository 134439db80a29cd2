#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

/// Spreads all bits over all, for hashes (the finalizer of G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom
/// number generators, OOPSLA 2014).
[[nodiscard]] KOKKOS_INLINE_FUNCTION std::uint64_t mixBits(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

} // namespace spanwise
