// Refinement and 2:1 balance against p4est and p8est, leaf by leaf, on shapes like those of its examples.

#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Builders/Predicate.hpp"
#include "Core/Multilevel/Levels.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Multilevel/LevelsReference.hpp"
#include "Testing/Core/Multilevel/P4est.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>

namespace spanwise::testing {
namespace {

template <class Space>
class P4est : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // most cases are small
  const Context<Space> context{space};

  /// The cells of each level that the rule refines, of those that it made by refining, as p4est does it.
  template <int Dim>
  std::vector<IntervalSetOn<Dim, Space>> refinedBy(const Cell<Dim>& trees, const RefineRule<Dim>& rule, int depth) {
    CellList<Dim> here;
    Box<Dim> root{};
    std::copy(trees.at, trees.at + Dim, root.end);
    for (std::int64_t r = 0; r < root.numRows(); ++r) {
      for (Coordinate x = 0; x < root.end[0]; ++x) {
        Cell<Dim> cell{};
        cell.at[0] = x;
        cell.at[1] = root.row(r).y;
        if constexpr (Dim == 3) {
          cell.at[2] = root.row(r).z;
        }
        here.insert(cell);
      }
    }
    std::vector<IntervalSetOn<Dim, Space>> refined;
    for (int l = 0; l < depth && !here.empty(); ++l) {
      CellList<Dim> chosen;
      for (const Cell<Dim>& cell : here) {
        if (rule(l, cell)) {
          chosen.insert(cell);
        }
      }
      refined.push_back(toSet<Space, Dim>(chosen));
      here = childrenOf(chosen);
    }
    return refined;
  }

  template <int Dim>
  void compare(const Cell<Dim>& trees, const RefineRule<Dim>& rule, int depth) {
    const auto refined = refinedBy<Dim>(trees, rule, depth);
    Box<Dim> root{};
    std::copy(trees.at, trees.at + Dim, root.end);
    for (const Connectivity connectivity : {Connectivity::Face, Connectivity::Edge, Connectivity::Vertex}) {
      const std::vector<CellList<Dim>> expected = leavesOfP4est(trees, rule, depth, connectivity);
      MultilevelSetOn<Dim, Space> levels;
      makeBox<Space, Dim>(context, root, levels.level(0));
      makeLevels<Space, Dim>(context, refined, Grading::Nested, levels);
      balance<Space, Dim>(context, connectivity, levels);
      ASSERT_EQ(levels.numLevels(), static_cast<int>(expected.size()));
      std::int64_t count = 0;
      for (int l = 0; l < levels.numLevels(); ++l) {
        IntervalSetOn<Dim, Space> set;
        leaves<Space, Dim>(context, levels, l, set);
        expectCells<Space, Dim>(set, expected[static_cast<std::size_t>(l)]);
        count += static_cast<std::int64_t>(expected[static_cast<std::size_t>(l)].size());
      }
      EXPECT_EQ(levels.numLeaves(), count);
      RecordProperty("leaves", static_cast<int>(count));
    }
  }
};
TYPED_TEST_SUITE(P4est, AllSpaces, SpaceNames);

/// The centre of a cell, in root cells.
template <int Dim>
double centre(int l, const Cell<Dim>& cell, int axis) {
  return (cell.at[axis] + 0.5) / (1 << l);
}

/// Cells that a sphere may cross.
template <int Dim>
bool crossesSphere(int l, const Cell<Dim>& cell, double middle, double radius) {
  double sum = 0.0;
  for (int d = 0; d < Dim; ++d) {
    sum += std::pow(centre(l, cell, d) - middle, 2);
  }
  return std::fabs(std::sqrt(sum) - radius) < 0.5 * std::sqrt(1.0 * Dim) / (1 << l);
}

/// Whether a cell is child 0, 3, 5 or 6 of its parent: the fractal rule of p4est's examples.
template <int Dim>
bool isFractalChild(const Cell<Dim>& cell) {
  int id = 0;
  for (int d = 0; d < Dim; ++d) {
    id += (cell.at[d] & 1) << d;
  }
  return id == 0 || id == 3 || id == 5 || id == 6;
}

TYPED_TEST(P4est, CircleInTheUnitSquare) {
  this->template compare<2>(
    {{1, 1}}, [](int l, const Cell<2>& cell) { return l < 2 || crossesSphere<2>(l, cell, 0.5, 0.3); }, 9);
}

TYPED_TEST(P4est, SphereInTheUnitCube) {
  this->template compare<3>(
    {{1, 1, 1}}, [](int l, const Cell<3>& cell) { return l < 1 || crossesSphere<3>(l, cell, 0.5, 0.3); }, 6);
}

TYPED_TEST(P4est, FractalInTheUnitSquare) {
  this->template compare<2>({{1, 1}}, [](int l, const Cell<2>& cell) { return l < 3 || isFractalChild(cell); }, 9);
}

TYPED_TEST(P4est, FractalInTheUnitCube) {
  this->template compare<3>({{1, 1, 1}}, [](int l, const Cell<3>& cell) { return l < 2 || isFractalChild(cell); }, 5);
}

TYPED_TEST(P4est, TowardsACornerOfOneTreeOfABrick) {
  this->template compare<2>(
    {{3, 2}}, [](int l, const Cell<2>& cell) { return cell.at[0] == (1 << l) && cell.at[1] == (1 << l); }, 10);
  this->template compare<3>(
    {{2, 3, 2}},
    [](int l, const Cell<3>& cell) {
      return cell.at[0] == (1 << l) - 1 && cell.at[1] == (1 << l) && cell.at[2] == (1 << l) - 1;
    },
    7);
}

TYPED_TEST(P4est, RandomRefinementOfABrick) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (unsigned round = 0; round < 10; ++round) {
    const auto chance = [round](int l, Coordinate x, Coordinate y, Coordinate z) {
      std::seed_seq text{static_cast<unsigned>(l), static_cast<unsigned>(x), static_cast<unsigned>(y),
        static_cast<unsigned>(z), seed() + round};
      std::uint32_t number = 0;
      text.generate(&number, &number + 1);
      return number % 100;
    };
    this->template compare<2>(
      {{2, 3}}, [&](int l, const Cell<2>& cell) { return chance(l, cell.at[0], cell.at[1], 0) < 35; }, 8);
    this->template compare<3>(
      {{2, 1, 2}}, [&](int l, const Cell<3>& cell) { return chance(l, cell.at[0], cell.at[1], cell.at[2]) < 17; }, 6);
  }
}

} // namespace
} // namespace spanwise::testing
