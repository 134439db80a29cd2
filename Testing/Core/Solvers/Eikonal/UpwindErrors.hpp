#pragma once

// What times on cells may be wrong by, from the exact time alone: what tests of orders compare errors with.

#include "Core/Solvers/Eikonal/GridDirections.hpp"
#include "Core/Solvers/Eikonal/GridUpdate.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace spanwise::eikonal::testing {

/// The differences of a solution.
template <int Dim>
struct UpwindScheme {
  using Place = std::array<double, Dim>;

  int order = 1;
  std::function<SymmetricTensor(const Place&)> tensor; ///< M
  FactoredSource<Dim> source = {};                     ///< is taken out of the differences
  double radius = 0.0;                                 ///< so far from it

  static UpwindScheme ofSpeed(int order, const std::function<double(const Place&)>& speed) {
    UpwindScheme scheme;
    scheme.order = order;
    scheme.tensor = [speed](const Place& at) { return SymmetricTensor::isotropic(speed(at) * speed(at)); };
    return scheme;
  }
  void takeOut(const PointSource<Dim>& from, double within) {
    Place at{};
    std::copy_n(from.at, Dim, at.begin());
    std::copy_n(from.at, Dim, source.at);
    source.inverse = tensor(at).inverse();
    radius = within;
  }
  /// The vector from the source to a place where it is taken out.
  [[nodiscard]] Point fromSource(const Place& at) const {
    Point away;
    for (int axis = 0; axis < Dim; ++axis) {
      away[axis] = at[axis] - source.at[axis];
    }
    return away;
  }
};

/// A difference of the exact time along one direction, for one step.
struct ExactDifference {
  double slope = 0.0;     ///< D_k u
  std::int64_t near = -1; ///< the cell that it reads, -1: none, the derivative of the source's time counts
};

/// The difference that a scheme takes of exact times, here of a cell at x, with neighbours along +-step: upwind, of
/// first or second order, of what is left of the time where a source is taken out.
template <class Problem>
ExactDifference exactDifference(const Problem& problem, const UpwindScheme<Problem::dimension>& scheme,
  const std::vector<double>& exact, std::size_t c, const std::int32_t (&step)[Problem::dimension]) {
  constexpr int Dim = Problem::dimension;
  const auto find = [&](int distance) -> std::int64_t {
    Cell<Dim> at = problem.cells[c];
    for (int axis = 0; axis < Dim; ++axis) {
      at.at[axis] += distance * step[axis];
    }
    const std::size_t n = problem.indexOf(at);
    return n < problem.cells.size() && problem.cells[n] == at ? static_cast<std::int64_t>(n) : -1;
  };
  const auto timeOf = [&](std::int64_t n) { return n >= 0 ? exact[static_cast<std::size_t>(n)] : notReached; };
  Point vector;
  for (int axis = 0; axis < Dim; ++axis) {
    vector[axis] = step[axis] * problem.lattice.spacing[axis];
  }
  const Point away = scheme.fromSource(centreOf(problem.lattice, problem.cells[c]));
  const bool isFactored = dot(away, away) <= scheme.radius * scheme.radius && dot(away, away) > 0.0;
  const auto sourceTime = [&](double steps) {
    return isFactored ? std::sqrt(scheme.source.inverse.product(away + steps * vector)) : 0.0;
  };
  const double derivative = isFactored ? scheme.source.inverse.product(vector, away) / sourceTime(0.0) : 0.0;
  const int side = timeOf(find(1)) < timeOf(find(-1)) ? 1 : -1;
  const std::int64_t near = find(side);
  const double here = exact[c];
  if (timeOf(near) < here) {
    const double rest = here - sourceTime(0.0);
    const double first = rest - (timeOf(near) - sourceTime(side));
    const double far = scheme.order == 2 ? timeOf(find(2 * side)) : notReached;
    const double slope = far <= timeOf(near) ? 2.0 * first - 0.5 * (rest - (far - sourceTime(2.0 * side))) : first;
    if (slope - side * derivative > 0.0) {
      return {slope - side * derivative, near};
    }
  }
  const bool isBeside =
    isFactored && 2.0 * std::abs(scheme.source.inverse.product(vector, away)) <= scheme.source.inverse.product(vector);
  return {isBeside ? derivative : 0.0, -1};
}

