#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/GridOrigins.hpp"
#include "Core/Solvers/Eikonal/GridPaths.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace spanwise::eikonal::testing {
namespace {

template <class Space>
class GridOrigins : public ::testing::Test {};
TYPED_TEST_SUITE(GridOrigins, AllSpaces, SpaceNames);

/// What follows from times that have been computed.
template <class Space, int Dim>
struct After {
  using Memory = typename Space::memory_space;
  using Place = GridPlace<Dim>;

  After(GridProblem<Space, Dim>& of, int order)
    : problem(of), times(onDevice<double, Space>(of.times)), gradient("gradient", Dim * of.times.size()),
      origins("origins", of.times.size()), labels("labels", of.times.size()) {
    gradientOfTimes<Space, Dim>(problem.context, problem.grid, order, times, gradient, problem.factoring.view());
    findOrigins<Space, Dim>(problem.context, problem.grid, times, origins);
  }

  std::vector<std::int32_t> labelPoints() {
    labelAroundPoints<Space, Dim>(problem.context, problem.grid, problem.factoring, times, labels);
    labelBySource<Space, Dim>(problem.context, problem.grid, origins, labels);
    return onHost(labels);
  }

  std::vector<std::vector<Place>> paths(const std::vector<Place>& starts, double step) {
    const Kokkos::View<const Place*, Memory> from = onDevice<Place, Space>(starts);
    GridPaths<Dim, Memory> found;
    tracePaths<Space, Dim>(problem.context, problem.grid, times, gradient, origins, from, step, {}, found);
    const auto offsets = onHost(found.offsets.view());
    const auto points = onHost(found.points.view());
    std::vector<std::vector<Place>> lines;
    for (std::size_t k = 0; k < starts.size(); ++k) {
      lines.emplace_back(points.begin() + offsets[k], points.begin() + offsets[k + 1]);
    }
    return lines;
  }

