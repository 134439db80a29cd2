#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Detail/CombineInSegments.hpp"
#include "Core/Geometry/Detail/MergeRowsOnHost.hpp"
#include "Core/Geometry/Detail/PlaceMasksOnHost.hpp"
#include "Core/Geometry/Detail/WordInstructions.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/SetReference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace spanwise::testing {
namespace {

template <class Space>
class Algebra : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};

  template <int Dim>
  IntervalSetOn<Dim, Space> combined(
    SetOperation operation, const IntervalSetOn<Dim, Space>& a, const IntervalSetOn<Dim, Space>& b) {
    IntervalSetOn<Dim, Space> out;
    combine<Space, Dim>(context, operation, a, b, out);
    return out;
  }

  template <int Dim>
  IntervalSetOn<Dim, Space> box(const Box<Dim>& cells) {
    IntervalSetOn<Dim, Space> out;
    makeBox<Space, Dim>(context, cells, out);
    return out;
  }
};
TYPED_TEST_SUITE(Algebra, AllSpaces, SpaceNames);

// Both ways to combine, whatever the space's own choice is.
template <class Space, int Dim>
void expectReference(const Space& space, const CellList<Dim>& a, const CellList<Dim>& b) {
  const Context context(space);
  const auto setA = toSet<Space, Dim>(a);
  const auto setB = toSet<Space, Dim>(b);
  for (const SetOperation operation : allOperations) {
    SCOPED_TRACE("operation " + std::to_string(static_cast<unsigned>(operation)));
    const CellList<Dim> expected = combinedCells<Dim>(operation, a, b);
    IntervalSetOn<Dim, Space> out;
    combine<Space, Dim>(context, operation, setA, setB, out);
    expectCells<Space, Dim>(out, expected);
    const auto target = out.prepare(setA.numRows() + setB.numRows(), setA.numIntervals() + setB.numIntervals());
    const SetTotals totals = geometry::detail::combineInSegments<Space, Dim>(
      context, static_cast<unsigned>(operation), setA.view(), setB.view(), target);
    out.finish(totals);
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

/// A row of intervals with gaps and lengths up to `most` cells from x on.
std::vector<Interval> randomRow(std::mt19937& random, std::int64_t x, int count, Coordinate most) {
  std::uniform_int_distribution<Coordinate> cells(1, most);
  std::vector<Interval> row;
  for (int k = 0; k < count; ++k) {
    const std::int64_t begin = x + cells(random);
    x = begin + cells(random);
    if (x > maxIntervalEnd) {
      break;
    }
    row.push_back({static_cast<Coordinate>(begin), static_cast<Coordinate>(x)});
  }
  return row;
}

// Rows merged by words are those merged endpoint by endpoint, at the limits of coordinates and over many words too.
TEST(WordInstructions, MergeAsCursorsDo) {
  const geometry::detail::WordInstructions* const words = geometry::detail::wordInstructions();
  if (words == nullptr) {
    GTEST_SKIP() << "this processor has no such instructions";
  }
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int k = 0; k < 3000; ++k) {
    const std::int64_t begins[] = {minCoordinate, -1000, -64, 0, 1, 77, maxIntervalEnd - 9000};
    const std::int64_t begin = begins[random() % 7];
    const int count = 1 + static_cast<int>(random() % (k % 10 == 0 ? 3000 : 60));
    const auto a = randomRow(random, begin, count, std::array{1, 2, 16, 100}[random() % 4]);
    const auto b =
      randomRow(random, begin + static_cast<int>(random() % 300), count, std::array{1, 3, 16, 200}[random() % 4]);
    if (a.empty() || b.empty()) {
      continue;
    }
    const IntervalRow rowA(a.data(), std::ssize(a));
    const IntervalRow rowB(b.data(), std::ssize(b));
    const auto room = static_cast<std::size_t>(rowA.size() + rowB.size() + 1);
    for (const SetOperation operation : allOperations) {
      constexpr Coordinate unused = 123456789;
      std::vector<Coordinate> expected(room, unused);
      geometry::detail::EndpointWriter writer(expected.data());
      geometry::detail::mergeRows(static_cast<unsigned>(operation), rowA.cursor(), rowB.cursor(), writer);
      std::fill(expected.begin() + (writer.end() - expected.data()), expected.end(), unused);
      std::vector<Coordinate> out(room, unused); // also, nothing may be written behind the end
      const Coordinate* const end = words->mergeRows(static_cast<unsigned>(operation), rowA, rowB, out.data());
      ASSERT_EQ(end - out.data(), writer.end() - expected.data());
      ASSERT_EQ(out, expected);
    }
  }
}

// Rows with few intervals that lie apart are those merged endpoint by endpoint, at the limits of coordinates too.
// Others are left to that.
TEST(MergeApart, MergesAsCursorsDo) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  int numApart = 0;
  for (int k = 0; k < 20000; ++k) {
    const std::int64_t begins[] = {std::int64_t{minCoordinate} - 1, -5, 0, maxIntervalEnd - 20};
    const std::int64_t begin = begins[random() % 4];
    const auto a = randomRow(random, begin, static_cast<int>(random() % 3), 4);
    const auto b = randomRow(random, begin + static_cast<int>(random() % 4), static_cast<int>(random() % 3), 4);
    const IntervalRow rowA(a.data(), std::ssize(a));
    const IntervalRow rowB(b.data(), std::ssize(b));
    for (const SetOperation operation : allOperations) {
      std::vector<Coordinate> expected(9);
      geometry::detail::EndpointWriter writer(expected.data());
      geometry::detail::mergeRows(static_cast<unsigned>(operation), rowA.cursor(), rowB.cursor(), writer);
      expected.resize(static_cast<std::size_t>(writer.end() - expected.data()));
      std::vector<Coordinate> out(8);
      const Coordinate* const end =
        geometry::detail::mergeApart(static_cast<unsigned>(operation), rowA, rowB, out.data());
      if (end != nullptr) {
        ++numApart;
        out.resize(static_cast<std::size_t>(end - out.data()));
        ASSERT_EQ(out, expected);
      }
    }
  }
  EXPECT_GT(numApart, 10000);
}

