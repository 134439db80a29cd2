#include "Core/Solvers/Eikonal/GridDirections.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"
#include "Testing/Core/Solvers/Eikonal/UpwindErrors.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

namespace spanwise::eikonal::testing {
namespace {

template <class Space>
class GridTensors : public ::testing::Test {};
TYPED_TEST_SUITE(GridTensors, AllSpaces, SpaceNames);

template <int Dim>
void expectDecomposition(std::mt19937& random, double ratio) {
  const SymmetricTensor m = randomTensor<Dim>(random, ratio);
  const LatticeDecomposition<Dim> sum = decompose<Dim>(m);
  double found[3][3] = {};
  for (int k = 0; k < sum.count; ++k) {
    EXPECT_GE(sum.weights[k], 0.0);
    for (int i = 0; i < Dim; ++i) {
      for (int j = 0; j < Dim; ++j) {
        found[i][j] += sum.weights[k] * sum.steps[k][i] * sum.steps[k][j];
      }
    }
  }
  const double expected[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
  for (int i = 0; i < Dim; ++i) {
    for (int j = 0; j < Dim; ++j) {
      // the vectors are up to about `ratio` long, and their products have squares of that
      EXPECT_NEAR(found[i][j], expected[i][j], 1e-13 * ratio * ratio * (m.xx + m.yy + m.zz));
    }
  }
}

TEST(GridDirections, SumUpToTheTensor) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const double ratio : {1.0, 3.0, 30.0, 300.0}) {
    for (int round = 0; round < 200; ++round) {
      expectDecomposition<2>(random, ratio);
      expectDecomposition<3>(random, ratio);
    }
  }
}

TEST(GridDirections, AreTheAxesForDiagonalTensors) {
  const LatticeDecomposition<3> sum = decompose<3>({2.0, 3.0, 5.0, 0.0, 0.0, 0.0});
  std::array<double, 3> weights{};
  for (int k = 0; k < sum.count; ++k) {
    const auto& step = sum.steps[k];
    if (sum.weights[k] > 0.0) {
      EXPECT_EQ(step[0] * step[0] + step[1] * step[1] + step[2] * step[2], 1);
      weights[step[0] != 0 ? 0 : (step[1] != 0 ? 1 : 2)] = sum.weights[k];
    }
  }
  EXPECT_EQ(weights, (std::array{2.0, 3.0, 5.0}));
}

/// Whether the line between the centres of two cells is open, in whole numbers: where it crosses faces one after the
/// other the cells between are, and where it crosses several at once cells lead across them by faces.
bool isOpenLine(
  std::array<int, 3> at, const std::array<int, 3>& step, const std::function<bool(const std::array<int, 3>&)>& isOpen) {
  std::map<std::int64_t, std::vector<int>> crossings; // axes by the place on the line
  const std::array<int, 3> lengths{
    std::max(1, std::abs(step[0])), std::max(1, std::abs(step[1])), std::max(1, std::abs(step[2]))};
  for (int axis = 0; axis < 3; ++axis) {
    for (int k = 0; k < std::abs(step[axis]); ++k) {
      const std::int64_t others = std::int64_t{lengths[0]} * lengths[1] * lengths[2] / lengths[axis];
      crossings[(2 * k + 1) * others].push_back(axis);
    }
  }
  for (auto& [place, axes] : crossings) {
    bool isJoined = false;
    do {
      std::array<int, 3> on = at;
      isJoined = isJoined || std::all_of(axes.begin(), axes.end(), [&](int axis) {
        on[axis] += step[axis] > 0 ? 1 : -1;
        return isOpen(on);
      });
    } while (std::next_permutation(axes.begin(), axes.end()));
    if (!isJoined) {
      return false;
    }
    for (const int axis : axes) {
      at[axis] += step[axis] > 0 ? 1 : -1;
    }
  }
  return true;
}

/// What the equation says of a cell, from the definition: neighbours along the decomposition's vectors that are seen in
/// a straight line, and beside walls those that share a face.
template <class Problem>
double solvedAt(const Problem& problem, const SymmetricTensor& tensor, std::size_t c, int order) {
  constexpr int Dim = Problem::dimension;
  const double* h = problem.lattice.spacing;
  SymmetricTensor m = tensor;
  m.xx /= h[0] * h[0];
  m.yy /= h[1] * h[1];
  m.xy /= h[0] * h[1];
  if (Dim == 3) {
    m.zz /= h[2] * h[2];
    m.yz /= h[1] * h[2];
    m.xz /= h[0] * h[2];
  }
  const auto find = [&](const std::array<double, 3>& offset) -> std::int64_t {
    Cell<Dim> at = problem.cells[c];
    for (int axis = 0; axis < Dim; ++axis) {
      at.at[axis] += static_cast<Coordinate>(std::round(offset[axis])); // halves away from 0
    }
    const std::size_t n = problem.indexOf(at);
    return n < problem.cells.size() && problem.cells[n] == at ? static_cast<std::int64_t>(n) : -1;
  };
  const LatticeDecomposition<Dim> sum = decompose<Dim>(m);
  std::vector<UpwindTerm> terms;
  bool besideWall = false;
  for (int k = 0; k < sum.count; ++k) {
    if (!(sum.weights[k] > 0.0)) {
      continue;
    }
    double least = notReached;
    double second = notReached;
    for (const double side : {-1.0, 1.0}) {
      const auto seen = [&](int from) -> std::int64_t {
        std::array<int, 3> at{};
        std::array<int, 3> step{};
        for (int axis = 0; axis < Dim; ++axis) {
          step[axis] = static_cast<int>(side) * sum.steps[k][axis];
          at[axis] = from * step[axis];
        }
        const auto isOpen = [&](const std::array<int, 3>& offset) {
          return find({1.0 * offset[0], 1.0 * offset[1], 1.0 * offset[2]}) >= 0;
        };
        return isOpenLine(at, step, isOpen)
          ? find({1.0 * (at[0] + step[0]), 1.0 * (at[1] + step[1]), 1.0 * (at[2] + step[2])})
          : -1;
      };
      const std::int64_t near = seen(0);
      besideWall = besideWall || near < 0;
      if (near >= 0 && problem.times[near] < least) {
        least = problem.times[near];
        const std::int64_t far = order == 2 ? seen(1) : -1;
        second = far >= 0 && problem.times[far] <= least ? problem.times[far] : notReached;
      }
    }
    if (least < notReached) {
      terms.push_back(upwindTerm(least, second, sum.weights[k]));
    }
  }
  double best = notReached;
  if (besideWall) {
    const SymmetricTensor inverse = tensor.inverse();
    const std::array<double, 3> diagonal{inverse.xx, inverse.yy, inverse.zz};
    for (int axis = 0; axis < Dim; ++axis) {
      for (const double side : {-1.0, 1.0}) {
        std::array<double, 3> offset{};
        offset[axis] = side;
        const std::int64_t n = find(offset);
        if (n >= 0) {
          best = std::min(best, problem.times[n] + h[axis] * std::sqrt(diagonal[axis]));
        }
      }
    }
  }
  return std::min(minSolution(terms), best);
}

template <class Space, int Dim>
void expectFixedPoint(std::mt19937& random, int order) {
  std::uniform_real_distribution<double> factor(0.5, 1.5);
  const CellList<Dim> cells = randomCells<Dim>(random, Dim == 2 ? 15 : 6, 0.9);
  GridGeometry<Dim> lattice{};
  for (int axis = 0; axis < Dim; ++axis) {
    lattice.spacing[axis] = factor(random);
  }
  GridProblem<Space, Dim> problem(cells, lattice);
  std::vector<SymmetricTensor> tensors;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    tensors.push_back(randomTensor<Dim>(random, 4.0));
  }
  problem.tensors(tensors);
  const std::size_t source = cells.size() / 2;
  for (const double window : {0.3, 3.0}) {
    std::fill(problem.times.begin(), problem.times.end(), notReached);
    problem.times[source] = 0.0;
    GridOptions options;
    options.order = order;
    options.iteration.window = window;
    EXPECT_TRUE(problem.solve(options).converged);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c != source) {
        const double expected = solvedAt(problem, tensors[c], c, order);
        ASSERT_TRUE(problem.times[c] == expected || std::abs(problem.times[c] - expected) < 1e-10)
          << "cell " << c << ": " << problem.times[c] << ", not " << expected;
      }
    }
  }
}

