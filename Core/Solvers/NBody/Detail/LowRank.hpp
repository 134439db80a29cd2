#pragma once

#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"

#include <cstdint>
#include <vector>

namespace spanwise::nbody::detail {

/// A matrix, column by column.
struct Dense {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> values;

  Dense() = default;
  Dense(std::int64_t numRows, std::int64_t numColumns)
    : rows(numRows), columns(numColumns), values(static_cast<std::size_t>(numRows * numColumns), 0.0) {}
  [[nodiscard]] double* column(std::int64_t c) { return values.data() + c * rows; }
  [[nodiscard]] const double* column(std::int64_t c) const { return values.data() + c * rows; }
};

/// a ~ q r with orthonormal columns q [rows x rank] and r [columns x rank], its rows as columns.
struct LowRank {
  Dense q;
  Dense r;
};

/// Takes columns that are farthest from the span of those taken before, until none is farther than `tolerance`
/// (modified Gram-Schmidt with column pivoting: G. Golub and C. Van Loan, Matrix Computations, section 5.4). Some are
/// taken at a time, each at least 3 / 4 as far as any that is left, so that what they reach is taken off all others by
/// one product of matrices. `a`, whose columns are padded (paddedLength()) with zeros, is overwritten; the columns of q
/// are padded too. The tolerance is positive and not below what rounding leaves. O(rows columns rank).
///
/// Libraries' factorizations do not end at a tolerance. For 128 x 3000 to 512 x 8000 numbers and ranks of a quarter of
/// the rows Eigen 3.4's ColPivHouseholderQR took 2 to 7 times as long, compiled for AVX-512, and for ranks of two
/// thirds 0.8 to 2.3 times; LAPACK 3.12's dgeqp3 with the reference BLAS 1.4 to 17 times (AMD Zen 4, one thread).
[[nodiscard]] LowRank pivotedFactors(
  void (*multiply)(const ProductTask<double>&), Dense& a, double tolerance, bool wantsR);

} // namespace spanwise::nbody::detail
