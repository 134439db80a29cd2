#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"
#include "Testing/Core/Solvers/Eikonal/UpwindErrors.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::ofSeveralThreads;

template <class Space>
class GridTimes : public ::testing::Test {};
TYPED_TEST_SUITE(GridTimes, AllSpaces, SpaceNames);

GridOptions ofOrder(int order, double window = 1.0) {
  GridOptions options;
  options.order = order;
  options.iteration.window = window;
  return options;
}

/// A random set with random speeds (some cells are walls) and spacings, against the fast marching method.
template <class Space, int Dim>
void expectMarchedTimes(std::mt19937& random, int order, bool periodic) {
  std::uniform_real_distribution<double> factor(0.3, 2.0);
  std::bernoulli_distribution isWall(0.05);
  const Coordinate extent = Dim == 2 ? 14 : 6;
  const CellList<Dim> cells = randomCells<Dim>(random, extent, Dim == 2 ? 0.8 : 0.7);
  GridGeometry<Dim> lattice{};
  Periods<Dim> periods;
  for (int axis = 0; axis < Dim; ++axis) {
    lattice.origin[axis] = factor(random);
    lattice.spacing[axis] = factor(random);
    periods.box.begin[axis] = -extent;
    periods.box.end[axis] = extent;
    periods.along[axis] = periodic && axis != 1;
  }
  GridProblem<Space, Dim> problem(cells, lattice, periods);
  std::vector<double> speeds;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    speeds.push_back(isWall(random) ? 0.0 : factor(random));
  }
  problem.speeds(speeds);
  std::vector<std::array<double, Dim>> weights(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    for (int axis = 0; axis < Dim; ++axis) {
      weights[c][axis] = speeds[c] * speeds[c] / (lattice.spacing[axis] * lattice.spacing[axis]);
    }
  }
  std::vector<double> start(cells.size(), notReached);
  std::uniform_int_distribution<std::size_t> any(0, cells.size() - 1);
  for (int k = 0; k < 3; ++k) {
    start[any(random)] = factor(random);
  }
  const std::vector<double> expected = marched<Dim>(problem.cells, periods, weights, start, order);
  for (const double window : {0.0, 0.7, 3.0, 1e9}) {
    problem.times = start;
    const IterationReport report = problem.solve(ofOrder(order, window));
    EXPECT_TRUE(report.converged);
    std::int64_t numReached = 0;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      numReached += expected[c] < notReached ? 1 : 0;
      if (expected[c] < notReached) {
        ASSERT_NEAR(problem.times[c], expected[c], 1e-10) << "cell " << c << ", window " << window;
      } else {
        ASSERT_EQ(problem.times[c], notReached);
      }
    }
    EXPECT_EQ(report.numReached, numReached);
  }
}

TYPED_TEST(GridTimes, AreThoseOfFastMarching) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 3; ++round) {
    for (const int order : {1, 2}) {
      for (const bool periodic : {false, true}) {
        expectMarchedTimes<TypeParam, 2>(random, order, periodic);
        expectMarchedTimes<TypeParam, 3>(random, order, periodic);
      }
    }
  }
}

TYPED_TEST(GridTimes, PlaneFrontsAreExact) {
  for (const int order : {1, 2}) {
    for (const int axis : {0, 1, 2}) {
      GridGeometry<3> lattice{{0.0, 0.0, 0.0}, {0.5, 0.7, 1.1}};
      GridProblem<TypeParam, 3> problem(allCells<3>(-5, 6), lattice);
      problem.constantTensor({2.0, 3.0, 5.0, 0.0, 0.0, 0.0});
      const double speed = std::sqrt(std::array{2.0, 3.0, 5.0}[axis]);
      for (std::size_t c = 0; c < problem.cells.size(); ++c) {
        problem.times[c] = problem.cells[c].at[axis] == -5 ? 0.25 : notReached;
      }
      problem.solve(ofOrder(order));
      for (std::size_t c = 0; c < problem.cells.size(); ++c) {
        ASSERT_NEAR(problem.times[c], 0.25 + (problem.cells[c].at[axis] + 5) * lattice.spacing[axis] / speed, 1e-13);
      }
    }
  }
}

/// A square with speeds so different that times of cells fall several times.
template <class Space>
struct Disorder {
  GridProblem<Space, 2> problem{allCells<2>(0, 24), latticeOf<2>(1.0 / 24)};
  std::vector<double> sources = std::vector<double>(24 * 24, notReached);

