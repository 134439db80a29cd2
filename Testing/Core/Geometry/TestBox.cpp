#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class BoxBuilder : public ::testing::Test {
protected:
  Space space;

  template <int Dim>
  IntervalSetOn<Dim, Space> made(const Box<Dim>& box) {
    IntervalSetOn<Dim, Space> out;
    makeBox<Space, Dim>(Context(space), box, out);
    return out;
  }

  template <int Dim>
  void expectAllCells(const Box<Dim>& box) {
    SCOPED_TRACE(toString(box));
    CellList<Dim> cells;
    for (std::int64_t r = 0; r < box.numRows(); ++r) {
      for (Coordinate x = box.begin[0]; x < box.end[0]; ++x) {
        Cell<Dim> cell{};
        cell.at[0] = x;
        cell.at[1] = box.row(r).y;
        cell.at[Dim - 1] = Dim == 3 ? box.row(r).zOr0() : cell.at[Dim - 1];
        cells.insert(cell);
      }
    }
    expectCells<Space, Dim>(made<Dim>(box), cells);
  }
};
TYPED_TEST_SUITE(BoxBuilder, AllSpaces, SpaceNames);

TYPED_TEST(BoxBuilder, HasAllCells) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_int_distribution<Coordinate> begin(-20, 20);
  std::uniform_int_distribution<Coordinate> extent(0, 7);
  for (int k = 0; k < 40; ++k) {
    Box<2> plane{{begin(random), begin(random)}, {}};
    Box<3> solid{{begin(random), begin(random), begin(random)}, {}};
    for (int d = 0; d < 3; ++d) {
      plane.end[d % 2] = plane.begin[d % 2] + extent(random);
      solid.end[d] = solid.begin[d] + extent(random);
    }
    this->template expectAllCells<2>(plane);
    this->template expectAllCells<3>(solid);
  }
}

TYPED_TEST(BoxBuilder, WithoutExtentIsEmpty) {
  EXPECT_TRUE(this->template made<2>({{3, 4}, {3, 9}}).empty());
  EXPECT_TRUE(this->template made<3>({{0, 0, 5}, {9, 9, -5}}).empty());
}

TYPED_TEST(BoxBuilder, ReachesTheCoordinateLimits) {
  const Box<2> box{{minCoordinate, maxRowKey - 1}, {maxIntervalEnd, maxIntervalEnd}};
  const auto set = this->template made<2>(box);
  EXPECT_EQ(validate(Context(this->space), set), "");
  EXPECT_EQ(set.numCells(), 2 * ((std::int64_t{1} << 32) - 1));
  EXPECT_TRUE((boundingBox<TypeParam, 2>(Context(this->space), set)) == box);
}

TYPED_TEST(BoxBuilder, RefusesMoreCellsThan64BitsCount) {
  IntervalSetOn<3, TypeParam> out = this->template made<3>({{0, 0, 0}, {1, 1, 1}});
  const Box<3> all{{minCoordinate, minCoordinate, minCoordinate}, {maxIntervalEnd, maxIntervalEnd, maxIntervalEnd}};
  EXPECT_THROW((makeBox<TypeParam, 3>(Context(this->space), all, out)), InvalidArgument);
  EXPECT_TRUE(out.empty());
}

TYPED_TEST(BoxBuilder, RefusesMoreRowsThanAreMade) {
  IntervalSetOn<2, TypeParam> flat;
  EXPECT_THROW((makeBox<TypeParam, 2>(Context(this->space), {{0, 0}, {1, (1 << 30) + 1}}, flat)), InvalidArgument);
  IntervalSetOn<3, TypeParam> solid;
  EXPECT_THROW((makeBox<TypeParam, 3>(Context(this->space), {{0, 0, 0}, {1, 40'000, 40'000}}, solid)), InvalidArgument);
  const Context<TypeParam> context;
  const auto cell = this->template made<2>({{0, 0}, {1, 1}});
  EXPECT_THROW(
    (complement<TypeParam, 2>(context, cell, {{0, minCoordinate}, {1, maxIntervalEnd}}, flat)), InvalidArgument);
  EXPECT_TRUE(flat.empty());
}

TYPED_TEST(BoxBuilder, RefusesMoreRowsThanMemoryHolds) {
  IntervalSetOn<3, TypeParam> out = this->template made<3>({{0, 0, 0}, {1, 1, 1}});
  const Box<3> manyRows{{0, 0, 0}, {1, maxIntervalEnd, maxIntervalEnd}}; // their bytes overflow 64 bits
  EXPECT_THROW((makeBox<TypeParam, 3>(Context(this->space), manyRows, out)), Error);
  EXPECT_TRUE(out.empty());
}

} // namespace
} // namespace spanwise::testing
