// Fronts that start at surfaces, on grids.

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/GridArrival.hpp"
#include "Core/Solvers/Eikonal/GridSurface.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Solvers/Eikonal/Surfaces.hpp"
#include "Testing/Core/Solvers/Eikonal/UpwindErrors.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <numbers>
#include <string>

namespace spanwise::eikonal::testing {
namespace {

template <class Space>
class GridSurface : public ::testing::Test {};
TYPED_TEST_SUITE(GridSurface, AllSpaces, SpaceNames);

template <int Dim>
Point pointOf(const std::array<double, Dim>& at) {
  Point point;
  for (int axis = 0; axis < Dim; ++axis) {
    point[axis] = at[axis];
  }
  return point;
}

/// Where lattice boxes of cells -n ... n - 1 begin and end.
template <int Dim>
std::array<Point, 2> boundsOf(const GridGeometry<Dim>& lattice, Coordinate begin, Coordinate end) {
  std::array<Point, 2> bounds{};
  for (int axis = 0; axis < Dim; ++axis) {
    bounds[0][axis] = lattice.face(axis, begin);
    bounds[1][axis] = lattice.face(axis, end);
  }
  return bounds;
}

/// The start times that a surface gives the cells of a problem.
template <class Space, int Dim>
std::vector<double> startsOf(GridProblem<Space, Dim>& problem, const Triangles& triangles) {
  buildGrid<Space, Dim>(problem.context, problem.set, problem.lattice, problem.periods, problem.chosen, problem.grid);
  const auto times = onDevice<double, Space>(problem.times);
  const SurfaceOnDevice<Space> surface(triangles);
  const std::int64_t count = startAtSurface<Space, Dim>(problem.context, problem.grid, surface.view(), times);
  std::vector<double> found = onHost(times);
  EXPECT_EQ(count, std::count_if(found.begin(), found.end(), [](double time) { return time < notReached; }));
  return found;
}

/// In a constant medium, whatever it is: within so many cells the time is the exact one, and farther away only cells
/// that are touched start, never before it.
template <class Space, int Dim>
void expectExactStarts(std::mt19937& random, double ratio) {
  std::uniform_real_distribution<double> factor(0.4, 1.0);
  const Coordinate extent = Dim == 2 ? 14 : 6;
  GridGeometry<Dim> lattice{};
  for (int axis = 0; axis < Dim; ++axis) {
    lattice.origin[axis] = factor(random);
    lattice.spacing[axis] = factor(random);
  }
  GridProblem<Space, Dim> problem(allCells<Dim>(-extent, extent), lattice);
  const SymmetricTensor tensor = ratio > 1.0 ? randomTensor<Dim>(random, ratio) : SymmetricTensor::isotropic(4.0);
  problem.constantTensor(tensor);
  const auto [low, high] = boundsOf<Dim>(lattice, -extent, extent);
  const Triangles triangles = randomTriangles(random, 6, low, high, 0.3);
  const std::vector<double> times = startsOf(problem, triangles);
  const SymmetricTensor inverse = tensor.inverse();
  const double across[3] = {inverse.xx, inverse.yy, inverse.zz};
  const double along[3] = {tensor.xx, tensor.yy, tensor.zz};
  double radius = 0.0;
  double most = notReached;
  for (int axis = 0; axis < Dim; ++axis) {
    radius = std::max(radius, 2.0 * lattice.spacing[axis] * std::sqrt(across[axis]));
    most = std::min(most, cellsOfSurfaceLines * lattice.spacing[axis] / std::sqrt(along[axis]));
  }
  radius = std::min(radius, most);
  int numExact = 0;
  for (std::size_t c = 0; c < times.size(); ++c) {
    const Point centre = pointOf<Dim>(centreOf(lattice, problem.cells[c]));
    double exact = notReached; // of the triangles that are near
    double least = notReached;
    for (std::size_t t = 0; t < triangles.count(); ++t) {
      const double distance =
        distanceTo(inverse, triangles.corner(t, 0), triangles.corner(t, 1), triangles.corner(t, 2), centre);
      least = std::min(least, triangles.times[t] + distance);
      if (distance <= radius * (1.0 - 1e-9)) {
        exact = std::min(exact, triangles.times[t] + distance);
      }
    }
    ASSERT_GE(times[c], least - 1e-7) << "cell " << c;
    if (exact < notReached) {
      ASSERT_LE(times[c], exact + 1e-7) << "cell " << c;
      ++numExact;
    }
    if (exact == least) {
      ASSERT_NEAR(times[c], exact, 1e-10) << "cell " << c;
    }
  }
  EXPECT_GT(numExact, 20);
  // A place of a triangle, and the cell that it is in.
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (int k = 0; k < 200; ++k) {
    const std::size_t t = random() % triangles.count();
    const double s = share(random);
    const double r = share(random) * (1.0 - s);
    const Point a = triangles.corner(t, 0);
    const Point place = a + (s * (triangles.corner(t, 1) - a) + r * (triangles.corner(t, 2) - a));
    Cell<Dim> cell;
    for (int axis = 0; axis < Dim; ++axis) {
      cell.at[axis] = static_cast<Coordinate>(std::floor((place[axis] - lattice.origin[axis]) / lattice.spacing[axis]));
      cell.at[axis] = std::clamp<Coordinate>(cell.at[axis], -extent, extent - 1);
    }
    const Point centre = pointOf<Dim>(centreOf(lattice, cell));
    ASSERT_LE(times[problem.indexOf(cell)], triangles.times[t] + std::sqrt(inverse.product(centre - place)) + 1e-10);
  }
}

TYPED_TEST(GridSurface, TimesNearItAreExactInAConstantMedium) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 4; ++round) {
    for (const double ratio : {1.0, 2.5, 12.0}) {
      expectExactStarts<TypeParam, 2>(random, ratio);
      expectExactStarts<TypeParam, 3>(random, ratio);
    }
  }
}

