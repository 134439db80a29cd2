#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/GridArrival.hpp"
#include "Core/Solvers/Eikonal/GridOrigins.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::messageOf;

template <class Space>
class GridArrivalTest : public ::testing::Test {};
TYPED_TEST_SUITE(GridArrivalTest, AllSpaces, SpaceNames);

/// A grid and what fronts on it start from.
template <class Space, int Dim>
struct Fronts {
  using Memory = typename Space::memory_space;

  explicit Fronts(const CellList<Dim>& list, double spacing)
    : cells(list.begin(), list.end()), lattice(latticeOf<Dim>(spacing)),
      set(spanwise::testing::toSet<Space, Dim>(list)) {}

  void startSet(const CellList<Dim>& list, const std::vector<double>& times) {
    starts.set = spanwise::testing::toSet<Space, Dim>(list);
    timesOfSet = onDevice<double, Space>(times);
    starts.timesOfSet = timesOfSet.data();
  }
  void startCells(const std::vector<double>& times) {
    timesOfCells = onDevice<double, Space>(times);
    starts.timesOfCells = timesOfCells.data();
  }
  void giveSpeeds(const std::vector<double>& speeds) {
    values = onDevice<double, Space>(speeds);
    speed = Speed::ofElements(values.data());
  }

  GridArrivalReport solve() {
    return solveGridArrival<Space, Dim>(context, set, lattice, Periods<Dim>(), speed, starts, options, arrival);
  }

  void expectMessage(const std::string& part) {
    try {
      solve();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
    EXPECT_EQ(arrival.times.extent(0), 0U);
  }

  Space space; // where it is not the default one, to make it may allocate
  std::vector<Cell<Dim>> cells;
  GridGeometry<Dim> lattice;
  IntervalSetOn<Dim, Space> set;
  Speed speed = Speed::constant(1.0);
  GridStarts<Dim, Memory> starts;
  GridArrivalOptions options;
  GridArrival<Dim, Space> arrival;
  const Context<Space> context{space};
  Kokkos::View<double*, Memory> values;
  Kokkos::View<double*, Memory> timesOfSet;
  Kokkos::View<double*, Memory> timesOfCells;
};

TYPED_TEST(GridArrivalTest, AllKindsOfSourcesAreOneProblem) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const CellList<3> cells = randomCells<3>(random, 6, 0.8);
  Fronts<TypeParam, 3> fronts(cells, 0.5);
  std::uniform_int_distribution<std::size_t> any(0, fronts.cells.size() - 1);
  std::uniform_real_distribution<double> late(0.0, 1.0);
  std::vector<double> expected(cells.size(), notReached);
  // cells of a set, one of which the grid does not have
  CellList<3> sources{fronts.cells[any(random)], fronts.cells[any(random)], Cell<3>{{100, 0, 0}}};
  std::vector<double> timesOfSet(sources.size());
  std::generate(timesOfSet.begin(), timesOfSet.end(), [&] { return late(random); });
  fronts.startSet(sources, timesOfSet);
  const std::vector<Cell<3>> inOrder(sources.begin(), sources.end());
  for (std::size_t k = 0; k < inOrder.size(); ++k) {
    const auto found = std::find(fronts.cells.begin(), fronts.cells.end(), inOrder[k]);
    if (found != fronts.cells.end()) {
      expected[found - fronts.cells.begin()] = timesOfSet[k];
    }
  }
  // cells of the grid; what is not finite does not start
  std::vector<double> timesOfCells(cells.size(), std::numeric_limits<double>::quiet_NaN());
  for (int k = 0; k < 3; ++k) {
    const std::size_t c = any(random);
    timesOfCells[c] = late(random);
    expected[c] = std::min(expected[c], timesOfCells[c]);
  }
  fronts.startCells(timesOfCells);
  const auto numStarts = std::count_if(expected.begin(), expected.end(), [](double t) { return t < notReached; });
  GridProblem<TypeParam, 3> problem(cells, fronts.lattice);
  problem.meetings = Meetings::ToldApart;
  problem.times = expected;
  problem.solve();
  fronts.options.factoringRadius = 0.0;
  const GridArrivalReport report = fronts.solve();
  EXPECT_EQ(onHost(fronts.arrival.times), problem.times);
  EXPECT_EQ(report.numStarts, numStarts);
  EXPECT_EQ(report.iteration.numUpdates, problem.report.numUpdates);
  EXPECT_EQ(report.numUnreached, std::count(problem.times.begin(), problem.times.end(), notReached));
  EXPECT_EQ(report.gridBytes, fronts.arrival.grid.bytes());
}

