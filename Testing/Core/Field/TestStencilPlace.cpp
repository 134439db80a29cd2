// What a stencil's body can ask about absent neighbours, and updates in place.

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Stencil.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class StencilPlaces : public ::testing::Test {};
TYPED_TEST_SUITE(StencilPlaces, AllSpaces, SpaceNames);

// Component n of the result: the number of neighbour n; absent ones are -1 less the bits of the sides that they are
// beyond.
template <class Pattern>
struct TellNeighbours {
  KOKKOS_FUNCTION void operator()(
    const StencilPoint<Pattern, double>& p, const StencilOutput<double, Pattern::count>& out) const {
    for (int n = 0; n < Pattern::count; ++n) {
      const auto cell = static_cast<double>(p.neighbourCell(n));
      out(n) = p.has(n) ? cell : cell - p.crossed(n).bits;
    }
  }
};

template <class Space, class Pattern>
void expectSides(std::mt19937& random, const Box<Pattern::dimension>& period) {
  constexpr int Dim = Pattern::dimension;
  const Space space;
  const Context context(space);
  const CellList<Dim> cells = randomCells<Dim>(random, 4, 0.8); // in [-4, 4)
  Boundary<Dim> boundary{BoundaryPolicy::Value, period, {}};
  for (int axis = 0; axis < Dim; ++axis) { // a side may be within the cells
    boundary.domain.begin[axis] = axis == 1 ? -3 : -4;
    boundary.domain.end[axis] = 3;
  }
  boundary.domain.end[Dim - 1] = boundary.domain.begin[Dim - 1]; // the last axis has none
  std::map<Cell<Dim>, double> numbers;
  for (const Cell<Dim>& cell : cells) {
    numbers.emplace(cell, static_cast<double>(numbers.size()));
  }
  ValueLists<double> expected(Pattern::count);
  for (const Cell<Dim>& cell : cells) {
    for (int n = 0; n < Pattern::count; ++n) {
      Cell<Dim> other = cell;
      int sides = 0;
      for (int axis = 0; axis < Dim; ++axis) {
        other.at[axis] += Pattern::offset(n, axis);
        if (const auto length = static_cast<Coordinate>(period.extent(axis)); length > 0) {
          other.at[axis] += other.at[axis] < period.begin[axis] ? length : 0;
          other.at[axis] -= other.at[axis] >= period.end[axis] ? length : 0;
        }
        if (axis < Dim - 1) {
          sides |= other.at[axis] < boundary.domain.begin[axis] ? 1 << 2 * axis : 0;
          sides |= other.at[axis] >= boundary.domain.end[axis] ? 2 << 2 * axis : 0;
        }
      }
      const auto found = numbers.find(other);
      expected[static_cast<std::size_t>(n)].push_back(found != numbers.end() ? found->second : -1.0 - sides);
    }
  }
  StencilMapOn<Pattern, Space> map;
  buildStencilMap<Pattern, Space>(context, toSet<Space, Dim>(cells), boundary, map);
  const FieldOn<double, Space> in("in", static_cast<std::int64_t>(cells.size()));
  for (const auto& layout : {FieldLayoutOn<Space>(), FieldLayoutOn<Space>::tuples()}) {
    FieldOn<double, Space> out("out", in.numCells(), Pattern::count, layout);
    forEachStencil<1, Pattern::count, Space, Pattern, double>(space, map, in, 0.0, TellNeighbours<Pattern>{}, out);
    EXPECT_EQ(valuesOf(out), expected);
  }
}

TYPED_TEST(StencilPlaces, TellWhichSidesAbsentNeighboursAreBeyond) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int trial = 0; trial < 3; ++trial) {
    expectSides<TypeParam, FacePattern<2>>(random, {});
    expectSides<TypeParam, BoxPattern<2>>(random, {});
    expectSides<TypeParam, FacePattern<3>>(random, {});
    expectSides<TypeParam, BoxPattern<3>>(random, {});
    expectSides<TypeParam, BoxPattern<2>>(random, {{-4, 0}, {4, 0}}); // x is repeated, y has walls
    expectSides<TypeParam, BoxPattern<3>>(random, {{0, 0, -4}, {0, 0, 4}});
  }
}

// As esoteric pull (Lehmann 2022) does: a value of the cell and one of a neighbour change places, and no other cell
// touches these two. Where there is no neighbour 0 comes in.
struct SwapWithEast {
  bool even;

  KOKKOS_FUNCTION void operator()(const StencilPlace<FacePattern<2>, double, 2>& p) const {
    constexpr int east = 1;
    double& here = p.centre(even ? 0 : 1);
    if (p.has(east)) {
      double& there = p.neighbour(east, even ? 1 : 0);
      const double goesEast = here;
      here = there;
      there = goesEast;
    } else {
      here = 0.0;
    }
  }
};

TYPED_TEST(StencilPlaces, UpdateAFieldInPlace) {
  const TypeParam space;
  const Context context(space);
  const auto set = toSet<TypeParam, 2>({{{0, 0}}, {{1, 0}}, {{2, 0}}, {{3, 0}}});
  StencilMapOn<FacePattern<2>, TypeParam> map;
  buildStencilMap<FacePattern<2>, TypeParam>(context, set, {BoundaryPolicy::Value}, map);
  const std::vector<LabelRun> labels{{1, 4}, {2, 1}, {1, 4}};
  for (const auto& layout :
    {FieldLayoutOn<TypeParam>(), FieldLayoutOn<TypeParam>::tuples(), FieldLayoutOn<TypeParam>::groups(labels)}) {
    HostField<double> start = hostField<double>("f", {{1, 2, 3, 4}, {5, 6, 7, 8}});
    FieldOn<double, TypeParam> columns;
    copy(start, columns);
    FieldOn<double, TypeParam> f("f", 4, 2, layout);
    copyValues<TypeParam, double>(context, columns, f);
    updateStencil<2, TypeParam, FacePattern<2>, double>(space, map, f, SwapWithEast{true});
    // a cell's first value goes into its right neighbour's second one, and that value comes back
    EXPECT_EQ(valuesOf(f), (ValueLists<double>{{6, 7, 8, 0}, {5, 1, 2, 3}}));
    updateStencil<2, TypeParam, FacePattern<2>, double>(space, map, f, SwapWithEast{false});
    EXPECT_EQ(valuesOf(f), (ValueLists<double>{{6, 5, 1, 2}, {7, 8, 0, 0}}));
  }
}

} // namespace
} // namespace spanwise::testing