TEST(WordInstructions, UnpackAsLoopsDo) {
  const geometry::detail::WordInstructions* const words = geometry::detail::wordInstructions();
  if (words == nullptr) {
    GTEST_SKIP() << "this processor has no such instructions";
  }
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937_64 random(seed());
  for (int k = 0; k < 1000; ++k) {
    std::array<std::uint64_t, 7> cells{};
    for (std::uint64_t& word : cells) {
      const std::uint64_t some = random();
      word = std::array{std::uint64_t{0}, ~std::uint64_t{0}, some, some & random() & random(), some | random(),
        std::uint64_t{0x5555555555555555}}[random() % 6];
    }
    const std::int64_t begin = 64 * (static_cast<std::int64_t>(random() % 100) - 50);
    const auto end = static_cast<Coordinate>(begin + 64 * 7);
    std::array<Coordinate, 64 * 8> expected{};
    std::array<Coordinate, 64 * 8> out{};
    const auto* const expectedEnd = geometry::detail::endpointsOfWords(cells.data(), 7, begin, end, expected.data());
    const auto* const outEnd = words->endpointsOfWords(cells.data(), 7, begin, end, out.data());
    ASSERT_EQ(outEnd - out.data(), expectedEnd - expected.data());
    ASSERT_EQ(out, expected);
    if (outEnd > out.data()) {
      std::array<std::uint64_t, 7> again{};
      words->wordsOfEndpoints(out.data(), outEnd - out.data(), begin, again.data(), 7);
      ASSERT_EQ(again, cells);
    }
  }
}

TEST(WordInstructions, AreForRowsOfManyShortIntervals) {
  std::mt19937 random(seed());
  const auto isNoise = [](const std::vector<Interval>& a, const std::vector<Interval>& b) {
    return geometry::detail::isNoise(IntervalRow(a.data(), std::ssize(a)), IntervalRow(b.data(), std::ssize(b)));
  };
  EXPECT_TRUE(isNoise(randomRow(random, 0, 64, 16), randomRow(random, 0, 64, 16)));
  EXPECT_FALSE(isNoise(randomRow(random, 0, 64, 300), randomRow(random, 0, 64, 300)));
  EXPECT_FALSE(isNoise({{0, 1}, {5, 6}}, {{2, 3}}));
  EXPECT_FALSE(isNoise(randomRow(random, 0, 64, 16), {}));
  EXPECT_FALSE(isNoise({{minCoordinate, 0}, {maxIntervalEnd - 1, maxIntervalEnd}}, randomRow(random, 0, 64, 16)));
}

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
  EXPECT_EQ(validate(Context<TypeParam>(), out), "");
}

// A \ B, A and B, and B \ A are three disjoint parts whose union is A or B; the symmetric difference is the first and
// last.
template <class Space, int Dim>
void expectLaws(
  const IntervalSetOn<Dim, Space>& a, const IntervalSetOn<Dim, Space>& b, const IntervalSetOn<Dim, Space>& c) {
  const Space space;
  const Context context(space);
  using Set = IntervalSetOn<Dim, Space>;
  const auto op = [&](SetOperation operation, const Set& left, const Set& right) {
    Set out;
    combine<Space, Dim>(context, operation, left, right, out);
    return out;
  };
  using enum SetOperation;
  const auto same = [&](const Set& left, const Set& right) { return equal<Space, Dim>(context, left, right); };

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
    combine<TypeParam, 2>(this->context, SetOperation::Union, sets, out);
    expectCells<TypeParam, 2>(out, any);
    combine<TypeParam, 2>(this->context, SetOperation::Intersection, sets, out);
    expectCells<TypeParam, 2>(out, all);
    combine<TypeParam, 2>(this->context, SetOperation::SymmetricDifference, sets, out);
    expectCells<TypeParam, 2>(out, odd);
    combine<TypeParam, 2>(this->context, SetOperation::Difference, sets, out);
    expectCells<TypeParam, 2>(out, onlyFirst);
  }
}

