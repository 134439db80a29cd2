// What a cell's time depends on, and that iterations end because of it.

#include "Core/Runtime/ForEach.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"
#include "Testing/Rooms.hpp"

#include <string>

namespace spanwise::eikonal::testing {
namespace {

template <class Space>
class GridUpdate : public ::testing::Test {};
TYPED_TEST_SUITE(GridUpdate, AllSpaces, SpaceNames);

/// What each cell finds from times of its own.
template <class Stencil, int Dim>
struct UpdateAll {
  Stencil stencil;
  GridFactoringView<Dim> factoring;
  const double* times; ///< [cells][cells]
  double* found;
  std::int64_t numCells;
  bool secondOrder;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const auto cell = static_cast<std::int32_t>(item);
    found[item] = updateFromNeighbours(stencil, cell, times + item * numCells, secondOrder, factoring.of(cell));
  }
};

/// A small set in a random box, some of its axes short ones that repeat, with tensors that prefer a direction.
template <class Space, int Dim>
GridProblem<Space, Dim> randomProblem(std::mt19937& random, Coordinate most) {
  std::uniform_real_distribution<double> spacing(0.3, 2.0);
  std::bernoulli_distribution coin(0.5);
  std::bernoulli_distribution isIn(coin(random) ? 1.0 : 0.75);
  const double ratio = std::array{1.5, 3.0, 10.0}[random() % 3];
  Periods<Dim> periods;
  GridGeometry<Dim> lattice{};
  for (int axis = 0; axis < Dim; ++axis) {
    lattice.spacing[axis] = spacing(random);
    periods.along[axis] = coin(random);
    periods.box.begin[axis] = 0;
    periods.box.end[axis] = static_cast<Coordinate>(1 + random() % (periods.along[axis] ? 5 : most));
  }
  CellList<Dim> cells;
  for (const Cell<Dim>& cell : allCells<Dim>(0, std::max(most, Coordinate{5}))) {
    bool inBox = true;
    for (int axis = 0; axis < Dim; ++axis) {
      inBox = inBox && cell.at[axis] < periods.box.end[axis];
    }
    if (inBox && isIn(random)) {
      cells.insert(cell);
    }
  }
  cells.insert(Cell<Dim>{});
  GridProblem<Space, Dim> problem(cells, lattice, periods);
  if (coin(random)) {
    problem.constantTensor(randomTensor<Dim>(random, ratio));
  } else {
    std::vector<SymmetricTensor> tensors(cells.size());
    std::generate(tensors.begin(), tensors.end(), [&] { return randomTensor<Dim>(random, ratio); });
    problem.tensors(tensors);
  }
  return problem;
}

/// Points in cells of a problem, at their centres or beside them.
template <class Problem>
auto randomPoints(std::mt19937& random, const Problem& problem) {
  constexpr int Dim = Problem::dimension;
  std::uniform_real_distribution<double> within(-0.49, 0.49);
  std::vector<PointSource<Dim>> points(1 + random() % 3);
  for (PointSource<Dim>& point : points) {
    const Cell<Dim>& cell = problem.cells[random() % problem.cells.size()];
    const double share = random() % 3 == 0 ? 0.0 : 1.0;
    for (int axis = 0; axis < Dim; ++axis) {
      point.at[axis] =
        problem.lattice.centre(axis, cell.at[axis]) + share * within(random) * problem.lattice.spacing[axis];
    }
    point.time = within(random) + 0.5;
  }
  return points;
}

template <class Stencil, class Space, int Dim>
std::vector<double> found(const GridProblem<Space, Dim>& problem, const std::vector<double>& times, bool secondOrder) {
  const auto count = static_cast<std::int64_t>(problem.cells.size());
  const auto from = onDevice<double, Space>(times);
  const auto to = onDevice<double, Space>(std::vector<double>(problem.cells.size()));
  forEach("update", IndexRange<Space>(Space(), 0, count),
    UpdateAll<Stencil, Dim>{
      Stencil(problem.grid.view()), problem.factoring.view(), from.data(), to.data(), count, secondOrder});
  return onHost(to);
}

template <class Space, int Dim>
void expectNothingFromLaterTimes(std::mt19937& random) {
  std::uniform_real_distribution<double> any(0.0, 3.0);
  GridProblem<Space, Dim> problem = randomProblem<Space, Dim>(random, Dim == 2 ? 6 : 3);
  const std::size_t count = problem.cells.size();
  const Space space;
  buildGrid<Space, Dim>(problem.context, problem.set, problem.lattice, problem.periods, problem.chosen, problem.grid);
  startAtPoints<Space, Dim>(problem.context, problem.grid, randomPoints(random, problem), notReached,
    onDevice<double, Space>(problem.times), problem.factoring);
  std::vector<double> times(count);
  for (double& time : times) {
    time = random() % 5 == 0 ? notReached : any(random);
  }
  std::vector<double> all;
  for (std::size_t c = 0; c < count; ++c) {
    all.insert(all.end(), times.begin(), times.end());
  }
  for (const bool secondOrder : {false, true}) {
    const auto update = [&](const std::vector<double>& from) {
      return problem.grid.hasDirections() ? found<TensorStencil<Dim>>(problem, from, secondOrder)
                                          : found<AxisStencil<Dim>>(problem, from, secondOrder);
    };
    const std::vector<double> before = update(all);
    std::vector<double> changed = all;
    for (std::size_t c = 0; c < count; ++c) {
      for (std::size_t n = 0; n < count; ++n) {
        if (times[n] > before[c]) {
          changed[c * count + n] = random() % 3 == 0 ? notReached : before[c] * (1.0 + 1e-9) + any(random);
        }
      }
    }
    const std::vector<double> after = update(changed);
    for (std::size_t c = 0; c < count; ++c) {
      ASSERT_EQ(after[c], before[c]) << "cell " << c << " of " << count << (secondOrder ? ", second order" : "");
    }
  }
}

TYPED_TEST(GridUpdate, DependsOnNoLaterTime) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 300 && !::testing::Test::HasFatalFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    expectNothingFromLaterTimes<TypeParam, 2>(random);
    expectNothingFromLaterTimes<TypeParam, 3>(random);
  }
}

