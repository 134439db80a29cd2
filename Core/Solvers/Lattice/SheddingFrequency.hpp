#pragma once

#include <span>

namespace spanwise::lattice {

/// How often values in the order of their times rise through 0: one over the mean time between such crossings, found
/// linearly between values. NaN where there are less than three: a lift that does not swing has no frequency. Times the
/// diameter over the speed it is the Strouhal number. O(values).
[[nodiscard]] double sheddingFrequency(std::span<const double> times, std::span<const double> values);

} // namespace spanwise::lattice
