#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::geometry {

/// Cells along an axis from `first` to `last`; none where that is before `first`.
struct CellSpan {
  std::int64_t first;
  std::int64_t last;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t count() const { return Kokkos::max(last - first + 1, std::int64_t{0}); }
};

} // namespace spanwise::geometry