// Two columns of cells, and a tensor whose vectors lead out of them but for the one across: differences alone know the
// two cells of a row from each other only. Fronts come from the rows beside it straight through faces, no later than
// that takes. Far from the source each of the two cells once raised the other for ever.
TYPED_TEST(GridUpdate, RowsThatDifferencesReadFromThemselvesEnd) {
  const SymmetricTensor m{14.0563, 1.13875, 1.0, -1.05472, 0.0, 0.0};
  GridGeometry<2> lattice = latticeOf<2>(1.0);
  lattice.spacing[0] = 0.4;
  CellList<2> cells;
  for (Coordinate y = 0; y < 8; ++y) {
    cells.insert({{0, y}});
    cells.insert({{1, y}});
  }
  Periods<2> periods;
  periods.along[1] = true;
  periods.box.begin[0] = periods.box.begin[1] = 0;
  periods.box.end[0] = 2;
  periods.box.end[1] = 8;
  const double across = lattice.spacing[0] * std::sqrt(m.inverse().xx);
  const double along = lattice.spacing[1] * std::sqrt(m.inverse().yy);
  for (const int order : {1, 2}) {
    for (const double window : {0.0, 1.0, 1e9}) {
      GridProblem<TypeParam, 2> problem(cells, lattice, periods);
      problem.constantTensor(m);
      GridOptions options;
      options.order = order;
      options.iteration.window = window;
      options.iteration.maxIterations = 1000;
      const IterationReport report =
        problem.solve(options, {{{0.6417, 3.5}, 1.224}, {{0.2779, 3.3593}, 0.6043}}, notReached);
      EXPECT_TRUE(report.converged);
      const double first = problem.times[problem.indexOf({{0, 3}})];
      for (std::size_t c = 0; c < problem.cells.size(); ++c) {
        const Coordinate x = problem.cells[c].at[0];
        const Coordinate y = problem.cells[c].at[1];
        const Coordinate rows = std::min(std::abs(y - 3), 8 - std::abs(y - 3));
        EXPECT_LE(problem.times[c], (first + rows * along + x * across) * (1.0 + 1e-9)) << x << ", " << y;
      }
    }
  }
}

template <class Space, int Dim>
void expectEnd(std::mt19937& random) {
  GridProblem<Space, Dim> problem = randomProblem<Space, Dim>(random, Dim == 2 ? 16 : 5);
  GridOptions options;
  options.order = 1 + static_cast<int>(random() % 2);
  options.iteration.window = std::array{0.0, 1.0, 5.0, 1e9}[random() % 4];
  options.iteration.maxIterations = 1500; // below what the guard against swings asks for
  problem.solve(options, randomPoints(random, problem), random() % 2 == 0 ? notReached : 2.0);
  EXPECT_TRUE(problem.report.converged) << problem.cells.size() << " cells, order " << options.order;
}

TYPED_TEST(GridUpdate, IterationsEnd) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 1500 && !::testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    expectEnd<TypeParam, 2>(random);
    expectEnd<TypeParam, 3>(random);
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
