#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace spanwise::nbody::detail {

// Chebyshev's polynomials T_m, m < order, and the roots of T_order, where they are orthogonal: J. C. Mason and D. C.
// Handscomb, Chebyshev Polynomials (2003), section 4.6. Matrices are given row by row.

/// The roots, from 1 downwards.
[[nodiscard]] inline std::vector<double> chebyshevNodes(int order) {
  std::vector<double> nodes(order);
  for (int k = 0; k < order; ++k) {
    nodes[k] = std::cos(std::numbers::pi * (k + 0.5) / order);
  }
  return nodes;
}

/// T_0(x) ... T_(order - 1)(x).
[[nodiscard]] inline std::vector<double> chebyshevAt(double x, int order) {
  std::vector<double> values(order, 1.0);
  for (int m = 1; m < order; ++m) {
    values[m] = m == 1 ? x : 2.0 * x * values[m - 1] - values[m - 2];
  }
  return values;
}

/// From values f at the nodes to the coefficients of sum c_m T_m, which is the polynomial through them:
/// c_m = sum_k matrix[k * order + m] f_k. From moments to charges at the nodes with the same moments it is the
/// transpose.
[[nodiscard]] inline std::vector<double> chebyshevTransform(int order) {
  const std::vector<double> nodes = chebyshevNodes(order);
  std::vector<double> matrix;
  for (int k = 0; k < order; ++k) {
    const std::vector<double> values = chebyshevAt(nodes[k], order);
    for (int m = 0; m < order; ++m) {
      matrix.push_back((m == 0 ? 1.0 : 2.0) / order * values[m]);
    }
  }
  return matrix;
}

/// The polynomials of a box in terms of those of its lower or upper half: T_m(x / 2 -+ 1 / 2) = sum_k
/// matrix[m * order + k] T_k(x). It has no entries k > m.
[[nodiscard]] inline std::vector<double> chebyshevOfHalf(int order, bool isUpper) {
  const std::vector<double> nodes = chebyshevNodes(order);
  const std::vector<double> transform = chebyshevTransform(order);
  std::vector<double> matrix(static_cast<std::size_t>(order) * order, 0.0);
  for (int node = 0; node < order; ++node) {
    const std::vector<double> values = chebyshevAt(0.5 * nodes[node] + (isUpper ? 0.5 : -0.5), order);
    for (int m = 0; m < order; ++m) {
      for (int k = 0; k <= m; ++k) {
        matrix[m * order + k] += values[m] * transform[node * order + k];
      }
    }
  }
  return matrix;
}

/// Applies a matrix [order x order] along one axis of an array [outer x order x inner]: to[o, r, i] = sum_c matrix[r *
/// rowStride + c * columnStride] from[o, c, i].
template <class Real>
void applyAlong(const double* matrix, int rowStride, int columnStride, int order, std::int64_t outer,
  std::int64_t inner, const Real* from, Real* to) {
  for (std::int64_t o = 0; o < outer; ++o) {
    const Real* const block = from + o * order * inner;
    for (int r = 0; r < order; ++r) {
      Real* const row = to + (o * order + r) * inner;
      for (std::int64_t i = 0; i < inner; ++i) {
        row[i] = 0;
      }
      for (int c = 0; c < order; ++c) {
        const auto factor = static_cast<Real>(matrix[r * rowStride + c * columnStride]);
        if (factor == Real(0)) {
          continue;
        }
        const Real* const source = block + c * inner;
        for (std::int64_t i = 0; i < inner; ++i) {
          row[i] += factor * source[i];
        }
      }
    }
  }
}

} // namespace spanwise::nbody::detail
