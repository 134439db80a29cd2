#include "Core/Geometry/Builders/Mask.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Arrays.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <limits>

namespace spanwise::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

template <class Space>
class MaskBuilder : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};

  template <class T, int Dim>
  IntervalSetOn<Dim, Space> made(const std::vector<T>& values, const Box<Dim>& box, const ValueRange& range) {
    const auto array = arrayOn<Space>(values);
    const Kokkos::View<const T*, typename Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> view(
      array.data(), array.extent(0));
    IntervalSetOn<Dim, Space> out;
    makeFromMask<T, Space, Dim>(context, view, box, range, out);
    return out;
  }

  /// Whether each of the values, as a row of cells, is in the set.
  template <class T>
  std::vector<bool> inSet(const std::vector<T>& values, const ValueRange& range) {
    const auto cells = toCells(made<T, 2>(values, {{0, 0}, {static_cast<Coordinate>(values.size()), 1}}, range));
    std::vector<bool> result;
    for (std::size_t i = 0; i < values.size(); ++i) {
      result.push_back(cells.contains({{static_cast<Coordinate>(i), 0}}));
    }
    return result;
  }

  template <class T, int Dim>
  void expectReference(std::mt19937& random, const Box<Dim>& box) {
    std::uniform_int_distribution<int> value(0, 9);
    std::size_t count = 1;
    for (int d = 0; d < Dim; ++d) {
      count *= static_cast<std::size_t>(box.extent(d));
    }
    std::vector<T> values(count);
    std::generate(values.begin(), values.end(), [&] { return static_cast<T>(value(random)); });
    CellList<Dim> expected;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i) {
      if (values[static_cast<std::size_t>(i)] >= T{3} && values[static_cast<std::size_t>(i)] <= T{7}) {
        const RowKey<Dim> key = box.row(i / box.extent(0));
        Cell<Dim> cell{};
        cell.at[0] = static_cast<Coordinate>(box.begin[0] + i % box.extent(0));
        cell.at[1] = key.y;
        cell.at[Dim - 1] = Dim == 3 ? key.zOr0() : key.y;
        expected.insert(cell);
      }
    }
    SCOPED_TRACE(toString(box));
    expectCells<Space, Dim>(made<T, Dim>(values, box, {2.5, 7.0}), expected);
  }

  template <class T>
  void expectReferenceForType() {
    std::mt19937 random(seed());
    expectReference<T, 2>(random, {{-5, 7}, {68, 12}});
    expectReference<T, 3>(random, {{3, -2, -1}, {10, 3, 4}});
  }
};
TYPED_TEST_SUITE(MaskBuilder, AllSpaces, SpaceNames);

TYPED_TEST(MaskBuilder, TakesEveryArithmeticTypeOfVtk) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  this->template expectReferenceForType<char>();
  this->template expectReferenceForType<signed char>();
  this->template expectReferenceForType<unsigned char>();
  this->template expectReferenceForType<short>();
  this->template expectReferenceForType<unsigned short>();
  this->template expectReferenceForType<int>();
  this->template expectReferenceForType<unsigned>();
  this->template expectReferenceForType<long>();
  this->template expectReferenceForType<unsigned long>();
  this->template expectReferenceForType<long long>();
  this->template expectReferenceForType<unsigned long long>();
  this->template expectReferenceForType<float>();
  this->template expectReferenceForType<double>();
}

// Rows are walked in words of 64 cells and in teams of rows: lengths around these.
TYPED_TEST(MaskBuilder, RowsOfAnyLength) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const Coordinate length : {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300}) {
    this->template expectReference<unsigned char, 2>(random, {{-40, 5}, {-40 + length, 12}});
    this->template expectReference<float, 3>(random, {{-40, 5, -9}, {-40 + length, 7, -6}});
    this->template expectReference<int, 2>(random, {{-40, 0}, {-37, length}});
  }
}

TYPED_TEST(MaskBuilder, FullRowsAreOneInterval) {
  for (const Coordinate length : {1, 63, 64, 65, 128}) {
    const std::vector<short> values(static_cast<std::size_t>(length) * 3, short{1});
    const auto set = this->template made<short, 2>(values, {{0, 0}, {length, 3}}, {1.0, 1.0});
    EXPECT_EQ(validate(this->context, set), "");
    EXPECT_EQ(set.numIntervals(), 3);
    EXPECT_EQ(set.numCells(), 3 * length);
  }
}