  GridProblem<Space, Dim>& problem;
  Kokkos::View<double*, Memory> times;
  Kokkos::View<double*, Memory> gradient;
  Kokkos::View<std::int32_t*, Memory> origins;
  Kokkos::View<std::int32_t*, Memory> labels;
};

GridOptions ofOrder(int order) {
  GridOptions options;
  options.order = order;
  return options;
}

TYPED_TEST(GridOrigins, GradientOfPlaneFrontsIsTheirSlowness) {
  // u = p . x with p^T M p = 1, a diagonal tensor and one that couples axes, away from the walls
  for (const double xy : {0.0, 0.6}) {
    for (const int order : {1, 2}) {
      GridProblem<TypeParam, 2> problem(allCells<2>(0, 20), {{0.0, 0.0}, {0.5, 0.7}});
      const SymmetricTensor m{2.0, 1.5, 1.0, xy, 0.0, 0.0};
      problem.constantTensor(m);
      const Point direction{{1.0, 0.7, 0.0}};
      const Point p = (1.0 / std::sqrt(m.product(direction))) * direction;
      for (std::size_t c = 0; c < problem.cells.size(); ++c) {
        const auto at = centreOf(problem.lattice, problem.cells[c]);
        const bool given = problem.cells[c].at[0] < 4 || problem.cells[c].at[1] < 4 || problem.cells[c].at[1] > 15;
        problem.times[c] = given ? p[0] * at[0] + p[1] * at[1] : notReached;
      }
      problem.solve(ofOrder(order));
      After<TypeParam, 2> after(problem, order);
      const auto gradient = onHost(after.gradient);
      for (const Cell<2>& cell : allCells<2>(6, 14)) {
        const std::size_t c = problem.indexOf(cell);
        ASSERT_NEAR(gradient[c], p[0], 1e-10);
        ASSERT_NEAR(gradient[problem.cells.size() + c], p[1], 1e-10);
      }
    }
  }
}

/// The largest error of the gradient around a point in a constant medium, N d / sqrt(d^T N d), of the cells at least
/// `margin` away from the ends of the cube.
template <class Space, int Dim>
double gradientErrorAround(int n, int margin, int order, const SymmetricTensor& m, const PointSource<Dim>& source) {
  GridProblem<Space, Dim> problem(allCells<Dim>(0, n), latticeOf<Dim>(1.0 / n));
  problem.constantTensor(m);
  problem.solve(ofOrder(order), {source}, 9.0);
  const After<Space, Dim> after(problem, order);
  const auto gradient = onHost(after.gradient);
  double most = 0.0;
  for (const Cell<Dim>& cell : allCells<Dim>(margin, n - margin)) {
    const std::size_t c = problem.indexOf(cell);
    Point d;
    for (int axis = 0; axis < Dim; ++axis) {
      d[axis] = centreOf(problem.lattice, cell)[axis] - source.at[axis];
    }
    const Point expected = (1.0 / std::sqrt(m.inverse().product(d))) * (m.inverse() * d);
    for (int axis = 0; axis < Dim; ++axis) {
      most = std::max(most, std::abs(gradient[axis * problem.cells.size() + c] - expected[axis]));
    }
  }
  return most;
}

TYPED_TEST(GridOrigins, GradientsAroundPointsAreExactInAConstantMedium) {
  const PointSource<2> inPlane{{0.3141, 0.5772}, 1.5};
  const PointSource<3> inSpace{{0.4141, 0.5772, 0.4}, 0.0};
  for (const int order : {1, 2}) {
    EXPECT_LT((gradientErrorAround<TypeParam, 2>(60, 0, order, SymmetricTensor::isotropic(9.0), inPlane)), 1e-9);
    EXPECT_LT((gradientErrorAround<TypeParam, 3>(20, 0, order, {2.0, 0.5, 1.0, 0.0, 0.0, 0.0}, inSpace)), 1e-9);
    // Beside walls the neighbours are missing that a tensor is decomposed along. Where its steps reach across the
    // source the time is a double root, which has half the digits.
    EXPECT_LT((gradientErrorAround<TypeParam, 2>(60, 6, order, {1.5, 1.0, 1.0, 0.4, 0.0, 0.0}, inPlane)), 1e-6);
    EXPECT_LT((gradientErrorAround<TypeParam, 3>(20, 4, order, {1.5, 1.0, 1.2, 0.3, 0.1, -0.2}, inSpace)), 1e-6);
  }
}

TYPED_TEST(GridOrigins, GradientsKeepTheirOrderAroundAPointInAGradientOfSpeed) {
  // Speed c = 0.7 + g y: u = acosh(A) / g with A = 1 + g^2 r^2 / (2 c c0), so that grad u = grad A / (g sqrt(A^2 - 1)).
  const double g = 1.5;
  const auto speed = [g](const std::array<double, 2>& at) { return 0.7 + g * at[1]; };
  const PointSource<2> source{{10.5 / 25, 8.5 / 25}, 0.0};
  const double speedThere = speed({source.at[0], source.at[1]});
  for (const int order : {1, 2}) {
    std::array<double, 3> factored{};
    std::array<double, 3> plain{};
    for (int k = 0; k < 3; ++k) {
      const int n = std::array{25, 75, 225}[k];
      GridProblem<TypeParam, 2> problem(allCells<2>(0, n), latticeOf<2>(1.0 / n));
      problem.speeds(speed);
      for (const double radius : {0.0, 9.0}) {
        std::fill(problem.times.begin(), problem.times.end(), notReached);
        problem.solve(ofOrder(order), {source}, radius);
        const After<TypeParam, 2> after(problem, order);
        const auto gradient = onHost(after.gradient);
        double sum = 0.0;
        for (std::size_t c = 0; c < problem.cells.size(); ++c) {
          const auto at = centreOf(problem.lattice, problem.cells[c]);
          const double x = at[0] - source.at[0];
          const double y = at[1] - source.at[1];
          const double r2 = x * x + y * y;
          const double a = 1.0 + g * g * r2 / (2.0 * speed(at) * speedThere);
          if (r2 < 1e-20) {
            continue; // the source itself
          }
          const double scale = g / (2.0 * speedThere * speed(at) * std::sqrt(a * a - 1.0));
          const double errorX = gradient[c] - scale * 2.0 * x;
          const double errorY = gradient[problem.cells.size() + c] - scale * (2.0 * y - r2 * g / speed(at));
          sum += std::hypot(errorX, errorY);
        }
        (radius > 0.0 ? factored : plain)[k] = sum / static_cast<double>(problem.cells.size());
      }
    }
    const double orderFactored = std::log(factored[1] / factored[2]) / std::log(3.0);
    const double orderPlain = std::log(plain[1] / plain[2]) / std::log(3.0);
    std::cout << "order " << order << ": mean error of the gradient " << factored[2] << " (order " << orderFactored
              << "), without factoring " << plain[2] << " (order " << orderPlain << ")\n";
    EXPECT_GT(orderFactored, 0.9);
    EXPECT_LT(4.0 * factored[2], plain[2]);
  }
}

TYPED_TEST(GridOrigins, LabelsAreAVoronoiMapByTime) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> place(0.02, 0.98);
  const int n = 60;
  GridProblem<TypeParam, 2> problem(allCells<2>(0, n), latticeOf<2>(1.0 / n));
  problem.constantSpeed(2.0);
  std::vector<PointSource<2>> points;
  for (int k = 0; k < 7; ++k) {
    points.push_back({{place(random), place(random)}, 0.05 * place(random)});
  }
  problem.solve(ofOrder(2), points, 9.0);
  After<TypeParam, 2> after(problem, 2);
  const auto labels = after.labelPoints();
  std::int64_t numSure = 0;
  for (std::size_t c = 0; c < problem.cells.size(); ++c) {
    const auto at = centreOf(problem.lattice, problem.cells[c]);
    std::vector<std::pair<double, std::int32_t>> times;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const double away = std::hypot(at[0] - points[k].at[0], at[1] - points[k].at[1]);
      times.emplace_back(points[k].time + away / 2.0, static_cast<std::int32_t>(k));
    }
    std::sort(times.begin(), times.end());
    ASSERT_GE(labels[c], 0);
    if (times[1].first - times[0].first > 2.0 / n) { // not within a cell or two of the border
      ++numSure;
      EXPECT_EQ(labels[c], times[0].second) << "cell " << c;
    }
  }
  EXPECT_GT(numSure, n * n / 2);
}

