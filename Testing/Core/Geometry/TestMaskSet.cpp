#include "Core/Geometry/MaskSet.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/SetReference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace spanwise::testing {
namespace {

/// Random cells in rows near each other, in pieces around words far apart; some rows have none.
template <int Dim>
CellList<Dim> randomPieces(std::mt19937& random) {
  std::bernoulli_distribution inside(std::array{0.02, 0.3, 0.5, 0.9, 1.0}[random() % 5]);
  CellList<Dim> cells;
  for (const Coordinate begin : {minCoordinate, -1000, -130, -3, 60, 500, maxRowKey - 199}) {
    for (int row = 0; row < 6; ++row) {
      if (random() % 2 == 0) {
        continue;
      }
      const auto length = static_cast<Coordinate>(random() % 200);
      for (Coordinate x = begin; x <= begin + length; ++x) {
        if (inside(random)) {
          Cell<Dim> cell{};
          cell.at[0] = x;
          cell.at[1] = row % 2 == 0 ? row - 3 : maxRowKey - row;
          cell.at[Dim - 1] = Dim == 3 ? minCoordinate + row / 2 : cell.at[1];
          cells.insert(cell);
        }
      }
    }
  }
  return cells;
}

template <class Space>
class MaskSets : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};

  template <int Dim>
  MaskSetOn<Dim, Space> masksOf(const IntervalSetOn<Dim, Space>& set) {
    MaskSetOn<Dim, Space> out;
    toMasks<Space, Dim>(context, set, out);
    EXPECT_EQ(validate(context, out.words()), "");
    return out;
  }
  template <int Dim>
  IntervalSetOn<Dim, Space> intervalsOf(const MaskSetOn<Dim, Space>& set) {
    IntervalSetOn<Dim, Space> out;
    toIntervals<Space, Dim>(context, set, out);
    return out;
  }
  template <int Dim>
  MaskSetOn<Dim, Space> combined(
    SetOperation operation, const MaskSetOn<Dim, Space>& a, const MaskSetOn<Dim, Space>& b) {
    MaskSetOn<Dim, Space> out;
    combine<Space, Dim>(context, operation, a, b, out);
    EXPECT_EQ(validate(context, out.words()), "");
    return out;
  }

  template <int Dim>
  void expectReference(int numCases) {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    std::mt19937 random(seed());
    for (int k = 0; k < numCases && !::testing::Test::HasFailure(); ++k) {
      SCOPED_TRACE("case " + std::to_string(k));
      const CellList<Dim> a = randomPieces<Dim>(random);
      const CellList<Dim> b = randomPieces<Dim>(random);
      const CellList<Dim> c = randomPieces<Dim>(random);
      const auto masksA = masksOf<Dim>(toSet<Space, Dim>(a));
      const auto masksB = masksOf<Dim>(toSet<Space, Dim>(b));
      const auto masksC = masksOf<Dim>(toSet<Space, Dim>(c));
      expectCells<Space, Dim>(intervalsOf<Dim>(masksA), a);
      for (const SetOperation first : allOperations) {
        const auto once = combined<Dim>(first, masksA, masksB);
        const CellList<Dim> expected = combinedCells<Dim>(first, a, b);
        expectCells<Space, Dim>(intervalsOf<Dim>(once), expected);
        // what has words without cells goes on as well, on either side
        for (const SetOperation second : allOperations) {
          const auto left = combined<Dim>(second, once, masksC);
          expectCells<Space, Dim>(intervalsOf<Dim>(left), combinedCells<Dim>(second, expected, c));
          const auto right = combined<Dim>(second, masksC, once);
          expectCells<Space, Dim>(intervalsOf<Dim>(right), combinedCells<Dim>(second, c, expected));
        }
      }
    }
  }
};
TYPED_TEST_SUITE(MaskSets, AllSpaces, SpaceNames);

template <int Dim>
struct CountRowEnds {
  MaskSetView<Dim> masks;
  IntervalSetView<Dim> intervals;

