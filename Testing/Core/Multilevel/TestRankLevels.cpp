// Hierarchies on ranks, and on axes that repeat: what one rank makes of the whole, unwrapped, cell by cell.

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Multilevel/RankLevels.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace spanwise::testing {
namespace {

template <class Space>
class RankLevels : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // most cases are small
  const Context<Space> context{space};

  template <int Dim>
  void compareWithOneRank(int rounds, bool repeats) {
    std::mt19937 random(seed() + Dim);
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const Coordinate extent = Dim == 2 ? 4 : 2;
      const RandomDomain<Dim> is(random, extent, repeats);
      const auto wanted = randomWanted<Dim>(random, is, extent, 1 + round % (Dim == 2 ? 5 : 3));
      std::vector<CellList<Dim>> mine;
      for (std::size_t l = 0; l < wanted.size(); ++l) {
        mine.push_back(is.mine(wanted[l], static_cast<int>(l)));
      }
      auto domain = domainOf<Space, Dim>(is);
      for (const Grading grading : {Grading::Nested, Grading::Face, Grading::Edge, Grading::Vertex}) {
        const auto whole = wholeLevels<Space, Dim>(context, is, wanted, grading, 1);
        MultilevelSetOn<Dim, Space> levels;
        levels.level(0) = toSet<Space, Dim>(is.mine(is.root, 0));
        makeLevels<Space, Dim>(context, domain, setsOf<Space, Dim>(mine), grading, levels);
        expectPart<Space, Dim>(is, levels, whole);
        if (grading != Grading::Nested) {
          // balance() of the nested hierarchy comes to the same, and changes nothing any more
          const auto connectivity = grading == Grading::Face ? Connectivity::Face
            : grading == Grading::Edge                       ? Connectivity::Edge
                                                             : Connectivity::Vertex;
          makeLevels<Space, Dim>(context, domain, setsOf<Space, Dim>(mine), Grading::Nested, levels);
          balance<Space, Dim>(context, domain, connectivity, levels);
          expectPart<Space, Dim>(is, levels, whole);
          balance<Space, Dim>(context, domain, connectivity, levels);
          expectPart<Space, Dim>(is, levels, whole);
        }
      }
    }
  }

  template <int Dim>
  std::string check(LevelDomain<Space, Dim>& domain, const RandomDomain<Dim>& is,
    const std::vector<CellList<Dim>>& whole, Grading grading) {
    MultilevelSetOn<Dim, Space> levels;
    levels.setNumLevels(static_cast<int>(whole.size()));
    for (int l = 0; l < levels.numLevels(); ++l) {
      levels.level(l) = toSet<Space, Dim>(is.mine(whole[static_cast<std::size_t>(l)], l));
    }
    return validate<Space, Dim>(context, domain, levels, grading);
  }

  /// What validate() says of hierarchies that keep the rules, and of ones that break each of them somewhere.
  template <int Dim>
  void checkValidation(int rounds, bool repeats) {
    std::mt19937 random(seed() + Dim);
    int unbalanced = 0;
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const Coordinate extent = Dim == 2 ? 4 : 2;
      const RandomDomain<Dim> is(random, extent, repeats);
      const auto wanted = randomWanted<Dim>(random, is, extent, 2 + round % (Dim == 2 ? 3 : 2));
      auto domain = domainOf<Space, Dim>(is);
      const auto cellsOfOnePeriod = [&](Grading grading) {
        const auto unwrapped = wholeLevels<Space, Dim>(context, is, wanted, grading, 1);
        std::vector<CellList<Dim>> lists;
        for (int l = 0; l < unwrapped.numLevels(); ++l) {
          lists.emplace_back();
          for (const Cell<Dim>& cell : toCells(unwrapped.level(l))) {
            if (is.has(cell, l, 0, true)) {
              lists.back().insert(cell);
            }
          }
        }
        return lists;
      };
      const auto whole = cellsOfOnePeriod(Grading::Nested);
      for (const Grading grading : {Grading::Nested, Grading::Face, Grading::Edge, Grading::Vertex}) {
        const auto graded = cellsOfOnePeriod(grading);
        std::string expected;
        for (std::size_t l = whole.size(); l-- > 1 && expected.empty();) {
          CellList<Dim> added;
          std::set_difference(graded[l].begin(), graded[l].end(), whole[l].begin(), whole[l].end(),
            std::inserter(added, added.end()), added.key_comp());
          added = parentsOf(added);
          if (!added.empty()) {
            expected = "level " + std::to_string(l - 1) + ": " + std::to_string(added.size()) +
              " leaves have neighbours more than one level finer, or would after balancing, first the cell " +
              text(*added.begin());
            ++unbalanced;
          }
        }
        EXPECT_EQ(check<Dim>(domain, is, whole, grading), expected);
        EXPECT_EQ(check<Dim>(domain, is, graded, grading), "");
        if (!repeats) {
          MultilevelSetOn<Dim, Space> all;
          all.setNumLevels(static_cast<int>(whole.size()));
          for (int l = 0; l < all.numLevels(); ++l) {
            all.level(l) = toSet<Space, Dim>(whole[static_cast<std::size_t>(l)]);
          }
          EXPECT_EQ((validate<Space, Dim>(context, all, grading)), expected);
        }
      }
      if (whole.size() > 1) {
        const std::size_t l = 1 + random() % (whole.size() - 1);
        const std::string level = "level " + std::to_string(l);
        const std::string below = "level " + std::to_string(l - 1);
        auto broken = whole;
        auto cell = broken[l].begin();
        std::advance(cell, random() % broken[l].size());
        const Cell<Dim> parent = parentOf(*cell);
        broken[l].erase(cell);
        EXPECT_EQ(check<Dim>(domain, is, broken, Grading::Vertex),
          level + ": 1 groups of siblings are not complete, first the children of the cell " + text(parent) + " of " +
            below);
        broken = whole;
        broken[l - 1].erase(parent); // a family without a parent, or siblings without one of them
        const std::string expected = l > 1 ? "level " + std::to_string(l - 1) +
            ": 1 groups of siblings are not complete, "
            "first the children of the cell " +
            text(parentOf(parent)) + " of level " + std::to_string(l - 2)
          : broken[0].empty() ? level + " has cells, but " + below + " has none"
                              : level + ": 1 parents are not on " + below + ", first the cell " + text(parent);
        EXPECT_EQ(check<Dim>(domain, is, broken, Grading::Vertex), expected);
      }
    }
    EXPECT_GT(unbalanced, 0);
  }

  template <int Dim>
  static std::string text(const Cell<Dim>& cell) {
    std::string text;
    for (const Coordinate c : cell.at) {
      text += (text.empty() ? "(" : ", ") + std::to_string(c);
    }
    return text + ")";
  }
};
TYPED_TEST_SUITE(RankLevels, AllSpaces, SpaceNames);

