// Distances to and in hierarchies of which each rank has a part: they are those of one rank.

#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Parallel/RankHierarchies.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseSignedDistanceToSet.h"

namespace spanwise::testing {
namespace {

using Distance = vtkSpanwiseSignedDistanceToSet;

template <class T>
struct LevelDistances : public RandomTest<T> {};
TYPED_TEST_SUITE(LevelDistances, Dimensions);

/// Expects the distances of one rank, to the last bit, whichever rank has which leaf.
template <int Dim>
void expectThoseOfOneRank(const Leaves<Dim>& set, const Leaves<Dim>& others, int where, bool isPeriodic) {
  const auto distanceOn = [&](Split split, vtkMultiProcessController* controller) {
    auto filter = filterOn<Distance>(sharedLevels<Dim>(set, split, controller), controller);
    filter->SetInputDataObject(1, sharedLevels<Dim>(others, Split::Scattered, controller));
    filter->SetWhere(where);
    filter->SetWidth(0.3);
    filter->SetMargin(0.2);
    filter->SetPeriodicX(isPeriodic);
    filter->SetPeriodicY(isPeriodic);
    return filter;
  };
  const Summary& expected = keptForLaterTurns([&] {
    const auto alone = distanceOn(Split::OneRank, nullptr);
    alone->Update();
    return summaryOfParts(alone->GetOutputDataObject(0));
  });
  EXPECT_GT(expected.cells, 0);
  for (const Split split : allSplits) {
    const auto shared = distanceOn(split, world());
    Messages messages;
    vtkDataObject* const mine = updateTogether(shared.Get());
    EXPECT_TRUE(messages.all().empty()) << messages.all().front();
    EXPECT_TRUE(together(summaryOfParts(mine)) == expected);
  }
}

TYPED_TEST(LevelDistances, AreThoseOfOneRank) {
  constexpr int Dim = TypeParam::value;
  const Leaves<Dim> set = randomLeaves<Dim>(this->random, manyPlanes(Dim));
  const Leaves<Dim> others = randomLeaves<Dim>(this->random, manyPlanes(Dim));
  for (const int where : {Distance::CELLS_OF_SET, Distance::BAND, Distance::BOX, Distance::CELLS_OF_SECOND_INPUT}) {
    SCOPED_TRACE(where);
    expectThoseOfOneRank<Dim>(set, others, where, false);
  }
  expectThoseOfOneRank<Dim>(set, others, Distance::CELLS_OF_SET, true);
}

TYPED_TEST(LevelDistances, OfOneLeafAreThoseOfOneRank) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> one(2);
  one[1].insert(Cell<Dim>{});
  const Leaves<Dim> others = randomLeaves<Dim>(this->random, manyPlanes(Dim));
  expectThoseOfOneRank<Dim>(one, others, Distance::CELLS_OF_SET, false);
  expectThoseOfOneRank<Dim>(one, others, Distance::CELLS_OF_SECOND_INPUT, false);
}

} // namespace
} // namespace spanwise::testing
