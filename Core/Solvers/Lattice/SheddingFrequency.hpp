#pragma once

#include <span>

namespace spanwise::lattice {

/// How often values in the order of their times rise through `level`: one over the mean time between such crossings,
/// found linearly between values. Only crossings from `from` on count. NaN where there are less than three: a lift that
/// does not swing has no frequency. Times the diameter over the speed it is the Strouhal number. O(values).
[[nodiscard]] double sheddingFrequency(
  std::span<const double> times, std::span<const double> values, double level, double from);

} // namespace spanwise::lattice
