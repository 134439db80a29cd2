#include "Core/Field/CopyCells.hpp"
#include "Core/Field/ForGroups.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Field/ReferenceValues.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <functional>
#include <random>

namespace spanwise::testing {

// Each neighbour has a weight of its own, so that none can stand for another. Real numbers: any other order of the sum
// would have other bits.
struct WeighAll {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& p) const {
    double sum = p.centre() / 3.0;
    for (int n = 0; n < count; ++n) {
      sum += p.neighbour(n) / (n + 1.7);
    }
    return sum;
  }
  int count;
};

/// The same of two components, with what is known of absent neighbours, to two components.
template <int count>
struct WeighTwo {
  template <class Point, class Out>
  KOKKOS_FUNCTION void operator()(const Point& p, const Out& out) const {
    double sum = 0.1 * p.centre(0) * p.centre(1);
    double sides = 0.0;
    for (int n = 0; n < count; ++n) {
      sum += p.neighbour(n, 0) * p.neighbour(n, 1) / (n + 1.7);
      sides += (n + 1) * (p.has(n) ? 64.0 : static_cast<double>(p.crossed(n).bits));
    }
    out(0) = sum;
    out(1) = sides;
  }
};

/// A value that depends on where a cell is, and another where there is data.
struct ValueAt {
  FieldView<double> out;

  template <class Cell>
  KOKKOS_FUNCTION void operator()(std::int64_t number, const Cell& cell) const {
    out(number) = cell.at[0] / 7.0 + cell.at[1] / 11.0;
  }
};
struct ValueAtData {
  FieldView<const double> data;
  FieldView<double> out;

  template <class Cell>
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t number, const Cell& cell) const {
    out(number) = data(place) - cell.at[0] / 3.0;
  }
};

/// Gives each cell of the subset its data.
template <class View>
struct PutData {
  View set;
  FieldView<double> data;

  template <class Cell>
  KOKKOS_FUNCTION void operator()(std::int64_t number, const Cell& cell) const {
    const std::int64_t place = set.subsetPlace(number);
    if (place >= 0) {
      data(place) = 100.0 * cell.at[0] + cell.at[1] / 13.0;
    }
  }
};

/// A step of diffusion; where there is data, towards it.
struct Diffuse {
  template <class Point, class Out>
  KOKKOS_FUNCTION void operator()(const Point& p, const Out& out) const {
    out() = p.centre() + 0.1 * (p.sumOfNeighbours() - 4.0 * p.centre());
  }
};
struct DiffuseAtData {
  FieldView<const double> data;

  template <class Point, class Out>
  KOKKOS_FUNCTION void operator()(std::int64_t place, const Point& p, const Out& out) const {
    out() = 0.9 * p.centre() + 0.1 * data(place);
  }
};

/// A lattice's pull with 19 velocities: each population from the cell that it left, or from this one, bounced back.
struct Pull {
  template <class Point, class Out>
  KOKKOS_FUNCTION void operator()(const Point& p, const Out& out) const {
    out(0) = p.centre(0);
    for (int n = 0; n < EdgePattern::count; ++n) {
      const int opposite = EdgePattern::count - 1 - n;
      out(n + 1) = p.has(opposite) ? p.neighbour(opposite, n + 1) : p.centre(opposite + 1);
    }
  }
};

/// Takes the coordinates of a cell.
struct TakePlace {
  template <class Cell, class Point, class Out>
  KOKKOS_FUNCTION void operator()(const Cell& cell, const Point& p, const Out& out) const {
    out() = p.centre() + 10.0 * cell.at[0] + 1000.0 * cell.at[1];
  }
};

namespace {

template <class Space>
class ForGroups : public ::testing::Test {};
TYPED_TEST_SUITE(ForGroups, AllSpaces, SpaceNames);

constexpr BlockOrder orders[] = {BlockOrder::Row, BlockOrder::Morton, BlockOrder::Hilbert};
constexpr BlockGrouping groupings[] = {BlockGrouping::Naive, BlockGrouping::BitMask, BlockGrouping::Contiguous};

std::vector<double> randomReals(std::mt19937& random, std::size_t count) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> values(count);
  std::generate(values.begin(), values.end(), [&] { return uniform(random); });
  return values;
}

