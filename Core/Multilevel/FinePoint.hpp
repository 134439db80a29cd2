#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::multilevel {

/// A point of the lattice of the finest level, x first; in 2D z is 0. Coordinates have 64 bits: coarse cells may lie
/// where cells of the finest level could not.
struct FinePoint {
  std::int64_t at[3];

  friend KOKKOS_FUNCTION constexpr bool operator==(const FinePoint& a, const FinePoint& b) {
    return a.at[0] == b.at[0] && a.at[1] == b.at[1] && a.at[2] == b.at[2];
  }
  /// By z, then y, then x.
  friend KOKKOS_FUNCTION constexpr bool operator<(const FinePoint& a, const FinePoint& b) {
    return a.at[2] != b.at[2] ? a.at[2] < b.at[2] : a.at[1] != b.at[1] ? a.at[1] < b.at[1] : a.at[0] < b.at[0];
  }
};

} // namespace spanwise::multilevel
