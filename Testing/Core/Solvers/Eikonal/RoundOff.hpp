#pragma once

#include <algorithm>
#include <cmath>

namespace spanwise::eikonal::testing {

/// Whether values are the same but for round-off, as those of two cuts are. Windows may differ in the last bits there,
/// since means are added up in another order, and so may the order of updates.
inline bool areTheSame(double a, double b, double tolerance = 1e-12) {
  return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

} // namespace spanwise::eikonal::testing
