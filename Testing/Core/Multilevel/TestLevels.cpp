#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Multilevel/Levels.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Multilevel/LevelsReference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <array>

namespace spanwise::testing {
namespace {

constexpr std::array allGradings{Grading::Nested, Grading::Face, Grading::Edge, Grading::Vertex};

/// Leaves by the definition: cells of levels that are split one at a time.
template <int Dim>
class LeafList {
public:
  explicit LeafList(const CellList<Dim>& root) : leaves_(1, root) {}

  /// Splits all ancestors of a cell of level `l`, and the cell, if they are leaves.
  void refine(int l, const Cell<Dim>& cell) {
    if (l > 0) {
      refine(l - 1, parentOf(cell));
    }
    split(l, cell);
  }

  /// Splits leaves until no two that touch differ by more than a level: a leaf at a time, the definition to the letter.
  void grade(Grading grading) {
    const auto touching = [&](int l, const Cell<Dim>& coarse, int finer, const Cell<Dim>& fine) {
      // the number of axes along which the closed cells share one point only
      int points = 0;
      for (int d = 0; d < Dim; ++d) {
        const Coordinate size = 1 << (finer - l);
        const Coordinate low = coarse.at[d] * size;
        if (fine.at[d] + 1 < low || fine.at[d] > low + size) {
          return false;
        }
        points += static_cast<int>(fine.at[d] + 1 == low || fine.at[d] == low + size);
      }
      const int most = grading == Grading::Face ? 1 : grading == Grading::Edge ? std::min(2, Dim) : Dim;
      return points <= most;
    };
    for (bool changes = grading != Grading::Nested; changes;) {
      changes = false;
      for (int l = 0; l < numLevels(); ++l) {
        const CellList<Dim> here = at(l);
        for (const Cell<Dim>& cell : here) {
          bool splits = false;
          for (int finer = l + 2; finer < numLevels() && !splits; ++finer) {
            splits = std::any_of(at(finer).begin(), at(finer).end(),
              [&](const Cell<Dim>& fine) { return touching(l, cell, finer, fine); });
          }
          if (splits) {
            split(l, cell);
            changes = true;
          }
        }
      }
    }
  }

  [[nodiscard]] int numLevels() const { return static_cast<int>(leaves_.size()); }
  [[nodiscard]] const CellList<Dim>& at(int l) const { return leaves_[static_cast<std::size_t>(l)]; }

private:
  void split(int l, const Cell<Dim>& cell) {
    if (leaves_[static_cast<std::size_t>(l)].erase(cell) > 0) {
      leaves_.resize(std::max(leaves_.size(), static_cast<std::size_t>(l) + 2));
      const CellList<Dim> children = childrenOf<Dim>({cell});
      leaves_[static_cast<std::size_t>(l) + 1].insert(children.begin(), children.end());
    }
  }

  std::vector<CellList<Dim>> leaves_;
};

template <class Space>
class Levels : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // most cases are small
  const Context<Space> context{space};

  template <int Dim>
  void expectLeaves(const MultilevelSetOn<Dim, Space>& levels, const LeafList<Dim>& expected) {
    ASSERT_EQ(levels.numLevels(), expected.numLevels());
    std::int64_t sum = 0;
    for (int l = 0; l < levels.numLevels(); ++l) {
      IntervalSetOn<Dim, Space> set;
      leaves<Space, Dim>(context, levels, l, set);
      expectCells<Space, Dim>(set, expected.at(l));
      EXPECT_EQ(levels.numLeaves(l), set.numCells());
      sum += set.numCells();
    }
    EXPECT_EQ(levels.numLeaves(), sum);
  }

  template <int Dim>
  bool same(const MultilevelSetOn<Dim, Space>& a, const MultilevelSetOn<Dim, Space>& b) {
    bool result = a.numLevels() == b.numLevels();
    for (int l = 0; result && l < a.numLevels(); ++l) {
      result = equal<Space, Dim>(context, a.level(l), b.level(l));
    }
    return result;
  }