template <class Space, int Dim>
GroupedSetOn<Dim, Space> groupedSet(
  const Context<Space>& context, const CellList<Dim>& cells, const CellList<Dim>& subset) {
  GroupedSetOn<Dim, Space> set;
  set.build(context, toSet<Space, Dim>(cells), toSet<Space, Dim>(subset));
  return set;
}

/// Applies `apply(map, field, out)` on a set, to a field given on `from`, over -1 in all cells; the values on `from`.
template <class Pattern, class Space, int Dim, class Set, class Apply>
ValueLists<double> appliedOn(const Context<Space>& context, const GroupedSetOn<Dim, Space>& from,
  const ValueLists<double>& values, const Set& set, const Boundary<Dim>& boundary, const Apply& apply) {
  StencilMapOf<Pattern, Set> map;
  buildStencilMap<Pattern, Space>(context, set, boundary, map);
  FieldOn<double, Space> in;
  FieldOn<double, Space> out;
  copyCells(context, from, fieldOn<Space>("in", values), set, in);
  copyCells(context, from,
    fieldOn<Space>("out", ValueLists<double>(values.size(), std::vector<double>(values[0].size(), -1.0))), set, out);
  apply(map, in, out);
  FieldOn<double, Space> result;
  copyCells(context, set, out, from, result);
  return valuesOf(result);
}

/// Calls check(set) for a set as intervals and as blocks in all orders and groupings.
template <class Space, int Dim, class Check>
void onAllSets(
  const Context<Space>& context, const CellList<Dim>& cells, const CellList<Dim>& subset, const Check& check) {
  check(groupedSet<Space, Dim>(context, cells, subset));
  for (const BlockOrder order : orders) {
    for (const BlockGrouping grouping : groupings) {
      SCOPED_TRACE("order " + std::to_string(static_cast<int>(order)) + ", grouping " +
        std::to_string(static_cast<int>(grouping)));
      BlockSetOn<Dim, Space> blocks;
      buildBlocks<Space, Dim>(context, toSet<Space, Dim>(cells), toSet<Space, Dim>(subset), {order, grouping}, blocks);
      check(blocks);
    }
  }
}

template <class Space, class Pattern>
void expectStencil(const Context<Space>& context, std::mt19937& random, const CellList<Pattern::dimension>& cells,
  const CellList<Pattern::dimension>& subset, const Boundary<Pattern::dimension>& boundary) {
  constexpr int Dim = Pattern::dimension;
  const double outside = 0.321;
  const ValueLists<double> in{randomReals(random, cells.size()), randomReals(random, cells.size())};
  const auto from = groupedSet<Space, Dim>(context, cells, subset);

  // one component by brute force
  const ReferenceValues<Dim> values(cells, in[0], boundary, outside);
  std::vector<double> expected;
  for (const Cell<Dim>& cell : cells) {
    double sum = in[0][expected.size()] / 3.0;
    bool complete = true;
    for (int n = 0; n < Pattern::count && complete; ++n) {
      const auto value = values.at(cell, {Pattern::offset(n, 0), Pattern::offset(n, 1), Pattern::offset(n, 2)});
      complete = value.has_value();
      sum += value.value_or(0.0) / (n + 1.7);
    }
    expected.push_back(complete ? sum : -1.0);
  }
  // two as on the interval set, whose maps have a test of their own
  StencilMapOn<Pattern, Space> plain;
  buildStencilMap<Pattern, Space>(context, from.set(), boundary, plain);
  auto twoExpected = fieldOn<Space>("out", ValueLists<double>(2, std::vector<double>(cells.size(), -1.0)));
  forEachStencil<2, 2>(
    context.space(), plain, fieldOn<Space>("in", in), outside, WeighTwo<Pattern::count>{}, twoExpected);

  onAllSets<Space, Dim>(context, cells, subset, [&](const auto& set) {
    for (const bool inGroups : {false, true}) {
      const auto one = appliedOn<Pattern, Space, Dim>(
        context, from, {in[0]}, set, boundary, [&](const auto& map, const auto& field, auto& out) {
          EXPECT_EQ(map.numCells(), plain.numCells());
          const WeighAll weigh{Pattern::count};
          if (inGroups) {
            applyStencil(context.space(), map, field, outside, weigh, out, SubsetGroup::With);
            applyStencil(context.space(), map, field, outside, weigh, out, SubsetGroup::Without);
          } else {
            applyStencil(context.space(), map, field, outside, weigh, out);
          }
        });
      ASSERT_EQ(one[0], expected);
    }
    const auto two = appliedOn<Pattern, Space, Dim>(
      context, from, in, set, boundary, [&](const auto& map, const auto& field, auto& out) {
        forEachStencil<2, 2>(context.space(), map, field, outside, WeighTwo<Pattern::count>{}, out);
      });
    ASSERT_EQ(two, valuesOf(twoExpected));
  });
}