  explicit Disorder(std::mt19937& random) {
    std::uniform_real_distribution<double> factor(0.2, 2.0);
    std::vector<double> speeds(sources.size());
    std::generate(speeds.begin(), speeds.end(), [&] { return factor(random); });
    problem.speeds(speeds);
    sources[problem.indexOf({{3, 5}})] = 0.0;
    sources[problem.indexOf({{20, 11}})] = 0.1;
  }

  /// The report; the times are the problem's.
  IterationReport solve(const GridOptions& options) {
    problem.times = sources;
    return problem.solve(options);
  }
};

TYPED_TEST(GridTimes, OnlyFallInFirstOrder) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Disorder<TypeParam> disorder(random);
  for (const double window : {0.3, 1e9}) {
    GridOptions options = ofOrder(1, window);
    const std::int64_t numIterations = disorder.solve(options).numIterations;
    const std::vector<double> last = disorder.problem.times;
    std::vector<double> before = disorder.sources;
    std::int64_t& most = options.iteration.maxIterations;
    for (most = 1; most <= numIterations; ++most) {
      disorder.solve(options);
      const std::vector<double>& now = disorder.problem.times;
      for (std::size_t c = 0; c < now.size(); ++c) {
        ASSERT_LE(now[c], before[c]) << "cell " << c << ", iteration " << most;
        ASSERT_GE(now[c], last[c]) << "cell " << c << ", iteration " << most;
      }
      before = now;
    }
    EXPECT_EQ(before, last);
  }
}

TYPED_TEST(GridTimes, AToleranceSavesUpdates) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Disorder<TypeParam> disorder(random);
  GridOptions options = ofOrder(1, 1e9);
  const std::int64_t numUpdates = disorder.solve(options).numUpdates;
  const std::vector<double> converged = disorder.problem.times;
  options.iteration.tolerance = 1e-2;
  const IterationReport report = disorder.solve(options);
  const std::vector<double> near = disorder.problem.times;
  EXPECT_TRUE(report.converged);
  EXPECT_LT(report.numUpdates, numUpdates);
  EXPECT_NE(near, converged);
  // None of the updates that were left out brings more.
  options.iteration.maxIterations = 1;
  options.iteration.tolerance = 0.0;
  disorder.problem.solve(options);
  const std::vector<double>& next = disorder.problem.times;
  for (std::size_t c = 0; c < near.size(); ++c) {
    ASSERT_GE(near[c], converged[c]) << "cell " << c;
    ASSERT_LE(near[c] - next[c], 1e-2 * next[c] * (1.0 + 1e-12)) << "cell " << c;
  }
}

TYPED_TEST(GridTimes, FirstOrderIsNeverAheadOfTheFront) {
  GridProblem<TypeParam, 3> problem(allCells<3>(-8, 9), latticeOf<3>(0.25));
  problem.constantSpeed(2.0);
  problem.times[problem.indexOf({{0, 0, 0}})] = 0.0;
  problem.solve();
  const auto exact = [](const std::array<double, 3>& at) {
    return std::hypot(at[0] - 0.125, at[1] - 0.125, at[2] - 0.125) / 2.0;
  };
  EXPECT_GE(errorsOf(problem, exact).least, -1e-14);
}

/// Errors with cells of 1 / n in the unit square or cube.
template <class Space, int Dim, class Exact>
Errors errorsWith(int n, int order, const PointSource<Dim>& source, double radius,
  const std::function<double(const std::array<double, Dim>&)>& speed, const Exact& exact) {
  GridProblem<Space, Dim> problem(allCells<Dim>(0, n), latticeOf<Dim>(1.0 / n));
  problem.speeds(speed);
  const IterationReport report = problem.solve(ofOrder(order), {source}, radius);
  EXPECT_TRUE(report.converged);
  return errorsOf(problem, exact);
}

