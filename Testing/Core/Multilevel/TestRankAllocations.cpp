// Levels that are cut among ranks and repeat: once they have settled, cycles and steps make no arrays.

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/ForEachCell.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Multilevel/Adapt.hpp"
#include "Core/Multilevel/FluxRegister.hpp"
#include "Core/Multilevel/Ghosts.hpp"
#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <vector>

namespace spanwise::testing {
namespace {

template <class Space>
class RankAllocations : public ::testing::Test {
public:
  using Set = IntervalSetOn<3, Space>;

  static constexpr Box<3> root{{-12, -12, -12}, {12, 12, 12}};

  RankAllocations() {
    const int ranks = world().size();
    for (int r = 0; r <= ranks; ++r) {
      cut.bounds.push_back(-12 + 24 * r / ranks);
    }
    makeBox<Space, 3>(context, root, levels.level(0));
    ownPlanesOf(0, levels.level(0));
    for (int l = 0; l < 2; ++l) { // shells around a corner, which go on behind the ends of periods
      Set inner;
      const double radius = 8.0 * (1 << l);
      const double center = -12.0 * (1 << l);
      makeBall<Space, 3>(context, {{center, center, center}, radius + 1.0}, refined[l]);
      makeBall<Space, 3>(context, {{center, center, center}, radius - 1.0}, inner);
      combine<Space, 3>(context, SetOperation::Difference, refined[l], inner, refined[l]);
      Set box;
      makeBox<Space, 3>(context, {{-12 << l, -12 << l, -12 << l}, {12 << l, 12 << l, 12 << l}}, box);
      combine<Space, 3>(context, SetOperation::Intersection, refined[l], box, refined[l]);
      ownPlanesOf(l, refined[l]);
    }
  }

  void ownPlanesOf(int level, Set& set) {
    restrictRows<Space, 3>(context, set, cutOfLevel(cut, level).part(world().rank()), set);
  }

  void expectNoArraysWith(const Periods<3>& periods) {
    Set out;
    expectNoArrays([&] { unwrap<Space, 3>(context, levels.level(0), periods, {3, 2, 1}, {1, 2, 3}, out); });
    MultilevelFieldOn<double, Space> field("f");
    field.resize(levels);
    field::fill<Space, double>(context, field.level(0), 1.0);
    std::vector<MultilevelFieldOn<double, Space>> fields{field};
    LevelDomain<Space, 3> domain(context, cut, periods);
    Adaptation<Space, 3, double> adaptation;
    const auto tag = [&](int l, Set& tags) {
      if (l < 2) {
        tags = refined[l];
      } else {
        tags.clear();
      }
    };
    const AdaptOptions options{3, 1, Grading::Vertex, Prolongation::Linear};
    expectNoArrays([&] { adaptation.adaptBy(context, domain, tag, options, levels, fields); });
    ASSERT_EQ(levels.numLevels(), 3);
    GhostLevels<Space, 3> ghosts;
    FluxRegister<Space, 3, double> fluxes;
    MultilevelFieldOn<double, Space> extended("f");
    expectNoArrays([&] {
      buildGhosts(context, domain, levels, {2, true, Prolongation::Linear}, ghosts);
      toExtended(context, ghosts, fields.front(), extended);
      buildFluxRegister(context, domain, levels, ghosts, 1, fluxes);
    });
    expectNoArrays([&] { fillGhosts(context, ghosts, MirrorState(), extended); });
  }

  void expectNoArraysAtAStep(const Periods<3>& periods) {
    MultilevelFieldOn<double, Space> field("f");
    levels.setNumLevels(1);
    field.resize(levels);
    const FieldView<double> values = field.level(0).view();
    field::forEachCell(
      Space(), "Testing::step", levels.level(0),
      KOKKOS_LAMBDA(std::int64_t number, const Cell<3>& cell) { values(number) = cell.at[0] < 0 ? 0.0 : 1.0; });
    std::vector<MultilevelFieldOn<double, Space>> fields{field};
    LevelDomain<Space, 3> domain(context, cut, periods);
    Adaptation<Space, 3, double> adaptation;
    const auto cycle = [&] { adaptation.adapt(context, domain, {TagCriterion::Gradient, 0.5}, {3}, levels, fields); };
    cycle();
    expectNoArrays(cycle);
    EXPECT_EQ(levels.numLevels(), 3);
  }

  const Context<Space> context{Space(), world()};
  RowCut cut;
  MultilevelSetOn<3, Space> levels;
  Set refined[2];
};
TYPED_TEST_SUITE(RankAllocations, AllSpaces, SpaceNames);

TYPED_TEST(RankAllocations, NoneWhereNothingRepeats) {
  this->expectNoArraysWith({});
  this->expectNoArraysAtAStep({});
}
TYPED_TEST(RankAllocations, NoneWhereTheSlowestAxisRepeats) {
  this->expectNoArraysWith({this->root, {false, false, true}});
}
TYPED_TEST(RankAllocations, NoneWhereTwoAxesRepeat) { this->expectNoArraysWith({this->root, {true, true, false}}); }
TYPED_TEST(RankAllocations, NoneWhereAllAxesRepeat) {
  this->expectNoArraysWith({this->root, {true, true, true}});
  this->expectNoArraysAtAStep({this->root, {true, true, true}});
}

} // namespace
} // namespace spanwise::testing
