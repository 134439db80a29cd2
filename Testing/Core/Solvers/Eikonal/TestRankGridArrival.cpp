// All of an arrival problem in one call, on ranks: what one rank finds on the whole set.

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/GridArrival.hpp"
#include "Core/Solvers/Eikonal/GridPaths.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Solvers/Eikonal/Surfaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::cellsIn;
using spanwise::testing::randomCut;
using spanwise::testing::toSet;
using spanwise::testing::world;

template <class Space>
class RankGridArrivalTest : public ::testing::Test {};
TYPED_TEST_SUITE(RankGridArrivalTest, AllSpaces, SpaceNames);

/// The values of the cells in some planes, of all.
template <int Dim, class T>
std::vector<T> in(const CellList<Dim>& cells, const std::vector<T>& values, const PlaneRange& planes) {
  std::vector<T> within;
  auto value = values.begin();
  for (const Cell<Dim>& cell : cells) {
    if (planes.contains(cell.at[Dim - 1])) {
      within.push_back(*value);
    }
    ++value;
  }
  return within;
}

/// Expects the same values but for round-off, or for so much where they come of differences.
template <class Values>
void expectClose(const Values& values, const Values& expected, double tolerance) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    ASSERT_TRUE(areTheSame(values[k], expected[k]) || std::abs(values[k] - expected[k]) <= tolerance)
      << values[k] << ", expected " << expected[k];
  }
}

constexpr double pathStep = 0.5;

/// Paths, as they are on the host.
template <int Dim>
struct HostPaths {
  template <class Memory>
  explicit HostPaths(const GridPaths<Dim, Memory>& paths) : triangles(onHost(paths.ends.view())) {
    const auto offsets = onHost(paths.offsets.view());
    for (const auto& place : onHost(paths.points.view())) {
      points.emplace_back();
      std::copy_n(place.at, Dim, points.back().begin());
    }
    for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
      lines.emplace_back(points.begin() + offsets[k], points.begin() + offsets[k + 1]);
    }
  }

  std::vector<std::array<double, Dim>> points;
  std::vector<std::vector<std::array<double, Dim>>> lines;
  std::vector<std::int32_t> triangles;
};

/// Places where paths begin, in the memory of the execution space.
template <class Space, int Dim>
auto toPlaces(const std::vector<std::array<double, Dim>>& starts) {
  using Place = GridPlace<Dim>;
  std::vector<Place> places(starts.size());
  for (std::size_t k = 0; k < starts.size(); ++k) {
    std::copy(starts[k].begin(), starts[k].end(), places[k].at);
  }
  return onDevice<Place, Space>(places);
}

