// Arrival times on grids on ranks: what one rank finds on the whole set, however the set is cut.

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Solvers/Eikonal/GridOrigins.hpp"
#include "Core/Solvers/Eikonal/GridPaths.hpp"
#include "Core/Solvers/Eikonal/GridSources.hpp"
#include "Core/Solvers/Eikonal/GridTimes.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <string>

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::cellsIn;
using spanwise::testing::expectNoAllocations;
using spanwise::testing::kokkosAllocations;
using spanwise::testing::oneThread;
using spanwise::testing::randomCut;
using spanwise::testing::toCells;
using spanwise::testing::toSet;
using spanwise::testing::world;

template <class Space>
class RankGridTimes : public ::testing::Test {};
TYPED_TEST_SUITE(RankGridTimes, AllSpaces, SpaceNames);

struct CopyTimes {
  const double* from;
  double* to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

/// A problem that all ranks know the whole of.
template <int Dim>
struct Case {
  CellList<Dim> cells;
  GridGeometry<Dim> lattice{};
  Periods<Dim> periods;
  Speed::Kind kind = Speed::Kind::Constant;
  SymmetricTensor constant;
  std::vector<double> values; // of cells
  std::vector<double> given;  // times of cells
  std::vector<PointSource<Dim>> points;
  double radius = 0.0;
  GridOptions options;
  std::vector<std::int64_t> region;   // cells to stop at
  std::vector<GridPlace<Dim>> starts; // of paths

  [[nodiscard]] int valuesOfCell() const {
    return kind == Speed::Kind::OfElements    ? 1
      : kind == Speed::Kind::TensorOfElements ? 6
      : kind == Speed::Kind::MatrixOfElements ? 9
                                              : 0;
  }
  [[nodiscard]] Speed speed(const double* array) const { return {kind, constant, array}; }
  /// Entries of an array of the cells, of those in some planes.
  [[nodiscard]] std::vector<double> in(const std::vector<double>& all, int perCell, const PlaneRange& planes) const {
    std::vector<double> within;
    std::size_t c = 0;
    for (const Cell<Dim>& cell : cells) {
      if (planes.contains(cell.at[Dim - 1])) {
        within.insert(within.end(), all.begin() + c * perCell, all.begin() + (c + 1) * perCell);
      }
      ++c;
    }
    return within;
  }
};

/// A random set with random speeds, walls, axes that repeat, sources and options.
template <int Dim>
Case<Dim> randomCase(std::mt19937& random, Speed::Kind kind, double ratio, int order) {
  std::uniform_real_distribution<double> factor(0.3, 2.0);
  std::uniform_real_distribution<double> within(-0.49, 0.49);
  std::bernoulli_distribution coin(0.5);
  std::bernoulli_distribution isWall(0.05);
  Case<Dim> is;
  const Coordinate extent = Dim == 2 ? 13 : 6;
  is.cells = randomCells<Dim>(random, extent, coin(random) ? 0.95 : 0.75);
  for (int axis = 0; axis < Dim; ++axis) {
    is.lattice.origin[axis] = factor(random);
    is.lattice.spacing[axis] = factor(random);
    is.periods.box.begin[axis] = -extent;
    is.periods.box.end[axis] = extent + (coin(random) ? 0 : 1);
    is.periods.along[axis] = coin(random);
  }
  is.kind = kind;
  is.constant = randomTensor<Dim>(random, ratio);
  std::vector<bool> walls;
  for (std::size_t c = 0; c < is.cells.size(); ++c) {
    walls.push_back(kind == Speed::Kind::OfElements && isWall(random));
    const SymmetricTensor m = randomTensor<Dim>(random, ratio);
    switch (kind) {
    case Speed::Kind::OfElements:
      is.values.push_back(walls.back() ? 0.0 : factor(random));
      break;
    case Speed::Kind::TensorOfElements:
      is.values.insert(is.values.end(), {m.xx, m.yy, m.zz, m.xy, m.yz, m.xz});
      break;
    case Speed::Kind::MatrixOfElements:
      is.values.insert(is.values.end(), {m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz});
      break;
    default:
      break;
    }
  }
  const std::vector<Cell<Dim>> cells(is.cells.begin(), is.cells.end());
  std::uniform_int_distribution<std::size_t> any(0, cells.size() - 1);
  is.given.assign(cells.size(), notReached);
  for (int k = static_cast<int>(random() % 3); k > 0; --k) {
    is.given[any(random)] = factor(random);
  }
  for (int k = static_cast<int>(random() % 5); k >= 0; --k) {
    const std::size_t c = any(random);
    PointSource<Dim> point{};
    for (int axis = 0; axis < Dim; ++axis) {
      point.at[axis] = is.lattice.centre(axis, cells[c].at[axis]) + within(random) * is.lattice.spacing[axis];
    }
    point.time = factor(random);
    if (!walls[c]) {
      is.points.push_back(point);
    }
  }
  if (random() % 3 == 0) {
    is.region = {static_cast<std::int64_t>(any(random)), static_cast<std::int64_t>(any(random))};
  }
  for (int k = 0; k < 20; ++k) { // some of them outside of the set, or of the period
    auto& start = is.starts.emplace_back();
    for (int axis = 0; axis < Dim; ++axis) {
      start.at[axis] = is.lattice.origin[axis] + within(random) * 2.5 * extent * is.lattice.spacing[axis];
    }
  }
  is.radius = std::array{0.0, 4.0, notReached}[random() % 3];
  is.options.order = order;
  is.options.iteration.window = std::array{0.0, 1.0, 5.0, 1e9}[random() % 4];
  if (random() % 4 == 0) {
    is.options.iteration.stopTime = 3.0;
  }
  if (random() % 8 == 0) {
    is.options.iteration.maxIterations = 7;
  }
  return is;
}

template <class Place, int Dim, class Places>
std::vector<Place> placesOf(const Places& places) {
  std::vector<Place> copies;
  for (const auto& place : places) {
    std::copy_n(place.at, Dim, copies.emplace_back().at);
  }
  return copies;
}

/// What one rank finds.
template <class Space, int Dim>
struct Alone {
  using Memory = typename Space::memory_space;
  using Place = GridPlace<Dim>;

