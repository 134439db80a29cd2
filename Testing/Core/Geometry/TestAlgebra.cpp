#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Detail/CombineInSegments.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Testing/Core/Geometry/SetReference.hpp"
#include "Testing/Core/Spaces.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace spanwise::testing {
namespace {

template <class Space>
class Algebra : public ::testing::Test {
protected:
  Space space;
  Workspace<typename Space::memory_space> workspace;

  template <int Dim>
  IntervalSetOn<Dim, Space> combined(
    SetOperation operation, const IntervalSetOn<Dim, Space>& a, const IntervalSetOn<Dim, Space>& b) {
    IntervalSetOn<Dim, Space> out;
    combine<Space, Dim>(space, operation, a, b, out, workspace);
    return out;
  }

  template <int Dim>
  IntervalSetOn<Dim, Space> box(const Box<Dim>& cells) {
    IntervalSetOn<Dim, Space> out;
    makeBox<Space, Dim>(space, cells, out);
    return out;
  }
};
TYPED_TEST_SUITE(Algebra, AllSpaces, SpaceNames);

// Both ways to combine, whatever the space's own choice is.
template <class Space, int Dim>
void expectReference(Space space, const CellList<Dim>& a, const CellList<Dim>& b) {
  Workspace<typename Space::memory_space> workspace;
  const auto setA = toSet<Space, Dim>(a);
  const auto setB = toSet<Space, Dim>(b);
  for (const SetOperation operation : allOperations) {
    SCOPED_TRACE("operation " + std::to_string(static_cast<unsigned>(operation)));
    const CellList<Dim> expected = combinedCells<Dim>(operation, a, b);
    IntervalSetOn<Dim, Space> out;
    combine<Space, Dim>(space, operation, setA, setB, out, workspace);
    expectCells<Space, Dim>(out, expected);
    const auto target = out.prepare(setA.numRows() + setB.numRows(), setA.numIntervals() + setB.numIntervals());
    const detail::SetTotals totals = detail::combineInSegments<Space, Dim>(
      space, static_cast<unsigned>(operation), setA.view(), setB.view(), target, workspace);
    out.finish(totals.rows, totals.intervals, totals.cells);
    expectCells<Space, Dim>(out, expected);
  }
}

template <class Space, int Dim>
void randomAgainstReference(Coordinate extent) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const double densityA : {0.02, 0.5, 0.98}) {
    for (const double densityB : {0.02, 0.5, 0.98}) {
      SCOPED_TRACE("densities " + std::to_string(densityA) + " and " + std::to_string(densityB));
      expectReference<Space, Dim>(
        Space(), randomCells<Dim>(random, extent, densityA), randomCells<Dim>(random, extent, densityB));
    }
  }
}

TYPED_TEST(Algebra, AgreesWithBruteForce2D) { randomAgainstReference<TypeParam, 2>(40); }

TYPED_TEST(Algebra, AgreesWithBruteForce3D) { randomAgainstReference<TypeParam, 3>(9); }

TYPED_TEST(Algebra, EmptySetIsNeutralAndAbsorbing) {
  std::mt19937 random(seed());
  const CellList<2> some = randomCells<2>(random, 5, 0.5);
  expectReference<TypeParam, 2>(TypeParam(), {}, {});
  expectReference<TypeParam, 2>(TypeParam(), some, {});
  expectReference<TypeParam, 2>(TypeParam(), {}, some);
}

TYPED_TEST(Algebra, TouchingIntervalsJoin) {
  const auto out = this->template combined<2>(
    SetOperation::Union, this->template box<2>({{0, 0}, {3, 1}}), this->template box<2>({{3, 0}, {7, 1}}));
  EXPECT_EQ(out.numIntervals(), 1);
  EXPECT_EQ(out.numCells(), 7);
}

TYPED_TEST(Algebra, RowsWithoutIntervalsVanish) {
  const auto out = this->template combined<2>(
    SetOperation::Difference, this->template box<2>({{0, 0}, {4, 3}}), this->template box<2>({{0, 1}, {4, 2}}));
  EXPECT_EQ(out.numRows(), 2);
  EXPECT_EQ(validate(TypeParam(), out), "");
}