TYPED_TEST(GridTimes, ConstantSpeedIsExactWhereItsSourceIsFactoredOut) {
  // Anywhere within a cell, in 2D and 3D.
  for (const int order : {1, 2}) {
    const auto plane = errorsWith<TypeParam, 2>(
      60, order, {{0.3141, 0.5772}, 1.5}, 9.0, [](const auto&) { return 3.0; },
      [](const auto& at) { return 1.5 + std::hypot(at[0] - 0.3141, at[1] - 0.5772) / 3.0; });
    EXPECT_LT(plane.most, 1e-12);
    const auto cube = errorsWith<TypeParam, 3>(
      20, order, {{0.3141, 0.5772, 0.2}, 0.0}, 9.0, [](const auto&) { return 3.0; },
      [](const auto& at) { return std::hypot(at[0] - 0.3141, at[1] - 0.5772, at[2] - 0.2) / 3.0; });
    EXPECT_LT(cube.most, 1e-12);
    for (const double height : {0.2, 0.35, 0.4, 0.6}) { // between two layers of cells, which have the same times
      const auto between = errorsWith<TypeParam, 3>(
        20, order, {{0.4141, 0.5772, height}, 0.0}, 9.0, [](const auto&) { return 3.0; },
        [&](const auto& at) { return std::hypot(at[0] - 0.4141, at[1] - 0.5772, at[2] - height) / 3.0; });
      EXPECT_LT(between.most, 1e-12) << height;
    }
  }
}

/// The time from a source where the speed is c0 + g y: acosh(1 + g^2 r^2 / (2 c c0)) / g (M. M. Slotnick, Geophysics 1
/// (1936)), c at the receiver and c0 at the source.
double gradientTime(double g, double speedAtSource, double speedHere, double distance) {
  return std::acosh(1.0 + g * g * distance * distance / (2.0 * speedAtSource * speedHere)) / g;
}

TYPED_TEST(GridTimes, KeepTheirOrderAroundAPointInAGradientOfSpeed) {
  const double g = 1.5;
  const auto speed = [g](const std::array<double, 2>& at) { return 0.7 + g * at[1]; };
  const PointSource<2> source{{10.5 / 25, 8.5 / 25}, 0.0};
  const auto exact = [&](const std::array<double, 2>& at) {
    return gradientTime(
      g, speed({source.at[0], source.at[1]}), speed(at), std::hypot(at[0] - source.at[0], at[1] - source.at[1]));
  };
  for (const int order : {1, 2}) {
    for (const int n : {25, 75, 225}) { // the source stays at the same place in its cell: each cell becomes nine
      SCOPED_TRACE("order " + std::to_string(order) + ", " + std::to_string(n) + " cells");
      const auto errorsWithin = [&](double radius) {
        GridProblem<TypeParam, 2> problem(allCells<2>(0, n), latticeOf<2>(1.0 / n));
        problem.speeds(speed);
        EXPECT_TRUE(problem.solve(ofOrder(order), {source}, radius).converged);
        auto scheme = UpwindScheme<2>::ofSpeed(order, speed);
        scheme.takeOut(source, radius);
        return boundedErrorsOf(problem, scheme, exact);
      };
      const BoundedErrors factored = errorsWithin(10.0);
      expectWithinBounds(factored, order);
      const BoundedErrors plain = errorsWithin(0.0);
      EXPECT_GT(plain.mean, order * factored.meanBound); // of h log h in both orders
      if (order == 1) {
        EXPECT_LE(factored.mostBeyond, 1e-12); // in each cell
        EXPECT_LE(plain.mostBeyond, 1e-12);
      }
    }
  }
}

TYPED_TEST(GridTimes, HaveTheirOrderAroundCirclesAndSpheres) {
  // From the cells within a disk or ball of radius 0.2, given their exact (negative) times: u = r - 0.2.
  const auto expectOrder = [](auto problem, int order) {
    constexpr int Dim = decltype(problem)::dimension;
    const auto exact = [](const std::array<double, Dim>& at) {
      double square = 0.0;
      for (const double x : at) {
        square += (x - 0.5) * (x - 0.5);
      }
      return std::sqrt(square) - 0.2;
    };
    for (std::size_t c = 0; c < problem.cells.size(); ++c) {
      const double time = exact(centreOf(problem.lattice, problem.cells[c]));
      problem.times[c] = time <= 0.0 ? time : notReached;
    }
    problem.solve(ofOrder(order));
    expectWithinBounds(
      boundedErrorsOf(problem, UpwindScheme<Dim>::ofSpeed(order, [](const auto&) { return 1.0; }), exact), order);
  };
  for (const int order : {1, 2}) {
    for (const int n : {30, 60, 120}) {
      SCOPED_TRACE("order " + std::to_string(order) + ", " + std::to_string(n) + " cells");
      expectOrder(GridProblem<TypeParam, 2>(allCells<2>(0, n), latticeOf<2>(1.0 / n)), order);
    }
    for (const int n : {16, 32}) {
      SCOPED_TRACE("order " + std::to_string(order) + ", " + std::to_string(n) + " cells");
      expectOrder(GridProblem<TypeParam, 3>(allCells<3>(0, n), latticeOf<3>(1.0 / n)), order);
    }
  }
}

