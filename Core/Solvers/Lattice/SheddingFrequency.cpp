#include "Core/Solvers/Lattice/SheddingFrequency.hpp"

#include <cstddef>
#include <limits>

namespace spanwise::lattice {

double sheddingFrequency(std::span<const double> times, std::span<const double> values) {
  int crossings = 0;
  double first = 0.0;
  double last = 0.0;
  for (std::size_t k = 1; k < times.size(); ++k) {
    const double before = values[k - 1];
    const double after = values[k];
    if (before < 0.0 && after >= 0.0) {
      last = times[k] - (times[k] - times[k - 1]) * after / (after - before);
      first = crossings == 0 ? last : first;
      ++crossings;
    }
  }
  return crossings < 3 ? std::numeric_limits<double>::quiet_NaN() : (crossings - 1) / (last - first);
}

} // namespace spanwise::lattice