  /// Counts what the cursors of a row of masks and of one of intervals do not agree about.
  KOKKOS_FUNCTION void operator()(std::int64_t r, std::int64_t& wrong) const {
    const std::int64_t other = intervals.findRow(masks.rowKeys[r]);
    MaskRunsCursor cursor = masks.row(r).cursor();
    if (other < 0) {
      wrong += cursor.done() && masks.row(r).size() == 0 ? 0 : 1;
      return;
    }
    IntervalRowCursor expected = intervals.row(other).cursor();
    wrong += masks.row(r).size() == intervals.row(other).size() ? 0 : 1;
    while (!expected.done() && !cursor.done()) {
      wrong += cursor.position() == expected.position() && cursor.inside() == expected.inside() ? 0 : 1;
      cursor.advanceIf(false);
      cursor.advanceIf(true);
      expected.advanceIf(true);
    }
    wrong += cursor.done() && expected.done() ? 0 : 1;
  }
};

// Also with words that have no cells any more.
TYPED_TEST(MaskSets, HaveTheCursorsOfIntervals) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int k = 0; k < 25; ++k) {
    const auto a = toSet<TypeParam, 3>(randomPieces<3>(random));
    const auto b = toSet<TypeParam, 3>(randomPieces<3>(random));
    const auto masks =
      this->template combined<3>(SetOperation::Difference, this->template masksOf<3>(a), this->template masksOf<3>(b));
    const auto intervals = this->template intervalsOf<3>(masks);
    std::int64_t wrong = 0;
    Kokkos::parallel_reduce("Testing::cursors",
      Kokkos::RangePolicy<TypeParam, Kokkos::IndexType<std::int64_t>>(this->space, 0, masks.view().numRows),
      CountRowEnds<3>{masks.view(), intervals.view()}, wrong);
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ((numCells<TypeParam, 3>(this->context, masks)), intervals.numCells());
  }
}

TYPED_TEST(MaskSets, ContainTheirCells) {
  if constexpr (runsOnHost<TypeParam>) {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    std::mt19937 random(seed());
    const CellList<2> cells = randomPieces<2>(random);
    const auto masks = this->template masksOf<2>(toSet<TypeParam, 2>(cells));
    for (const Cell<2>& cell : cells) {
      EXPECT_TRUE(masks.view().contains(cell));
      const Cell<2> next{{cell.x() == maxRowKey ? cell.x() : cell.x() + 1, cell.at[1]}};
      EXPECT_EQ(masks.view().contains(next), cells.count(next) == 1);
    }
  }
}

template <class Space, int Dim>
void expectMixed(int numCases) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Context<Space> context;
  IntervalSetOn<Dim, Space> out;
  for (int k = 0; k < numCases && !::testing::Test::HasFailure(); ++k) {
    const CellList<Dim> a = randomPieces<Dim>(random);
    const CellList<Dim> b = randomPieces<Dim>(random);
    const auto setA = toSet<Space, Dim>(a);
    const auto setB = toSet<Space, Dim>(b);
    MaskSetOn<Dim, Space> masksA;
    MaskSetOn<Dim, Space> masksB;
    toMasks<Space, Dim>(context, setA, masksA);
    toMasks<Space, Dim>(context, setB, masksB);
    for (const SetOperation operation : allOperations) {
      combine<Space, Dim>(context, operation, setA, masksB, out);
      expectCells<Space, Dim>(out, combinedCells<Dim>(operation, a, b));
      combine<Space, Dim>(context, operation, masksA, setB, out);
      expectCells<Space, Dim>(out, combinedCells<Dim>(operation, a, b));
      auto inPlace = setA;
      combine<Space, Dim>(context, operation, inPlace, masksB, inPlace);
      expectCells<Space, Dim>(inPlace, combinedCells<Dim>(operation, a, b));
    }
  }
}

TYPED_TEST(MaskSets, CombineWithIntervals) {
  expectMixed<TypeParam, 2>(25);
  expectMixed<TypeParam, 3>(25);
}