TYPED_TEST(GridTensors, SolveTheDiscreteEquation) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 2; ++round) {
    for (const int order : {1, 2}) {
      expectFixedPoint<TypeParam, 2>(random, order);
      expectFixedPoint<TypeParam, 3>(random, order);
    }
  }
}

TYPED_TEST(GridTensors, OnTheDiagonalAreSpeedsOfAxes) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> factor(0.3, 2.0);
  const CellList<3> cells = randomCells<3>(random, 6, 0.8);
  GridProblem<TypeParam, 3> problem(cells, {{0.0, 0.0, 0.0}, {0.5, 0.7, 0.9}});
  std::vector<SymmetricTensor> tensors;
  std::vector<std::array<double, 3>> weights;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const SymmetricTensor m{factor(random), factor(random), factor(random), 0.0, 0.0, 0.0};
    tensors.push_back(m);
    weights.push_back({m.xx / 0.25, m.yy / 0.49, m.zz / 0.81});
  }
  problem.tensors(tensors);
  for (const int order : {1, 2}) {
    std::fill(problem.times.begin(), problem.times.end(), notReached);
    problem.times[cells.size() / 3] = 0.0;
    const auto expected = marched<3>(problem.cells, {}, weights, problem.times, order);
    GridOptions options;
    options.order = order;
    problem.solve(options);
    EXPECT_FALSE(problem.grid.hasDirections());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      ASSERT_TRUE(problem.times[c] == expected[c] || std::abs(problem.times[c] - expected[c]) < 1e-11);
    }
  }
}

