// Morphology and algebra of sets that are cut among ranks, and on axes that repeat: those of the whole on one process.

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/DomainAlgebra.hpp"
#include "Core/Geometry/DomainMorphology.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/RankCase.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <vector>

namespace spanwise::testing {
namespace {

template <class Space>
class RankMorphology : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // all cases are small
  const Context<Space> context{space, world()};

  template <int Dim>
  StructuringElement<Dim> randomElement(std::mt19937& random) {
    Cell<Dim> radii{};
    for (Coordinate& radius : radii.at) {
      radius = static_cast<Coordinate>(random() % 4);
    }
    switch (random() % 3) {
    case 0:
      return StructuringElement<Dim>::box(radii);
    case 1:
      return StructuringElement<Dim>::diamond(static_cast<Coordinate>(random() % 4));
    default:
      return StructuringElement<Dim>::ball(1.0 + static_cast<double>(random() % 3));
    }
  }

  template <int Dim>
  void compareWithTheWhole(int numCases, Coordinate maxExtent, bool repeats) {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    std::mt19937 random(seed() + Dim);
    using enum MorphologyOperation;
    for (int k = 0; k < numCases; ++k) {
      SCOPED_TRACE("case " + std::to_string(k));
      const RankCase<Dim> some(random, maxExtent, repeats);
      const auto mine = toSet<Space, Dim>(some.mine);
      const auto whole = toSet<Space, Dim>(some.cells);
      const StructuringElement<Dim> element = randomElement<Dim>(random);
      for (const auto operation : {Dilate, Erode, Open, Close, OuterGradient, InnerGradient}) {
        IntervalSetOn<Dim, Space> alone;
        IntervalSetOn<Dim, Space> out;
        morph<Space, Dim>(context, operation, whole, element, alone, some.periods);
        morph<Space, Dim>(context, operation, mine, element, out, some.domain());
        expectCells<Space, Dim>(out, some.mineOf(toCells(alone)));
      }
      expectAlgebra<Dim>(random, some);
    }
  }

  template <int Dim>
  void expectAlgebra(std::mt19937& random, const RankCase<Dim>& some) {
    using Set = IntervalSetOn<Dim, Space>;
    const CellList<Dim> others = randomCells<Dim>(random, 4, 0.4);
    const SetDomain<Dim> domain(world(), some.cut);
    const std::vector<Set> mine{toSet<Space, Dim>(some.mine), toSet<Space, Dim>(some.mineOf(others))};
    const std::vector<Set> whole{toSet<Space, Dim>(some.cells), toSet<Space, Dim>(others)};
    Set alone;
    Set out;
    using enum SetOperation;
    for (const auto operation : {Union, Intersection, Difference, SymmetricDifference}) {
      combine<Space, Dim>(context, operation, whole, alone);
      combine<Space, Dim>(context, operation, mine, out, domain);
      expectCells<Space, Dim>(out, some.mineOf(toCells(alone)));
    }
    Box<Dim> box{};
    for (int d = 0; d < Dim; ++d) {
      box.begin[d] = -6;
      box.end[d] = 7;
    }
    complement<Space, Dim>(context, whole[0], box, alone);
    complement<Space, Dim>(context, mine[0], box, out, domain);
    expectCells<Space, Dim>(out, some.mineOf(toCells(alone)));
  }
};
TYPED_TEST_SUITE(RankMorphology, AllSpaces, SpaceNames);

TYPED_TEST(RankMorphology, IsThatOfTheWholeIn2D) { this->template compareWithTheWhole<2>(40, 9, false); }
TYPED_TEST(RankMorphology, IsThatOfTheWholeIn3D) { this->template compareWithTheWhole<3>(20, 5, false); }
TYPED_TEST(RankMorphology, ThatRepeatsIsThatOfTheWholeIn2D) { this->template compareWithTheWhole<2>(40, 9, true); }
TYPED_TEST(RankMorphology, ThatRepeatsIsThatOfTheWholeIn3D) { this->template compareWithTheWhole<3>(20, 5, true); }

TYPED_TEST(RankMorphology, RefusesOnAllRanksWhatIsWrongOnOne) {
  using Set = IntervalSetOn<2, TypeParam>;
  RowCut cut{{PlaneRange().begin}};
  for (int r = 1; r < world().size(); ++r) {
    cut.bounds.push_back(std::int64_t{2} * r);
  }
  cut.bounds.push_back(PlaneRange().end);
  const SetDomain<2> domain(world(), cut);
  const bool isFirst = world().rank() == 0;
  const auto cell = StructuringElement<2>::box({{1, 1}});
  const auto dilate = [&](const Set& set, Set& out) {
    morph<TypeParam, 2>(this->context, MorphologyOperation::Dilate, set, cell, out, domain);
  };
  Set out = toSet<TypeParam, 2>({{{7, 7}}});
  const Set atLimit = isFirst ? toSet<TypeParam, 2>({{{minCoordinate, 0}}}) : Set();
  EXPECT_THROW(dilate(atLimit, out), CoordinateOverflow);
  EXPECT_TRUE(out.empty());
  if (world().size() > 1) { // planes of the last rank on the first
    const Set elsewhere = isFirst ? toSet<TypeParam, 2>({{{0, 1000}}}) : Set();
    EXPECT_THROW(dilate(elsewhere, out), InvalidArgument);
    EXPECT_THROW((complement<TypeParam, 2>(this->context, elsewhere, {{0, 0}, {1, 1}}, out, domain)), InvalidArgument);
    const std::vector<Set> sets{elsewhere, Set()};
    EXPECT_THROW((combine<TypeParam, 2>(this->context, SetOperation::Union, sets, out, domain)), InvalidArgument);
    EXPECT_TRUE(out.empty());
  }
}

// What reaches over very many periods of the slowest axis, which is cut: all of it, from any cell.
TYPED_TEST(RankMorphology, ReachesOverManyPeriods) {
  const Coordinate height = 2 * world().size();
  RowCut cut{{PlaneRange().begin}};
  CellList<2> column;
  for (int r = 1; r < world().size(); ++r) {
    cut.bounds.push_back(std::int64_t{2} * r);
  }
  cut.bounds.push_back(PlaneRange().end);
  for (Coordinate y = 0; y < height; ++y) {
    column.insert({{5, y}});
  }
  const SetDomain<2> domain(world(), cut, {{{0, 0}, {10, height}}, {false, true}});
  const auto cell = toSet<TypeParam, 2>(cellsIn<2>({{{5, 1}}}, domain.planes()));
  IntervalSetOn<2, TypeParam> out;
  const auto dilate = [&](Coordinate radius) {
    morph<TypeParam, 2>(
      this->context, MorphologyOperation::Dilate, cell, StructuringElement<2>::box({{0, radius}}), out, domain);
  };
  dilate(10000);
  expectCells<TypeParam, 2>(out, cellsIn<2>(column, domain.planes()));
  EXPECT_THROW(dilate(2000000000), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