// A \ B, A and B, and B \ A are three disjoint parts whose union is A or B; the symmetric difference is the first and
// last.
template <class Space, int Dim>
void expectLaws(
  const IntervalSetOn<Dim, Space>& a, const IntervalSetOn<Dim, Space>& b, const IntervalSetOn<Dim, Space>& c) {
  const Space space;
  Workspace<typename Space::memory_space> workspace;
  using Set = IntervalSetOn<Dim, Space>;
  const auto op = [&](SetOperation operation, const Set& left, const Set& right) {
    Set out;
    combine<Space, Dim>(space, operation, left, right, out, workspace);
    return out;
  };
  using enum SetOperation;
  const auto same = [&](const Set& left, const Set& right) { return equal<Space, Dim>(space, left, right); };

  const Set both = op(Intersection, a, b);
  const Set onlyA = op(Difference, a, b);
  const Set onlyB = op(Difference, b, a);
  EXPECT_EQ(both.numCells() + onlyA.numCells(), a.numCells());
  EXPECT_TRUE(op(Intersection, both, onlyA).empty());
  EXPECT_TRUE(same(op(Union, both, onlyA), a));
  EXPECT_TRUE(same(op(Union, onlyA, onlyB), op(SymmetricDifference, a, b)));
  EXPECT_TRUE(same(op(Union, a, b), op(Union, b, a)));
  EXPECT_TRUE(same(op(Union, a, op(Union, b, c)), op(Union, op(Union, a, b), c)));
  EXPECT_TRUE(same(op(Intersection, a, op(Union, b, c)), op(Union, op(Intersection, a, b), op(Intersection, a, c))));
  // De Morgan, within a
  EXPECT_TRUE(same(op(Difference, a, op(Union, b, c)), op(Intersection, op(Difference, a, b), op(Difference, a, c))));
  EXPECT_TRUE(same(op(SymmetricDifference, a, a), Set()));
  EXPECT_TRUE(same(op(Union, a, op(Intersection, a, b)), a)); // absorption
}

TYPED_TEST(Algebra, LawsHoldOnLargeSets) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectLaws<TypeParam, 2>(
    noiseOn<TypeParam, 2>(seed()), noiseOn<TypeParam, 2>(seed() + 1), noiseOn<TypeParam, 2>(seed() + 2));
  expectLaws<TypeParam, 3>(
    noiseOn<TypeParam, 3>(seed()), noiseOn<TypeParam, 3>(seed() + 1), noiseOn<TypeParam, 3>(seed() + 2));
}

TYPED_TEST(Algebra, ListsAreCombinedAtOnce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const std::size_t count : {0U, 1U, 2U, 3U, 5U, 8U}) {
    SCOPED_TRACE(std::to_string(count) + " sets");
    std::vector<CellList<2>> cells;
    std::vector<IntervalSetOn<2, TypeParam>> sets;
    std::map<Cell<2>, std::size_t> times;
    for (std::size_t k = 0; k < count; ++k) {
      cells.push_back(randomCells<2>(random, 12, 0.6));
      sets.push_back(toSet<TypeParam, 2>(cells.back()));
      for (const Cell<2>& cell : cells.back()) {
        ++times[cell];
      }
    }
    CellList<2> any;
    CellList<2> all;
    CellList<2> odd;
    CellList<2> onlyFirst;
    for (const auto& [cell, number] : times) {
      any.insert(cell);
      if (number == count) {
        all.insert(cell);
      }
      if (number % 2 == 1) {
        odd.insert(cell);
      }
      if (number == 1 && cells.front().contains(cell)) {
        onlyFirst.insert(cell);
      }
    }
    IntervalSetOn<2, TypeParam> out;
    combine<TypeParam, 2>(this->space, SetOperation::Union, sets, out, this->workspace);
    expectCells<TypeParam, 2>(out, any);
    combine<TypeParam, 2>(this->space, SetOperation::Intersection, sets, out, this->workspace);
    expectCells<TypeParam, 2>(out, all);
    combine<TypeParam, 2>(this->space, SetOperation::SymmetricDifference, sets, out, this->workspace);
    expectCells<TypeParam, 2>(out, odd);
    combine<TypeParam, 2>(this->space, SetOperation::Difference, sets, out, this->workspace);
    expectCells<TypeParam, 2>(out, onlyFirst);
  }
}

TYPED_TEST(Algebra, ListsCanBeCancelled) {
  const std::vector<IntervalSetOn<2, TypeParam>> sets(8, this->template box<2>({{0, 0}, {4, 4}}));
  auto out = this->template box<2>({{0, 0}, {1, 1}});
  const Progress stopHalfway([](double fraction) { return fraction < 0.5; });
  EXPECT_THROW(
    (combine<TypeParam, 2>(this->space, SetOperation::Union, sets, out, this->workspace, stopHalfway)), Cancelled);
  EXPECT_TRUE(out.empty());
}