/// Errors for a constant tensor, with cells of 1 / n in the unit square or cube, of the cells that fronts reach before
/// any that lacks a neighbour: what walls change is not in them.
template <class Space, int Dim>
BoundedErrors errorsBeforeWalls(const SymmetricTensor& m, int n, int order, double radius) {
  using Place = std::array<double, Dim>;
  GridProblem<Space, Dim> problem(allCells<Dim>(0, n), latticeOf<Dim>(1.0 / n));
  problem.constantTensor(m);
  PointSource<Dim> source{};
  for (int axis = 0; axis < Dim; ++axis) {
    source.at[axis] = 0.5 + 0.01 * axis;
  }
  GridOptions options;
  options.order = order;
  EXPECT_TRUE(problem.solve(options, {source}, radius).converged);
  EXPECT_EQ(problem.report.numReached, problem.set.numCells());
  SymmetricTensor flat = m;
  if constexpr (Dim == 2) {
    flat.zz = 1.0;
    flat.xz = flat.yz = 0.0;
  }
  UpwindScheme<Dim> scheme{order, [flat](const Place&) { return flat; }};
  scheme.takeOut(source, radius);
  const auto exact = [&](const Place& at) { return std::sqrt(scheme.source.inverse.product(scheme.fromSource(at))); };
  const LatticeDecomposition<Dim> sum = decompose<Dim>(flat);
  double atWalls = notReached;
  for (const Cell<Dim>& cell : problem.cells) {
    bool isInside = true;
    for (int k = 0; k < sum.count; ++k) {
      for (int axis = 0; axis < Dim; ++axis) {
        const Coordinate reach = sum.weights[k] > 0.0 ? std::abs(sum.steps[k][axis]) : 0;
        isInside = isInside && cell.at[axis] >= reach && cell.at[axis] < n - reach;
      }
    }
    atWalls = isInside ? atWalls : std::min(atWalls, exact(centreOf(problem.lattice, cell)));
  }
  return boundedErrorsOf(problem, scheme, exact, [&](const Place& at) { return exact(at) < atWalls; });
}