/// A problem on the unit square or cube, solved from a surface.
template <class Space, int Dim>
std::vector<double> arrivals(int n, const Speed& speed, const Triangles& triangles, int order) {
  const SurfaceOnDevice<Space> surface(triangles);
  GridStarts<Dim, typename Space::memory_space> starts;
  starts.surface = surface.view();
  GridArrivalOptions options;
  options.solve.order = order;
  GridArrival<Dim, Space> solution;
  const Context<Space> context;
  solveGridArrival<Space, Dim>(context, spanwise::testing::toSet<Space, Dim>(allCells<Dim>(0, n)),
    latticeOf<Dim>(1.0 / n), {}, speed, starts, options, solution);
  return onHost(solution.times);
}

// A plane that lies anywhere between the centres of cells, on both sides.
TYPED_TEST(GridSurface, PlaneFrontsAreExact) {
  const SymmetricTensor tensor{9.0, 2.0, 0.5, 0.0, 0.0, 0.0};
  for (const double at : {0.31, 0.5, 0.55}) {
    for (const int order : {1, 2}) {
      Triangles line;
      line.addSegment({{0.0, at, 0.0}}, {{1.0, at, 0.0}}, 0.25);
      const auto inPlane = arrivals<TypeParam, 2>(10, Speed::constant(tensor), line, order);
      for (std::size_t c = 0; c < inPlane.size(); ++c) {
        const double y = (static_cast<double>(c / 10) + 0.5) / 10;
        ASSERT_NEAR(inPlane[c], 0.25 + std::abs(y - at) / std::sqrt(2.0), 1e-12) << "cell " << c;
      }
      Triangles plane;
      plane.add({{0.0, 0.0, at}}, {{1.0, 0.0, at}}, {{0.0, 1.0, at}}, 0.25);
      plane.add({{1.0, 1.0, at}}, {{1.0, 0.0, at}}, {{0.0, 1.0, at}}, 0.25);
      const auto times = arrivals<TypeParam, 3>(10, Speed::constant(tensor), plane, order);
      for (std::size_t c = 0; c < times.size(); ++c) {
        const double z = (static_cast<double>(c / 100) + 0.5) / 10;
        ASSERT_NEAR(times[c], 0.25 + std::abs(z - at) / std::sqrt(0.5), 1e-12) << "cell " << c;
      }
    }
  }
}