/// Sources of one kind in a box of cells, and when the first of their fronts is somewhere.
template <class Space, int Dim>
struct RandomSources {
  enum Kind { Cells, Points, Segments, numKinds };
  using Place = std::array<double, Dim>;

  RandomSources(std::mt19937& random, int n, Kind kind)
    : fronts(allCells<Dim>(0, n), 1.0), metric(randomTensor<Dim>(random, 3.0)) {
    std::uniform_real_distribution<double> size(0.7, 1.4);
    std::uniform_real_distribution<double> late(0.0, 1.0);
    std::uniform_int_distribution<int> howMany(2, 9);
    if (std::bernoulli_distribution(0.4)(random)) {
      metric = SymmetricTensor::isotropic(1.0);
    }
    for (double& spacing : fronts.lattice.spacing) {
      spacing = size(random);
    }
    fronts.speed = Speed::constant(metric);
    // Near each other, so that most are neighbours.
    std::uniform_int_distribution<int> near(n / 2 - 2, n / 2 + 2);
    std::uniform_real_distribution<double> within(0.05, 0.95);
    std::vector<double> timesOfCells(fronts.cells.size(), notReached);
    const int count = howMany(random);
    const double latest = std::bernoulli_distribution(0.5)(random) ? 1.0 : 0.0;
    for (int k = 0; k < count; ++k) {
      Cell<Dim> cell{};
      Place place{};
      Place other{};
      for (int axis = 0; axis < Dim; ++axis) {
        cell.at[axis] = near(random);
        place[axis] = (near(random) + within(random)) * fronts.lattice.spacing[axis];
        other[axis] = (near(random) + within(random)) * fronts.lattice.spacing[axis];
      }
      const double time = latest * late(random);
      if (kind == Cells) {
        const auto c = std::find(fronts.cells.begin(), fronts.cells.end(), cell) - fronts.cells.begin();
        timesOfCells[c] = time;
        place = other = centreOf(fronts.lattice, cell);
      } else if (kind == Points) {
        PointSource<Dim> point{};
        std::copy(place.begin(), place.end(), point.at);
        point.time = time;
        fronts.starts.points.push_back(point);
        other = place;
      } else {
        for (const Place& end : {place, other, other}) {
          triangles.push_back(std::ssize(triangles));
          points.insert(points.end(), end.begin(), end.end());
          points.resize(3 * triangles.size(), 0.0);
        }
        triangleTimes.push_back(time);
      }
      sources.push_back({place, other, time});
    }
    if (kind == Cells) {
      for (std::size_t s = 0; s < sources.size(); ++s) { // a cell's last time counts
        const auto again = std::find_if(sources.begin() + static_cast<std::ptrdiff_t>(s) + 1, sources.end(),
          [&](const Source& source) { return source.from == sources[s].from; });
        sources[s].time = again != sources.end() ? notReached : sources[s].time;
      }
      fronts.startCells(timesOfCells);
    }
    pointsThere = onDevice<double, Space>(points);
    trianglesThere = onDevice<std::int64_t, Space>(triangles);
    timesThere = onDevice<double, Space>(triangleTimes);
    fronts.starts.surface = {
      pointsThere.data(), trianglesThere.data(), timesThere.data(), std::ssize(points) / 3, std::ssize(triangleTimes)};
  }

  /// The first time of all segments' fronts, by sections.
  [[nodiscard]] double first(const Place& at) const {
    const SymmetricTensor inverse = metric.inverse();
    double best = notReached;
    for (const Source& source : sources) {
      Point along = {};
      Point away = {};
      for (int axis = 0; axis < Dim; ++axis) {
        along[axis] = source.to[axis] - source.from[axis];
        away[axis] = at[axis] - source.from[axis];
      }
      const double length = inverse.product(along);
      const double share = length > 0.0 ? std::clamp(dot(inverse * along, away) / length, 0.0, 1.0) : 0.0;
      best = std::min(best, source.time + std::sqrt(inverse.product(away - share * along)));
    }
    return best;
  }