  /// A random root, and random cells of each level to refine, inside and outside of the domain.
  template <int Dim>
  void compareWithDefinition(int rounds) {
    std::mt19937 random(seed());
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      // a box in a third of the rounds, otherwise with holes and corners
      const CellList<Dim> root = randomCells<Dim>(random, Dim == 2 ? 2 : 1, round % 3 == 0 ? 1.0 : 0.7);
      const int depth = 1 + round % (Dim == 2 ? 4 : 3);
      std::vector<CellList<Dim>> wanted(static_cast<std::size_t>(depth));
      LeafList<Dim> expected(root);
      for (int l = 0; l < depth; ++l) {
        const auto extent = static_cast<Coordinate>((Dim == 2 ? 2 : 1) << l);
        const int tries = l == depth - 1 ? 1 : static_cast<int>(random() % 3);
        for (int k = 0; k < tries; ++k) {
          Cell<Dim> cell{};
          for (int d = 0; d < Dim; ++d) {
            cell.at[d] = static_cast<Coordinate>(random() % (2 * static_cast<unsigned>(extent) + 2)) - extent - 1;
          }
          wanted[static_cast<std::size_t>(l)].insert(cell);
          Cell<Dim> ancestor = cell;
          for (int up = 0; up < l; ++up) {
            ancestor = parentOf(ancestor);
          }
          if (root.count(ancestor) > 0) {
            expected.refine(l, cell);
          }
        }
      }
      std::vector<IntervalSetOn<Dim, Space>> refined;
      for (const CellList<Dim>& cells : wanted) {
        refined.push_back(toSet<Space, Dim>(cells));
      }
      for (const Grading grading : allGradings) {
        LeafList<Dim> graded = expected;
        graded.grade(grading);
        MultilevelSetOn<Dim, Space> levels;
        levels.level(0) = toSet<Space, Dim>(root);
        makeLevels<Space, Dim>(context, refined, grading, levels);
        EXPECT_EQ((validate<Space, Dim>(context, levels, grading)), "");
        expectLeaves<Dim>(levels, graded);
        checkBalance<Dim>(refined, grading, levels);
        if (round % 8 == 0) {
          checkFromLeaves<Dim>(levels);
        }
      }
    }
  }

  /// balance() of the nested hierarchy is what makeLevels() makes at once, and again changes nothing.
  template <int Dim>
  void checkBalance(const std::vector<IntervalSetOn<Dim, Space>>& refined, Grading grading,
    const MultilevelSetOn<Dim, Space>& expected) {
    if (grading == Grading::Nested) {
      return;
    }
    MultilevelSetOn<Dim, Space> levels;
    levels.level(0) = expected.level(0);
    makeLevels<Space, Dim>(context, refined, Grading::Nested, levels);
    const auto connectivity = grading == Grading::Face ? Connectivity::Face
      : grading == Grading::Edge                       ? Connectivity::Edge
                                                       : Connectivity::Vertex;
    const bool isBalanced = same<Dim>(levels, expected);
    EXPECT_EQ((validate<Space, Dim>(context, levels, grading).empty()), isBalanced);
    balance<Space, Dim>(context, connectivity, levels);
    EXPECT_TRUE(same<Dim>(levels, expected));
    balance<Space, Dim>(context, connectivity, levels);
    EXPECT_TRUE(same<Dim>(levels, expected));
  }

  template <int Dim>
  void checkFromLeaves(const MultilevelSetOn<Dim, Space>& levels) {
    std::vector<IntervalSetOn<Dim, Space>> sets(static_cast<std::size_t>(levels.numLevels()));
    for (int l = 0; l < levels.numLevels(); ++l) {
      leaves<Space, Dim>(context, levels, l, sets[static_cast<std::size_t>(l)]);
    }
    MultilevelSetOn<Dim, Space> back;
    makeLevelsFromLeaves<Space, Dim>(context, sets, back);
    EXPECT_TRUE(same<Dim>(back, levels));
  }