TYPED_TEST(RankLevels, AreValidatedAsOnOneRankIn2D) { this->template checkValidation<2>(12, false); }
TYPED_TEST(RankLevels, AreValidatedAsOnOneRankIn3D) { this->template checkValidation<3>(5, false); }
TYPED_TEST(RankLevels, ThatRepeatAreValidatedUnwrappedIn2D) { this->template checkValidation<2>(12, true); }
TYPED_TEST(RankLevels, ThatRepeatAreValidatedUnwrappedIn3D) { this->template checkValidation<3>(5, true); }

/// Cells of other ranks' planes or beyond the period, and numbers of levels that differ.
TYPED_TEST(RankLevels, AreValidatedToBeTheRanksOwn) {
  std::mt19937 random(seed());
  RandomDomain<2> is(random, 4, false);
  is.periods = {{{-4, -4}, {4, 4}}, {true, false}};
  for (int r = 1; r < world().size(); ++r) {
    is.cut.bounds[static_cast<std::size_t>(r)] = r;
  }
  auto domain = domainOf<TypeParam, 2>(is);
  MultilevelSetOn<2, TypeParam> levels;
  CellList<2> mine = is.mine(CellList<2>{{{0, 0}}, {{0, 1}}, {{0, 2}}, {{0, 3}}}, 0);
  levels.level(0) = toSet<TypeParam, 2>(mine);
  const auto said = [&] { return validate<TypeParam, 2>(this->context, domain, levels); };
  EXPECT_EQ(said(), "");
  if (world().rank() == 0) {
    mine.insert({{4, 0}});
    mine.insert({{5, 0}});
  }
  levels.level(0) = toSet<TypeParam, 2>(mine);
  EXPECT_EQ(
    said(), "level 0: 2 cells are not within the period or not on the rank that owns them, first the cell (4, 0)");
  if (world().size() > 1) {
    levels.level(0) = toSet<TypeParam, 2>(CellList<2>{{{0, world().size()}}}); // of the last rank
    EXPECT_EQ(said(),
      "level 0: " + std::to_string(world().size() - 1) +
        " cells are not within the period or not on the rank that owns them, first the cell (0, " +
        std::to_string(world().size()) + ")");
    levels.setNumLevels(world().rank() == 0 ? 2 : 1);
    EXPECT_EQ(said(), "the hierarchy has 2 levels on some ranks and fewer on others");
  }
}