/// Bounds of the errors of times on cells. `bounds`: in, what the times of cells that start are wrong by, and
/// notReached elsewhere; out, a bound for each cell. exact [cells].
///
/// With the differences D_k of the exact time u the equation has a defect, d = 1 - sum_k w_k (D_k u)^2. Let times at
/// neighbours be wrong by at most E_k, and E be such that sum_k 2 w_k D_k u (E - E_k) = |d| + sum_k w_k (E - E_k)^2, or
/// less than the square where the difference would be negative. Then u + E and u_k + E_k have a defect that is not
/// positive, and u - E and u_k - E_k one that is not negative. Times
/// of first order grow with those of the neighbours (E. Rouy, A. Tourin, SIAM J. Numer. Anal. 29 (1992) 867-884), so
/// that the time is wrong by at most E, where the same neighbours count. In second order E is a bound to the leading
/// order: errors are carried on by the differences of first order.
///
/// In other words it is |d| / 2, summed over the time along the ray. Around a centre, at u = r, it is h / 2 log(r / r0)
/// sum_k |n_k| (1 - n_k^2) in first order from r0 on, with the ray's direction n, and h^2 (1 / r0 - 1 / r) sum_k n_k^2
/// (1 - n_k^2) in second order, where h is small. O(cells log cells).
template <class Problem>
void boundErrors(const Problem& problem, const UpwindScheme<Problem::dimension>& scheme,
  const std::vector<double>& exact, std::vector<double>& bounds) {
  constexpr int Dim = Problem::dimension;
  std::vector<std::size_t> byTime(exact.size());
  std::iota(byTime.begin(), byTime.end(), std::size_t{0});
  std::sort(byTime.begin(), byTime.end(), [&](std::size_t a, std::size_t b) { return exact[a] < exact[b]; });
  for (const std::size_t c : byTime) {
    if (bounds[c] < notReached) {
      continue;
    }
    const double* h = problem.lattice.spacing;
    SymmetricTensor m = scheme.tensor(centreOf(problem.lattice, problem.cells[c]));
    m.xx /= h[0] * h[0];
    m.yy /= h[1] * h[1];
    m.xy /= h[0] * h[1];
    if constexpr (Dim == 3) {
      m.zz /= h[2] * h[2];
      m.yz /= h[1] * h[2];
      m.xz /= h[0] * h[2];
    }
    const LatticeDecomposition<Dim> sum = decompose<Dim>(m);
    double defect = 1.0;
    std::array<std::array<double, 3>, sum.count> terms{}; // w_k, D_k u and E_k
    for (int k = 0; k < sum.count; ++k) {
      if (sum.weights[k] > 0.0) {
        const ExactDifference difference = exactDifference(problem, scheme, exact, c, sum.steps[k]);
        defect -= sum.weights[k] * difference.slope * difference.slope;
        if (difference.near >= 0) {
          terms[k] = {sum.weights[k], difference.slope, bounds[static_cast<std::size_t>(difference.near)]};
        }
      }
    }
    double squares = 0.0;
    for (int round = 0; round < 10; ++round) { // squares are small beside the others
      double weight = 0.0;
      double carried = 0.0;
      for (const auto& [w, slope, bound] : terms) {
        weight += 2.0 * w * slope;
        carried += w > 0.0 ? 2.0 * w * slope * bound : 0.0;
      }
      bounds[c] = (std::abs(defect) + squares + carried) / weight;
      squares = 0.0;
      for (const auto& [w, slope, bound] : terms) {
        const double more = bounds[c] - bound;
        squares += w > 0.0 ? w * (more < slope ? more * more : (2.0 * more - slope) * slope) : 0.0;
      }
    }
  }
}

/// Errors of the times of a solved problem beside their bounds.
struct BoundedErrors {
  double mean = 0.0;
  double meanBound = 0.0;
  double mostBeyond = -notReached; ///< by how much an error is above its bound
};

/// Those of the cells for which isMeasured(place).
template <class Problem, class Exact, class IsMeasured>
BoundedErrors boundedErrorsOf(const Problem& problem, const UpwindScheme<Problem::dimension>& scheme,
  const Exact& exactAt, const IsMeasured& isMeasured) {
  std::vector<double> exact;
  for (const auto& cell : problem.cells) {
    exact.push_back(exactAt(centreOf(problem.lattice, cell)));
  }
  const auto errorOf = [&](std::size_t c) { return std::abs(problem.times[c] - exact[c]); };
  std::vector<double> bounds(exact.size(), notReached);
  for (std::size_t c = 0; c < exact.size(); ++c) {
    bounds[c] = problem.starts[c] < notReached ? errorOf(c) : notReached;
  }
  boundErrors(problem, scheme, exact, bounds);
  BoundedErrors errors;
  double count = 0.0;
  for (std::size_t c = 0; c < exact.size(); ++c) {
    if (isMeasured(centreOf(problem.lattice, problem.cells[c]))) {
      errors.mean += errorOf(c);
      errors.meanBound += bounds[c];
      errors.mostBeyond = std::max(errors.mostBeyond, errorOf(c) - bounds[c]);
      count += 1.0;
    }
  }
  errors.mean /= count;
  errors.meanBound /= count;
  return errors;
}
template <class Problem, class Exact>
BoundedErrors boundedErrorsOf(
  const Problem& problem, const UpwindScheme<Problem::dimension>& scheme, const Exact& exactAt) {
  return boundedErrorsOf(problem, scheme, exactAt, [](const auto&) { return true; });
}

/// Errors are within their bounds, in the mean: where a source is taken out of the differences, a few cells beside it
/// or at the end of the radius may find another neighbour to be the first one than exact times say. In second order,
/// where bounds are of the leading order, within twice as much: the next term of differences is 3 h / 4 times the
/// fourth derivative over the third one of the first term, which is 4 h / r and less around a centre. `inexact`: by how
/// much the exact times may be wrong.
inline void expectWithinBounds(const BoundedErrors& errors, int order, double inexact = 1e-12) {
  EXPECT_LE(errors.mean, order * errors.meanBound + inexact);
}

} // namespace spanwise::eikonal::testing