  struct Source {
    Place from;
    Place to;
    double time;
  };
  Fronts<Space, Dim> fronts;
  SymmetricTensor metric;
  std::vector<Source> sources;
  std::vector<double> points;
  std::vector<std::int64_t> triangles;
  std::vector<double> triangleTimes;
  Kokkos::View<double*, typename Space::memory_space> pointsThere;
  Kokkos::View<std::int64_t*, typename Space::memory_space> trianglesThere;
  Kokkos::View<double*, typename Space::memory_space> timesThere;
};

template <class Space, int Dim>
void expectNotEarly(std::mt19937& random, int n) {
  using Random = RandomSources<Space, Dim>;
  for (int kind = 0; kind < Random::numKinds; ++kind) {
    Random problem(random, n, static_cast<typename Random::Kind>(kind));
    for (const double radius : {0.0, std::numeric_limits<double>::infinity()}) {
      problem.fronts.options.factoringRadius = radius;
      EXPECT_TRUE(problem.fronts.solve().iteration.converged);
      const auto times = onHost(problem.fronts.arrival.times);
      // A cell's travel time, of which h log h makes some as errors from a point that is not factored.
      double step = 0.0;
      const SymmetricTensor inverse = problem.metric.inverse();
      for (int axis = 0; axis < Dim; ++axis) {
        Point vector = {};
        vector[axis] = problem.fronts.lattice.spacing[axis];
        step = std::max(step, std::sqrt(inverse.product(vector)));
      }
      for (std::size_t c = 0; c < times.size(); ++c) {
        const double first = problem.first(centreOf(problem.fronts.lattice, problem.fronts.cells[c]));
        ASSERT_GE(times[c], first - 1e-10 * (1.0 + first))
          << "cell " << c << ", kind " << kind << ", radius " << radius;
        ASSERT_LE(times[c], first + 1.5 * step) << "cell " << c << ", kind " << kind << ", radius " << radius;
      }
    }
  }
}

// However many sources there are, and however near each other.
TYPED_TEST(GridArrivalTest, FirstOrderIsNeverBeforeTheFirstSource) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int k = 0; k < 40; ++k) {
    expectNotEarly<TypeParam, 2>(random, 16);
  }
  for (int k = 0; k < 6; ++k) {
    expectNotEarly<TypeParam, 3>(random, 10);
  }
}

// Two cells that touch at a corner: the front comes to a cell beside both after one step.
TYPED_TEST(GridArrivalTest, CellsThatTouchAtACornerAreTwoSources) {
  for (const double radius : {0.0, 9.0}) {
    Fronts<TypeParam, 2> fronts(allCells<2>(0, 5), 1.0);
    fronts.startSet({Cell<2>{{1, 1}}, Cell<2>{{2, 2}}}, {0.0, 0.0});
    fronts.options.factoringRadius = radius;
    fronts.solve();
    const auto times = onHost(fronts.arrival.times);
    for (std::size_t c = 0; c < times.size(); ++c) {
      const auto& at = fronts.cells[c].at;
      const bool isBeside =
        std::abs(at[0] - 1) + std::abs(at[1] - 1) == 1 || std::abs(at[0] - 2) + std::abs(at[1] - 2) == 1;
      EXPECT_TRUE(!isBeside || std::abs(times[c] - 1.0) < 1e-14) << "cell " << c << ": " << times[c];
    }
  }
}

// Each cell is a point source, and so is exact, as many as there are: along a diagonal they start a plane front.
TYPED_TEST(GridArrivalTest, CellsOfALineStartAPlaneFront) {
  constexpr Coordinate n = 60;
  Fronts<TypeParam, 2> fronts(allCells<2>(0, n), 1.0);
  CellList<2> line;
  for (Coordinate k = 0; k < n; ++k) {
    line.insert({{k, k}});
  }
  fronts.startSet(line, std::vector<double>(n, 0.0));
  fronts.solve();
  const auto times = onHost(fronts.arrival.times);
  for (std::size_t c = 0; c < times.size(); ++c) {
    const auto& at = fronts.cells[c].at;
    if (at[0] + at[1] > n / 2 && at[0] + at[1] < 3 * n / 2 && std::abs(at[0] - at[1]) < n / 2) { // not from its ends
      const double first = std::sqrt((at[0] - at[1]) * (at[0] - at[1]) / 2.0 + ((at[0] + at[1]) % 2 == 0 ? 0.0 : 0.5));
      EXPECT_NEAR(times[c], first, 1e-10) << "cell " << c;
    }
  }
}