  explicit Alone(const Case<Dim>& is) : problem(is.cells, is.lattice, is.periods) {
    const Space space = oneThread<Space>();
    const std::size_t count = is.cells.size();
    values = onDevice<double, Space>(is.values);
    problem.chosen = is.speed(values.data());
    problem.times = is.given;
    const auto region = onDevice<std::int64_t, Space>(is.region);
    GridOptions options = is.options;
    options.iteration.stopVertices = region.data();
    options.iteration.numStopVertices = static_cast<std::int64_t>(is.region.size());
    report = problem.solve(options, is.points, is.radius, {}, space);
    const auto times = onDevice<double, Space>(problem.times);
    const Kokkos::View<double*, Memory> slopes("gradient", Dim * count);
    const Kokkos::View<std::int32_t*, Memory> from("origins", count);
    const Kokkos::View<std::int32_t*, Memory> of("labels", count);
    gradientOfTimes<Space, Dim>(
      problem.context, problem.grid, is.options.order, times, slopes, problem.factoring.view());
    findOrigins<Space, Dim>(problem.context, problem.grid, times, from);
    labelAroundPoints<Space, Dim>(problem.context, problem.grid, problem.factoring, times, of);
    labelBySource<Space, Dim>(problem.context, problem.grid, from, of);
    tracePaths<Space, Dim>(problem.context, problem.grid, times, slopes, from,
      onDevice<Place, Space>(placesOf<Place, Dim>(is.starts)), 0.3, {}, paths);
    gradient = onHost(slopes);
    origins = onHost(from);
    labels = onHost(of);
  }

  GridProblem<Space, Dim> problem;
  Kokkos::View<double*, Memory> values;
  IterationReport report;
  std::vector<double> gradient;
  std::vector<std::int32_t> origins;
  std::vector<std::int32_t> labels;
  GridPaths<Dim, Memory> paths;
};

/// What this rank has of a case.
template <class Space, int Dim>
struct Piece {
  using Memory = typename Space::memory_space;