template <class Space, int Dim>
void expectSame(std::mt19937& random, int order) {
  std::uniform_real_distribution<double> factor(0.3, 2.0);
  const Coordinate extent = Dim == 2 ? 12 : 6;
  const CellList<Dim> cells = randomCells<Dim>(random, extent, 0.9);
  const std::vector<Cell<Dim>> list(cells.begin(), cells.end());
  std::uniform_int_distribution<std::size_t> any(0, list.size() - 1);
  const GridGeometry<Dim> lattice = latticeOf<Dim>(0.5);
  std::vector<double> speeds;
  std::vector<double> given(list.size(), notReached);
  std::vector<std::int32_t> numbers;
  for (std::size_t c = 0; c < list.size(); ++c) {
    speeds.push_back(random() % 20 == 0 ? 0.0 : factor(random));
    numbers.push_back(static_cast<std::int32_t>(random() % 1000));
  }
  for (int k = 0; k < 3; ++k) {
    given[any(random)] = factor(random);
  }
  const CellList<Dim> sources = randomCells<Dim>(random, extent, 0.01); // some of them in no rank's set
  std::vector<double> timesOfSources(sources.size());
  std::generate(timesOfSources.begin(), timesOfSources.end(), [&] { return factor(random); });
  GridStarts<Dim, typename Space::memory_space> starts;
  for (int k = 0; k < 2; ++k) {
    const std::size_t c = any(random);
    if (speeds[c] > 0.0) {
      PointSource<Dim> point{};
      for (int axis = 0; axis < Dim; ++axis) {
        point.at[axis] = lattice.centre(axis, list[c].at[axis]) + 0.1;
      }
      starts.points.push_back(point);
    }
  }
  Periods<Dim> periods;
  for (int axis = 0; axis < Dim; ++axis) {
    periods.box.begin[axis] = -extent;
    periods.box.end[axis] = extent;
    periods.along[axis] = random() % 3 == 0;
  }
  Point corner;
  std::fill_n(corner.at, Dim, 0.5 * extent);
  const SurfaceOnDevice<Space> surface(
    randomTriangles(random, static_cast<int>(random() % 5), -1.0 * corner, corner, 0.4));
  starts.surface = surface.view();
  GridArrivalOptions options;
  options.solve.order = order;
  options.trace = Trace::Sources;
  options.slopes = Slopes::Gradient;
  options.slopesOrder = 2;
  const Context<Space> context;
  const Context<Space> together(Space(), world());
  for (const bool hasNumbers : {false, true}) {
    // alone
    const auto wholeSpeeds = onDevice<double, Space>(speeds);
    const auto wholeTimes = onDevice<double, Space>(given);
    const auto wholeNumbers = onDevice<std::int32_t, Space>(numbers);
    const auto wholeTimesOfSources = onDevice<double, Space>(timesOfSources);
    starts.set = toSet<Space, Dim>(sources);
    starts.timesOfSet = wholeTimesOfSources.data();
    starts.timesOfCells = wholeTimes.data();
    starts.numbersOfCells = hasNumbers ? wholeNumbers.data() : nullptr;
    GridArrival<Dim, Space> alone;
    const GridArrivalReport expected = solveGridArrival<Space, Dim>(context, toSet<Space, Dim>(cells), lattice, periods,
      Speed::ofElements(wholeSpeeds.data()), starts, options, alone);
    // together
    const RowCut cut = randomCut(random, extent);
    const PlaneRange planes = cut.part(world().rank());
    const auto mySpeeds = onDevice<double, Space>(in<Dim>(cells, speeds, planes));
    const auto myTimes = onDevice<double, Space>(in<Dim>(cells, given, planes));
    const auto myNumbers = onDevice<std::int32_t, Space>(in<Dim>(cells, numbers, planes));
    const auto myTimesOfSources = onDevice<double, Space>(in<Dim>(sources, timesOfSources, planes));
    starts.set = toSet<Space, Dim>(cellsIn<Dim>(sources, planes));
    starts.timesOfSet = myTimesOfSources.data();
    starts.timesOfCells = myTimes.data();
    starts.numbersOfCells = hasNumbers ? myNumbers.data() : nullptr;
    GridArrival<Dim, Space> shared;
    const GridArrivalReport report =
      solveGridArrival<Space, Dim>(together, toSet<Space, Dim>(cellsIn<Dim>(cells, planes)), lattice,
        SetDomain<Dim>(world(), cut, periods), Speed::ofElements(mySpeeds.data()), starts, options, shared);
    EXPECT_EQ(report.numStarts, expected.numStarts);
    EXPECT_EQ(report.numUnreached, expected.numUnreached);
    EXPECT_EQ(report.walls.count, expected.walls.count);
    EXPECT_EQ(report.iteration.numIterations, expected.iteration.numIterations);
    EXPECT_EQ(report.iteration.numUpdates, expected.iteration.numUpdates);
    const auto own = [&](const auto& values, std::int64_t first) {
      const auto all = onHost(values);
      return std::vector(
        all.begin() + first + shared.grid.owned().begin, all.begin() + first + shared.grid.owned().end);
    };
    expectClose(own(shared.times, 0), in<Dim>(cells, onHost(alone.times), planes), 0.0);
    EXPECT_EQ(own(shared.labels, 0), in<Dim>(cells, onHost(alone.labels), planes));
    // All ranks ask for the same paths, from everywhere.
    std::vector<std::array<double, Dim>> begins;
    for (std::size_t c = 0; c < list.size(); c += 5) {
      begins.push_back(centreOf(lattice, list[c]));
      begins.back()[0] += 0.12;
    }
    GridPaths<Dim, typename Space::memory_space> traced;
    tracePaths<Space, Dim>(context, alone.grid, alone.times, alone.gradient, alone.origins,
      toPlaces<Space, Dim>(begins), pathStep, starts.surface, traced);
    const HostPaths<Dim> expectedPaths(traced);
    tracePaths<Space, Dim>(together, shared.grid, shared.times, shared.gradient, shared.origins,
      toPlaces<Space, Dim>(begins), pathStep, starts.surface, traced);
    const HostPaths<Dim> paths(traced);
    ASSERT_EQ(paths.lines.size(), expectedPaths.lines.size());
    for (std::size_t k = 0; k < paths.lines.size(); ++k) {
      ASSERT_EQ(paths.lines[k].size(), expectedPaths.lines[k].size());
      for (std::size_t p = 0; p < paths.lines[k].size(); ++p) {
        expectClose(paths.lines[k][p], expectedPaths.lines[k][p], 1e-9);
      }
    }
    EXPECT_EQ(paths.triangles, expectedPaths.triangles);
    const auto gradient = onHost(alone.gradient);
    for (int axis = 0; axis < Dim; ++axis) {
      const auto begin = gradient.begin() + static_cast<std::ptrdiff_t>(axis * list.size());
      const std::vector<double> along(begin, begin + static_cast<std::ptrdiff_t>(list.size()));
      expectClose(own(shared.gradient, axis * shared.grid.numCells()), in<Dim>(cells, along, planes), 1e-9);
    }
  }
}

