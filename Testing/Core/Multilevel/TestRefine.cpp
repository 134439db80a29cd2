#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Multilevel/Detail/Coarsen.hpp"
#include "Core/Multilevel/Detail/RefineRows.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Multilevel/LevelsReference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class Refine : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};

  template <int Dim>
  IntervalSetOn<Dim, Space> refined(const IntervalSetOn<Dim, Space>& set) {
    IntervalSetOn<Dim, Space> out;
    refine<Space, Dim>(context, set, out);
    return out;
  }
  template <int Dim>
  IntervalSetOn<Dim, Space> coarsened(Coarsening which, const IntervalSetOn<Dim, Space>& set) {
    IntervalSetOn<Dim, Space> out;
    coarsen<Space, Dim>(context, which, set, out);
    return out;
  }

  template <int Dim>
  void compareWithDefinition() {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    std::mt19937 random(seed());
    for (int round = 0; round < 300; ++round) {
      const double density = round % 3 == 0 ? 0.3 : round % 3 == 1 ? 0.8 : 0.97;
      const CellList<Dim> cells = randomCells<Dim>(random, 1 + round % 5, density);
      const auto set = toSet<Space, Dim>(cells);
      expectCells<Space, Dim>(refined<Dim>(set), childrenOf(cells));
      expectCells<Space, Dim>(coarsened<Dim>(Coarsening::Outside, set), parentsOf(cells));
      expectCells<Space, Dim>(coarsened<Dim>(Coarsening::Inside, set), wholeParentsOf(cells));
      IntervalSetOn<Dim, Space> parents;
      multilevel::parentsOf<Space, Dim>(context, refined<Dim>(set), parents);
      expectCells<Space, Dim>(parents, cells);
    }
  }

  /// Every reach, in one pass on the host and in groups as on a device, is coarsening after a dilation.
  template <int Dim>
  void compareReach() {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    std::mt19937 random(seed() + 1);
    for (int round = 0; round < 200; ++round) {
      const CellList<Dim> cells = randomCells<Dim>(random, 1 + round % 5, round % 2 == 0 ? 0.1 : 0.6);
      multilevel::detail::CoarseReach reach;
      Cell<Dim> radius{};
      for (int d = 0; d < Dim; ++d) {
        radius.at[d] = reach.at[d] = static_cast<int>(random() % 2);
      }
      const auto set = toSet<Space, Dim>(cells);
      const CellList<Dim> expected = parentsOf(dilatedByBox(cells, radius));
      for (const bool inGroups : {false, true}) {
        if (inGroups || runsOnHost<Space>) {
          IntervalSetOn<Dim, Space> out;
          coarsenReaching<Dim>(set, reach, inGroups, out);
          expectCells<Space, Dim>(out, expected);
        }
      }
    }
  }

  template <int Dim>
  void coarsenReaching(const IntervalSetOn<Dim, Space>& set, const multilevel::detail::CoarseReach& reach,
    bool inGroups, IntervalSetOn<Dim, Space>& out) {
    typename Workspace<typename Space::memory_space>::Frame frame(context.workspace());
    const auto makeTarget = [&](std::int64_t rows, std::int64_t intervals) { return out.prepare(rows, intervals); };
    SetTotals totals;
    if (inGroups) {
      totals = multilevel::detail::coarsenInGroups<Space, Dim>(space, set.view(), reach, frame, makeTarget);
    } else if constexpr (runsOnHost<Space>) {
      totals = multilevel::detail::coarsenOnHost<Space, Dim>(space, set.view(), reach, frame, makeTarget);
    }
    space.fence();
    out.finish(totals);
  }

  /// Sets that are large enough to be cut into parts: identities instead of a reference.
  template <int Dim>
  void checkLarge(const IntervalSetOn<Dim, Space>& set) {
    const auto fine = refined<Dim>(set);
    EXPECT_EQ(validate(context, fine), "");
    EXPECT_EQ(fine.numCells(), (Dim == 2 ? 4 : 8) * set.numCells());
    for (const Coarsening which : {Coarsening::Outside, Coarsening::Inside}) {
      const auto back = coarsened<Dim>(which, fine);
      EXPECT_TRUE((equal<Space, Dim>(context, back, set)));
      const auto coarse = coarsened<Dim>(which, set);
      EXPECT_EQ(validate(context, coarse), "");
      IntervalSetOn<Dim, Space> other;
      coarsenReaching<Dim>(set,
        which == Coarsening::Inside ? multilevel::detail::insideReach : multilevel::detail::CoarseReach{}, true, other);
      EXPECT_TRUE((equal<Space, Dim>(context, coarse, other)));
    }
    IntervalSetOn<Dim, Space> dilated;
    Cell<Dim> ones{};
    std::fill(ones.at, ones.at + Dim, 1);
    morph<Space, Dim>(context, MorphologyOperation::Dilate, set, StructuringElement<Dim>::box(ones), dilated);
    const auto expected = coarsened<Dim>(Coarsening::Outside, dilated);
    for (const bool inGroups : {!runsOnHost<Space>, true}) {
      IntervalSetOn<Dim, Space> reached;
      coarsenReaching<Dim>(set, {{1, 1, 1}}, inGroups, reached);
      EXPECT_EQ(validate(context, reached), "");
      EXPECT_TRUE((equal<Space, Dim>(context, reached, expected)));
    }
    // the kernels of a device give the same
    IntervalSetOn<Dim, Space> other;
    const auto target = other.prepare(childRows<Dim> * set.numRows(), childRows<Dim> * set.numIntervals());
    const SetTotals totals = multilevel::detail::refineInto<Space, Dim, true>(context, set.view(), target);
    space.fence();
    other.finish(totals);
    EXPECT_TRUE((equal<Space, Dim>(context, other, fine)));
  }
};
TYPED_TEST_SUITE(Refine, AllSpaces, SpaceNames);