TYPED_TEST(GridOrigins, WhatIsNotReachedHasNoLabel) {
  CellList<2> cells = allCells<2>(0, 9);
  std::erase_if(cells, [](const Cell<2>& cell) { return cell.at[0] == 4; });
  GridProblem<TypeParam, 2> problem(cells, latticeOf<2>(1.0));
  problem.solve(ofOrder(1), {{{1.2, 1.4}, 0.0}});
  After<TypeParam, 2> after(problem, 1);
  const auto labels = after.labelPoints();
  const auto origins = onHost(after.origins);
  for (std::size_t c = 0; c < problem.cells.size(); ++c) {
    EXPECT_EQ(labels[c], problem.cells[c].at[0] < 4 ? 0 : -1);
    if (problem.cells[c].at[0] > 4) {
      EXPECT_EQ(origins[c], static_cast<std::int32_t>(c));
    }
  }
}

TYPED_TEST(GridOrigins, PathsAreStraightWhereNothingIsInTheWay) {
  // Also with a tensor: characteristics of a constant medium are lines, though not along the gradient.
  for (const double xy : {0.0, 0.5}) {
    const int n = 50;
    GridProblem<TypeParam, 3> problem(allCells<3>(0, n / 2), latticeOf<3>(2.0 / n));
    problem.constantTensor({1.5, 1.0, 0.8, xy, 0.2 * xy, 0.0});
    const PointSource<3> source{{0.21, 0.33, 0.52}, 0.0};
    problem.solve(ofOrder(2), {source}, 9.0);
    After<TypeParam, 3> after(problem, 2);
    const std::vector<typename After<TypeParam, 3>::Place> starts{{{0.9, 0.8, 0.7}}, {{0.1, 0.9, 0.3}}};
    const auto paths = after.paths(starts, 0.5);
    for (std::size_t k = 0; k < starts.size(); ++k) {
      Point whole;
      for (int axis = 0; axis < 3; ++axis) {
        whole[axis] = starts[k].at[axis] - source.at[axis];
        EXPECT_NEAR(paths[k].back().at[axis], source.at[axis], 1.0 / n + 1e-12);
      }
      for (const auto& place : paths[k]) {
        Point part;
        for (int axis = 0; axis < 3; ++axis) {
          part[axis] = place.at[axis] - source.at[axis];
        }
        const Point across = cross(part, whole);
        EXPECT_LT(std::sqrt(dot(across, across) / dot(whole, whole)), 3.0 / n);
      }
    }
  }
}