TYPED_TEST(RankGridArrivalTest, IsThatOfOneRank) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 3; ++round) {
    for (const int order : {1, 2}) {
      expectSame<TypeParam, 2>(random, order);
      expectSame<TypeParam, 3>(random, order);
    }
  }
}

/// Paths from random places of the unit cube to a surface, in a constant medium, on all ranks.
template <class Space>
HostPaths<3> pathsTo(const Triangles& triangles, int n, const std::vector<std::array<double, 3>>& begins) {
  const SurfaceOnDevice<Space> surface(triangles);
  GridStarts<3, typename Space::memory_space> starts;
  starts.surface = surface.view();
  GridArrivalOptions options;
  options.solve.order = 2;
  options.trace = Trace::Sources;
  options.slopes = Slopes::Gradient;
  RowCut cut;
  for (int r = 0; r <= world().size(); ++r) {
    cut.bounds.push_back(n * r / world().size());
  }
  GridArrival<3, Space> solution;
  const Context<Space> context(Space(), world());
  const CellList<3> cells = cellsIn<3>(allCells<3>(0, n), cut.part(world().rank()));
  solveGridArrival<Space, 3>(context, toSet<Space, 3>(cells), latticeOf<3>(1.0 / n), SetDomain<3>(world(), cut),
    Speed::constant(2.0), starts, options, solution);
  GridPaths<3, typename Space::memory_space> paths;
  tracePaths<Space, 3>(context, solution.grid, solution.times, solution.gradient, solution.origins,
    toPlaces<Space, 3>(begins), pathStep, starts.surface, paths);
  return HostPaths<3>(paths);
}