TYPED_TEST(Algebra, ListsCanBeCancelled) {
  const std::vector<IntervalSetOn<2, TypeParam>> sets(8, this->template box<2>({{0, 0}, {4, 4}}));
  auto out = this->template box<2>({{0, 0}, {1, 1}});
  const Progress stopHalfway([](double fraction) { return fraction < 0.5; });
  EXPECT_THROW((combine<TypeParam, 2>(this->context.with(stopHalfway), SetOperation::Union, sets, out)), Cancelled);
  EXPECT_TRUE(out.empty());
}

TYPED_TEST(Algebra, ComplementIsTheRestOfTheBox) {
  std::mt19937 random(seed());
  const CellList<3> some = randomCells<3>(random, 6, 0.4);
  const auto set = toSet<TypeParam, 3>(some);
  const Box<3> box{{-4, -8, -3}, {7, 5, 4}};
  IntervalSetOn<3, TypeParam> out;
  complement<TypeParam, 3>(this->context, set, box, out);
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
  EXPECT_TRUE(
    (equal<TypeParam, 2>(this->context, this->template combined<2>(SetOperation::Union, left, right), whole)));
  EXPECT_EQ(validate(this->context, right), "");
}

TYPED_TEST(Algebra, KeepsCopiesOfItsOutputWhole) {
  auto out = this->template box<2>({{0, 0}, {2, 2}});
  const auto copyOfOut = out;
  combine<TypeParam, 2>(this->context, SetOperation::Union, this->template box<2>({{0, 0}, {1, 1}}),
    this->template box<2>({{5, 0}, {6, 1}}), out);
  EXPECT_EQ(out.numCells(), 2);
  EXPECT_TRUE((equal<TypeParam, 2>(this->context, copyOfOut, this->template box<2>({{0, 0}, {2, 2}}))));
}

TYPED_TEST(Algebra, AnInputCanBeReplacedByTheResult) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const CellList<3> some = randomCells<3>(random, 6, 0.2);
  const CellList<3> others = randomCells<3>(random, 6, 0.2);
  const auto replaced = [&](int which) {
    IntervalSetOn<3, TypeParam> inputs[2] = {toSet<TypeParam, 3>(some), toSet<TypeParam, 3>(others)};
    combine<TypeParam, 3>(this->context, SetOperation::Union, inputs[0], inputs[1], inputs[which]);
    return inputs[which];
  };
  const CellList<3> expected = combinedCells<3>(SetOperation::Union, some, others);
  expectCells<TypeParam, 3>(replaced(0), expected);
  expectCells<TypeParam, 3>(replaced(1), expected);

  auto set = toSet<TypeParam, 3>(some);
  const Box<3> box{{-9, -9, -9}, {9, 9, 9}};
  complement<TypeParam, 3>(this->context, set, box, set);
  expectCells<TypeParam, 3>(set, combinedCells<3>(SetOperation::Difference, toCells(this->template box<3>(box)), some));
}

TYPED_TEST(Algebra, AListsResultIsNoLargerThanItsLastTwoParts) {
  std::vector<IntervalSetOn<2, TypeParam>> sets;
  for (int k = 0; k < 64; ++k) { // all within the first
    sets.push_back(this->template box<2>({{0, 0}, {100, 100 - k}}));
  }
  IntervalSetOn<2, TypeParam> out;
  combine<TypeParam, 2>(this->context, SetOperation::Union, sets, out);
  EXPECT_TRUE((equal<TypeParam, 2>(this->context, out, sets.front())));
  EXPECT_LE(out.bytes(), 2 * sets.front().bytes() + 64);
}

TYPED_TEST(Algebra, AListOfOneIsThatSet) {
  const std::vector<IntervalSetOn<2, TypeParam>> sets{this->template box<2>({{0, 0}, {4, 4}})};
  for (const SetOperation operation :
    {SetOperation::Union, SetOperation::Intersection, SetOperation::Difference, SetOperation::SymmetricDifference}) {
    IntervalSetOn<2, TypeParam> out;
    combine<TypeParam, 2>(this->context, operation, sets, out);
    EXPECT_TRUE((equal<TypeParam, 2>(this->context, out, sets.front())));
  }
}

} // namespace
} // namespace spanwise::testing
