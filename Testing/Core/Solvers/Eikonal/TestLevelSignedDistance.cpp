#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/LevelSignedDistance.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Core/Multilevel/RandomLevels.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>

namespace spanwise::eikonal::testing {
namespace {

using spanwise::testing::forRandomLeaves;
using spanwise::testing::Leaves;
using spanwise::testing::messageOf;
using spanwise::testing::toSet;

template <class Space>
class LevelSignedDistance : public ::testing::Test {};
TYPED_TEST_SUITE(LevelSignedDistance, AllSpaces, SpaceNames);

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Space, int Dim>
struct LevelProblem {
  Leaves<Dim> leaves;
  GridGeometry<Dim> root;
  Periods<Dim> periods;
  std::vector<double> points; ///< [n][Dim]

  [[nodiscard]] std::int64_t numPoints() const { return std::ssize(points) / Dim; }
  [[nodiscard]] int finest() const { return static_cast<int>(leaves.size()) - 1; }

  std::vector<double> distances() const {
    LeavesOn<Dim, Space> sets;
    for (const CellList<Dim>& level : leaves) {
      sets.push_back(toSet<Space, Dim>(level));
    }
    LevelBlocksOn<Dim, Space> blocks;
    const Context<Space> context;
    blocksOfLeaves<Space, Dim>(context, sets, blocks);
    const Kokkos::View<double*, typename Space::memory_space> values("distances", numPoints());
    signedDistanceToLeaves<Space, Dim>(context, blocks, root, periods, onDevice<double, Space>(points), values);
    return onHost(values);
  }