// Around a circle of many segments, outside and inside but for the middle, where fronts meet.
TYPED_TEST(GridSurface, FrontsKeepTheirOrder) {
  constexpr double radius = 0.25;
  constexpr double x = 0.47;
  constexpr double y = 0.52;
  Triangles circle;
  constexpr int sides = 3000;
  const auto corner = [&](int k) {
    const double angle = 2.0 * std::numbers::pi * k / sides;
    return Point{{x + radius * std::cos(angle), y + radius * std::sin(angle), 0.0}};
  };
  for (int k = 0; k < sides; ++k) {
    circle.addSegment(corner(k), corner(k + 1));
  }
  const double sagitta = radius * (1.0 - std::cos(std::numbers::pi / sides)); // segments are so far within the circle
  const auto distance = [&](const std::array<double, 2>& at) { return std::hypot(at[0] - x, at[1] - y); };
  for (const int order : {1, 2}) {
    for (const int n : {60, 120}) {
      SCOPED_TRACE("order " + std::to_string(order) + ", " + std::to_string(n) + " cells");
      GridProblem<TypeParam, 2> problem(allCells<2>(0, n), latticeOf<2>(1.0 / n));
      const auto errors = [&] {
        return boundedErrorsOf(
          problem, UpwindScheme<2>::ofSpeed(order, [](const auto&) { return 1.0; }),
          [&](const auto& at) { return std::abs(distance(at) - radius); },
          [&](const auto& at) { return distance(at) > 0.1; });
      };
      problem.times = startsOf(problem, circle);
      GridOptions options;
      options.order = order;
      problem.solve(options);
      const double ofDifferences = errors().mean;
      expectWithinBounds(errors(), order, sagitta);
      // In first order solveGridArrival() tells fronts apart, each with the place that it comes from taken out.
      problem.times = arrivals<TypeParam, 2>(n, Speed::constant(1.0), circle, order);
      EXPECT_LE(errors().mean, ofDifferences);
    }
  }
}

TYPED_TEST(GridSurface, FrontsDoNotStartThroughWalls) {
  GridProblem<TypeParam, 2> problem(allCells<2>(0, 10), latticeOf<2>(1.0));
  problem.speeds([](const std::array<double, 2>& at) { return at[0] > 4.0 && at[0] < 5.0 ? 0.0 : 1.0; });
  Triangles line;
  line.addSegment({{3.9, 0.0, 0.0}}, {{3.9, 10.0, 0.0}});
  const std::vector<double> times = startsOf(problem, line);
  for (std::size_t c = 0; c < times.size(); ++c) {
    const double x = problem.cells[c].at[0] + 0.5;
    if (x > 1.9 && x < 4.0) {
      EXPECT_NEAR(times[c], 3.9 - x, 1e-14);
    } else {
      EXPECT_EQ(times[c], notReached) << "cell " << c;
    }
  }
  Triangles inWall; // touches nothing but the wall
  inWall.addSegment({{4.3, 2.0, 0.0}}, {{4.6, 8.0, 0.0}});
  const std::vector<double> none = startsOf(problem, inWall);
  EXPECT_EQ(std::count(none.begin(), none.end(), notReached), std::ssize(none));
}

TYPED_TEST(GridSurface, LabelsAreTheNearestTriangles) {
  constexpr int n = 40;
  Triangles three;
  three.addSegment({{5.2, 5.1, 0.0}}, {{5.2, 30.3, 0.0}});
  three.add({{30.1, 30.2, 0.0}}, {{36.3, 30.9, 0.0}}, {{33.4, 35.5, 0.0}}, 2.0);
  three.addSegment({{38.7, 2.2, 7.0}}, {{20.4, 2.2, 9.0}}); // the third coordinate does not count
  const SurfaceOnDevice<TypeParam> surface(three);
  GridStarts<2, typename TypeParam::memory_space> starts;
  starts.points = {{{20.5, 38.5}, 0.0}};
  starts.surface = surface.view();
  GridArrivalOptions options;
  options.trace = Trace::Sources;
  options.solve.order = 2;
  GridArrival<2, TypeParam> solution;
  const Context<TypeParam> context;
  solveGridArrival<TypeParam, 2>(context, spanwise::testing::toSet<TypeParam, 2>(allCells<2>(0, n)), latticeOf<2>(1.0),
    {}, Speed::constant(1.0), starts, options, solution);
  const auto labels = onHost(solution.labels);
  int numChecked = 0;
  for (std::size_t c = 0; c < labels.size(); ++c) {
    const Point at{{static_cast<double>(c % n) + 0.5, static_cast<double>(c / n) + 0.5, 0.0}};
    std::array<std::pair<double, int>, 4> byTime{{{std::hypot(at[0] - 20.5, at[1] - 38.5), 0}}};
    for (std::size_t t = 0; t < 3; ++t) {
      Point corners[3];
      for (int k = 0; k < 3; ++k) {
        corners[k] = three.corner(t, k);
        corners[k][2] = 0.0;
      }
      byTime[t + 1] = {
        three.times[t] + distanceTo({}, corners[0], corners[1], corners[2], at), static_cast<int>(t) + 1};
    }
    std::sort(byTime.begin(), byTime.end());
    if (byTime[1].first - byTime[0].first > 1.0) {
      ASSERT_EQ(labels[c], byTime[0].second) << "cell " << c;
      ++numChecked;
    }
  }
  EXPECT_GT(numChecked, 1300);
}