template <class Space, class Pattern>
void expectPattern() {
  constexpr int Dim = Pattern::dimension;
  constexpr Coordinate extent = Dim == 2 ? 11 : 5;
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  Box<Dim> all{};
  std::fill_n(all.begin, Dim, -extent);
  std::fill_n(all.end, Dim, extent);
  Box<Dim> alongLast{};
  alongLast.begin[Dim - 1] = -extent;
  alongLast.end[Dim - 1] = extent;
  for (const double density : {0.3, 0.97, 1.0}) {
    const CellList<Dim> cells = randomCells<Dim>(random, extent, density);
    const CellList<Dim> subset = randomCells<Dim>(random, extent, 0.02);
    for (const Boundary<Dim>& boundary : {Boundary<Dim>{BoundaryPolicy::Value, {}, all},
           Boundary<Dim>{BoundaryPolicy::Mirror}, Boundary<Dim>{BoundaryPolicy::Skip},
           Boundary<Dim>{BoundaryPolicy::Periodic, all}, Boundary<Dim>{BoundaryPolicy::Value, alongLast, all}}) {
      SCOPED_TRACE(
        "density " + std::to_string(density) + ", policy " + std::to_string(static_cast<int>(boundary.policy)));
      expectStencil<Space, Pattern>(Context<Space>(), random, cells, subset, boundary);
    }
  }
}

TYPED_TEST(ForGroups, FaceNeighboursAreThoseOfEachCell) {
  expectPattern<TypeParam, FacePattern<2>>();
  expectPattern<TypeParam, FacePattern<3>>();
}
TYPED_TEST(ForGroups, FullNeighbourhoodsAreThoseOfEachCell) {
  expectPattern<TypeParam, BoxPattern<2>>();
  expectPattern<TypeParam, BoxPattern<3>>();
  expectPattern<TypeParam, EdgePattern>();
}
TYPED_TEST(ForGroups, WideStarsAreThoseOfEachCell) {
  expectPattern<TypeParam, StarPattern<2, 4>>();
  expectPattern<TypeParam, StarPattern<3, 2>>();
  expectPattern<TypeParam, StarPattern<3, 4>>();
}

TYPED_TEST(ForGroups, HoldAtTheLimitsOfCoordinates) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  CellList<2> cells;
  for (Coordinate y = 0; y < 3; ++y) {
    for (Coordinate x = 0; x < 5; ++x) {
      cells.insert({{minCoordinate + x, minCoordinate + y}});
      cells.insert({{maxRowKey - x, maxRowKey - y}});
    }
  }
  const Boundary<2> torus{BoundaryPolicy::Periodic, {{minCoordinate, minCoordinate}, {maxIntervalEnd, maxIntervalEnd}}};
  for (const Boundary<2>& boundary : {Boundary<2>{BoundaryPolicy::Value}, Boundary<2>{BoundaryPolicy::Mirror}, torus}) {
    expectStencil<TypeParam, BoxPattern<2>>(Context<TypeParam>(), random, cells, {}, boundary);
    expectStencil<TypeParam, StarPattern<2, 4>>(Context<TypeParam>(), random, cells, {}, boundary);
  }
}