TYPED_TEST(Refine, IsWhatTheDefinitionSaysIn2D) { this->template compareWithDefinition<2>(); }
TYPED_TEST(Refine, IsWhatTheDefinitionSaysIn3D) { this->template compareWithDefinition<3>(); }
TYPED_TEST(Refine, ReachIsADilationBeforeIn2D) { this->template compareReach<2>(); }
TYPED_TEST(Refine, ReachIsADilationBeforeIn3D) { this->template compareReach<3>(); }

TYPED_TEST(Refine, LargeSetsComeBack) {
  IntervalSetOn<3, TypeParam> ball;
  makeBall<TypeParam, 3>(this->context, {{0.5, -3.0, 7.0}, 70.0}, ball);
  this->template checkLarge<3>(ball);
  this->template checkLarge<2>(noiseOn<TypeParam, 2>(seed()));
  this->template checkLarge<3>(noiseOn<TypeParam, 3>(seed()));
}

TYPED_TEST(Refine, EmptySetsStayEmpty) {
  const IntervalSetOn<2, TypeParam> none;
  EXPECT_TRUE(this->template refined<2>(none).empty());
  EXPECT_TRUE(this->template coarsened<2>(Coarsening::Outside, none).empty());
  EXPECT_TRUE(this->template coarsened<2>(Coarsening::Inside, none).empty());
}

TYPED_TEST(Refine, ParentsAreFloorsAtTheLimits) {
  constexpr Coordinate low = minCoordinate;
  constexpr Coordinate high = maxIntervalEnd;
  IntervalSetOn<3, TypeParam> set;
  makeBox<TypeParam, 3>(this->context, {{low, low, low}, {low + 3, low + 2, low + 1}}, set);
  const auto outside = this->template coarsened<3>(Coarsening::Outside, set);
  const Box<3> expected{{low / 2, low / 2, low / 2}, {low / 2 + 2, low / 2 + 1, low / 2 + 1}};
  EXPECT_TRUE((boundingBox<TypeParam, 3>(this->context, outside) == expected));
  EXPECT_TRUE(this->template coarsened<3>(Coarsening::Inside, set).empty()); // one plane only
  makeBox<TypeParam, 3>(this->context, {{high - 3, high - 3, high - 3}, {high, high, high}}, set);
  // the last cell has coordinate 2^31 - 2: it is the first child of 2^30 - 1, whose second would be beyond the limits
  EXPECT_EQ(this->template coarsened<3>(Coarsening::Outside, set).numCells(), 8);
  EXPECT_EQ(this->template coarsened<3>(Coarsening::Inside, set).numCells(), 1);
}

TYPED_TEST(Refine, ChildrenBeyondTheLimitsAreAnError) {
  constexpr Coordinate low = minCoordinate / 2;
  constexpr Coordinate high = maxIntervalEnd / 2; // the end of the last cell
  IntervalSetOn<2, TypeParam> set;
  makeBox<TypeParam, 2>(this->context, {{low, low}, {low + 1, low + 1}}, set);
  EXPECT_EQ(validate(this->context, this->template refined<2>(set)), "");
  makeBox<TypeParam, 2>(this->context, {{high - 1, high - 1}, {high, high}}, set);
  EXPECT_EQ(validate(this->context, this->template refined<2>(set)), "");
  for (const Box<2>& box : {Box<2>{{low - 1, 0}, {low, 1}}, Box<2>{{0, low - 1}, {1, low}},
         Box<2>{{high, 0}, {high + 1, 1}}, Box<2>{{0, high}, {1, high + 1}}}) {
    makeBox<TypeParam, 2>(this->context, box, set);
    EXPECT_THROW((this->template refined<2>(set)), CoordinateOverflow);
  }
}

TYPED_TEST(Refine, OutputMayBeTheInput) {
  IntervalSetOn<3, TypeParam> ball;
  makeBall<TypeParam, 3>(this->context, {{0.5, -3.0, 7.0}, 9.0}, ball);
  IntervalSetOn<3, TypeParam> set = ball;
  refine<TypeParam, 3>(this->context, set, set);
  EXPECT_EQ(set.numCells(), 8 * ball.numCells());
  coarsen<TypeParam, 3>(this->context, Coarsening::Inside, set, set);
  EXPECT_TRUE((equal<TypeParam, 3>(this->context, set, ball)));
}

} // namespace
} // namespace spanwise::testing