TYPED_TEST(RankLevels, AreThoseOfOneRankIn2D) { this->template compareWithOneRank<2>(30, false); }
TYPED_TEST(RankLevels, AreThoseOfOneRankIn3D) { this->template compareWithOneRank<3>(15, false); }
TYPED_TEST(RankLevels, ThatRepeatAreThoseUnwrappedIn2D) { this->template compareWithOneRank<2>(30, true); }
TYPED_TEST(RankLevels, ThatRepeatAreThoseUnwrappedIn3D) { this->template compareWithOneRank<3>(15, true); }

/// One refined cell beside the ends of a period asks for cells at the other ends, and at the corner across.
TYPED_TEST(RankLevels, AskAcrossThePeriod) {
  std::mt19937 random(seed());
  RandomDomain<2> is(random, 2, false);
  is.root = CellList<2>();
  for (Coordinate y = -2; y < 2; ++y) {
    for (Coordinate x = -2; x < 2; ++x) {
      is.root.insert({{x, y}});
    }
  }
  is.periods = {{{-2, -2}, {2, 2}}, {true, true}};
  auto domain = domainOf<TypeParam, 2>(is);
  for (const bool acrossCorner : {false, true}) {
    MultilevelSetOn<2, TypeParam> levels;
    levels.level(0) = toSet<TypeParam, 2>(is.mine(is.root, 0));
    std::vector<CellList<2>> refined(2);
    refined[1] = is.mine(CellList<2>{{{-4, -4}}}, 1); // the lower left child of the lower left cell
    makeLevels<TypeParam, 2>(
      this->context, domain, setsOf<TypeParam, 2>(refined), acrossCorner ? Grading::Vertex : Grading::Face, levels);
    CellList<2> expected{{{-2, -2}}, {{1, -2}}, {{-2, 1}}};
    if (acrossCorner) {
      expected.insert({{1, 1}});
    }
    expectCells<TypeParam, 2>(levels.level(1), is.mine(childrenOf<2>(expected), 1));
  }
}

TYPED_TEST(RankLevels, RefuseWhatDoesNotFitOnAllRanks) {
  std::mt19937 random(seed());
  RandomDomain<2> is(random, 2, false);
  is.cut.bounds.assign(static_cast<std::size_t>(world().size()) + 1, 0);
  is.cut.bounds.front() = PlaneRange().begin;
  is.cut.bounds.back() = PlaneRange().end;
  is.periods = {{{-2, -2}, {2, 2}}, {true, false}};
  auto domain = domainOf<TypeParam, 2>(is);
  MultilevelSetOn<2, TypeParam> levels;
  const auto one = toSet<TypeParam, 2>({{{2, -1}}}); // beyond the period, on the first rank alone
  if (world().rank() == 0) {
    levels.level(0) = one;
  }
  std::vector<IntervalSetOn<2, TypeParam>> refined{levels.level(0)};
  EXPECT_THROW((makeLevels<TypeParam, 2>(this->context, domain, refined, Grading::Face, levels)), Error);
  refined.resize(maxNumLevels);
  EXPECT_THROW((makeLevels<TypeParam, 2>(this->context, domain, refined, Grading::Face, levels)), Error);
  EXPECT_THROW(
    (LevelDomain<TypeParam, 2>(Context<TypeParam>(TypeParam(), world()), RowCut{{1, 0}}, is.periods)), InvalidArgument);
  is.periods.box.end[0] = -2;
  EXPECT_THROW((LevelDomain<TypeParam, 2>(is.periods)), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