TYPED_TEST(GridTimes, HeadWavesRunAheadInAFasterLayer) {
  // Speed 1 above y = 0.4 and 3 below, source and receivers at y = 0.8: the direct wave, or the one that runs along
  // the layer: x / 3 + 2 * 0.4 cos(i) with sin(i) = 1/3. A step between cells takes the speed of the one that it leads
  // to, so that the layer begins half a cell too high or too low; and where the slope of times across it changes, from
  // cos(i) to 0 or back, differences of second order find half a step of that more or less: 1/3, 1/9, 1/27 ... of a
  // step in the cells that follow. The front crosses twice.
  const double cosine = std::sqrt(8.0) / 3.0;
  std::array<double, 2> errors{};
  for (int k = 0; k < 2; ++k) {
    const int n = 100 << k;
    CellList<2> cells;
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < 2 * n; ++x) {
        cells.insert({{x, y}});
      }
    }
    GridProblem<TypeParam, 2> problem(cells, latticeOf<2>(1.0 / n));
    problem.speeds([](const std::array<double, 2>& at) { return at[1] < 0.4 ? 3.0 : 1.0; });
    const double source = 0.2;
    const double height = (std::floor(0.8 * n) + 0.5) / n;
    problem.solve(ofOrder(2), {{{source, height}, 0.0}}, 0.1);
    for (double x = 0.3; x < 1.95; x += 0.05) {
      const Cell<2> receiver{{static_cast<Coordinate>(x * n), static_cast<Coordinate>(height * n)}};
      const double away = centreOf(problem.lattice, receiver)[0] - source;
      const double head = away / 3.0 + 2.0 * (height - 0.4) * cosine;
      errors[k] = std::max(errors[k], std::abs(problem.times[problem.indexOf(receiver)] - std::min(away, head)));
    }
    EXPECT_LT(errors[k], 2.0 * cosine / n);
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), 0.5); // nearer to the first order than to none
}

TYPED_TEST(GridTimes, AxesThatRepeatBringFrontsAround) {
  // On a torus u is the distance to the nearest copy of the source.
  Periods<2> periods;
  periods.box = {{-7, 3}, {25, 27}};
  periods.along[0] = periods.along[1] = true;
  GridProblem<TypeParam, 2> problem(allCells<2>(periods.box), latticeOf<2>(1.0), periods);
  const PointSource<2> source{{-6.2, 25.9}, 0.0};
  problem.solve(ofOrder(2), {source}, 100.0);
  const Errors errors = errorsOf(problem, [&](const std::array<double, 2>& at) {
    return std::hypot(std::remainder(at[0] - source.at[0], 32.0), std::remainder(at[1] - source.at[1], 24.0));
  });
  EXPECT_LT(errors.most, 1e-11);
}

TYPED_TEST(GridTimes, GoAroundWallsAndCountWhatTheyReach) {
  // A wall across the square, of cells that are not there or of speed 0, with a gap at the top or without.
  const int n = 40;
  for (const bool gap : {true, false}) {
    std::array<std::vector<double>, 2> found;
    const auto exact = [](const std::array<double, 2>& at) { // over the wall's two upper corners
      const double toFirst = std::hypot(0.4875, 0.8875);
      if (at[0] <= 0.5 || 0.0125 + (at[1] - 0.0125) * 0.4875 / (at[0] - 0.0125) >= 0.9) {
        return std::hypot(at[0] - 0.0125, at[1] - 0.0125);
      }
      return at[0] < 0.55 || at[1] >= 0.9 ? toFirst + std::hypot(at[0] - 0.5, at[1] - 0.9)
                                          : toFirst + 0.05 + std::hypot(at[0] - 0.55, at[1] - 0.9);
    };
    for (const bool asSpeed : {true, false}) {
      CellList<2> cells = allCells<2>(0, n);
      const auto isWall = [&](const Cell<2>& cell) {
        return cell.at[0] >= 20 && cell.at[0] < 22 && (!gap || cell.at[1] < 36);
      };
      if (!asSpeed) {
        std::erase_if(cells, isWall);
      }
      GridProblem<TypeParam, 2> problem(cells, latticeOf<2>(1.0 / n));
      std::vector<double> speeds;
      for (const Cell<2>& cell : cells) {
        speeds.push_back(isWall(cell) ? 0.0 : 1.0);
      }
      problem.speeds(speeds);
      const IterationReport report = problem.solve(ofOrder(1), {{{0.0125, 0.0125}, 0.0}});
      for (const Cell<2>& cell : cells) {
        if (!isWall(cell)) {
          found[asSpeed ? 1 : 0].push_back(problem.times[problem.indexOf(cell)]);
        }
      }
      if (gap) {
        EXPECT_EQ(report.numReached, 40 * 38 + 8);
      } else {
        EXPECT_EQ(problem.times[problem.indexOf({{39, 0}})], notReached);
        EXPECT_EQ(report.numReached, 40 * 20);
      }
      if (gap && !asSpeed) { // first order is never ahead of the front, and as late as any solver of the equation
        EXPECT_GE(errorsOf(problem, exact).least, -1e-12);
        const std::vector<std::array<double, 2>> weights(cells.size(), {double{n} * n, double{n} * n});
        const std::vector<double> expected = marched<2>(problem.cells, {}, weights, problem.starts, 1);
        for (std::size_t c = 0; c < expected.size(); ++c) {
          ASSERT_NEAR(problem.times[c], expected[c], 1e-12);
        }
      }
    }
    EXPECT_EQ(found[0], found[1]);
  }
}