TYPED_TEST(ForGroups, RefusePeriodsAndFieldsThatDoNotFit) {
  const Context<TypeParam> context;
  BlockSetOn<2, TypeParam> set;
  buildBlocks<TypeParam, 2>(context, toSet<TypeParam, 2>({{{0, 0}}, {{7, 0}}}), BlockOrder::Row, set);
  BlockStencilMapOn<FacePattern<2>, TypeParam> map;
  const auto build = [&](const Boundary<2>& boundary) {
    return messageOf([&] { buildStencilMap<FacePattern<2>, TypeParam>(context, set, boundary, map); });
  };
  EXPECT_TRUE(contains(build({BoundaryPolicy::Periodic, {}}), "empty along all axes"));
  EXPECT_TRUE(contains(build({BoundaryPolicy::Periodic, {{0, 0}, {7, 1}}}), "does not hold all cells"));
  EXPECT_EQ(build({}), "");
  FieldOn<double, TypeParam> two("two", 2);
  FieldOn<double, TypeParam> tuples("tuples", 64, 2, FieldLayoutOn<TypeParam>::tuples());
  FieldOn<double, TypeParam> out("out", 64);
  const auto apply = [&](const FieldOn<double, TypeParam>& in) {
    return messageOf([&] { applyStencil(context.space(), map, in, 0.0, WeighAll{4}, out); });
  };
  EXPECT_TRUE(contains(apply(two), "has 2 cells, the stencil's blocks 64"));
  EXPECT_TRUE(contains(apply(out), "share values"));
  out.resize(64, 2);
  EXPECT_TRUE(contains(apply(tuples), "must lie in columns"));
}

/// What forGroups() makes of a field: values of a map pattern, then three steps of a stencil.
template <class Space, int Dim, class Set>
ValueLists<double> stepped(const Context<Space>& context, const GroupedSetOn<Dim, Space>& from, const Set& set) {
  const Space& space = context.space();
  FieldOn<double, Space> data("data", set.numSubsetPlaces());
  forEachCell(
    space, SPANWISE_KERNEL("put data"), set, PutData<decltype(set.view())>{set.view(), data.view()}, SubsetGroup::With);
  FieldOn<double, Space> x("x", set.numPlaces());
  fill(context, x, 0.0);
  FieldOn<double, Space> y("y", set.numPlaces());
  forGroups(set, ValueAt{x.view()}, ValueAtData{data.view(), x.view()},
    [&](SubsetGroup group, const auto& body) { forEachCell(space, SPANWISE_KERNEL("values"), set, body, group); });
  StencilMapOf<FacePattern<Dim>, Set> map;
  buildStencilMap<FacePattern<Dim>, Space>(context, set, {BoundaryPolicy::Mirror}, map);
  for (int step = 0; step < 3; ++step) {
    forGroups(set, Diffuse{}, DiffuseAtData{data.view()},
      [&](SubsetGroup group, const auto& body) { forEachStencil<1, 1>(space, map, x, 0.0, body, y, group); });
    std::swap(x, y);
  }
  forEachStencil<1, 1>(space, map, x, 0.0, withCells(set, TakePlace{}), y);
  FieldOn<double, Space> result;
  copyCells(context, set, y, from, result);
  return valuesOf(result);
}

template <class Space, int Dim>
void expectSameBits() {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const double part : {0.0, 0.03, 1.0}) {
    const CellList<Dim> cells = randomCells<Dim>(random, Dim == 2 ? 30 : 9, 0.8);
    const CellList<Dim> subset = randomCells<Dim>(random, Dim == 2 ? 30 : 9, part);

    // by brute force
    std::map<Cell<Dim>, double> x;
    for (const Cell<Dim>& c : cells) {
      x[c] = subset.contains(c) ? 100.0 * c.at[0] + c.at[1] / 13.0 - c.at[0] / 3.0 : c.at[0] / 7.0 + c.at[1] / 11.0;
    }
    for (int step = 0; step < 3; ++step) {
      std::map<Cell<Dim>, double> y;
      for (const auto& [c, value] : x) {
        double sum = 0.0;
        for (int n = 0; n < 2 * Dim; ++n) {
          Cell<Dim> other = c;
          other.at[n / 2] += n % 2 == 0 ? -1 : 1;
          const auto found = x.find(other);
          sum = n == 0 ? (found == x.end() ? value : found->second) : sum + (found == x.end() ? value : found->second);
        }
        const double data = 100.0 * c.at[0] + c.at[1] / 13.0;
        y[c] = subset.contains(c) ? 0.9 * value + 0.1 * data : value + 0.1 * (sum - 4.0 * value);
      }
      x = y;
    }
    std::vector<double> expected;
    for (const auto& [c, value] : x) {
      expected.push_back(value + 10.0 * c.at[0] + 1000.0 * c.at[1]);
    }

    for (const Space& space : ofSeveralThreads<Space>()) {
      const Context<Space> context(space);
      const auto from = groupedSet<Space, Dim>(context, cells, subset);
      onAllSets<Space, Dim>(context, cells, subset, [&](const auto& set) {
        const auto found = stepped<Space, Dim>(context, from, set);
        ASSERT_EQ(found[0], expected);
      });
    }
  }
}