  template <int Dim>
  IntervalSetOn<Dim, Space> box(const Box<Dim>& cells) {
    IntervalSetOn<Dim, Space> out;
    makeBox<Space, Dim>(context, cells, out);
    return out;
  }
};
TYPED_TEST_SUITE(Levels, AllSpaces, SpaceNames);

TYPED_TEST(Levels, AreWhatTheDefinitionSaysIn2D) { this->template compareWithDefinition<2>(1000); }
TYPED_TEST(Levels, AreWhatTheDefinitionSaysIn3D) { this->template compareWithDefinition<3>(400); }

TYPED_TEST(Levels, RefineTowardsAPointByOneLayerALevel) {
  // All of level l that touches the corner (0, 0) is refined: 4 leaves a level around it are replaced by finer ones.
  // Each level keeps the ring of 12 leaves, which is balanced.
  constexpr int depth = maxNumLevels - 1;
  std::vector<IntervalSetOn<2, TypeParam>> refined;
  for (int l = 0; l < depth; ++l) {
    refined.push_back(this->template box<2>({{-1, -1}, {1, 1}}));
  }
  MultilevelSetOn<2, TypeParam> levels;
  levels.level(0) = this->template box<2>({{-2, -2}, {2, 2}});
  makeLevels<TypeParam, 2>(this->context, refined, Grading::Vertex, levels);
  ASSERT_EQ(levels.numLevels(), maxNumLevels);
  for (int l = 0; l < depth; ++l) {
    EXPECT_EQ(levels.numLeaves(l), 12);
  }
  EXPECT_EQ(levels.numLeaves(depth), 16);
}

TYPED_TEST(Levels, OnlyTheFinestGivenBringsAllOthers) {
  // One cell of level 2 is refined in the middle of the domain: gradings differ by what surrounds it on level 1.
  MultilevelSetOn<3, TypeParam> levels;
  levels.level(0) = this->template box<3>({{0, 0, 0}, {8, 8, 8}});
  std::vector<IntervalSetOn<3, TypeParam>> refined(3);
  refined[2] = this->template box<3>({{16, 16, 16}, {17, 17, 17}});
  const std::array<std::int64_t, 4> expected{1, 4, 7, 8}; // refined on level 1: a neighbourhood of one octant
  for (std::size_t k = 0; k < allGradings.size(); ++k) {
    makeLevels<TypeParam, 3>(this->context, refined, allGradings[k], levels);
    EXPECT_EQ(levels.numLevels(), 4);
    EXPECT_EQ(levels.numRefined(2), 1);
    EXPECT_EQ(levels.numRefined(1), expected[k]);
  }
}

TYPED_TEST(Levels, SpacingHalvesEachLevel) {
  MultilevelSetOn<2, TypeParam> levels({{-1.0, 5.0}, {0.5, 3.0}});
  EXPECT_EQ(levels.dx(0), 0.5);
  EXPECT_EQ(levels.dx(15), 0.5 / 32768.0);
  EXPECT_EQ(levels.lattice(3).spacing[1], 0.375);
  EXPECT_EQ(levels.lattice(3).origin[1], 5.0);
}

TYPED_TEST(Levels, NothingRefinedIsTheRoot) {
  MultilevelSetOn<2, TypeParam> levels;
  levels.level(0) = this->template box<2>({{0, 0}, {3, 2}});
  makeLevels<TypeParam, 2>(this->context, {}, Grading::Vertex, levels);
  EXPECT_EQ(levels.numLevels(), 1);
  // cells outside of the domain do not count
  makeLevels<TypeParam, 2>(
    this->context, {IntervalSetOn<2, TypeParam>{}, this->template box<2>({{6, 0}, {9, 9}})}, Grading::Vertex, levels);
  EXPECT_EQ(levels.numLevels(), 1);
  EXPECT_EQ(levels.numLeaves(), 6);
  MultilevelSetOn<2, TypeParam> none;
  makeLevels<TypeParam, 2>(this->context, {this->template box<2>({{0, 0}, {3, 2}})}, Grading::Vertex, none);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ((validate<TypeParam, 2>(this->context, none, Grading::Vertex)), "");
}