TYPED_TEST(GridTimes, HaveTheSameBitsForAnyNumberOfThreads) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> factor(0.3, 2.0);
  const CellList<3> cells = randomCells<3>(random, 12, 0.9);
  GridProblem<TypeParam, 3> problem(cells, latticeOf<3>(0.1));
  std::vector<double> speeds;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    speeds.push_back(factor(random));
  }
  problem.speeds(speeds);
  const PointSource<3> source{
    {centreOf(problem.lattice, problem.cells[100])[0] + 0.01, centreOf(problem.lattice, problem.cells[100])[1] - 0.02,
      centreOf(problem.lattice, problem.cells[100])[2]},
    0.3};
  for (const int order : {1, 2}) {
    for (const double radius : {0.0, 0.5}) {
      std::vector<double> first;
      const auto run = [&](const TypeParam& space) {
        std::fill(problem.times.begin(), problem.times.end(), notReached);
        problem.solve(ofOrder(order), {source}, radius, {}, space);
        if (first.empty()) {
          first = problem.times;
        }
        EXPECT_EQ(problem.times, first);
      };
      run(TypeParam());
      for (const TypeParam& space : ofSeveralThreads<TypeParam>()) {
        run(space);
      }
      run(TypeParam());
    }
  }
}

/// The source of each cell against a look at all of them.
template <class Space, int Dim>
void expectFirstSources(std::mt19937& random, int numSources, double radius) {
  using Memory = typename Space::memory_space;
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const Coordinate n = Dim == 2 ? 20 : 8;
  Periods<Dim> periods;
  periods.box.begin[0] = -2;
  periods.box.end[0] = n - 2;
  periods.along[0] = random() % 2 == 0;
  CellList<Dim> cells = allCells<Dim>(0, n);
  if (periods.along[0]) {
    cells.clear();
    for (Cell<Dim> cell : allCells<Dim>(0, n)) {
      cell.at[0] -= 2;
      cells.insert(cell);
    }
  }
  GridProblem<Space, Dim> problem(cells, latticeOf<Dim>(1.0 / n), periods);
  std::vector<SymmetricTensor> tensors;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const double fast = std::pow(10.0, 4.0 * unit(random) * unit(random)); // some are a hundred times faster
    tensors.push_back({fast, fast * (0.2 + unit(random)), fast, 0.4 * fast * unit(random), 0.0, 0.0});
  }
  problem.tensors(tensors);
  std::vector<PointSource<Dim>> points;
  for (int k = 0; k < numSources; ++k) {
    PointSource<Dim> point{};
    for (double& x : point.at) {
      x = k % 3 == 0 ? 0.3 + 0.01 * unit(random) : 0.02 + 0.8 * unit(random); // a third of them close together
    }
    point.time = 0.2 * unit(random);
    if (periods.along[0] && k % 5 == 0) {
      point.at[0] += 3.0; // in another period
    }
    points.push_back(point);
    if (k % 7 == 0) {
      points.push_back(point); // twice
    }
  }
  buildGrid<Space, Dim>(problem.context, problem.set, problem.lattice, periods, problem.chosen, problem.grid);
  const auto times = onDevice<double, Space>(problem.times);
  startAtPoints<Space, Dim>(problem.context, problem.grid, points, radius, times, problem.factoring);
  const GridFactoringView<Dim> view = problem.factoring.view();
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  const auto found = Kokkos::create_mirror_view_and_copy(
    Kokkos::HostSpace(), Kokkos::View<const std::int32_t*, Memory, Unmanaged>(view.sourceOfCell, cells.size()));
  const auto sources = Kokkos::create_mirror_view_and_copy(
    Kokkos::HostSpace(), Kokkos::View<const FactoredSource<Dim>*, Memory, Unmanaged>(view.sources, points.size()));
  for (std::size_t c = 0; c < problem.cells.size(); ++c) {
    std::int32_t first = -1;
    double least = notReached;
    for (std::size_t s = 0; s < points.size(); ++s) {
      double d[Dim];
      problem.grid.view().vectorFrom(sources[s].at, problem.cells[c], d);
      const Point p = FactoredSource<Dim>::pointOf(d);
      const double time = sources[s].time + sources[s].travelTime(d);
      if (dot(p, p) <= radius * radius && time < least) {
        least = time;
        first = static_cast<std::int32_t>(s);
      }
    }
    ASSERT_EQ(found[c], first) << "cell " << c << " of " << cells.size() << ", " << numSources << " sources";
  }
}

