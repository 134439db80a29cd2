// Expressions over sets that are cut among ranks, by their definition.

#include "Core/Geometry/EvaluateSetExpression.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/ExpressionReference.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class RankSetExpression : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // all cases are small
  const Context<Space> context{space, world()};

  template <int Dim>
  void randomAgainstReference(int numCases, int depth, Coordinate extent, Coordinate maxRadius) {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    std::mt19937 random(seed() + Dim);
    const Coordinate reach = extent + depth * (2 * maxRadius + 1) + 1;
    int numOfAll = 0;
    for (int k = 0; k < numCases && !::testing::Test::HasFatalFailure(); ++k) {
      const RowCut cut = randomCut(random, extent + 1);
      const PlaneRange own = cut.part(world().rank());
      std::vector<Dense<Dim>> dense;
      std::vector<IntervalSetOn<Dim, Space>> mine;
      for (int i = 0; i < 3; ++i) {
        const auto cells = randomCells<Dim>(random, extent, std::array{0.1, 0.5, 0.9}[random() % 3]);
        dense.emplace_back(reach);
        for (const Cell<Dim>& cell : cells) {
          dense.back()[dense.back().index(cell)] = 1;
        }
        mine.push_back(toSet<Space, Dim>(cellsIn<Dim>(cells, own)));
      }
      RandomExpression<Dim> make{random, dense, maxRadius};
      const auto [text, expected] = make.tree(depth);
      if (expected.outside) { // not finite
        continue;
      }
      SCOPED_TRACE("case " + std::to_string(k) + ": " + text);
      SetExpressionEvaluator<Space, Dim> evaluator(SetExpression(text, {"A", "B", "C"}));
      numOfAll += evaluator.expression().dependsOnAll() ? 1 : 0;
      IntervalSetOn<Dim, Space> out;
      evaluator.evaluate(context, mine, out, SetDomain<Dim>(world(), cut));
      expectCells<Space, Dim>(out, cellsIn<Dim>(expected.cells(), own));
    }
    EXPECT_GT(numOfAll, numCases / 20);
  }
};
TYPED_TEST_SUITE(RankSetExpression, AllSpaces, SpaceNames);

TYPED_TEST(RankSetExpression, AgreesWithBruteForceIn2D) { this->template randomAgainstReference<2>(500, 4, 3, 2); }
TYPED_TEST(RankSetExpression, AgreesWithBruteForceIn3D) { this->template randomAgainstReference<3>(80, 3, 2, 1); }

TYPED_TEST(RankSetExpression, AnErrorHasItsPlaceOnAllRanks) {
  RowCut cut;
  cut.bounds.assign(static_cast<std::size_t>(world().size()) + 1, 0);
  cut.bounds.front() = PlaneRange().begin;
  cut.bounds.back() = PlaneRange().end;
  const SetDomain<2> domain(world(), cut);
  const auto atLimit = toSet<TypeParam, 2>(cellsIn<2>({{{minCoordinate, 0}}}, domain.planes()));
  SetExpressionEvaluator<TypeParam, 2> evaluator(SetExpression("A - fill_holes(A)", {"A"}));
  IntervalSetOn<2, TypeParam> out;
  try {
    evaluator.evaluate(this->context, {atLimit}, out, domain);
    ADD_FAILURE() << "an error is expected";
  } catch (const SetExpressionError& error) {
    EXPECT_EQ(error.where().begin, 4U);
  }
  EXPECT_TRUE(out.empty());
}

} // namespace
} // namespace spanwise::testing