TYPED_TEST(ForGroups, HaveTheSameBitsOnAllSetsIn2D) { expectSameBits<TypeParam, 2>(); }
TYPED_TEST(ForGroups, HaveTheSameBitsOnAllSetsIn3D) { expectSameBits<TypeParam, 3>(); }

/// Populations only move: all values are there before and after.
TYPED_TEST(ForGroups, PullPopulations) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Context<TypeParam> context;
  const CellList<3> cells = randomCells<3>(random, 6, 0.9);
  constexpr std::size_t numPopulations = EdgePattern::count + 1;
  ValueLists<double> populations;
  for (std::size_t q = 0; q < numPopulations; ++q) {
    populations.push_back(randomReals(random, cells.size()));
  }
  const auto sorted = [](const ValueLists<double>& lists) {
    std::vector<double> all;
    for (const std::vector<double>& list : lists) {
      all.insert(all.end(), list.begin(), list.end());
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto from = groupedSet<TypeParam, 3>(context, cells, {});
  ValueLists<double> expected;
  onAllSets<TypeParam, 3>(context, cells, {}, [&](const auto& set) {
    const auto pulled = appliedOn<EdgePattern, TypeParam, 3>(
      context, from, populations, set, {BoundaryPolicy::Value}, [&](const auto& map, const auto& field, auto& out) {
        forEachStencil<numPopulations, numPopulations>(context.space(), map, field, 0.0, Pull{}, out);
      });
    EXPECT_EQ(sorted(pulled), sorted(populations));
    expected = expected.empty() ? pulled : expected;
    ASSERT_EQ(pulled, expected);
  });
}

/// Builds a set and a map again, and takes a step.
template <class Space, class Set, class Build>
void expectNoAllocationsOn(const Context<Space>& context, const Build& build) {
  Set set;
  build(set);
  StencilMapOf<FacePattern<3>, Set> map;
  FieldOn<double, Space> data("data", set.numSubsetPlaces());
  fill(context, data, 1.0);
  FieldOn<double, Space> x("x", set.numPlaces());
  FieldOn<double, Space> y("y", set.numPlaces());
  fill(context, x, 1.0);
  expectNoAllocations<Space>([&] {
    build(set);
    buildStencilMap<FacePattern<3>, Space>(context, set, {BoundaryPolicy::Mirror}, map);
    forEachCell(context.space(), SPANWISE_KERNEL("values"), set, ValueAt{x.view()});
    forGroups(set, Diffuse{}, DiffuseAtData{data.view()},
      [&](SubsetGroup group, const auto& body) { forEachStencil<1, 1>(context.space(), map, x, 0.0, body, y, group); });
  });
}

TYPED_TEST(ForGroups, AllocateNothingWhenRepeated) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Context<TypeParam> context;
  const auto cells = toSet<TypeParam, 3>(randomCells<3>(random, 20, 0.6));
  const auto subset = toSet<TypeParam, 3>(randomCells<3>(random, 20, 0.01));
  expectNoAllocationsOn<TypeParam, GroupedSetOn<3, TypeParam>>(
    context, [&](auto& set) { set.build(context, cells, subset); });
  for (const BlockOrder order : orders) {
    expectNoAllocationsOn<TypeParam, BlockSetOn<3, TypeParam>>(context,
      [&](auto& set) { buildBlocks<TypeParam, 3>(context, cells, subset, {order, BlockGrouping::Contiguous}, set); });
  }
}

} // namespace
} // namespace spanwise::testing
