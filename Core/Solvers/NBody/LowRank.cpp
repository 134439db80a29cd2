#include "Core/Solvers/NBody/Detail/LowRank.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

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

void subtract(double* from, double factor, const double* what, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    from[i] -= factor * what[i];
  }
}

class Factors {
public:
  Factors(void (*multiply)(const ProductTask<double>&), Dense& a, double tolerance, bool wantsR)
    : multiply_(multiply), a_(a), min_(tolerance * tolerance), wantsR_(wantsR), numbers_(a.columns),
      squares_(a.columns), along_(atOnce, a.columns), turned_(atOnce, a.rows), negative_(a.rows, atOnce) {
    std::iota(numbers_.begin(), numbers_.end(), std::int64_t{0});
    result_.q.rows = a.rows;
    result_.r.rows = wantsR ? a.columns : 0;
    measure();
  }

  LowRank find() {
    while (!numbers_.empty() && result_.q.columns < a_.rows) {
      const std::int64_t before = result_.q.columns;
      takeSome();
      takeOff(before);
      measure();
    }
    return std::move(result_);
  }

private:
  static constexpr std::int64_t atOnce = paddingOf<double>;
  static constexpr std::int64_t candidatesAtOnce = 4 * atOnce;
  static constexpr double nearly = 0.6; ///< of a square: less than that is not taken before others

  /// The squares of what is left of columns. Those that are reached go.
  void measure() {
    std::int64_t count = 0;
    for (std::size_t c = 0; c < numbers_.size(); ++c) {
      const double* const column = a_.column(static_cast<std::int64_t>(c));
      const double square = dot(column, column, a_.rows);
      if (square > min_) {
        if (count < static_cast<std::int64_t>(c)) {
          std::copy_n(column, a_.rows, a_.column(count));
        }
        numbers_[count] = numbers_[c];
        squares_[count++] = square;
      }
    }
    numbers_.resize(count);
    squares_.resize(count);
  }

  /// Of the columns that are farthest, those that stay so: orthonormal ones are added to q.
  void takeSome() {
    const auto count = std::min<std::int64_t>(candidatesAtOnce, std::ssize(numbers_));
    std::vector<std::int64_t> order(numbers_.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](std::int64_t x, std::int64_t y) {
      return squares_[x] > squares_[y] || (squares_[x] == squares_[y] && x < y);
    });
    const double farthestLeft = count < std::ssize(numbers_) ? squares_[order[count - 1]] : 0.0;
    Dense candidates(a_.rows, count);
    std::vector<double> squares(count);
    for (std::int64_t k = 0; k < count; ++k) {
      std::copy_n(a_.column(order[k]), a_.rows, candidates.column(k));
      squares[k] = squares_[order[k]];
    }
    const std::int64_t most = std::min(atOnce, a_.rows - result_.q.columns);
    for (std::int64_t taken = 0; taken < most; ++taken) {
      const auto pivot = std::max_element(squares.begin(), squares.end());
      if (!(*pivot > std::max(min_, nearly * farthestLeft))) {
        return;
      }
      take(candidates.column(pivot - squares.begin()));
      const double* const last = result_.q.column(result_.q.columns - 1);
      for (std::int64_t k = 0; k < count; ++k) {
        double* const candidate = candidates.column(k);
        subtract(candidate, dot(last, candidate, a_.rows), last, a_.rows);
        squares[k] = dot(candidate, candidate, a_.rows);
      }
    }
  }

  /// Adds a column to q, orthonormal.
  void take(const double* column) {
    Dense& q = result_.q;
    q.values.insert(q.values.end(), column, column + q.rows);
    double* const next = q.column(q.columns);
    for (std::int64_t before = 0; before < q.columns; ++before) { // once more, against rounding
      subtract(next, dot(next, q.column(before), q.rows), q.column(before), q.rows);
    }
    const double norm = std::sqrt(dot(next, next, q.rows));
    std::for_each(next, next + q.rows, [&](double& value) { value /= norm; });
    ++q.columns;
  }

  /// Takes what the columns of q from `before` on reach off all that are left.
  void takeOff(std::int64_t before) {
    const Dense& q = result_.q;
    const std::int64_t count = q.columns - before;
    const auto numLeft = std::ssize(numbers_);
    std::fill(turned_.values.begin(), turned_.values.end(), 0.0);
    for (std::int64_t k = 0; k < count; ++k) {
      for (std::int64_t i = 0; i < q.rows; ++i) {
        turned_.column(i)[k] = q.column(before + k)[i];
        negative_.column(k)[i] = -q.column(before + k)[i];
      }
    }
    multiply_({atOnce, numLeft, q.rows, turned_.values.data(), atOnce, a_.values.data(), a_.rows, along_.values.data(),
      atOnce, false});
    multiply_({q.rows, numLeft, count, negative_.values.data(), q.rows, along_.values.data(), atOnce, a_.values.data(),
      a_.rows, true});
    if (wantsR_) {
      Dense& r = result_.r;
      r.columns += count;
      r.values.resize(r.rows * r.columns, 0.0);
      for (std::int64_t k = 0; k < count; ++k) {
        for (std::int64_t c = 0; c < numLeft; ++c) {
          r.column(before + k)[numbers_[c]] = along_.column(c)[k];
        }
      }
    }
  }

  void (*multiply_)(const ProductTask<double>&);
  Dense& a_;
  double min_; ///< square of what counts
  bool wantsR_;
  std::vector<std::int64_t> numbers_; ///< of the columns that are left, the first ones of a
  std::vector<double> squares_;
  Dense along_;
  Dense turned_;
  Dense negative_;
  LowRank result_;
};

} // namespace

LowRank pivotedFactors(void (*multiply)(const ProductTask<double>&), Dense& a, double tolerance, bool wantsR) {
  return Factors(multiply, a, tolerance, wantsR).find();
}

} // namespace spanwise::nbody::detail
