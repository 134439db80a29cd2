#pragma once

#include "Core/Solvers/NBody/Detail/Chebyshev.hpp"
#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"

#include <cstdint>
#include <vector>

namespace spanwise::nbody::detail {

/// What belongs to a number of polynomials along an axis (Chebyshev.hpp).
struct NodeTable {
  int order;
  std::vector<double> nodes;
  std::vector<double> transform; ///< from values at the nodes to coefficients
  std::vector<double> lower;     ///< from polynomials of a box to those of its lower half
  std::vector<double> upper;

  explicit NodeTable(int count)
    : order(count), nodes(chebyshevNodes(count)), transform(chebyshevTransform(count)),
      lower(chebyshevOfHalf(count, false)), upper(chebyshevOfHalf(count, true)) {}

  /// Of the half along an axis in which the box with a key lies.
  [[nodiscard]] const double* half(std::uint64_t key, int axis) const {
    return ((key >> axis) & 1U) != 0 ? upper.data() : lower.data();
  }
};

/// The table of an order, 1 to maxOrder. All are made when the first one is asked for, and kept, so that sums that are
/// repeated make none: O(maxOrder^4) once.
inline const NodeTable& nodeTableOf(int order) {
  static const std::vector<NodeTable> tables = [] {
    std::vector<NodeTable> all;
    for (int count = 1; count <= maxOrder; ++count) {
      all.emplace_back(count);
    }
    return all;
  }();
  return tables[static_cast<std::size_t>(order - 1)];
}

} // namespace spanwise::nbody::detail
