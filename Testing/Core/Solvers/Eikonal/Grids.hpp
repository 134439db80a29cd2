#pragma once

// Arrival times on sets of cells for tests, and a straightforward solver to compare with.

#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/FrontLabels.hpp"
#include "Core/Solvers/Eikonal/GridSources.hpp"
#include "Core/Solvers/Eikonal/GridTimes.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Solvers/Eikonal/RoundOff.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <random>
#include <type_traits>
#include <vector>

namespace spanwise::eikonal::testing {

using spanwise::testing::allCells;
using spanwise::testing::AllSpaces;
using spanwise::testing::CellList;
using spanwise::testing::randomCells;
using spanwise::testing::seed;
using spanwise::testing::SpaceNames;

template <class T, class Space>
Kokkos::View<T*, typename Space::memory_space> onDevice(const std::vector<T>& values) {
  const Kokkos::View<T*, typename Space::memory_space> view("values", values.size());
  const auto mirror = Kokkos::create_mirror_view(view);
  std::copy(values.begin(), values.end(), mirror.data());
  Kokkos::deep_copy(view, mirror);
  return view;
}

template <class T, class Memory>
std::vector<std::remove_const_t<T>> onHost(const Kokkos::View<T*, Memory>& view) {
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return {mirror.data(), mirror.data() + mirror.extent(0)};
}

/// The lattice with this spacing on all axes, its origin at 0.
template <int Dim>
GridGeometry<Dim> latticeOf(double spacing) {
  GridGeometry<Dim> lattice{};
  std::fill_n(lattice.spacing, Dim, spacing);
  return lattice;
}

template <int Dim>
std::array<double, Dim> centreOf(const GridGeometry<Dim>& lattice, const Cell<Dim>& cell) {
  std::array<double, Dim> at{};
  for (int axis = 0; axis < Dim; ++axis) {
    at[axis] = lattice.centre(axis, cell.at[axis]);
  }
  return at;
}

/// A random tensor A A^T, whose A stretches by up to `ratio`. In 2D zz is 1.
template <int Dim>
SymmetricTensor randomTensor(std::mt19937& random, double ratio) {
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  double a[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  std::array<double, 3> axis{};
  double length = 0.0;
  for (int k = 0; k < Dim; ++k) {
    axis[k] = entry(random);
    length += axis[k] * axis[k];
  }
  const double stretch = 1.0 + (ratio - 1.0) * std::abs(entry(random));
  for (int i = 0; i < Dim; ++i) {
    for (int j = 0; j < Dim; ++j) {
      a[i][j] += (stretch - 1.0) * axis[i] * axis[j] / length;
    }
  }
  const double scale = 0.5 + std::abs(entry(random));
  const auto product = [&](
                         int i, int j) { return scale * (a[i][0] * a[j][0] + a[i][1] * a[j][1] + a[i][2] * a[j][2]); };
  return {product(0, 0), product(1, 1), Dim == 2 ? 1.0 : product(2, 2), product(0, 1), product(1, 2), product(0, 2)};
}

/// Whether differences mix times of fronts that meet.
enum class Meetings { Mixed, ToldApart };

/// A problem on a set of cells. Values of cells are in the order of the set's cells.
template <class Space, int Dim>
struct GridProblem {
  static constexpr int dimension = Dim;
  using Memory = typename Space::memory_space;

  explicit GridProblem(const CellList<Dim>& list, const GridGeometry<Dim>& where, const Periods<Dim>& repeated = {})
    : cells(list.begin(), list.end()), lattice(where), periods(repeated),
      set(spanwise::testing::toSet<Space, Dim>(list)), times(cells.size(), notReached) {}

  void constantSpeed(double speed) { chosen = Speed::constant(speed); }
  void constantTensor(const SymmetricTensor& tensor) { chosen = Speed::constant(tensor); }
  void speeds(const std::vector<double>& values) {
    array = onDevice<double, Space>(values);
    chosen = Speed::ofElements(array.data());
  }
  void speeds(const std::function<double(const std::array<double, Dim>&)>& speed) {
    std::vector<double> values;
    for (const Cell<Dim>& cell : cells) {
      values.push_back(speed(centreOf(lattice, cell)));
    }
    speeds(values);
  }
  void tensors(const std::vector<SymmetricTensor>& values) {
    std::vector<double> components;
    for (const SymmetricTensor& m : values) {
      components.insert(components.end(), {m.xx, m.yy, m.zz, m.xy, m.yz, m.xz});
    }
    array = onDevice<double, Space>(components);
    chosen = Speed::tensorOfElements(array.data());
  }

  /// Computes `times` from the times in it and the points.
  IterationReport solve(const GridOptions& options = {}, const std::vector<PointSource<Dim>>& points = {},
    double radius = 0.0, const Progress& progress = {}, const Space& space = {}) {
    const Context there(space, context.workspace());
    buildGrid<Space, Dim>(there, set, lattice, periods, chosen, grid);
    const auto values = onDevice<double, Space>(times);
    startAtPoints<Space, Dim>(there, grid, points, radius, values, factoring);
    GridFactoringView<Dim> view = factoring.view();
    if (meetings == Meetings::ToldApart) {
      labelFronts<Space, Dim>(there, grid, {}, {options.order, radius}, factoring, values, labels);
      view.fronts = labels.view();
    }
    starts = onHost(values);
    report = computeGridTimes<Space, Dim>(there.with(progress), grid, options, view, values);
    times = onHost(values);
    return report;
  }

  [[nodiscard]] std::size_t indexOf(const Cell<Dim>& cell) const {
    return static_cast<std::size_t>(std::lower_bound(cells.begin(), cells.end(), cell) - cells.begin());
  }

  std::vector<Cell<Dim>> cells;
  GridGeometry<Dim> lattice;
  Periods<Dim> periods;
  IntervalSetOn<Dim, Space> set;
  std::vector<double> times;
  std::vector<double> starts; ///< what fronts started from, notReached: from none
  Speed chosen = Speed::constant(1.0);
  Kokkos::View<double*, Memory> array;
  Grid<Dim, Space> grid;
  GridFactoring<Dim, Memory> factoring;
  FrontLabels<Dim, Memory> labels;
  Meetings meetings = Meetings::Mixed;
  const Context<Space> context;
  IterationReport report;
};

/// w (u - time)^2, with u the time that is sought.
struct UpwindTerm {
  double time;
  double weight;
};

/// The term of the difference between u and the time of a neighbour; in second order if the neighbour's neighbour is
/// reached.
inline UpwindTerm upwindTerm(double near, double far, double weight) {
  return far < notReached ? UpwindTerm{(4.0 * near - far) / 3.0, 2.25 * weight} : UpwindTerm{near, weight};
}

/// The u for which the terms with earlier times add up to 1; notReached if there is none.
inline double minSolution(std::vector<UpwindTerm> terms) {
  std::sort(terms.begin(), terms.end(), [](const UpwindTerm& a, const UpwindTerm& b) { return a.time < b.time; });
  double u = notReached;
  double a = 0.0;
  double b = 0.0;
  double d = -1.0;
  for (const auto& [t, w] : terms) {
    if (t < u) {
      a += w;
      b += w * t;
      d += w * t * t;
      u = (b + std::sqrt(std::max(b * b - a * d, 0.0))) / a;
    }
  }
  return u;
}

/// The fast marching method (J. A. Sethian, Proc. Natl. Acad. Sci. 93 (1996) 1591-1595), with a map for neighbours:
/// times of cells from those in `times`, for the weight M_aa / h_a^2 of each cell and axis.
template <int Dim>
std::vector<double> marched(const std::vector<Cell<Dim>>& cells, const Periods<Dim>& periods,
  const std::vector<std::array<double, Dim>>& weights, std::vector<double> times, int order) {
  std::map<Cell<Dim>, std::size_t> index;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    index[cells[c]] = c;
  }
  const auto neighbour = [&](std::size_t c, int axis, int offset) -> std::int64_t {
    Cell<Dim> at = cells[c];
    at.at[axis] += offset;
    if (periods.along[axis]) {
      const auto length = static_cast<Coordinate>(periods.box.extent(axis));
      const Coordinate begin = periods.box.begin[axis];
      at.at[axis] = begin + (((at.at[axis] - begin) % length) + length) % length;
    }
    const auto found = index.find(at);
    return found == index.end() ? -1 : static_cast<std::int64_t>(found->second);
  };
  const std::vector<double> given = times;
  std::vector<bool> accepted(cells.size(), false);
  const auto computed = [&](std::size_t c) {
    std::vector<UpwindTerm> terms;
    for (int axis = 0; axis < Dim; ++axis) {
      double least = notReached;
      double second = notReached;
      for (const int side : {-1, 1}) {
        const std::int64_t near = neighbour(c, axis, side);
        if (near < 0 || !accepted[near] || !(times[near] < least)) {
          continue;
        }
        least = times[near];
        const std::int64_t far = neighbour(c, axis, 2 * side);
        const bool isSource = given[c] < notReached; // is overtaken in first order only
        second = order == 2 && !isSource && far >= 0 && accepted[far] && times[far] <= least ? times[far] : notReached;
      }
      const double w = weights[c][axis];
      if (least < notReached && w > 0.0) {
        terms.push_back(upwindTerm(least, second, w));
      }
    }
    return minSolution(terms);
  };
  using Entry = std::pair<double, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (times[c] < notReached) {
      heap.emplace(times[c], c);
    }
  }
  while (!heap.empty()) {
    const auto [time, c] = heap.top();
    heap.pop();
    if (accepted[c] || time != times[c]) {
      continue;
    }
    accepted[c] = true;
    for (int axis = 0; axis < Dim; ++axis) {
      for (const int offset : {-2, -1, 1, 2}) {
        const std::int64_t n = neighbour(c, axis, offset);
        if (n >= 0 && !accepted[n]) {
          const double u = std::min(computed(n), given[n]);
          if (u != times[n]) {
            times[n] = u;
            heap.emplace(u, n);
          }
        }
      }
    }
  }
  return times;
}

/// Norms of differences to exact times.
struct Errors {
  double mean = 0.0;
  double most = 0.0;
  double least = 0.0; ///< signed
};

template <class Problem, class Exact>
Errors errorsOf(const Problem& problem, const Exact& exact) {
  Errors errors;
  for (std::size_t c = 0; c < problem.cells.size(); ++c) {
    const double error = problem.times[c] - exact(centreOf(problem.lattice, problem.cells[c]));
    errors.mean += std::abs(error) / static_cast<double>(problem.cells.size());
    errors.most = std::max(errors.most, std::abs(error));
    errors.least = std::min(errors.least, error);
  }
  return errors;
}

} // namespace spanwise::eikonal::testing