// With a constant speed and no wall the source of a cell is the nearest one by time.
TYPED_TEST(GridArrivalTest, LabelsSayWhichSourceIsTheNearest) {
  for (const int order : {1, 2}) {
    Fronts<TypeParam, 2> fronts(allCells<2>(0, 64), 1.0 / 64);
    fronts.starts.points = {{{0.21, 0.33}, 0.0}, {{0.8, 0.71}, 0.1}};
    fronts.startSet({Cell<2>{{60, 3}}}, {0.05});
    std::vector<double> timesOfCells(64 * 64, notReached);
    timesOfCells[2 + 64 * 50] = 0.0; // of the cell (2, 50)
    fronts.startCells(timesOfCells);
    fronts.options.solve.order = order;
    fronts.options.trace = Trace::Sources;
    fronts.solve();
    const auto labels = onHost(fronts.arrival.labels);
    const std::array<std::array<double, 3>, 4> sources{
      {{0.21, 0.33, 0.0}, {0.8, 0.71, 0.1}, {60.5 / 64, 3.5 / 64, 0.05}, {2.5 / 64, 50.5 / 64, 0.0}}};
    const std::array<std::int32_t, 4> numbers{0, 1, 2, 3 + 2 + 64 * 50};
    int numChecked = 0;
    for (std::size_t c = 0; c < fronts.cells.size(); ++c) {
      const auto at = centreOf(fronts.lattice, fronts.cells[c]);
      std::array<std::pair<double, std::int32_t>, 4> byTime;
      for (std::size_t s = 0; s < 4; ++s) {
        byTime[s] = {sources[s][2] + std::hypot(at[0] - sources[s][0], at[1] - sources[s][1]), numbers[s]};
      }
      std::sort(byTime.begin(), byTime.end());
      if (byTime[1].first - byTime[0].first > 0.12) { // else too near to tell by first order
        ASSERT_EQ(labels[c], byTime[0].second) << "cell " << c;
        ++numChecked;
      }
    }
    EXPECT_GT(numChecked, 1500);
  }
}

TYPED_TEST(GridArrivalTest, GivesTheGradientOfItsTimes) {
  Fronts<TypeParam, 2> fronts(allCells<2>(0, 9), 0.5);
  std::vector<double> timesOfCells(81, notReached);
  for (std::size_t y = 0; y < 9; ++y) {
    timesOfCells[9 * y] = 2.0; // x = 0
  }
  fronts.startCells(timesOfCells);
  fronts.speed = Speed::constant(4.0);
  fronts.options.slopes = Slopes::Gradient;
  fronts.solve();
  const auto gradient = onHost(fronts.arrival.gradient);
  for (std::size_t c = 0; c < 81; ++c) {
    EXPECT_NEAR(gradient[c], c % 9 == 0 ? 0.0 : 0.25, 1e-14);
    EXPECT_EQ(gradient[81 + c], 0.0);
  }
}

TYPED_TEST(GridArrivalTest, WallsDoNotStartAndAreNotUnreached) {
  Fronts<TypeParam, 2> fronts(allCells<2>(0, 5), 1.0);
  std::vector<double> speeds(25, 1.0);
  std::vector<double> timesOfCells(25, notReached);
  for (std::size_t y = 0; y < 5; ++y) {
    speeds[5 * y + 2] = 0.0; // the column x = 2 is a wall
    timesOfCells[5 * y + 2] = 0.0;
  }
  timesOfCells[0] = 0.0;
  fronts.giveSpeeds(speeds);
  fronts.startCells(timesOfCells);
  fronts.options.trace = Trace::Sources;
  const GridArrivalReport report = fronts.solve();
  EXPECT_EQ(report.walls.count, 5);
  EXPECT_EQ(report.walls.first, 2);
  EXPECT_EQ(report.numStarts, 1);
  EXPECT_EQ(report.numUnreached, 10);
  const auto times = onHost(fronts.arrival.times);
  const auto labels = onHost(fronts.arrival.labels);
  for (std::size_t c = 0; c < 25; ++c) {
    EXPECT_EQ(times[c] < notReached, c % 5 < 2) << "cell " << c;
    EXPECT_EQ(labels[c], c % 5 < 2 ? 0 : -1) << "cell " << c;
  }
  fronts.options.zeroSpeed = ZeroSpeed::Error;
  fronts.expectMessage("the speed of cell 2 is 0, as that of 5 cells is");
}

