#pragma once

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>

namespace spanwise::eikonal {

/// The mean of travel times along the edges of a mesh, or to the neighbours of cells. What is added up are the upper
/// halves of the bits of their squares, which are a logarithm, within 6 per cent of the time.
struct EdgeTimes {
  double sum = 0.0;
  std::int64_t count = 0;

  KOKKOS_FORCEINLINE_FUNCTION void add(double squaredTime) {
    sum += static_cast<double>(Kokkos::bit_cast<std::int64_t>(squaredTime) >> 32);
    ++count;
  }
  /// About their geometric mean; 0 if there are none.
  [[nodiscard]] double mean() const {
    if (count == 0) {
      return 0.0;
    }
    return std::sqrt(Kokkos::bit_cast<double>(static_cast<std::int64_t>(sum / static_cast<double>(count)) << 32));
  }

  KOKKOS_FORCEINLINE_FUNCTION EdgeTimes& operator+=(const EdgeTimes& other) {
    sum += other.sum;
    count += other.count;
    return *this;
  }
};

} // namespace spanwise::eikonal