  Piece(const Case<Dim>& of, const RowCut& where) : is(of), cut(where) {
    planes = cut.part(world().rank());
    set = toSet<Space, Dim>(cellsIn<Dim>(is.cells, planes));
    values = onDevice<double, Space>(is.in(is.values, is.valuesOfCell(), planes));
    std::vector<std::int64_t> mine; // of the region
    std::int64_t number = 0;
    std::int64_t own = 0;
    for (const Cell<Dim>& cell : is.cells) {
      if (planes.contains(cell.at[Dim - 1])) {
        if (std::find(is.region.begin(), is.region.end(), number) != is.region.end()) {
          mine.push_back(own);
        }
        ++own;
      }
      ++number;
    }
    region = onDevice<std::int64_t, Space>(mine);
  }
  void build() {
    buildGrid<Space, Dim>(context, set, is.lattice, SetDomain<Dim>(world(), cut, is.periods), is.speed(values.data()),
      grid, {.order = is.options.order});
    times = Kokkos::View<double*, Memory>("times", grid.numCells());
  }
  void start(const std::vector<PointSource<Dim>>& points) {
    const std::vector<double> own = is.in(is.given, 1, planes);
    std::vector<double> held(static_cast<std::size_t>(grid.numCells()), -7.0); // the halo's do not count
    std::copy(own.begin(), own.end(), held.begin() + grid.owned().begin);
    Kokkos::deep_copy(times, onDevice<double, Space>(held));
    startAtPoints<Space, Dim>(context, grid, points, is.radius, times, factoring);
  }
  IterationReport solve(GridOptions options, const Progress& progress = {}) {
    options.iteration.stopVertices = region.data();
    options.iteration.numStopVertices = static_cast<std::int64_t>(region.extent(0));
    return computeGridTimes<Space, Dim>(context.with(progress), grid, options, factoring.view(), times);
  }

  const Space space = oneThread<Space>();
  const Case<Dim>& is;
  RowCut cut;
  PlaneRange planes;
  IntervalSetOn<Dim, Space> set;
  Kokkos::View<double*, Memory> values;
  Kokkos::View<std::int64_t*, Memory> region;
  const Context<Space> context{space, world()};
  Grid<Dim, Space> grid;
  Kokkos::View<double*, Memory> times;
  GridFactoring<Dim, Memory> factoring;
};

/// Expects the points of the paths that one rank finds.
template <class Space, int Dim>
void expectSamePaths(const Alone<Space, Dim>& alone, Piece<Space, Dim>& piece,
  const Kokkos::View<double*, typename Space::memory_space>& gradient,
  const Kokkos::View<std::int32_t*, typename Space::memory_space>& origins) {
  using Place = typename Alone<Space, Dim>::Place;
  // Each rank asks for some of them, wherever they begin.
  const auto size = static_cast<std::size_t>(world().size());
  const auto rank = static_cast<std::size_t>(world().rank());
  std::vector<Place> starts;
  for (std::size_t k = rank; k < piece.is.starts.size(); k += size) {
    starts.push_back({});
    std::copy_n(piece.is.starts[k].at, Dim, starts.back().at);
  }
  GridPaths<Dim, typename Space::memory_space> paths;
  tracePaths<Space, Dim>(
    piece.context, piece.grid, piece.times, gradient, origins, onDevice<Place, Space>(starts), 0.3, {}, paths);
  const auto offsets = onHost(paths.offsets.view());
  const auto points = onHost(paths.points.view());
  const auto wholeOffsets = onHost(alone.paths.offsets.view());
  const auto wholePoints = onHost(alone.paths.points.view());
  ASSERT_EQ(offsets.size(), starts.size() + 1);
  ASSERT_EQ(offsets.back(), static_cast<std::int64_t>(points.size()));
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const std::size_t path = rank + k * size;
    ASSERT_EQ(offsets[k + 1] - offsets[k], wholeOffsets[path + 1] - wholeOffsets[path]) << "path " << path;
    for (std::int64_t p = 0; p < offsets[k + 1] - offsets[k]; ++p) {
      for (int axis = 0; axis < Dim; ++axis) {
        ASSERT_NEAR(points[offsets[k] + p].at[axis], wholePoints[wholeOffsets[path] + p].at[axis], 1e-9)
          << "path " << path;
      }
    }
  }
}

