#include "Core/Geometry/Builders/Cells.hpp"
#include "Core/Geometry/Builders/SortedCells.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/RadixSort.hpp"
#include "Testing/Core/Geometry/Arrays.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>

namespace spanwise::testing {

struct Numbered {
  int key;
  int number;
};

struct ByKey {
  KOKKOS_FUNCTION bool operator()(const Numbered& a, const Numbered& b) const { return a.key < b.key; }
};

struct KeyOfNumbered {
  KOKKOS_FUNCTION std::uint64_t operator()(const Numbered& value) const {
    return static_cast<std::uint64_t>(value.key);
  }
};

/// The corners of a staircase: cell k is (2 (k / 3) + k, k / 3).
struct StairCell {
  KOKKOS_FUNCTION Cell<2> operator()(std::int64_t k) const {
    return {{static_cast<Coordinate>(k + k / 3 * 2), static_cast<Coordinate>(k / 3)}};
  }
};

namespace {

template <class Space>
class CellsBuilder : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};

  template <int Dim>
  IntervalSetOn<Dim, Space> made(const std::vector<Cell<Dim>>& cells) {
    IntervalSetOn<Dim, Space> out;
    makeFromCells<Space, Dim>(context, arrayOn<Space>(cells), out);
    return out;
  }

  template <int Dim>
  void expectTheirSet(const std::vector<Cell<Dim>>& cells) {
    expectCells<Space, Dim>(made<Dim>(cells), CellList<Dim>(cells.begin(), cells.end()));
  }
};
TYPED_TEST_SUITE(CellsBuilder, AllSpaces, SpaceNames);

template <int Dim>
std::vector<Cell<Dim>> randomList(std::mt19937& random, std::size_t count, Coordinate extent) {
  std::uniform_int_distribution<Coordinate> coordinate(-extent, extent);
  std::vector<Cell<Dim>> cells(count);
  for (Cell<Dim>& cell : cells) {
    for (Coordinate& c : cell.at) {
      c = coordinate(random);
    }
  }
  return cells;
}

TYPED_TEST(CellsBuilder, AnyOrderWithDuplicatesGivesTheirSet) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 33U, 500U, 4095U, 4096U, 4097U, 30000U}) {
    SCOPED_TRACE(std::to_string(count) + " cells");
    this->template expectTheirSet<2>(randomList<2>(random, count, 60));
    this->template expectTheirSet<3>(randomList<3>(random, count, 12));
    this->template expectTheirSet<3>(randomList<3>(random, count, 2000000000));
  }
}

TYPED_TEST(CellsBuilder, SortedReversedOrAllTheSame) {
  std::vector<Cell<2>> cells;
  for (Coordinate y = 0; y < 90; ++y) {
    for (Coordinate x = 0; x < 100; ++x) {
      cells.push_back({{x, y}});
    }
  }
  this->template expectTheirSet<2>(cells);
  std::reverse(cells.begin(), cells.end());
  this->template expectTheirSet<2>(cells);
  this->template expectTheirSet<2>(std::vector<Cell<2>>(9000, Cell<2>{{-3, 4}}));
}

TYPED_TEST(CellsBuilder, SortKeepsTheOrderOfEqualElements) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const int numKeys : {1, 3, 1000}) {
    for (const int count : {0, 1, 40, 4096, 12289, 50000}) {
      SCOPED_TRACE(std::to_string(count) + " elements with " + std::to_string(numKeys) + " keys");
      std::uniform_int_distribution<int> key(1, numKeys);
      std::vector<Numbered> values;
      for (int i = 0; i < count; ++i) {
        values.push_back({key(random), i});
      }
      const auto array = arrayOn<TypeParam>(values);
      const auto scratch = arrayOn<TypeParam>(values);
      const auto ofDigits = arrayOn<TypeParam>(values);
      const auto scratchOfDigits = arrayOn<TypeParam>(values);
      const Numbered* const sorted =
        sortStably(this->space, array.data(), scratch.data(), static_cast<std::int64_t>(count), ByKey());
      const Context<TypeParam> context;
      const Numbered* const byDigits = sortByDigits(context, ofDigits.data(), scratchOfDigits.data(),
        static_cast<std::int64_t>(count), 10, KeyOfNumbered()); // keys are less than 2^10
      std::stable_sort(values.begin(), values.end(), ByKey());
      const auto expectSorted = [&](const auto& there) {
        const auto onHost = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), there);
        for (std::size_t i = 0; i < values.size(); ++i) {
          ASSERT_EQ(onHost(i).key, values[i].key) << "at " << i;
          ASSERT_EQ(onHost(i).number, values[i].number) << "at " << i;
        }
      };
      expectSorted(sorted == array.data() ? array : scratch);
      expectSorted(byDigits == ofDigits.data() ? ofDigits : scratchOfDigits);
    }
  }
}

TYPED_TEST(CellsBuilder, SortedCellsAreTheCellsOfTheirSet) {
  constexpr std::int64_t count = 20000;
  IntervalSetOn<2, TypeParam> out;
  makeFromSortedCells(this->context, count, StairCell(), out);
  CellList<2> expected;
  for (std::int64_t k = 0; k < count; ++k) {
    expected.insert(StairCell()(k));
  }
  expectCells<TypeParam, 2>(out, expected);
  EXPECT_EQ(out.numIntervals(), (count + 2) / 3);
  makeFromSortedCells(this->context, 0, StairCell(), out);
  EXPECT_TRUE(out.empty());
}

TYPED_TEST(CellsBuilder, NoCellsGiveTheEmptySet) {
  EXPECT_TRUE(this->template made<2>({}).empty());
  EXPECT_TRUE(this->template made<3>({}).empty());
}

TYPED_TEST(CellsBuilder, TakesCellsAtTheCoordinateLimits) {
  this->template expectTheirSet<2>({{{maxRowKey, maxRowKey}}, {{minCoordinate, minCoordinate}},
    {{maxRowKey - 1, maxRowKey}}, {{minCoordinate, maxRowKey}}, {{maxRowKey, minCoordinate}}});
  this->template expectTheirSet<3>({{{maxRowKey, minCoordinate, maxRowKey}},
    {{minCoordinate, maxRowKey, minCoordinate}}, {{0, maxRowKey, -1}}, {{0, minCoordinate, 0}}});
  // Close to each other, in words that reach the limit.
  this->template expectTheirSet<2>({{{maxRowKey, maxRowKey}}, {{maxRowKey - 1, maxRowKey}},
    {{maxRowKey, maxRowKey - 1}}, {{maxRowKey - 70, maxRowKey}}});
  this->template expectTheirSet<3>(
    {{{minCoordinate, minCoordinate, maxRowKey}}, {{minCoordinate + 1, minCoordinate, maxRowKey}},
      {{minCoordinate + 64, minCoordinate, maxRowKey}}, {{minCoordinate, minCoordinate + 1, maxRowKey - 1}}});
}

TYPED_TEST(CellsBuilder, NamesTheFirstCellBeyondTheLimits) {
  IntervalSetOn<3, TypeParam> out = this->template made<3>({{{0, 0, 0}}});
  const std::vector<Cell<3>> cells{{{1, 2, 3}}, {{4, 5, maxIntervalEnd}}, {{maxIntervalEnd, 0, 0}}};
  try {
    makeFromCells<TypeParam, 3>(this->context, arrayOn<TypeParam>(cells), out);
    FAIL() << "a cell beyond the limits was taken";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("cell 1 (x = 4, y = 5, z = 2147483647)"), std::string::npos)
      << error.what();
  }
  EXPECT_TRUE(out.empty());
}

} // namespace
} // namespace spanwise::testing