TYPED_TEST(GridTensors, TakeSqrtOfInverseProductAlongAVector) {
  // |grad u|_M = sqrt(grad u^T M grad u) = 1 with a full M that is no multiple of the identity: the time along e is
  // sqrt(e^T M^-1 e).
  const SymmetricTensor plane{2.0, 0.8, 7.0, 0.9, 3.0, 2.0}; // zz, yz, xz are of no use in 2D
  const SymmetricTensor full{2.0, 0.8, 1.5, 0.7, -0.3, 0.5};
  for (const int order : {1, 2}) {
    SCOPED_TRACE("order " + std::to_string(order));
    // With the source factored out that is exact.
    EXPECT_LT((errorsBeforeWalls<TypeParam, 2>(plane, 60, order, 9.0).mean), 1e-13);
    EXPECT_LT((errorsBeforeWalls<TypeParam, 3>(full, 20, order, 9.0).mean), 1e-13);
    // Factored out nearby only.
    for (const int n : {40, 80}) {
      expectWithinBounds(errorsBeforeWalls<TypeParam, 2>(plane, n, order, 0.15), order);
    }
    for (const int n : {24, 48}) {
      expectWithinBounds(errorsBeforeWalls<TypeParam, 3>(full, n, order, 0.2), order);
    }
  }
}

/// The cells that faces connect with the first.
template <class Problem>
std::vector<bool> connected(const Problem& problem, std::size_t first) {
  std::vector<bool> isConnected(problem.cells.size(), false);
  isConnected[first] = true;
  std::vector<std::size_t> next{first};
  while (!next.empty()) {
    const Cell<Problem::dimension> cell = problem.cells[next.back()];
    next.pop_back();
    for (int k = 0; k < 2 * Problem::dimension; ++k) {
      Cell<Problem::dimension> at = cell;
      const int axis = k / 2;
      at.at[axis] += 2 * (k % 2) - 1;
      if (problem.periods.along[axis]) {
        const auto length = static_cast<Coordinate>(problem.periods.box.extent(axis));
        at.at[axis] = (at.at[axis] + length) % length;
      }
      const std::size_t n = problem.indexOf(at);
      if (n < problem.cells.size() && problem.cells[n] == at && !isConnected[n]) {
        isConnected[n] = true;
        next.push_back(n);
      }
    }
  }
  return isConnected;
}

template <class Space, int Dim>
void expectConnectedAreReached(std::mt19937& random, double density) {
  std::uniform_real_distribution<double> share(0.01, 0.99);
  std::uniform_int_distribution<int> one(0, 1);
  const int n = Dim == 2 ? 14 : 7;
  std::bernoulli_distribution isIn(density);
  CellList<Dim> cells = allCells<Dim>(0, n);
  std::erase_if(cells, [&](const Cell<Dim>&) { return !isIn(random); });
  Periods<Dim> periods;
  for (int axis = 0; axis < Dim; ++axis) {
    periods.box.begin[axis] = 0;
    periods.box.end[axis] = n;
    periods.along[axis] = one(random) == 1;
  }
  GridProblem<Space, Dim> problem(cells, latticeOf<Dim>(0.5), periods);
  if (one(random) == 1) {
    problem.constantTensor(randomTensor<Dim>(random, 8.0));
  }
  const std::size_t first = std::uniform_int_distribution<std::size_t>(0, cells.size() - 1)(random);
  PointSource<Dim> point{};
  for (int axis = 0; axis < Dim; ++axis) {
    point.at[axis] = 0.5 * (problem.cells[first].at[axis] + share(random));
  }
  const std::vector<bool> isConnected = connected(problem, first);
  for (const bool isCell : {true, false}) {
    std::fill(problem.times.begin(), problem.times.end(), notReached);
    problem.times[first] = isCell ? 0.0 : notReached;
    problem.solve({}, isCell ? std::vector<PointSource<Dim>>() : std::vector<PointSource<Dim>>{point}, 1e300);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      ASSERT_EQ(problem.times[c] < notReached, isConnected[c])
        << "cell " << c << " from " << (isCell ? "cell " : "a point in ") << first;
    }
  }
}