/// Expects on all ranks, with this cut, what one finds on the whole.
template <class Space, int Dim>
void expectSame(const Case<Dim>& is, const RowCut& cut) {
  const Alone<Space, Dim> alone(is);
  Piece<Space, Dim> piece(is, cut);
  piece.build();
  const Grid<Dim, Space>& grid = piece.grid;
  std::vector<std::size_t> whole; // which cell of the whole each is
  for (const Cell<Dim>& cell : toCells(grid.set())) {
    whole.push_back(alone.problem.indexOf(cell));
  }
  const CellRange owned = grid.owned();
  EXPECT_EQ(owned.count(), piece.set.numCells());
  EXPECT_TRUE(areTheSame(grid.meanCellTime(), alone.problem.grid.meanCellTime(), 1e-6));
  for (int round = 0; round < 2; ++round) { // the grid serves again
    piece.start(is.points);
    const IterationReport report = piece.solve(is.options);
    const std::vector<double> times = onHost(piece.times);
    for (std::size_t c = 0; c < whole.size(); ++c) {
      ASSERT_TRUE(areTheSame(times[c], alone.problem.times[whole[c]]))
        << "cell " << whole[c] << ": " << times[c] << ", one rank " << alone.problem.times[whole[c]];
    }
    EXPECT_EQ(report.numIterations, alone.report.numIterations);
    EXPECT_EQ(report.numUpdates, alone.report.numUpdates);
    EXPECT_EQ(report.numReached, alone.report.numReached);
    EXPECT_EQ(report.converged, alone.report.converged);
    EXPECT_GE(report.numActivations, alone.report.numActivations);
    EXPECT_EQ(report.messages.messages == 0, world().alone() || report.messages.bytes == 0);
  }
  const auto count = static_cast<std::size_t>(grid.numCells());
  using Memory = typename Space::memory_space;
  const Kokkos::View<double*, Memory> gradient("gradient", Dim * count);
  const Kokkos::View<std::int32_t*, Memory> origins("origins", count);
  const Kokkos::View<std::int32_t*, Memory> labels("labels", count);
  gradientOfTimes<Space, Dim>(
    piece.context, piece.grid, is.options.order, piece.times, gradient, piece.factoring.view());
  findOrigins<Space, Dim>(piece.context, piece.grid, piece.times, origins);
  labelAroundPoints<Space, Dim>(piece.context, piece.grid, piece.factoring, piece.times, labels);
  labelBySource<Space, Dim>(piece.context, piece.grid, origins, labels);
  const auto slopes = onHost(gradient);
  const auto from = onHost(origins);
  const auto of = onHost(labels);
  const std::size_t all = is.cells.size();
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t axis = 0; axis < Dim; ++axis) {
      ASSERT_NEAR(slopes[axis * count + c], alone.gradient[axis * all + whole[c]], 1e-9); // of differences
    }
    ASSERT_EQ(of[c], alone.labels[whole[c]]);
    if (static_cast<std::int64_t>(c) >= owned.begin && static_cast<std::int64_t>(c) < owned.end) {
      ASSERT_EQ(static_cast<std::int32_t>(whole[from[c]]), alone.origins[whole[c]]);
    }
  }
  expectSamePaths<Space, Dim>(alone, piece, gradient, origins);
}

template <class Space, int Dim>
void expectSameOf(Speed::Kind kind, double ratio) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed() + Dim);
  for (const int order : {1, 2}) {
    for (int round = 0; round < 4; ++round) {
      SCOPED_TRACE("order " + std::to_string(order) + ", round " + std::to_string(round));
      const Case<Dim> is = randomCase<Dim>(random, kind, ratio, order);
      const RowCut cut = randomCut(random, Dim == 2 ? 13 : 6);
      expectSame<Space, Dim>(is, cut);
      if (::testing::Test::HasFatalFailure()) {
        return;
      }
    }
  }
}