TYPED_TEST(GridTimes, AreFactoredByTheSourceWhoseFrontIsFirst) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 3; ++round) {
    for (const double radius : {0.15, notReached}) {
      for (const int numSources : {1, 5, 300}) {
        expectFirstSources<TypeParam, 2>(random, numSources, radius);
        expectFirstSources<TypeParam, 3>(random, numSources, radius);
      }
    }
  }
}

TYPED_TEST(GridTimes, DoNotDependOnTheOrderOfPoints) {
  // Points of a lattice, so that many cells are equally near to several, in a medium that is alike at all of them only.
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> factor(0.5, 2.0);
  const int n = 32;
  std::vector<PointSource<2>> points;
  for (const double x : {0.125, 0.625, 0.875}) {
    for (const double y : {0.25, 0.5}) {
      points.push_back({{x + 0.5 / n, y + 0.5 / n}, 0.25});
    }
  }
  GridProblem<TypeParam, 2> problem(allCells<2>(0, n), latticeOf<2>(1.0 / n));
  std::vector<double> speeds;
  for (const Cell<2>& cell : problem.cells) {
    const auto at = centreOf(problem.lattice, cell);
    const bool isSource = std::any_of(points.begin(), points.end(),
      [&](const PointSource<2>& point) { return point.at[0] == at[0] && point.at[1] == at[1]; });
    speeds.push_back(isSource ? 1.0 : factor(random));
  }
  problem.speeds(speeds);
  std::vector<double> first;
  for (int round = 0; round < 6; ++round) {
    std::fill(problem.times.begin(), problem.times.end(), notReached);
    problem.solve(ofOrder(2), points, 9.0);
    first = first.empty() ? problem.times : first;
    ASSERT_EQ(problem.times, first);
    std::shuffle(points.begin(), points.end(), random);
  }
}

TYPED_TEST(GridTimes, TwoPointsMeetHalfway) {
  // Exact but where differences mix fronts: a cell that they reach along one axis each, both at t, has t + h / sqrt(2)
  // in the place of t + h. So errors are of that size, once for each source, in cells with a neighbour on the other
  // side, and their mean falls with h^2.
  const PointSource<3> a{{0.31, 0.22, 0.4}, 0.0};
  const PointSource<3> b{{0.72, 0.81, 0.6}, 0.1};
  const auto away = [](const std::array<double, 3>& at, const PointSource<3>& from) {
    return from.time + std::hypot(at[0] - from.at[0], at[1] - from.at[1], at[2] - from.at[2]);
  };
  for (const int order : {1, 2}) {
    for (const int n : {20, 40}) {
      GridProblem<TypeParam, 3> problem(allCells<3>(0, n), latticeOf<3>(1.0 / n));
      problem.solve(ofOrder(order), {a, b}, 9.0);
      double numBeside = 0.0;
      for (const Cell<3>& cell : problem.cells) {
        const auto at = centreOf(problem.lattice, cell);
        bool isBeside = false;
        for (int k = 0; k < 6; ++k) {
          auto next = at;
          next[k / 2] += (k % 2 == 0 ? 1.0 : -1.0) / n;
          isBeside = isBeside || (away(at, a) < away(at, b)) != (away(next, a) < away(next, b));
        }
        numBeside += isBeside ? 1.0 : 0.0;
      }
      const double most = 2.0 * (1.0 - 1.0 / std::sqrt(2.0)) / n;
      const Errors errors =
        errorsOf(problem, [&](const std::array<double, 3>& at) { return std::min(away(at, a), away(at, b)); });
      EXPECT_LE(errors.most, most);
      EXPECT_LE(errors.mean, most * numBeside / static_cast<double>(problem.cells.size()));
    }
  }
}