TYPED_TEST(Levels, BrokenRulesAreNamed) {
  const auto wrong = [&](const MultilevelSetOn<2, TypeParam>& levels, Grading grading = Grading::Nested) {
    return validate<TypeParam, 2>(this->context, levels, grading);
  };
  MultilevelSetOn<2, TypeParam> levels;
  levels.setNumLevels(2);
  levels.level(1) = this->template box<2>({{-2, 2}, {0, 4}});
  EXPECT_NE(wrong(levels).find("level 1 has cells, but level 0 has none"), std::string::npos) << wrong(levels);
  levels.level(0) = this->template box<2>({{0, 0}, {4, 4}});
  EXPECT_NE(wrong(levels).find("first the cell (-1, 1)"), std::string::npos) << wrong(levels);
  levels.level(1) = this->template box<2>({{2, 2}, {4, 3}});
  EXPECT_NE(wrong(levels).find("children of the cell (1, 1) of level 0"), std::string::npos) << wrong(levels);
  levels.level(1) = this->template box<2>({{2, 2}, {4, 4}});
  EXPECT_EQ(wrong(levels), "");
  levels.setNumLevels(3);
  levels.level(2) = this->template box<2>({{4, 4}, {6, 6}});
  EXPECT_EQ(wrong(levels), "");
  EXPECT_NE(wrong(levels, Grading::Face).find("level 0: 2 leaves"), std::string::npos) << wrong(levels, Grading::Face);
  EXPECT_NE(wrong(levels, Grading::Vertex).find("level 0: 3 leaves"), std::string::npos);
}

TYPED_TEST(Levels, LeavesThatAreNoHierarchyAreRefused) {
  using Sets = std::vector<IntervalSetOn<2, TypeParam>>;
  MultilevelSetOn<2, TypeParam> levels;
  EXPECT_THROW((makeLevelsFromLeaves<TypeParam, 2>(this->context,
                 Sets{this->template box<2>({{0, 0}, {2, 2}}), this->template box<2>({{0, 0}, {2, 2}})}, levels)),
    InvalidArgument);
  EXPECT_THROW((makeLevelsFromLeaves<TypeParam, 2>(this->context,
                 Sets{this->template box<2>({{0, 0}, {2, 2}}), this->template box<2>({{4, 0}, {6, 1}})}, levels)),
    InvalidArgument);
  EXPECT_THROW(levels.setNumLevels(maxNumLevels + 1), InvalidArgument);
  EXPECT_THROW(levels.setNumLevels(0), InvalidArgument);
}

TYPED_TEST(Levels, BeyondTheLimitsIsAnError) {
  MultilevelSetOn<2, TypeParam> levels;
  levels.level(0) = this->template box<2>({{0, 0}, {1 << 20, 1}});
  std::vector<IntervalSetOn<2, TypeParam>> refined(11);
  refined.back() = this->template box<2>({{0, 0}, {1, 1}});
  EXPECT_THROW((makeLevels<TypeParam, 2>(this->context, refined, Grading::Vertex, levels)),
    CoordinateOverflow); // 2^20 * 2^11
  EXPECT_EQ(levels.numLevels(), 1);
  refined.resize(maxNumLevels);
  EXPECT_THROW((makeLevels<TypeParam, 2>(this->context, refined, Grading::Vertex, levels)), InvalidArgument);
}

