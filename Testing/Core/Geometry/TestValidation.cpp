#include "Core/Geometry/Validation.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class T>
auto asView(const std::vector<T>& values) {
  return Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
    values.data(), values.size());
}

// What validation says of arrays in the memory of Space.
template <class Space, int Dim>
std::string judged(const std::vector<RowKey<Dim>>& keys, const std::vector<std::int64_t>& offsets,
  const std::vector<Interval>& intervals) {
  using Memory = typename Space::memory_space;
  const auto k = Kokkos::create_mirror_view_and_copy(Memory(), asView(keys));
  const auto o = Kokkos::create_mirror_view_and_copy(Memory(), asView(offsets));
  const auto i = Kokkos::create_mirror_view_and_copy(Memory(), asView(intervals));
  return validateArrays<Space, Dim>(Context<Space>(),
    {k.data(), static_cast<std::int64_t>(keys.size()), o.data(), static_cast<std::int64_t>(offsets.size()), i.data(),
      static_cast<std::int64_t>(intervals.size())});
}

template <class Space>
class Validation : public ::testing::Test {
protected:
  static void expectSays(const std::string& said, const std::string& part) {
    EXPECT_NE(said.find(part), std::string::npos) << "said: " << said << "\nexpected in it: " << part;
  }
};
TYPED_TEST_SUITE(Validation, AllSpaces, SpaceNames);

TYPED_TEST(Validation, AcceptsTheWholeRange) {
  EXPECT_EQ((judged<TypeParam, 2>({{minCoordinate}, {maxRowKey}}, {0, 1, 2},
              {{minCoordinate, maxIntervalEnd}, {minCoordinate, maxIntervalEnd}})),
    "");
  EXPECT_EQ((judged<TypeParam, 3>({{maxRowKey, -1}, {minCoordinate, 0}}, {0, 1, 2}, {{0, 1}, {0, 1}})), "");
  EXPECT_EQ((judged<TypeParam, 2>({}, {}, {})), "");
}

TYPED_TEST(Validation, NamesEachBrokenRuleAndItsPlace) {
  using V = Validation<TypeParam>;
  const auto in2D = [](auto&&... arrays) { return judged<TypeParam, 2>(arrays...); };
  using Keys = std::vector<RowKey<2>>;
  using Offsets = std::vector<std::int64_t>;
  using Intervals = std::vector<Interval>;
  V::expectSays(in2D(Keys{{1}}, Offsets{0}, Intervals{{0, 1}}), "1 row offsets for 1 rows");
  V::expectSays(in2D(Keys{}, Offsets{0}, Intervals{{0, 1}}), "1 intervals but no rows");
  V::expectSays(in2D(Keys{{1}}, Offsets{1, 2}, Intervals{{0, 1}, {2, 3}}), "first row offset is 1");
  V::expectSays(in2D(Keys{{1}, {5}}, Offsets{0, 1, 1}, Intervals{{0, 1}}), "row 1 (y = 5) has offsets 1 and 1");
  V::expectSays(in2D(Keys{{1}, {2}}, Offsets{0, 9, 1}, Intervals{{0, 1}}), "row 1 (y = 2) has offsets 9 and 1");
  V::expectSays(in2D(Keys{{1}}, Offsets{0, 3}, Intervals{{0, 1}}), "ends at interval 3 of 1");
  V::expectSays(in2D(Keys{{1}}, Offsets{0, 1}, Intervals{{0, 1}, {3, 4}}), "ends at interval 1 of 2");
  V::expectSays(in2D(Keys{{2}, {1}}, Offsets{0, 1, 2}, Intervals{{0, 1}, {0, 1}}), "must ascend");
  V::expectSays(in2D(Keys{{2}, {2}}, Offsets{0, 1, 2}, Intervals{{0, 1}, {0, 1}}), "must ascend");
  V::expectSays(in2D(Keys{{maxIntervalEnd}}, Offsets{0, 1}, Intervals{{0, 1}}), "largest row key");
  V::expectSays(in2D(Keys{{7}}, Offsets{0, 2}, Intervals{{0, 1}, {4, 4}}), "row 0 (y = 7): interval 1 [4, 4) is empty");
  V::expectSays(in2D(Keys{{7}}, Offsets{0, 1}, Intervals{{4, 3}}), "interval 0 [4, 3) is empty");
  V::expectSays(in2D(Keys{{1}, {4}, {7}}, Offsets{0, 1, 3, 4}, Intervals{{0, 1}, {0, 1}, {5, 5}, {0, 1}}),
    "row 1 (y = 4): interval 2 [5, 5) is empty");
  V::expectSays(in2D(Keys{{1}, {4}, {7}}, Offsets{0, 1, 3, 4}, Intervals{{0, 1}, {0, 1}, {5, 6}, {0, 0}}),
    "row 2 (y = 7): interval 3 [0, 0) is empty");
  V::expectSays(in2D(Keys{{7}}, Offsets{0, 2}, Intervals{{0, 3}, {2, 5}}), "overlaps or touches");
  V::expectSays(in2D(Keys{{7}}, Offsets{0, 2}, Intervals{{0, 3}, {3, 5}}), "overlaps or touches");
  V::expectSays(in2D(Keys{{7}}, Offsets{0, 2}, Intervals{{10, 13}, {3, 5}}), "overlaps or touches");
  V::expectSays((judged<TypeParam, 3>({{5, 1}, {4, 1}}, {0, 1, 2}, {{0, 1}, {0, 1}})), "row 1 (y = 4, z = 1)");
}

TYPED_TEST(Validation, FindsWrongCellOffsets) {
  auto set = toSet<TypeParam, 2>({{{0, 0}}, {{4, 0}}, {{5, 0}}});
  EXPECT_EQ(validate(Context<TypeParam>(), set), "");
  set.finish({set.numRows(), set.numIntervals(), set.numCells() + 1});
  EXPECT_NE(validate(Context<TypeParam>(), set).find("cell offsets"), std::string::npos);
}

} // namespace
} // namespace spanwise::testing