TYPED_TEST(GridTimes, StartFromCellsOfASet) {
  GridProblem<TypeParam, 2> problem(allCells<2>(-6, 7), latticeOf<2>(1.0));
  CellList<2> square = allCells<2>(-1, 2);
  square.insert({{100, 0}}); // not in the set
  const auto values = onDevice<double, TypeParam>(problem.times);
  const auto sources = spanwise::testing::toSet<TypeParam, 2>(square);
  buildGrid<TypeParam, 2>(problem.context, problem.set, problem.lattice, problem.periods, problem.chosen, problem.grid);
  EXPECT_EQ((startAtCells<TypeParam, 2>(problem.context, problem.grid, sources, 0.5, values)), 9);
  problem.times = onHost(values);
  problem.solve();
  for (const Cell<2>& cell : problem.cells) {
    const double x = std::max(std::abs(cell.at[0]) - 1, 0);
    const double y = std::max(std::abs(cell.at[1]) - 1, 0);
    if (x == 0.0 || y == 0.0) {
      ASSERT_DOUBLE_EQ(problem.times[problem.indexOf(cell)], 0.5 + x + y);
    }
  }
}

TYPED_TEST(GridTimes, StopWhereTheyAreTold) {
  for (const int order : {1, 2}) {
    GridProblem<TypeParam, 2> problem(allCells<2>(0, 30), latticeOf<2>(1.0 / 30));
    const PointSource<2> source{{0.1, 0.1}, 0.0};
    problem.solve(ofOrder(order), {source});
    const std::vector<double> all = problem.times;
    const auto again = [&](const GridOptions& options, const Progress& progress = {}) {
      std::fill(problem.times.begin(), problem.times.end(), notReached);
      return problem.solve(options, {source}, 0.0, progress);
    };
    GridOptions options = ofOrder(order);
    options.iteration.stopTime = 0.6;
    again(options);
    for (std::size_t c = 0; c < all.size(); ++c) {
      EXPECT_EQ(problem.times[c], all[c] <= 0.6 ? all[c] : notReached);
    }
    options = ofOrder(order);
    options.iteration.maxIterations = 3;
    const IterationReport few = again(options);
    EXPECT_FALSE(few.converged);
    EXPECT_EQ(few.numIterations, 3);
    int reports = 0;
    const Progress cancelling([&](double fraction) {
      EXPECT_GE(fraction, 0.0);
      EXPECT_LE(fraction, 1.0);
      return ++reports < 4;
    });
    EXPECT_THROW(again(ofOrder(order), cancelling), Cancelled);
  }
}