// With a tensor that couples axes paths cross cells whose centres are later: that costs nothing.
TYPED_TEST(GridOrigins, PathsCostWhatTheTimesSay) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto expectCost = [&]<int Dim>(int n, double ratio) {
    std::uniform_real_distribution<double> within(0.1, n - 0.1);
    GridProblem<TypeParam, Dim> problem(allCells<Dim>(0, n), latticeOf<Dim>(1.0));
    const SymmetricTensor m = randomTensor<Dim>(random, ratio);
    const SymmetricTensor inverse = m.inverse();
    problem.constantTensor(m);
    PointSource<Dim> source{};
    std::vector<typename After<TypeParam, Dim>::Place> starts(6);
    for (int axis = 0; axis < Dim; ++axis) {
      source.at[axis] = within(random);
      for (auto& start : starts) {
        start.at[axis] = within(random);
      }
    }
    problem.solve(ofOrder(1), {source}, 1e300);
    After<TypeParam, Dim> after(problem, 1);
    const auto paths = after.paths(starts, 0.5);
    const auto cost = [&](const auto& from, const auto& to) {
      Point way = {};
      for (int axis = 0; axis < Dim; ++axis) {
        way[axis] = to.at[axis] - from.at[axis];
      }
      return std::sqrt(inverse.product(way));
    };
    for (std::size_t k = 0; k < starts.size(); ++k) {
      double whole = 0.0;
      for (std::size_t p = 1; p < paths[k].size(); ++p) {
        whole += cost(paths[k][p - 1], paths[k][p]);
      }
      // Factored times of a constant medium are exact, so that a way strays only where directions change within a cell:
      // within three cells of the source. Nothing costs less than the straight way.
      const double across = std::sqrt(inverse.xx + inverse.yy + (Dim == 3 ? inverse.zz : 0.0));
      ASSERT_GE(whole, cost(paths[k].front(), paths[k].back()) * (1.0 - 1e-12));
      ASSERT_LE(whole, cost(starts[k], source) + 3.0 * across)
        << Dim << "D, " << m.xx << ' ' << m.yy << ' ' << m.zz << ' ' << m.xy << ' ' << m.yz << ' ' << m.xz;
    }
  };
  for (const double ratio : {2.0, 4.0, 8.0}) {
    for (int k = 0; k < 6; ++k) {
      expectCost.template operator()<2>(60, ratio);
    }
    expectCost.template operator()<3>(20, ratio);
  }
}