TYPED_TEST(GridArrivalTest, SaysWhatIsWrong) {
  Fronts<TypeParam, 2> fronts(allCells<2>(0, 5), 1.0);
  fronts.expectMessage("there is no source");
  fronts.starts.points = {{{7.0, 0.5}, 0.0}};
  fronts.expectMessage("the source at (7, 0.5) is not in a cell of the set");
  fronts.starts.points.clear();
  fronts.startSet({Cell<2>{{1, 1}}, Cell<2>{{2, 1}}}, {0.0, notReached});
  fronts.expectMessage("the time of cell 1 of the sources is not valid");
  fronts.startSet({Cell<2>{{9, 9}}}, {0.0}); // none of the grid
  fronts.expectMessage("there is no source");
  fronts.startSet({Cell<2>{{1, 1}}}, {0.0});
  fronts.giveSpeeds(std::vector<double>(25, -1.0));
  fronts.expectMessage("the speed of cell 0 is not valid");
}

// Nine components mean what six do, along axes and where they are coupled.
TYPED_TEST(GridArrivalTest, MatricesAreTensors) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> diagonal(2.0, 6.0);
  std::uniform_real_distribution<double> coupling(-0.9, 0.9);
  for (const bool couples : {false, true}) {
    Fronts<TypeParam, 3> fronts(allCells<3>(0, 7), 0.3);
    std::vector<double> six;
    std::vector<double> nine;
    for (std::size_t c = 0; c < fronts.cells.size(); ++c) {
      const double xx = diagonal(random);
      const double yy = diagonal(random);
      const double zz = diagonal(random);
      const double xy = couples ? coupling(random) : 0.0;
      const double yz = couples ? coupling(random) : 0.0;
      const double xz = couples ? coupling(random) : 0.0;
      six.insert(six.end(), {xx, yy, zz, xy, yz, xz});
      nine.insert(nine.end(), {xx, xy, xz, xy, yy, yz, xz, yz, zz});
    }
    fronts.starts.points = {{{1.0, 0.7, 0.4}, 0.0}};
    fronts.values = onDevice<double, TypeParam>(six);
    fronts.speed = Speed::tensorOfElements(fronts.values.data());
    fronts.solve();
    const auto expected = onHost(fronts.arrival.times);
    fronts.values = onDevice<double, TypeParam>(nine);
    fronts.speed = Speed::matrixOfElements(fronts.values.data());
    fronts.solve();
    const auto times = onHost(fronts.arrival.times);
    for (std::size_t c = 0; c < times.size(); ++c) {
      ASSERT_NEAR(times[c], expected[c], 1e-13);
    }
    nine[9 * 5 + 1] += 0.1; // xy of cell 5 is not yx
    fronts.values = onDevice<double, TypeParam>(nine);
    fronts.speed = Speed::matrixOfElements(fronts.values.data());
    fronts.expectMessage("the speed of cell 5 is not valid");
  }
}

TYPED_TEST(GridArrivalTest, OneMatrixIsOneTensor) {
  const double matrix[9] = {4.0, 0.5, 0.2, 0.5, 3.0, 0.1, 0.2, 0.1, 2.0};
  const SymmetricTensor m = Speed::constantMatrix(matrix).tensor;
  EXPECT_EQ(std::vector<double>({m.xx, m.yy, m.zz, m.xy, m.yz, m.xz}), std::vector<double>({4, 3, 2, 0.5, 0.1, 0.2}));
  const double skew[9] = {4.0, 0.5, 0.2, 0.6, 3.0, 0.1, 0.2, 0.1, 2.0};
  EXPECT_EQ(messageOf([&] { Speed::constantMatrix(skew); }),
    "the matrix has xy 0.5 and yx 0.6, yz 0.1 and zy 0.1, xz 0.2 and zx 0.2: it must be "
    "symmetric");
}

TYPED_TEST(GridArrivalTest, ARepeatedSolutionAllocatesNothing) {
  Fronts<TypeParam, 3> fronts(allCells<3>(0, 12), 0.5);
  fronts.startSet({Cell<3>{{1, 1, 1}}, Cell<3>{{8, 9, 10}}}, {0.0, 0.5});
  fronts.options.trace = Trace::Sources;
  fronts.options.slopes = Slopes::Gradient;
  for (const int order : {1, 2}) {
    fronts.options.solve.order = order;
    spanwise::testing::expectNoAllocations<TypeParam>([&] { fronts.solve(); });
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