  /// The least distance to all cells of the other kind on the finest lattice, one by one.
  std::vector<double> reference() const {
    const auto perRoot = static_cast<Coordinate>(1 << finest());
    CellList<Dim> covered;
    Box<Dim> all{};
    for (int axis = 0; axis < Dim; ++axis) {
      all.begin[axis] = -4 * perRoot;
      all.end[axis] = 4 * perRoot;
      if (periods.along[axis]) {
        all.begin[axis] = periods.box.begin[axis] * perRoot;
        all.end[axis] = periods.box.end[axis] * perRoot;
      }
    }
    for (int level = 0; level <= finest(); ++level) {
      const auto size = static_cast<Coordinate>(1 << (finest() - level));
      for (const Cell<Dim>& leaf : leaves[static_cast<std::size_t>(level)]) {
        Box<Dim> box{};
        for (int axis = 0; axis < Dim; ++axis) {
          box.begin[axis] = leaf.at[axis] * size;
          box.end[axis] = box.begin[axis] + size;
        }
        const CellList<Dim> cells = allCells<Dim>(box);
        covered.insert(cells.begin(), cells.end());
      }
    }
    std::vector<double> result;
    for (std::int64_t i = 0; i < numPoints(); ++i) {
      double least[2] = {infinity, infinity}; // to cells that are not covered, and to those that are
      for (const Cell<Dim>& cell : allCells<Dim>(all)) {
        double square = 0.0;
        for (int axis = 0; axis < Dim; ++axis) {
          const double size = root.spacing[axis] / perRoot;
          const double length = periods.along[axis] ? periods.box.extent(axis) * root.spacing[axis] : 0.0;
          double away = infinity;
          for (const double by : {-length, 0.0, length}) {
            const double low = root.origin[axis] + cell.at[axis] * size + by;
            const double x = points[Dim * i + axis];
            away = std::min(away, std::max({low - x, x - (low + size), 0.0}));
          }
          square += away * away;
        }
        double& of = least[covered.count(cell) > 0 ? 1 : 0];
        of = std::min(of, std::sqrt(square));
      }
      result.push_back(least[1] == 0.0 ? -least[0] : least[1]);
    }
    return result;
  }
};

template <class Space, int Dim>
void expectReference() {
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> factor(0.3, 2.0);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  forRandomLeaves<Dim>(Dim == 2 ? 4 : 3, [&](const Leaves<Dim>& leaves) {
    LevelProblem<Space, Dim> problem;
    problem.leaves = leaves;
    const Coordinate extent = Dim == 2 ? 3 : 2;
    for (int axis = 0; axis < Dim; ++axis) {
      problem.root.origin[axis] = factor(random);
      problem.root.spacing[axis] = factor(random);
      problem.periods.along[axis] = unit(random) < 0.4;
      problem.periods.box.begin[axis] = -extent;
      problem.periods.box.end[axis] = extent;
    }
    for (std::size_t level = 0; level < leaves.size(); ++level) { // centres of some leaves
      int number = 0;
      for (const Cell<Dim>& leaf : leaves[level]) {
        for (int axis = 0; axis < Dim && number % 7 == 0; ++axis) {
          problem.points.push_back(problem.root.origin[axis] +
            problem.root.spacing[axis] * ((leaf.at[axis] + 0.5) / static_cast<double>(1 << level)));
        }
        ++number;
      }
    }
    for (int k = 0; k < 20; ++k) { // anywhere, also outside
      for (int axis = 0; axis < Dim; ++axis) {
        const double most = extent + (problem.periods.along[axis] ? 0.0 : 0.9);
        problem.points.push_back(
          problem.root.origin[axis] + problem.root.spacing[axis] * (2.0 * unit(random) - 1.0) * most);
      }
    }
    const std::vector<double> found = problem.distances();
    const std::vector<double> expected = problem.reference();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      ASSERT_TRUE(found[k] == expected[k] || std::abs(found[k] - expected[k]) < 1e-12)
        << "point " << k << ": " << found[k] << ", not " << expected[k];
    }
  });
}

TYPED_TEST(LevelSignedDistance, IsTheLeastToAnyCellOfTheOtherKind) {
  expectReference<TypeParam, 2>();
  expectReference<TypeParam, 3>();
}

/// Leaves of 12 levels, far from the origin: a cell of level 0 whose first corner is refined again and again.
TYPED_TEST(LevelSignedDistance, OfDeepHierarchiesIsThatOfTheCellTheyMake) {
  constexpr int numLevels = 12;
  LevelProblem<TypeParam, 3> problem;
  problem.leaves.resize(numLevels);
  problem.root = {{0.0, 0.0, 0.0}, {1.0, 2.0, 4.0}};
  const Coordinate at[] = {1000000, -700000, 3};
  for (int level = 1; level < numLevels; ++level) {
    const bool isFinest = level + 1 == numLevels;
    for (int child = isFinest ? 0 : 1; child < 8; ++child) {
      Cell<3> cell{};
      for (int axis = 0; axis < 3; ++axis) {
        cell.at[axis] = at[axis] * (1 << level) + ((child >> axis) & 1);
      }
      problem.leaves[static_cast<std::size_t>(level)].insert(cell);
    }
  }
  const double corner[] = {1e6, -1.4e6, 12.0};
  problem.points = {corner[0] + 0.25, corner[1] + 1.0, corner[2] + 2.0, // inside
    corner[0] - 3.0, corner[1] - 4.0, corner[2] + 1.0,                  // beside an edge
    corner[0] + 1.0 + 1e-3, corner[1] + 1e-3, corner[2] + 1e-3, 0.0, 0.0, 0.0};
  const std::vector<double> found = problem.distances();
  EXPECT_NEAR(found[0], -0.25, 1e-9);
  EXPECT_NEAR(found[1], 5.0, 1e-9);
  EXPECT_NEAR(found[2], 1e-3, 1e-9);
  EXPECT_NEAR(found[3], std::sqrt(1e12 + 1.399998e6 * 1.399998e6 + 144.0), 1e-3);
}

TYPED_TEST(LevelSignedDistance, IsInfiniteWithoutABoundary) {
  LevelProblem<TypeParam, 2> problem;
  problem.leaves.resize(2);
  problem.root = latticeOf<2>(1.0);
  problem.points = {0.5, 0.5};
  EXPECT_EQ(problem.distances()[0], infinity);
  problem.leaves.clear();
  EXPECT_EQ(problem.distances()[0], infinity);
  problem.leaves = {allCells<2>({{0, 0}, {3, 2}})};
  problem.periods = {{{0, 0}, {3, 2}}, {true, true}};
  EXPECT_EQ(problem.distances()[0], -infinity);
}

TYPED_TEST(LevelSignedDistance, RefusesWhatIsNotALattice) {
  LevelProblem<TypeParam, 2> problem;
  problem.leaves = {allCells<2>({{0, 0}, {3, 2}})};
  problem.root = latticeOf<2>(1.0);
  problem.root.spacing[1] = -1e-9;
  problem.points = {0.5, 0.5};
  EXPECT_NE(messageOf([&] { problem.distances(); }).find("the spacing of cells is -1e-09:"), std::string::npos);
  problem.root.spacing[1] = 2.0;
  problem.points.push_back(1.0);
  EXPECT_NE(messageOf([&] { problem.distances(); }).find("there are 1 distances and 3 coordinates"), std::string::npos);
  problem.points.pop_back();
  problem.periods = {{{0, 0}, {2, 2}}, {true, false}};
  EXPECT_NE(messageOf([&] { problem.distances(); }), "");
}

} // namespace
} // namespace spanwise::eikonal::testing