/// All paths stay in the set, and end in a source.
template <class Space, int Dim>
void expectPathsToSources(std::mt19937& random, bool coupled) {
  std::uniform_real_distribution<double> factor(0.4, 2.0);
  const CellList<Dim> cells = randomCells<Dim>(random, Dim == 2 ? 12 : 5, 0.8);
  Periods<Dim> periods;
  periods.along[0] = random() % 2 == 0;
  periods.box.begin[0] = Dim == 2 ? -12 : -5;
  periods.box.end[0] = Dim == 2 ? 12 : 5;
  GridGeometry<Dim> lattice{};
  for (int axis = 0; axis < Dim; ++axis) {
    lattice.spacing[axis] = factor(random);
    lattice.origin[axis] = factor(random);
  }
  GridProblem<Space, Dim> problem(cells, lattice, periods);
  std::vector<SymmetricTensor> tensors;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const double xx = factor(random);
    const double yy = factor(random);
    tensors.push_back({xx, yy, factor(random), coupled ? 0.8 * std::sqrt(xx * yy) : 0.0, 0.0, 0.0});
  }
  problem.tensors(tensors);
  problem.times[cells.size() / 2] = 0.0;
  problem.times[cells.size() / 5] = 1.0;
  problem.solve(ofOrder(2));
  After<Space, Dim> after(problem, 2);
  const auto origins = onHost(after.origins);
  std::vector<typename After<Space, Dim>::Place> starts;
  for (const Cell<Dim>& cell : problem.cells) {
    typename After<Space, Dim>::Place start;
    for (int axis = 0; axis < Dim; ++axis) {
      start.at[axis] = centreOf(lattice, cell)[axis];
    }
    starts.push_back(start);
  }
  const auto paths = after.paths(starts, 0.3);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto cellAt = [&](const typename After<Space, Dim>::Place& place) {
      Cell<Dim> cell;
      for (int axis = 0; axis < Dim; ++axis) {
        auto at = static_cast<Coordinate>(std::floor((place.at[axis] - lattice.origin[axis]) / lattice.spacing[axis]));
        if (periods.along[axis]) {
          const auto length = static_cast<Coordinate>(periods.box.extent(axis));
          const Coordinate begin = periods.box.begin[axis];
          at = begin + (((at - begin) % length) + length) % length;
        }
        cell.at[axis] = at;
      }
      return cell;
    };
    if (problem.times[c] == notReached) {
      EXPECT_EQ(paths[c].size(), 1U);
      continue;
    }
    std::size_t last = c;
    for (const auto& place : paths[c]) {
      const Cell<Dim> cell = cellAt(place);
      ASSERT_EQ(cells.count(cell), 1U);
      last = problem.indexOf(cell);
    }
    EXPECT_EQ(origins[last], static_cast<std::int32_t>(last));
    EXPECT_TRUE(last == cells.size() / 2 || last == cells.size() / 5);
  }
}

TYPED_TEST(GridOrigins, PathsReachTheirSources) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 4; ++round) {
    for (const bool coupled : {false, true}) {
      expectPathsToSources<TypeParam, 2>(random, coupled);
      expectPathsToSources<TypeParam, 3>(random, coupled);
    }
  }
}

TYPED_TEST(GridOrigins, NameWhatIsWrong) {
  GridProblem<TypeParam, 2> problem(allCells<2>(0, 5), latticeOf<2>(1.0));
  problem.solve(ofOrder(1), {{{1.0, 1.0}, 0.0}});
  After<TypeParam, 2> after(problem, 1);
  EXPECT_THROW(after.paths({{{1.0, 1.0}}}, 0.0), InvalidArgument);
  EXPECT_THROW(after.paths({{{1.0, 1.0}}}, 2.0), InvalidArgument);
  EXPECT_EQ(after.paths({{{-1.0, 1.0}}}, 0.5)[0].size(), 1U); // outside of the set
  EXPECT_THROW(
    (gradientOfTimes<TypeParam, 2>(problem.context, problem.grid, 3, after.times, after.gradient)), InvalidArgument);
  EXPECT_THROW(
    (gradientOfTimes<TypeParam, 2>(problem.context, problem.grid, 1, after.times, after.times)), InvalidArgument);
}

} // namespace
} // namespace spanwise::eikonal::testing
