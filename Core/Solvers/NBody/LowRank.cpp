#include "Core/Solvers/NBody/Detail/LowRank.hpp"

#include <algorithm>
#include <cmath>

namespace spanwise::nbody::detail {

namespace {

double dot(const double* a, const double* b, std::int64_t count) {
  double lanes[4] = {}; // side by side, so that it need not wait for each sum
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (int lane = 0; lane < 4; ++lane) {
      lanes[lane] += a[i + lane] * b[i + lane];
    }
  }
  for (; i < count; ++i) {
    lanes[0] += a[i] * b[i];
  }
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

/// Returns the square of what is left.
double subtract(double* from, double factor, const double* what, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    from[i] -= factor * what[i];
  }
  return dot(from, from, count);
}

} // namespace

LowRank pivotedFactors(Dense& a, double tolerance, bool wantsR) {
  const std::int64_t rows = a.rows;
  struct Column {
    std::int64_t number;
    double square; ///< of what is not in the span yet
  };
  std::vector<Column> left; // those that are farther than the tolerance
  left.reserve(a.columns);
  for (std::int64_t c = 0; c < a.columns; ++c) {
    left.push_back({c, dot(a.column(c), a.column(c), rows)});
  }
  const auto isReached = [&](const Column& column) { return !(column.square > tolerance * tolerance); };
  LowRank result;
  std::int64_t rank = 0;
  std::vector<double> q;
  std::vector<double> r;
  for (; rank < std::min(rows, a.columns); ++rank) {
    std::erase_if(left, isReached);
    const auto pivot =
      std::max_element(left.begin(), left.end(), [](const Column& x, const Column& y) { return x.square < y.square; });
    if (pivot == left.end()) {
      break;
    }
    q.insert(q.end(), a.column(pivot->number), a.column(pivot->number) + rows);
    double* const next = q.data() + rank * rows;
    for (std::int64_t before = 0; before < rank; ++before) { // once more, against rounding
      subtract(next, dot(next, q.data() + before * rows, rows), q.data() + before * rows, rows);
    }
    const double norm = std::sqrt(dot(next, next, rows));
    std::for_each(next, next + rows, [&](double& value) { value /= norm; });
    if (wantsR) {
      r.resize(r.size() + a.columns, 0.0);
    }
    for (Column& column : left) {
      const double along = dot(next, a.column(column.number), rows);
      column.square = subtract(a.column(column.number), along, next, rows);
      if (wantsR) {
        r[rank * a.columns + column.number] = along;
      }
    }
    pivot->square = 0.0;
  }
  result.q.rows = rows;
  result.q.columns = rank;
  result.q.values = std::move(q);
  result.r.rows = wantsR ? a.columns : 0;
  result.r.columns = wantsR ? rank : 0;
  result.r.values = std::move(r);
  return result;
}

} // namespace spanwise::nbody::detail