TYPED_TEST(MaskBuilder, BoundsAreInclusiveAndNaNIsOutside) {
  const std::vector<double> values{-infinity, 0.0, 1.0, 1.5, 2.0, std::nextafter(2.0, 3.0), infinity, notANumber};
  using Flags = std::vector<bool>;
  EXPECT_EQ(
    this->template inSet<double>(values, {1.0, 2.0}), (Flags{false, false, true, true, true, false, false, false}));
  EXPECT_EQ(
    this->template inSet<double>(values, {1.5, infinity}), (Flags{false, false, false, true, true, true, true, false}));
  EXPECT_EQ(this->template inSet<double>(values, {-infinity, infinity}),
    (Flags{true, true, true, true, true, true, true, false}));
  // 0.1f is above 0.1
  EXPECT_EQ(
    this->template inSet<float>({0.1F, std::numeric_limits<float>::quiet_NaN()}, {0.0, 0.1}), (Flags{false, false}));
  EXPECT_EQ(this->template inSet<float>({0.1F}, {0.1, 1.0}), (Flags{true}));
}

TYPED_TEST(MaskBuilder, IntegersAreComparedExactly) {
  using Flags = std::vector<bool>;
  constexpr std::int64_t big = std::int64_t{1} << 53; // big + 1 is not a double
  const auto bound = static_cast<double>(big);
  const std::vector<long> signedValues{big - 1, big, big + 1, big + 2, -big - 1, -big};
  EXPECT_EQ(this->template inSet<long>(signedValues, {bound, bound}), (Flags{false, true, false, false, false, false}));
  EXPECT_EQ(this->template inSet<long>(signedValues, {-bound, bound}), (Flags{true, true, false, false, false, true}));
  const std::vector<unsigned long> values{0, big, big + 1, ~0UL - 1, ~0UL};
  EXPECT_EQ(this->template inSet<unsigned long>(values, {-1.0, bound}), (Flags{true, true, false, false, false}));
  EXPECT_EQ(
    this->template inSet<unsigned long>(values, {bound + 2.0, infinity}), (Flags{false, false, false, true, true}));
  EXPECT_EQ(this->template inSet<unsigned long>(values, {0x1p64, infinity}), Flags(5, false));
  EXPECT_EQ(this->template inSet<unsigned long>(values, {-infinity, 0x1p64}), Flags(5, true));
  EXPECT_EQ(this->template inSet<unsigned long>(values, {-5.0, -0.5}), Flags(5, false));
  constexpr auto least = std::numeric_limits<long>::min();
  constexpr auto greatest = std::numeric_limits<long>::max();
  EXPECT_EQ(this->template inSet<long>({least, least + 1, greatest}, {-0x1p63, -0x1p63}), (Flags{true, false, false}));
  EXPECT_EQ(this->template inSet<long>({least, greatest}, {-infinity, infinity}), (Flags{true, true}));
  EXPECT_EQ(this->template inSet<signed char>({-128, -1, 0, 127}, {-128.5, -0.5}), (Flags{true, true, false, false}));
  EXPECT_EQ(this->template inSet<int>({0, 1}, {0.25, 0.75}), (Flags{false, false}));
}

TYPED_TEST(MaskBuilder, NoValueInRangeOrNoCellsGiveTheEmptySet) {
  EXPECT_TRUE((this->template made<int, 2>({1, 2, 3}, {{0, 0}, {3, 1}}, {4.0, 5.0})).empty());
  EXPECT_TRUE((this->template made<int, 2>({}, {{5, 0}, {3, 1}}, {4.0, 5.0})).empty());
}

TYPED_TEST(MaskBuilder, ReachesTheCoordinateLimits) {
  const std::vector<int> values(6, 1);
  const auto high =
    this->template made<int, 2>(values, {{maxRowKey - 2, maxRowKey - 1}, {maxIntervalEnd, maxIntervalEnd}}, {1, 1});
  EXPECT_EQ(validate(this->context, high), "");
  EXPECT_EQ(high.numCells(), 6);
  const auto low = this->template made<int, 3>(values,
    {{minCoordinate, minCoordinate, minCoordinate}, {minCoordinate + 3, minCoordinate + 2, minCoordinate + 1}}, {1, 1});
  EXPECT_EQ(validate(this->context, low), "");
  EXPECT_EQ(low.numCells(), 6);
}

TYPED_TEST(MaskBuilder, RefusesWrongCountsAndRanges) {
  const Box<2> box{{0, 0}, {3, 1}};
  EXPECT_THROW((this->template made<int, 2>({1, 2}, box, {0, 1})), InvalidArgument);
  EXPECT_THROW((this->template made<int, 2>({1, 2}, {{0, 0}, {0, 1}}, {0, 1})), InvalidArgument);
  EXPECT_THROW((this->template made<int, 2>({1, 2, 3}, box, {2, 1})), InvalidArgument);
  EXPECT_THROW((this->template made<int, 2>({1, 2, 3}, box, {notANumber, 1})), InvalidArgument);
  EXPECT_THROW((this->template made<float, 2>({1, 2, 3}, box, {0, notANumber})), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
