#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Predicate.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {

/// f < 0 for f = |centre of the cell - centre|^2 - radius^2, moved to <= as makeBall() has it. Exact for halves.
template <int Dim>
struct WithinBall {
  Ball<Dim> ball;
  KOKKOS_FUNCTION bool operator()(const Cell<Dim>& cell) const {
    double square = 0.0;
    for (int d = 0; d < Dim; ++d) {
      const double distance = cell.at[d] + 0.5 - ball.centre[d];
      square += distance * distance;
    }
    return square <= ball.radius * ball.radius;
  }
};

/// About a third of all cells, without a pattern: a hash of the coordinates.
template <int Dim>
struct Scattered {
  KOKKOS_FUNCTION bool operator()(const Cell<Dim>& cell) const {
    std::uint32_t hash = 2166136261U;
    for (int d = 0; d < Dim; ++d) {
      hash = (hash ^ static_cast<std::uint32_t>(cell.at[d])) * 16777619U;
      hash ^= hash >> 15U;
    }
    return hash % 3U == 0U;
  }
};

template <int Dim>
struct Never {
  KOKKOS_FUNCTION bool operator()(const Cell<Dim>& /*cell*/) const { return false; }
};

namespace {

template <class Space>
class PredicateBuilder : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};

  template <int Dim, class Predicate>
  IntervalSetOn<Dim, Space> made(const Box<Dim>& box, const Predicate& inside) {
    IntervalSetOn<Dim, Space> out;
    makeFromPredicate(context, box, inside, out);
    return out;
  }
};
TYPED_TEST_SUITE(PredicateBuilder, AllSpaces, SpaceNames);

template <int Dim, class Predicate>
CellList<Dim> cellsOf(const Box<Dim>& box, const Predicate& inside) {
  CellList<Dim> cells;
  for (std::int64_t r = 0; r < box.numRows(); ++r) {
    for (Coordinate x = box.begin[0]; x < box.end[0]; ++x) {
      const RowKey<Dim> key = box.row(r);
      Cell<Dim> cell{};
      cell.at[0] = x;
      cell.at[1] = key.y;
      cell.at[Dim - 1] = Dim == 3 ? key.zOr0() : key.y;
      if (inside(cell)) {
        cells.insert(cell);
      }
    }
  }
  return cells;
}

TYPED_TEST(PredicateBuilder, HasTheCellsForWhichItIsTrue) {
  for (const Coordinate length : {1, 64, 100, 200}) {
    const Box<2> plane{{-50, -30}, {-50 + length, 77}};
    expectCells<TypeParam, 2>(this->made(plane, Scattered<2>()), cellsOf(plane, Scattered<2>()));
    const Box<3> solid{{-50, -3, 5}, {-50 + length, 4, 16}};
    expectCells<TypeParam, 3>(this->made(solid, Scattered<3>()), cellsOf(solid, Scattered<3>()));
  }
}

TYPED_TEST(PredicateBuilder, ImplicitBallIsTheBall) {
  const Ball<2> disk{{3.5, -2.0}, 40.5};
  IntervalSetOn<2, TypeParam> expectedDisk;
  makeBall<TypeParam, 2>(this->context, disk, expectedDisk);
  EXPECT_TRUE(
    (equal<TypeParam, 2>(this->context, this->made(Box<2>{{-60, -60}, {60, 60}}, WithinBall<2>{disk}), expectedDisk)));
  const Ball<3> ball{{3.5, -2.0, 0.5}, 20.5};
  IntervalSetOn<3, TypeParam> expectedBall;
  makeBall<TypeParam, 3>(this->context, ball, expectedBall);
  EXPECT_TRUE((equal<TypeParam, 3>(
    this->context, this->made(Box<3>{{-60, -60, -60}, {60, 60, 60}}, WithinBall<3>{ball}), expectedBall)));
}

TYPED_TEST(PredicateBuilder, TheBoxCutsTheShape) {
  const Box<2> box{{0, 0}, {70, 5}};
  const Ball<2> disk{{0.0, 0.0}, 65.0};
  expectCells<TypeParam, 2>(this->made(box, WithinBall<2>{disk}), cellsOf(box, WithinBall<2>{disk}));
}

TYPED_TEST(PredicateBuilder, NothingTrueOrNoCellsGiveTheEmptySet) {
  EXPECT_TRUE(this->made(Box<2>{{0, 0}, {99, 99}}, Never<2>()).empty());
  EXPECT_TRUE(this->made(Box<3>{{0, 0, 0}, {9, 0, 9}}, Scattered<3>()).empty());
}

} // namespace
} // namespace spanwise::testing