// Fronts go where faces lead, and nowhere else: from any source and with any tensor.
TYPED_TEST(GridTensors, ReachWhatFacesConnect) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int k = 0; k < 60; ++k) {
    expectConnectedAreReached<TypeParam, 2>(random, 0.6);
    expectConnectedAreReached<TypeParam, 3>(random, 0.35);
  }
}

// A diagonal line of missing cells is a wall, whichever way fronts are fast.
TYPED_TEST(GridTensors, StayOnTheirSideOfADiagonal) {
  constexpr int n = 16;
  CellList<2> cells = allCells<2>(0, n);
  std::erase_if(cells, [](const Cell<2>& cell) { return cell.at[0] == cell.at[1]; });
  for (const double ratio : {1.0, 2.0, 4.0, 16.0}) {
    for (int k = 0; k < 12; ++k) {
      const double angle = k * std::numbers::pi / 12;
      const double c = std::cos(angle);
      const double s = std::sin(angle);
      GridProblem<TypeParam, 2> problem(cells, latticeOf<2>(1.0));
      const double more = ratio * ratio - 1.0;
      problem.constantTensor({1.0 + more * c * c, 1.0 + more * s * s, 1.0, more * c * s, 0.0, 0.0});
      problem.solve({}, {{{8.9, 7.1}, 0.0}}, 1e300);
      for (const Cell<2>& cell : problem.cells) {
        ASSERT_EQ(problem.times[problem.indexOf(cell)]<notReached, cell.at[0]> cell.at[1]) << ratio << ", " << angle;
      }
    }
  }
}

TYPED_TEST(GridTensors, ReachEveryCellOfACorridor) {
  // A staircase one cell wide, with a tensor whose directions all leave it.
  CellList<2> cells;
  for (Coordinate k = 0; k < 20; ++k) {
    cells.insert({{k, k}});
    cells.insert({{k, k + 1}});
  }
  GridProblem<TypeParam, 2> problem(cells, {{0.0, 0.0}, {0.5, 0.25}});
  const SymmetricTensor m{30.0, 1.0, 1.0, -5.0, 0.0, 0.0};
  problem.constantTensor(m);
  problem.times[0] = 0.0;
  EXPECT_EQ(problem.solve().numReached, 40);
  const SymmetricTensor inverse = m.inverse();
  const double stair = 0.25 * std::sqrt(inverse.yy) + 0.5 * std::sqrt(inverse.xx);
  EXPECT_NEAR(problem.times[problem.indexOf({{19, 19}})], 19.0 * stair, 1e-11);
}

TYPED_TEST(GridTensors, BringFrontsAroundAxesThatRepeat) {
  Periods<2> periods;
  periods.box = {{0, 0}, {40, 30}};
  periods.along[0] = periods.along[1] = true;
  GridProblem<TypeParam, 2> problem(allCells<2>(periods.box), latticeOf<2>(0.1), periods);
  problem.constantTensor({1.3, 0.7, 1.0, 0.4, 0.0, 0.0});
  const PointSource<2> source{{3.93, 2.97}, 0.0};
  problem.solve({}, {source}, 0.0);
  const std::vector<double> corner = problem.times;
  // The same with the source in the middle: times are those of the cells moved.
  std::fill(problem.times.begin(), problem.times.end(), notReached);
  problem.solve({}, {{{3.93 - 2.0, 2.97 - 1.0}, 0.0}}, 0.0);
  for (const Cell<2>& cell : problem.cells) {
    const Cell<2> moved{{(cell.at[0] + 20) % 40, (cell.at[1] + 20) % 30}};
    ASSERT_NEAR(
      problem.times[problem.indexOf(cell)], corner[problem.indexOf({{moved.at[0], (cell.at[1] + 10) % 30}})], 1e-11);
  }
}

} // namespace
} // namespace spanwise::eikonal::testing
