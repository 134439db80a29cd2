// Hierarchies on ranks, and on axes that repeat: what one rank makes of the whole, unwrapped, cell by cell.

#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Multilevel/RankLevels.hpp"
#include "Testing/Core/Spaces.hpp"

#include <array>

namespace spanwise::testing {
namespace {

template <class Space>
class RankLevels : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // most cases are small
  Workspace<typename Space::memory_space> workspace;

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
        const auto whole = wholeLevels<Space, Dim>(space, is, wanted, grading, 1, workspace);
        MultilevelSetOn<Dim, Space> levels;
        levels.level(0) = toSet<Space, Dim>(is.mine(is.root, 0));
        makeLevels<Space, Dim>(space, domain, setsOf<Space, Dim>(mine), grading, levels, workspace);
        expectPart<Space, Dim>(is, levels, whole);
        if (grading != Grading::Nested) {
          // balance() of the nested hierarchy comes to the same, and changes nothing any more
          const auto connectivity = grading == Grading::Face ? Connectivity::Face
            : grading == Grading::Edge                       ? Connectivity::Edge
                                                             : Connectivity::Vertex;
          makeLevels<Space, Dim>(space, domain, setsOf<Space, Dim>(mine), Grading::Nested, levels, workspace);
          balance<Space, Dim>(space, domain, connectivity, levels, workspace);
          expectPart<Space, Dim>(is, levels, whole);
          balance<Space, Dim>(space, domain, connectivity, levels, workspace);
          expectPart<Space, Dim>(is, levels, whole);
        }
      }
    }
  }
};
TYPED_TEST_SUITE(RankLevels, AllSpaces, SpaceNames);

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
    makeLevels<TypeParam, 2>(this->space, domain, setsOf<TypeParam, 2>(refined),
      acrossCorner ? Grading::Vertex : Grading::Face, levels, this->workspace);
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
  EXPECT_THROW((makeLevels<TypeParam, 2>(this->space, domain, refined, Grading::Face, levels, this->workspace)), Error);
  refined.resize(maxNumLevels);
  EXPECT_THROW((makeLevels<TypeParam, 2>(this->space, domain, refined, Grading::Face, levels, this->workspace)), Error);
  EXPECT_THROW((LevelDomain<TypeParam, 2>(world(), RowCut{{1, 0}}, is.periods)), InvalidArgument);
  is.periods.box.end[0] = -2;
  EXPECT_THROW((LevelDomain<TypeParam, 2>(is.periods)), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