TYPED_TEST(RankGridTimes, OfOneSpeedAreThoseOfOneRank) {
  expectSameOf<TypeParam, 2>(Speed::Kind::Constant, 4.0);
  expectSameOf<TypeParam, 3>(Speed::Kind::Constant, 1.0);
}

TYPED_TEST(RankGridTimes, OfSpeedsAndWallsAreThoseOfOneRank) {
  expectSameOf<TypeParam, 2>(Speed::Kind::OfElements, 1.0);
  expectSameOf<TypeParam, 3>(Speed::Kind::OfElements, 1.0);
}

TYPED_TEST(RankGridTimes, OfTensorsAreThoseOfOneRank) {
  expectSameOf<TypeParam, 2>(Speed::Kind::TensorOfElements, 5.0); // which reach over several ranks
  expectSameOf<TypeParam, 3>(Speed::Kind::TensorOfElements, 2.0);
  expectSameOf<TypeParam, 3>(Speed::Kind::MatrixOfElements, 3.0);
}

TYPED_TEST(RankGridTimes, AroundShortPeriodsAreThoseOfOneRank) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const Coordinate length : {1, 2, 3, 4, 5}) {
    for (const int order : {1, 2}) {
      for (const auto kind : {Speed::Kind::OfElements, Speed::Kind::TensorOfElements}) {
        const bool ofTensors = kind == Speed::Kind::TensorOfElements; // and then there are no walls
        Case<2> is = randomCase<2>(random, kind, ofTensors ? 8.0 : 3.0, order);
        std::size_t kept = 0;
        std::size_t c = 0;
        const auto perCell = static_cast<std::size_t>(is.valuesOfCell());
        for (const Cell<2>& cell : is.cells) { // as many planes as a period has
          if (cell.at[1] >= 0 && cell.at[1] < length) {
            std::copy_n(is.values.begin() + c * perCell, perCell, is.values.begin() + kept * perCell);
            ++kept;
          }
          ++c;
        }
        std::erase_if(is.cells, [&](const Cell<2>& cell) { return cell.at[1] < 0 || cell.at[1] >= length; });
        is.values.resize(kept * perCell);
        is.given.assign(kept, notReached);
        is.given[random() % kept] = 0.25;
        for (std::int64_t& cell : is.region) {
          cell = static_cast<std::int64_t>(random() % kept);
        }
        is.points.clear();
        if (ofTensors) {
          const Cell<2> from = *std::next(is.cells.begin(), static_cast<std::ptrdiff_t>(random() % kept));
          is.points.push_back({{is.lattice.centre(0, from.at[0]), is.lattice.centre(1, from.at[1])}, 0.0});
        }
        is.periods.along[1] = true;
        is.periods.box.begin[1] = 0;
        is.periods.box.end[1] = length;
        RowCut cut;
        cut.bounds = {PlaneRange().begin, PlaneRange().end};
        for (int r = 1; r < world().size(); ++r) {
          cut.bounds.push_back(r % (length + 1));
        }
        std::sort(cut.bounds.begin(), cut.bounds.end());
        SCOPED_TRACE("period " + std::to_string(length) + ", order " + std::to_string(order));
        expectSame<TypeParam, 2>(is, cut);
        if (::testing::Test::HasFatalFailure()) {
          return;
        }
      }
    }
  }
}

TYPED_TEST(RankGridTimes, StartFromCellsOfAllRanks) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const int size = world().size();
  Case<3> is = randomCase<3>(random, Speed::Kind::OfElements, 1.0, 1);
  is.points.clear();
  const CellList<3> sources = randomCells<3>(random, 7, 0.05); // some of them in no rank's set
  Piece<TypeParam, 3> piece(is, randomCut(random, 6));
  piece.build();
  std::int64_t common = 0;
  std::vector<double> expected;
  std::size_t c = 0;
  for (const Cell<3>& cell : is.cells) {
    const bool starts = sources.count(cell) > 0;
    common += starts ? 1 : 0;
    expected.push_back(starts ? std::min(is.given[c], 0.5) : is.given[c]);
    ++c;
  }
  // Each rank brings every k-th of them, wherever it belongs, and all the same.
  for (const bool all : {true, false}) {
    CellList<3> mine;
    int k = 0;
    for (const Cell<3>& cell : sources) {
      if (all || k % size == world().rank()) {
        mine.insert(cell);
      }
      ++k;
    }
    piece.start({});
    EXPECT_EQ(
      (startAtCells<TypeParam, 3>(piece.context, piece.grid, toSet<TypeParam, 3>(mine), 0.5, piece.times)), common);
    const auto times = onHost(piece.times);
    const auto wanted = is.in(expected, 1, piece.planes);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      ASSERT_EQ(times[static_cast<std::size_t>(piece.grid.owned().begin) + i], wanted[i]);
    }
  }
}