TYPED_TEST(RankGridArrivalTest, PathsEndOnAPlaneAndOnASphere) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> within(0.03, 0.97);
  constexpr int n = 16;
  constexpr double h = 1.0 / n;
  std::vector<std::array<double, 3>> begins(60);
  for (std::array<double, 3>& place : begins) {
    place = {within(random), within(random), within(random)};
  }
  // z = 0.41 + 0.3 (x - 0.5), which leaves the cube at its sides only
  const auto height = [](double x) { return 0.41 + 0.3 * (x - 0.5); };
  Triangles plane;
  for (const double y : {-1.0, 2.0}) {
    plane.add({{-1.0, y, height(-1.0)}}, {{2.0, y, height(2.0)}}, {{y, 1.0 - y, height(y)}});
  }
  const HostPaths<3> toPlane = pathsTo<TypeParam>(plane, n, begins);
  const double slope = std::hypot(1.0, 0.3);
  for (std::size_t k = 0; k < begins.size(); ++k) {
    ASSERT_GE(toPlane.triangles[k], 0);
    const std::array<double, 3>& end = toPlane.lines[k].back();
    EXPECT_NEAR(end[2], height(end[0]), 1e-12);
    const double away = (begins[k][2] - height(begins[k][0])) / slope;
    const std::array<double, 3> foot{begins[k][0] + 0.3 / slope * away, begins[k][1], begins[k][2] - away / slope};
    if (foot[0] > 2.0 * h && foot[0] < 1.0 - 2.0 * h) {
      EXPECT_LT(std::hypot(end[0] - foot[0], end[1] - foot[1], end[2] - foot[2]), 0.1 * h);
    }
  }
  const Point centre{{0.52, 0.47, 0.55}};
  constexpr double radius = 0.29;
  const HostPaths<3> toSphere = pathsTo<TypeParam>(sphere(centre, radius, 60), n, begins);
  for (std::size_t k = 0; k < begins.size(); ++k) {
    ASSERT_GE(toSphere.triangles[k], 0);
    const auto from = [&](
                        const std::array<double, 3>& place) { return Point{{place[0], place[1], place[2]}} - centre; };
    const Point end = from(toSphere.lines[k].back());
    EXPECT_NEAR(std::sqrt(dot(end, end)), radius, 0.01 * h); // triangles are a little inside
    const Point begin = from(begins[k]);
    const double away = std::sqrt(dot(begin, begin));
    if (away > 0.1) { // else the ways to all sides are as long
      const Point beside = end - radius / away * begin;
      EXPECT_LT(std::sqrt(dot(beside, beside)), 0.3 * h) << away;
    }
  }
}

TYPED_TEST(RankGridArrivalTest, FailsOnAllRanksAlike) {
  using Memory = typename TypeParam::memory_space;
  const int size = world().size();
  RowCut cut;
  for (int r = 0; r <= size; ++r) {
    cut.bounds.push_back(4 * r);
  }
  const PlaneRange planes = cut.part(world().rank());
  CellList<2> cells;
  for (std::int64_t y = planes.begin; y < planes.end; ++y) {
    cells.insert(Cell<2>{{0, static_cast<Coordinate>(y)}});
  }
  const auto set = toSet<TypeParam, 2>(cells);
  const Context<TypeParam> context(TypeParam(), world());
  GridArrival<2, TypeParam> arrival;
  GridStarts<2, Memory> starts;
  const auto solve = [&] {
    solveGridArrival<TypeParam, 2>(
      context, set, latticeOf<2>(1.0), SetDomain<2>(world(), cut), Speed::constant(1.0), starts, {}, arrival);
  };
  EXPECT_THROW(solve(), InvalidArgument); // no source
  EXPECT_EQ(arrival.times.extent(0), 0U);
  const double wrong[] = {notReached, 0.0, 0.0, 0.0};
  const auto times = onDevice<double, TypeParam>(std::vector<double>(wrong, wrong + 4));
  if (world().rank() == size - 1) {
    starts.set = set;
    starts.timesOfSet = times.data();
  }
  EXPECT_THROW(solve(), InvalidArgument);
  EXPECT_EQ(arrival.times.extent(0), 0U);
  starts.timesOfSet = nullptr;
  starts.points = {{{0.5, 0.5}, 0.0}};
  solve();
  EXPECT_EQ(arrival.times.extent(0), static_cast<std::size_t>(arrival.grid.numCells()));
}

} // namespace
} // namespace spanwise::eikonal::testing
