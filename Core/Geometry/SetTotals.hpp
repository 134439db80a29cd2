#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::geometry {

/// Rows, intervals and cells of a part of a set. Sums of them are where the next part goes.
struct SetTotals {
  std::int64_t rows = 0;
  std::int64_t intervals = 0;
  std::int64_t cells = 0;

  KOKKOS_FUNCTION SetTotals& operator+=(const SetTotals& other) {
    rows += other.rows;
    intervals += other.intervals;
    cells += other.cells;
    return *this;
  }
};

} // namespace spanwise::geometry