TYPED_TEST(RankGridTimes, SendWhatOthersReadAndAllocateNothing) {
  Case<3> is;
  const Coordinate n = 12;
  is.cells = allCells<3>(0, n);
  is.lattice = latticeOf<3>(1.0);
  is.given.assign(is.cells.size(), notReached);
  is.points = {{{0.3, 0.4, 0.2}, 0.0}};
  for (const int order : {1, 2}) {
    is.options.order = order;
    RowCut cut;
    cut.bounds = {PlaneRange().begin};
    for (int r = 1; r < world().size(); ++r) {
      cut.bounds.push_back(r * n / world().size());
    }
    cut.bounds.push_back(PlaneRange().end);
    Piece<TypeParam, 3> piece(is, cut);
    piece.build();
    piece.start(is.points);
    const Kokkos::View<double*, typename TypeParam::memory_space> fresh("fresh", piece.times.extent(0));
    Kokkos::deep_copy(fresh, piece.times);
    const IterationReport report = piece.solve(is.options);
    // A front that comes from below goes over each border once: every cell there is told of a few times, and how many
    // there are goes to both neighbours in each iteration; in the end halos of two planes are brought.
    const std::int64_t borders = world().size() - 1;
    const std::int64_t cells = 2 * borders * n * n;
    EXPECT_GE(report.messages.bytes, cells * order * 12 + cells * 2 * 8);
    EXPECT_LE(
      report.messages.bytes, 4 * cells * order * 12 + cells * 2 * 8 + 2 * borders * (report.numIterations + 1) * 8);
    EXPECT_EQ(report.messages.messages == 0, world().alone());
    // As many bytes each time, and nothing is allocated; MPI does so where messages have another length than before.
    const auto again = [&] {
      forEach("start again", IndexRange<TypeParam>(piece.space, 0, static_cast<std::int64_t>(fresh.extent(0))),
        CopyTimes{fresh.data(), piece.times.data()});
      const IterationReport next = piece.solve(is.options);
      if (next.messages.bytes != report.messages.bytes) {
        ADD_FAILURE() << next.messages.bytes << " bytes, " << report.messages.bytes << " before";
      }
    };
    if (world().alone()) {
      expectNoAllocations<TypeParam>(again);
    } else {
      again();
      const std::size_t before = kokkosAllocations();
      again();
      EXPECT_EQ(kokkosAllocations(), before);
    }
  }
}