TYPED_TEST(MaskSets, AgreeWithBruteForce2D) { this->template expectReference<2>(40); }

TYPED_TEST(MaskSets, AgreeWithBruteForce3D) { this->template expectReference<3>(40); }

TYPED_TEST(MaskSets, OfNothingAreNothing) {
  const auto nothing = this->template masksOf<3>({});
  const auto some = this->template masksOf<3>(toSet<TypeParam, 3>({Cell<3>{{-1, 2, 3}}}));
  EXPECT_EQ(nothing.numWords(), 0);
  EXPECT_TRUE(this->template intervalsOf<3>(nothing).empty());
  for (const SetOperation operation : allOperations) {
    const bool keepsLeft = operation != SetOperation::Intersection;
    const bool keepsRight = keepsLeft && operation != SetOperation::Difference;
    EXPECT_TRUE(this->template intervalsOf<3>(this->template combined<3>(operation, nothing, nothing)).empty());
    EXPECT_EQ(this->template intervalsOf<3>(this->template combined<3>(operation, some, nothing)).numCells(),
      keepsLeft ? 1 : 0);
    EXPECT_EQ(this->template intervalsOf<3>(this->template combined<3>(operation, nothing, some)).numCells(),
      keepsRight ? 1 : 0);
  }
}

// One word for each 64 cells that begin at a multiple of 64, also left of 0.
TYPED_TEST(MaskSets, WordsBeginAtMultiplesOf64) {
  const auto set = toSet<TypeParam, 2>({Cell<2>{{-65, 0}}, Cell<2>{{-64, 0}}, Cell<2>{{-1, 0}}, Cell<2>{{64, 0}}});
  const auto masks = this->template masksOf<2>(set);
  HostIntervalSet<2> words;
  copy(masks.words(), words);
  ASSERT_EQ(words.numIntervals(), 2);
  EXPECT_EQ(words.intervals()(0), (Interval{-2, 0}));
  EXPECT_EQ(words.intervals()(1), (Interval{1, 2}));
  const auto onHost = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), masks.masks());
  EXPECT_EQ(onHost(0), std::uint64_t{1} << 63U);
  EXPECT_EQ(onHost(1), std::uint64_t{1} << 63U | 1U);
  EXPECT_EQ(onHost(2), 1U);
}

TYPED_TEST(MaskSets, CombineAsIntervalsDo) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const auto a = noiseOn<TypeParam, 3>(seed());
  const auto b = noiseOn<TypeParam, 3>(seed() + 1);
  const auto masksA = this->template masksOf<3>(a);
  const auto masksB = this->template masksOf<3>(b);
  for (const SetOperation operation : allOperations) {
    IntervalSetOn<3, TypeParam> expected;
    combine<TypeParam, 3>(this->context, operation, a, b, expected);
    const auto result = this->template intervalsOf<3>(this->template combined<3>(operation, masksA, masksB));
    EXPECT_TRUE((equal<TypeParam, 3>(this->context, result, expected)));
  }
}

TYPED_TEST(MaskSets, TheOutputMayBeAnInput) {
  const auto a = this->template masksOf<2>(toSet<TypeParam, 2>({Cell<2>{{0, 0}}, Cell<2>{{1, 0}}}));
  const auto b = this->template masksOf<2>(toSet<TypeParam, 2>({Cell<2>{{1, 0}}, Cell<2>{{70, 0}}}));
  auto out = a;
  combine<TypeParam, 2>(this->context, SetOperation::Union, out, b, out);
  EXPECT_EQ(this->template intervalsOf<2>(out).numCells(), 3);
  EXPECT_EQ(this->template intervalsOf<2>(a).numCells(), 2);
  combine<TypeParam, 2>(this->context, SetOperation::Difference, a, out, out);
  EXPECT_TRUE(this->template intervalsOf<2>(out).empty());
}

} // namespace
} // namespace spanwise::testing