// All that is not after the last of the region has its time, and nothing else is computed.
TYPED_TEST(GridTimes, StopWhenARegionIsReached) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> factor(0.3, 2.0);
  GridProblem<TypeParam, 2> problem(allCells<2>(0, 40), latticeOf<2>(1.0 / 40));
  std::vector<double> speeds(problem.cells.size());
  std::generate(speeds.begin(), speeds.end(), [&] { return factor(random); });
  const std::size_t alone = problem.indexOf({{39, 39}}); // a cell that walls are around
  for (const Cell<2>& wall : {Cell<2>{{38, 39}}, Cell<2>{{39, 38}}}) {
    speeds[problem.indexOf(wall)] = 0.0;
  }
  problem.speeds(speeds);
  const PointSource<2> source{{0.2, 0.3}, 0.5};
  for (const int order : {1, 2}) {
    for (const double window : {0.0, 1.0, 4.0}) {
      GridOptions options = ofOrder(order, window);
      const auto solveWith = [&](const std::vector<std::int64_t>& region) {
        const auto there = onDevice<std::int64_t, TypeParam>(region);
        options.iteration.stopVertices = there.data();
        options.iteration.numStopVertices = static_cast<std::int64_t>(region.size());
        std::fill(problem.times.begin(), problem.times.end(), notReached);
        problem.solve(options, {source}, 0.5);
        return problem.times;
      };
      const std::vector<double> all = solveWith({});
      const std::int64_t numUpdates = problem.report.numUpdates;
      const std::vector<std::int64_t> region{static_cast<std::int64_t>(problem.indexOf({{20, 12}})),
        static_cast<std::int64_t>(problem.indexOf({{3, 11}})), static_cast<std::int64_t>(problem.indexOf({{9, 22}}))};
      double last = 0.0;
      for (const std::int64_t cell : region) {
        last = std::max(last, all[static_cast<std::size_t>(cell)]);
      }
      const std::vector<double> stopped = solveWith(region);
      for (std::size_t c = 0; c < all.size(); ++c) {
        ASSERT_EQ(stopped[c], all[c] <= last ? all[c] : notReached) << "cell " << c;
      }
      EXPECT_EQ(
        problem.report.numReached, std::count_if(all.begin(), all.end(), [&](double time) { return time <= last; }));
      EXPECT_LT(problem.report.numUpdates, numUpdates);
      EXPECT_TRUE(problem.report.converged);
      EXPECT_EQ(solveWith({region[0], static_cast<std::int64_t>(alone)}), all); // never reached
      EXPECT_EQ(all[alone], notReached);
    }
  }
}

TYPED_TEST(GridTimes, OfNothingAreNothing) {
  GridProblem<TypeParam, 3> empty({}, latticeOf<3>(1.0));
  EXPECT_EQ(empty.solve().numReached, 0);
  GridProblem<TypeParam, 2> noSource(allCells<2>(0, 3), latticeOf<2>(1.0));
  EXPECT_EQ(noSource.solve(ofOrder(2)).numReached, 0);
  EXPECT_EQ(noSource.times, std::vector<double>(9, notReached));
  // At the ends of the range of coordinates.
  GridProblem<TypeParam, 2> last({{{minCoordinate, minCoordinate}}, {{maxRowKey, maxRowKey}}}, latticeOf<2>(1.0));
  last.times = {0.0, 1.0};
  EXPECT_EQ(last.solve(ofOrder(2)).numReached, 2);
}

TYPED_TEST(GridTimes, NameWhatIsWrong) {
  GridProblem<TypeParam, 2> problem(allCells<2>(0, 5), latticeOf<2>(1.0));
  const auto message = [&](const std::function<void()>& call) {
    try {
      call();
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto expectMessage = [&](const char* part, const std::function<void()>& call) {
    EXPECT_NE(message(call).find(part), std::string::npos) << message(call);
  };
  std::vector<double> speeds(25, 1.0);
  for (const double wrong : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    speeds[17] = wrong;
    problem.speeds(speeds);
    expectMessage("speed of cell 17", [&] { problem.solve(); });
  }
  std::vector<SymmetricTensor> tensors(25);
  tensors[3].xy = 1.5;
  problem.tensors(tensors);
  expectMessage("speed of cell 3", [&] { problem.solve(); });
  problem.chosen = Speed::ofVertices(nullptr);
  expectMessage("vertices", [&] { problem.solve(); });
  problem.constantSpeed(1.0);
  expectMessage("order 3", [&] { problem.solve(ofOrder(3)); });
  expectMessage("window is -1", [&] { problem.solve(ofOrder(1, -1.0)); });
  GridOptions region;
  const auto wrong = onDevice<std::int64_t, TypeParam>(std::vector<std::int64_t>{0, 25, -1});
  region.iteration.stopVertices = wrong.data();
  region.iteration.numStopVertices = 3;
  expectMessage("cell 25 of the region to stop at does not exist", [&] { problem.solve(region); });
  expectMessage("(2, 5.5)", [&] { problem.solve({}, {{{1.0, 1.0}, 0.0}, {{2.0, 5.5}, 0.0}}); });
  expectMessage("time of the source", [&] { problem.solve({}, {{{1.0, 1.0}, notReached}}); });
  expectMessage("radius", [&] { problem.solve({}, {{{1.0, 1.0}, 0.0}}, -1.0); });
  problem.times[9] = std::nan("");
  expectMessage("time of cell 9", [&] { problem.solve(); });
  problem.times.resize(24);
  expectMessage("24 times", [&] { problem.solve(); });
  problem.lattice.spacing[1] = 0.0;
  expectMessage("spacing", [&] { problem.solve(); });
}

} // namespace
} // namespace spanwise::eikonal::testing