TYPED_TEST(Algebra, ComplementIsTheRestOfTheBox) {
  std::mt19937 random(seed());
  const CellList<3> some = randomCells<3>(random, 6, 0.4);
  const auto set = toSet<TypeParam, 3>(some);
  const Box<3> box{{-4, -8, -3}, {7, 5, 4}};
  IntervalSetOn<3, TypeParam> out;
  complement<TypeParam, 3>(this->space, set, box, out, this->workspace);
  expectCells<TypeParam, 3>(out, combinedCells<3>(SetOperation::Difference, toCells(this->template box<3>(box)), some));
}

TYPED_TEST(Algebra, ReachesTheLimitsOfCoordinates) {
  constexpr Coordinate low = minCoordinate;
  constexpr Coordinate high = maxIntervalEnd;
  const auto whole = this->template box<2>({{low, high - 1}, {high, high}});
  const auto left = this->template box<2>({{low, high - 1}, {0, high}});
  const auto right = this->template combined<2>(SetOperation::Difference, whole, left);
  EXPECT_EQ(whole.numCells(), (std::int64_t{1} << 32) - 1);
  EXPECT_EQ(right.numCells(), high);
  EXPECT_TRUE((equal<TypeParam, 2>(this->space, this->template combined<2>(SetOperation::Union, left, right), whole)));
  EXPECT_EQ(validate(this->space, right), "");
}

TYPED_TEST(Algebra, KeepsCopiesOfItsOutputWhole) {
  auto out = this->template box<2>({{0, 0}, {2, 2}});
  const auto copyOfOut = out;
  combine<TypeParam, 2>(this->space, SetOperation::Union, this->template box<2>({{0, 0}, {1, 1}}),
    this->template box<2>({{5, 0}, {6, 1}}), out, this->workspace);
  EXPECT_EQ(out.numCells(), 2);
  EXPECT_TRUE((equal<TypeParam, 2>(this->space, copyOfOut, this->template box<2>({{0, 0}, {2, 2}}))));
}

TYPED_TEST(Algebra, AnInputCanBeReplacedByTheResult) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const CellList<3> some = randomCells<3>(random, 6, 0.2);
  const CellList<3> others = randomCells<3>(random, 6, 0.2);
  const auto replaced = [&](int which) {
    IntervalSetOn<3, TypeParam> inputs[2] = {toSet<TypeParam, 3>(some), toSet<TypeParam, 3>(others)};
    combine<TypeParam, 3>(this->space, SetOperation::Union, inputs[0], inputs[1], inputs[which], this->workspace);
    return inputs[which];
  };
  const CellList<3> expected = combinedCells<3>(SetOperation::Union, some, others);
  expectCells<TypeParam, 3>(replaced(0), expected);
  expectCells<TypeParam, 3>(replaced(1), expected);

  auto set = toSet<TypeParam, 3>(some);
  const Box<3> box{{-9, -9, -9}, {9, 9, 9}};
  complement<TypeParam, 3>(this->space, set, box, set, this->workspace);
  expectCells<TypeParam, 3>(set, combinedCells<3>(SetOperation::Difference, toCells(this->template box<3>(box)), some));
}

TYPED_TEST(Algebra, AListsResultIsNoLargerThanItsLastTwoParts) {
  std::vector<IntervalSetOn<2, TypeParam>> sets;
  for (int k = 0; k < 64; ++k) { // all within the first
    sets.push_back(this->template box<2>({{0, 0}, {100, 100 - k}}));
  }
  IntervalSetOn<2, TypeParam> out;
  combine<TypeParam, 2>(this->space, SetOperation::Union, sets, out, this->workspace);
  EXPECT_TRUE((equal<TypeParam, 2>(this->space, out, sets.front())));
  EXPECT_LE(out.bytes(), 2 * sets.front().bytes() + 64);
}

TYPED_TEST(Algebra, AListOfOneIsThatSet) {
  const std::vector<IntervalSetOn<2, TypeParam>> sets{this->template box<2>({{0, 0}, {4, 4}})};
  for (const SetOperation operation :
    {SetOperation::Union, SetOperation::Intersection, SetOperation::Difference, SetOperation::SymmetricDifference}) {
    IntervalSetOn<2, TypeParam> out;
    combine<TypeParam, 2>(this->space, operation, sets, out, this->workspace);
    EXPECT_TRUE((equal<TypeParam, 2>(this->space, out, sets.front())));
  }
}

} // namespace
} // namespace spanwise::testing