TYPED_TEST(RankGridTimes, WhatGoesWrongOnOneRankIsKnownToAll) {
  Case<2> is;
  is.cells = allCells<2>(0, 8);
  is.lattice = latticeOf<2>(1.0);
  is.given.assign(is.cells.size(), notReached);
  is.options.order = 2;
  RowCut cut;
  cut.bounds = {PlaneRange().begin};
  for (int r = 1; r < world().size(); ++r) {
    cut.bounds.push_back(r * 2);
  }
  cut.bounds.push_back(PlaneRange().end);
  Piece<TypeParam, 2> piece(is, cut);
  piece.build();
  const bool last = world().rank() + 1 == world().size();
  const bool several = !world().alone();
  const auto expectMessage = [&](const std::string& part, const std::function<void()>& call) {
    try {
      call();
      EXPECT_EQ(part, "");
    } catch (const InvalidArgument& error) {
      EXPECT_TRUE(!part.empty() && std::string(error.what()).find(part) != std::string::npos)
        << part << ": " << error.what();
    }
  };
  const auto build = [&](const GridGeometry<2>& lattice, const Speed& speed, int order, const RowCut& where) {
    Grid<2, TypeParam> grid;
    buildGrid<TypeParam, 2>(
      piece.context, piece.set, lattice, SetDomain<2>(world(), where), speed, grid, {.order = order});
  };
  const Speed one = Speed::constant(1.0);
  expectMessage("", [&] { build(is.lattice, one, 1, cut); });
  expectMessage("order 3", [&] { build(is.lattice, one, last ? 3 : 1, cut); });
  expectMessage(several ? "other lattices" : "", [&] { build(latticeOf<2>(last ? 2.0 : 1.0), one, 1, cut); });
  expectMessage(several ? "other lattices" : "", [&] { build(is.lattice, Speed::constant(last ? 2.0 : 1.0), 1, cut); });
  expectMessage("spacing of cells is 0", [&] { build(latticeOf<2>(last ? 0.0 : 1.0), one, 1, cut); });
  const auto speeds =
    onDevice<double, TypeParam>(std::vector<double>(static_cast<std::size_t>(piece.set.numCells()), last ? -1.0 : 1.0));
  expectMessage("speed of cell 0", [&] { build(is.lattice, Speed::ofElements(speeds.data()), 1, cut); });
  RowCut other = cut;
  std::fill(other.bounds.begin() + 1, other.bounds.end() - 1, 100); // all planes but the last ones are rank 0's
  expectMessage(several ? "cells of its own planes alone" : "", [&] { build(is.lattice, one, 1, other); });

  const std::vector<PointSource<2>> points = {{{4.5, 4.5}, 0.0}};
  const auto startAt = [&](double x, double time) {
    startAtPoints<TypeParam, 2>(piece.context, piece.grid, {{{x, 4.5}, time}}, 1.0, piece.times, piece.factoring);
  };
  expectMessage("(-3, 4.5) is not in a cell", [&] { startAt(-3.0, 0.0); });
  expectMessage(several ? "other source points" : "", [&] { startAt(last ? 2.0 : 3.0, 0.0); });
  expectMessage("must be finite", [&] { startAt(3.0, last ? notReached : 0.0); });

  const auto solve = [&](const GridOptions& options, double time, const Progress& progress = {}) {
    piece.start(points);
    if (last) {
      std::vector<double> values = onHost(piece.times);
      values.at(static_cast<std::size_t>(piece.grid.owned().begin) + 4) = time;
      Kokkos::deep_copy(piece.times, onDevice<double, TypeParam>(values));
    }
    piece.solve(options, progress);
  };
  expectMessage("", [&] { solve(is.options, notReached); });
  const std::vector<double> good = onHost(piece.times);
  expectMessage("the time of cell 4 is not valid", [&] { solve(is.options, std::nan("")); });
  expectMessage("the time of cell 4 is not valid", [&] { solve(is.options, -notReached); });
  GridOptions options = is.options;
  options.order = last ? 1 : 2;
  expectMessage(several ? "other options" : "", [&] { solve(options, notReached); });
  options = is.options;
  options.iteration.stopTime = last ? 1.0 : 2.0;
  expectMessage(several ? "other options" : "", [&] { solve(options, notReached); });
  options = is.options;
  options.iteration.window = -1.0;
  expectMessage("window", [&] { solve(options, notReached); });
  expectMessage("times", [&] {
    const Kokkos::View<double*, typename TypeParam::memory_space> few(
      "few", piece.times.extent(0) - static_cast<std::size_t>(last));
    computeGridTimes<TypeParam, 2>(piece.context, piece.grid, is.options, piece.factoring.view(), few);
  });

  // one rank is asked to stop
  int reports = 0;
  const Progress stopping([&](double) { return !last || ++reports < 4; });
  EXPECT_THROW(solve(is.options, notReached, stopping), Cancelled);
  EXPECT_EQ(onHost(piece.times), std::vector<double>(good.size(), notReached));
  solve(is.options, notReached); // and all is well again
  EXPECT_EQ(onHost(piece.times), good);
}

} // namespace
} // namespace spanwise::eikonal::testing