/// Shells of a ball, large enough to be cut into parts: same for any way to the result.
TYPED_TEST(Levels, ShellsOfABallAreBalanced) {
  this->space = TypeParam();
  MultilevelSetOn<3, TypeParam> levels;
  levels.level(0) = this->template box<3>({{-4, -4, -4}, {4, 4, 4}});
  std::vector<IntervalSetOn<3, TypeParam>> refined(5);
  for (int l = 0; l < 5; ++l) {
    IntervalSetOn<3, TypeParam> outer;
    IntervalSetOn<3, TypeParam> inner;
    const double radius = 2.7 * (1 << l);
    makeBall<TypeParam, 3>(this->context, {{0.1, 0.2, 0.3}, radius + 0.9}, outer);
    makeBall<TypeParam, 3>(this->context, {{0.1, 0.2, 0.3}, radius - 0.9}, inner);
    combine<TypeParam, 3>(this->context, SetOperation::Difference, outer, inner, refined[static_cast<std::size_t>(l)]);
  }
  for (const Grading grading : allGradings) {
    makeLevels<TypeParam, 3>(this->context, refined, grading, levels);
    EXPECT_EQ((validate<TypeParam, 3>(this->context, levels, grading)), "");
    this->template checkBalance<3>(refined, grading, levels);
    this->template checkFromLeaves<3>(levels);
    // leaves tile the root: volumes in finest cells
    std::int64_t volume = 0;
    for (int l = 0; l < levels.numLevels(); ++l) {
      volume += levels.numLeaves(l) << (3 * (levels.finest() - l));
    }
    EXPECT_EQ(volume, std::int64_t{512} << (3 * levels.finest()));
  }
}

/// So many cells that a double does not tell a box from a box without one cell.
TYPED_TEST(Levels, AHoleInAHugeRootIsNotRefined) {
  constexpr Coordinate half = 1 << 21;
  MultilevelSetOn<2, TypeParam> levels;
  const auto all = this->template box<2>({{-(1 << 30), -half - 4}, {(1 << 30) - 2, half + 4}});
  const auto hole = this->template box<2>({{5, 7}, {6, 8}});
  combine<TypeParam, 2>(this->context, SetOperation::Difference, all, hole, levels.level(0));
  ASSERT_EQ(static_cast<double>(all.numCells()), static_cast<double>(levels.level(0).numCells()));
  makeLevels<TypeParam, 2>(this->context, {hole}, Grading::Vertex, levels);
  EXPECT_EQ(levels.numLevels(), 1);
}

TYPED_TEST(Levels, LeavesThatAreRefusedLeaveNoCells) {
  using Sets = std::vector<IntervalSetOn<2, TypeParam>>;
  MultilevelSetOn<2, TypeParam> levels;
  EXPECT_THROW((makeLevelsFromLeaves<TypeParam, 2>(this->context,
                 Sets{this->template box<2>({{0, 0}, {2, 2}}), {}, this->template box<2>({{4, 0}, {6, 2}})}, levels)),
    InvalidArgument);
  EXPECT_TRUE(levels.empty());
  EXPECT_EQ(levels.numLevels(), 1);
  EXPECT_EQ((validate<TypeParam, 2>(this->context, levels)), "");
}

TYPED_TEST(Levels, LeavesMayTakeThePlaceOfALevel) {
  MultilevelSetOn<2, TypeParam> levels;
  levels.level(0) = this->template box<2>({{0, 0}, {4, 4}});
  makeLevels<TypeParam, 2>(this->context, {this->template box<2>({{1, 1}, {2, 2}})}, Grading::Vertex, levels);
  IntervalSetOn<2, TypeParam> expected;
  leaves<TypeParam, 2>(this->context, levels, 0, expected);
  leaves<TypeParam, 2>(this->context, levels, 0, levels.level(0));
  EXPECT_TRUE((equal<TypeParam, 2>(this->context, levels.level(0), expected)));
  EXPECT_EQ(levels.level(0).numCells(), 15);
}

} // namespace
} // namespace spanwise::testing