// A surface that lies across the seam, or periods away, starts what its copies in the period touch.
TYPED_TEST(GridSurface, AxesThatRepeatHaveItsCopies) {
  Periods<2> periods;
  periods.box = {{0, 0}, {10, 10}};
  periods.along[0] = true;
  GridProblem<TypeParam, 2> problem(allCells<2>(0, 10), latticeOf<2>(1.0), periods);
  const auto starting = [&](double x) {
    Triangles one;
    one.addSegment({{x - 0.7, 4.2, 0.0}}, {{x + 0.9, 5.4, 0.0}});
    return startsOf(problem, one);
  };
  const std::vector<double> inside = starting(5.0);
  const std::vector<double> seam = starting(10.0);
  const std::vector<double> away = starting(-45.0);
  for (std::size_t c = 0; c < inside.size(); ++c) {
    const std::size_t moved = problem.indexOf({{(problem.cells[c].at[0] + 5) % 10, problem.cells[c].at[1]}});
    if (inside[c] < notReached) {
      EXPECT_NEAR(seam[moved], inside[c], 1e-12);
      EXPECT_NEAR(away[c], inside[c], 1e-12);
    } else {
      EXPECT_EQ(seam[moved], notReached);
      EXPECT_EQ(away[c], notReached);
    }
  }
}

TYPED_TEST(GridSurface, SaysWhatIsWrong) {
  GridStarts<2, typename TypeParam::memory_space> starts;
  const auto expectMessage = [&](const Triangles& triangles, const std::string& part, const Periods<2>& periods = {}) {
    const SurfaceOnDevice<TypeParam> surface(triangles);
    starts.surface = surface.view();
    GridArrival<2, TypeParam> solution;
    const Context<TypeParam> context;
    try {
      solveGridArrival<TypeParam, 2>(context, spanwise::testing::toSet<TypeParam, 2>(allCells<2>(0, 5)),
        latticeOf<2>(1.0), periods, Speed::constant(1.0), starts, {}, solution);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  Triangles outside;
  outside.addSegment({{7.0, 1.0, 0.0}}, {{8.0, 1.0, 0.0}});
  outside.addSegment({{7.0, 2.0, 0.0}}, {{8.0, 2.0, 0.0}});
  expectMessage(outside, "the source surface is outside of the grid: none of its 2 triangles touches a cell");
  Triangles wrong = outside;
  wrong.times[1] = notReached;
  expectMessage(wrong, "triangle 1 of the source surface starts at inf");
  wrong = outside;
  wrong.points[4] = std::nan("");
  expectMessage(wrong, "triangle 0 of the source surface");
  wrong = outside;
  wrong.corners[4] = 99;
  expectMessage(wrong, "numbers of points from 0 to 5");
  Periods<2> periods;
  periods.box = {{0, 0}, {5, 5}};
  periods.along[0] = true;
  Triangles reaching;
  reaching.addSegment({{0.0, 1.0, 0.0}}, {{1e4, 1.0, 0.0}});
  expectMessage(reaching, "must not be longer than 1000 periods", periods);
}

TYPED_TEST(GridSurface, ARepeatedSolutionAllocatesNothing) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const SurfaceOnDevice<TypeParam> surface(randomTriangles(random, 30, {{0.0, 0.0, 0.0}}, {{6.0, 6.0, 6.0}}, 0.3));
  GridStarts<3, typename TypeParam::memory_space> starts;
  starts.surface = surface.view();
  GridArrivalOptions options;
  options.trace = Trace::Sources;
  GridArrival<3, TypeParam> solution;
  const Context<TypeParam> context; // where the space is not the default one, to make it may allocate
  const auto set = spanwise::testing::toSet<TypeParam, 3>(allCells<3>(0, 12));
  spanwise::testing::expectNoAllocations<TypeParam>([&] {
    solveGridArrival<TypeParam, 3>(
      context, set, latticeOf<3>(0.5), {}, Speed::constant(1.0), starts, options, solution);
  });
}

} // namespace
} // namespace spanwise::eikonal::testing
