#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/ComponentMeasures.hpp"
#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/FillHoles.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace spanwise::testing {
namespace {

constexpr std::array allConnectivities{Connectivity::Face, Connectivity::Edge, Connectivity::Vertex};

template <class Space>
class Components : public ::testing::Test {};
TYPED_TEST_SUITE(Components, AllSpaces, SpaceNames);

/// The labels and sizes of the components of a set.
template <class Space, int Dim>
struct Labelled {
  using Numbers = ComponentNumbers<Space>;

  Labelled(Connectivity connectivity, const IntervalSetOn<Dim, Space>& set)
    : labels("Testing::labels", static_cast<std::size_t>(set.numIntervals())) {
    const Space space;
    const Context context(space);
    numbering = connectedComponents<Space, Dim>(context, connectivity, set, labels);
    count = numbering.count();
    sizes = Numbers("Testing::sizes", static_cast<std::size_t>(count));
    componentSizes<Space, Dim>(context, set, labels, numbering, sizes);
    const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sizes);
    hostSizes.assign(mirror.data(), mirror.data() + mirror.extent(0));
  }

  Numbers labels;
  ComponentNumbering numbering;
  Numbers sizes;
  std::vector<std::int64_t> hostSizes;
  std::int64_t count;
};

/// The components of a list of cells, in the order of their first cells, by walking from cell to cell.
template <int Dim>
std::vector<CellList<Dim>> reference(Connectivity connectivity, CellList<Dim> cells) {
  const int maxAxes = connectivity == Connectivity::Face ? 1 : connectivity == Connectivity::Edge ? 2 : 3;
  std::vector<CellList<Dim>> components;
  while (!cells.empty()) {
    std::vector<Cell<Dim>> open{*cells.begin()};
    cells.erase(cells.begin());
    CellList<Dim> component;
    while (!open.empty()) {
      const Cell<Dim> cell = open.back();
      open.pop_back();
      component.insert(cell);
      for (int direction = 0; direction < 27; ++direction) {
        const int steps[3] = {direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1};
        if ((Dim == 2 && steps[2] != 0) || std::abs(steps[0]) + std::abs(steps[1]) + std::abs(steps[2]) > maxAxes) {
          continue;
        }
        Cell<Dim> neighbour{};
        bool exists = true;
        for (int d = 0; d < Dim; ++d) {
          const std::int64_t at = std::int64_t{cell.at[d]} + steps[d];
          exists = exists && isCellCoordinate(at);
          neighbour.at[d] = static_cast<Coordinate>(at);
        }
        if (exists && cells.erase(neighbour) != 0) {
          open.push_back(neighbour);
        }
      }
    }
    components.push_back(component);
  }
  return components;
}

template <int Dim>
CellList<Dim> moved(const CellList<Dim>& cells, const Cell<Dim>& offset) {
  CellList<Dim> result;
  for (Cell<Dim> cell : cells) {
    for (int d = 0; d < Dim; ++d) {
      cell.at[d] += offset.at[d];
    }
    result.insert(cell);
  }
  return result;
}

/// The measures of a list of cells, added up one by one.
template <int Dim>
void expectMeasures(const ComponentMeasures<Dim>& measures, const CellList<Dim>& cells) {
  ASSERT_EQ(measures.size, static_cast<std::int64_t>(cells.size()));
  for (int d = 0; d < Dim; ++d) {
    Coordinate low = maxRowKey;
    Coordinate high = minCoordinate;
    std::int64_t sum = 0;
    for (const Cell<Dim>& cell : cells) {
      low = std::min(low, cell.at[d]);
      high = std::max(high, cell.at[d]);
      sum += cell.at[d];
    }
    EXPECT_EQ(measures.box.begin[d], low);
    EXPECT_EQ(measures.box.end[d], high + 1);
    const std::int64_t mean = sum / measures.size;
    const double centre = static_cast<double>(mean) +
      (0.5 + static_cast<double>(sum - mean * measures.size) / static_cast<double>(measures.size));
    EXPECT_NEAR(
      measures.centroid(d), centre, 2.0 * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(centre)));
  }
}

template <class Space, int Dim>
std::vector<ComponentMeasures<Dim>> measuresOf(const IntervalSetOn<Dim, Space>& set, const Labelled<Space, Dim>& by) {
  const ComponentMeasuresOn<Space, Dim> measures("Testing::measures", static_cast<std::size_t>(by.count));
  measureComponents<Space, Dim>(Context<Space>(), set, by.labels, by.numbering, measures);
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), measures);
  return {mirror.data(), mirror.data() + mirror.extent(0)};
}

template <class Space, int Dim>
void expectMeasures(const IntervalSetOn<Dim, Space>& set, const Labelled<Space, Dim>& labelled,
  const std::vector<CellList<Dim>>& expected) {
  const auto measures = measuresOf<Space, Dim>(set, labelled);
  std::size_t largest = 0;
  for (std::size_t c = 0; c < expected.size(); ++c) {
    expectMeasures<Dim>(measures[c], expected[c]);
    largest = expected[c].size() > expected[largest].size() ? c : largest;
    const auto found =
      componentOf<Space, Dim>(Context<Space>(), set, labelled.labels, labelled.numbering, *expected[c].rbegin());
    EXPECT_EQ(found, static_cast<std::int64_t>(c));
  }
  const auto first = largestComponent<Space>(Context<Space>(), labelled.sizes, labelled.numbering);
  EXPECT_EQ(first, expected.empty() ? -1 : static_cast<std::int64_t>(largest));
}

template <class Space, int Dim>
void expectReference(Connectivity connectivity, const CellList<Dim>& cells) {
  const auto set = toSet<Space, Dim>(cells);
  const std::vector<CellList<Dim>> expected = reference<Dim>(connectivity, cells);
  const Labelled<Space, Dim> labelled(connectivity, set);
  ASSERT_EQ(labelled.count, static_cast<std::int64_t>(expected.size()));
  ComponentNumbers<Space> numbers("Testing::numbers", expected.size());
  const auto mirror = Kokkos::create_mirror_view(numbers);
  for (std::size_t c = 0; c < expected.size(); ++c) {
    mirror(c) = static_cast<std::int64_t>(c);
  }
  Kokkos::deep_copy(numbers, mirror);
  expectMeasures<Space, Dim>(set, labelled, expected);
  const Context<Space> context;
  IntervalSetOn<Dim, Space> out;
  for (std::size_t c = 0; c < expected.size(); ++c) {
    EXPECT_EQ(labelled.hostSizes[c], static_cast<std::int64_t>(expected[c].size()));
    const auto number = static_cast<std::int64_t>(c);
    selectComponents<Space, Dim>(context, set, labelled.labels, {number, number, numbers}, out);
    expectCells<Space, Dim>(out, expected[c]);
  }
}

template <class Space, int Dim>
void randomAgainstReference(int numCases, Coordinate maxExtent) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int k = 0; k < numCases && !::testing::Test::HasFailure(); ++k) {
    const auto extent = static_cast<Coordinate>(1 + random() % static_cast<unsigned>(maxExtent));
    const double density = std::array{0.1, 0.3, 0.5, 0.7}[random() % 4];
    Cell<Dim> origin;
    for (Coordinate& at : origin.at) {
      // at the limits too, where there is no neighbour
      at = std::array{0, -1000, minCoordinate + extent, maxRowKey + 1 - extent}[random() % 4];
    }
    const CellList<Dim> cells = moved(randomCells<Dim>(random, extent, density), origin);
    for (const Connectivity connectivity : allConnectivities) {
      SCOPED_TRACE("case " + std::to_string(k) + ", connectivity " + std::to_string(static_cast<int>(connectivity)));
      expectReference<Space, Dim>(connectivity, cells);
    }
  }
}

TYPED_TEST(Components, AgreeWithBruteForce2D) { randomAgainstReference<TypeParam, 2>(1000, 7); }

TYPED_TEST(Components, AgreeWithBruteForce3D) { randomAgainstReference<TypeParam, 3>(500, 3); }

TYPED_TEST(Components, OfNothingAreNone) {
  for (const Connectivity connectivity : allConnectivities) {
    EXPECT_EQ((Labelled<TypeParam, 3>(connectivity, {}).count), 0);
  }
}

// Rows of one cell at alternating ends, joined by full rows: joins must find their way through long chains.
TYPED_TEST(Components, OfAWormAreOne) {
  CellList<2> worm;
  for (Coordinate y = 0; y < 10000; ++y) {
    for (Coordinate x = 0; x < 3; ++x) {
      if (y % 2 == 0 || x == (y % 4 == 1 ? 0 : 2)) {
        worm.insert({{x, y}});
      }
    }
  }
  auto set = toSet<TypeParam, 2>(worm);
  EXPECT_EQ((Labelled<TypeParam, 2>(Connectivity::Face, set).count), 1);
  worm.erase(Cell<2>{{0, 5001}}); // 5001 % 4 is 1
  set = toSet<TypeParam, 2>(worm);
  EXPECT_EQ((Labelled<TypeParam, 2>(Connectivity::Face, set).hostSizes), (std::vector<std::int64_t>{10003, 9996}));
}

TYPED_TEST(Components, OfNoiseAddUp) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const auto set = noiseOn<TypeParam, 3>(seed());
  std::int64_t before = set.numIntervals();
  for (const Connectivity connectivity : allConnectivities) {
    const Labelled<TypeParam, 3> labelled(connectivity, set);
    EXPECT_LE(labelled.count, before); // more neighbours, fewer components
    before = labelled.count;
    const std::vector<std::int64_t>& sizes = labelled.hostSizes;
    EXPECT_GT(*std::min_element(sizes.begin(), sizes.end()), 0);
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}), set.numCells());
    const std::int64_t largest = *std::max_element(sizes.begin(), sizes.end());
    const Context<TypeParam> context;
    IntervalSetOn<3, TypeParam> out;
    selectComponents<TypeParam, 3>(context, set, labelled.labels, {largest, largest, labelled.sizes}, out);
    EXPECT_EQ(out.numCells(), largest * std::count(sizes.begin(), sizes.end(), largest));
    EXPECT_EQ(validate(context, out), "");
  }
}

// The holes are the components of the background that do not reach the border of a box around the set.
template <class Space, int Dim>
void expectFilled(const CellList<Dim>& cells, Coordinate extent, Connectivity connectivity) {
  CellList<Dim> background = allCells<Dim>(-extent - 1, extent + 1);
  const CellList<Dim> around = background;
  for (const Cell<Dim>& cell : cells) {
    background.erase(cell);
  }
  CellList<Dim> expected = around;
  const std::vector<CellList<Dim>> components = reference<Dim>(connectivity, background);
  for (const Cell<Dim>& cell : components.front()) {
    expected.erase(cell);
  }
  const Context<Space> context;
  IntervalSetOn<Dim, Space> out;
  fillHoles<Space, Dim>(context, connectivity, toSet<Space, Dim>(cells), out);
  expectCells<Space, Dim>(out, expected);
}

TYPED_TEST(Components, OfTheBackgroundAreHoles) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int k = 0; k < 200; ++k) {
    for (const Connectivity connectivity : allConnectivities) {
      expectFilled<TypeParam, 2>(randomCells<2>(random, 5, 0.55), 5, connectivity);
      expectFilled<TypeParam, 3>(randomCells<3>(random, 3, 0.75), 3, connectivity);
    }
  }
  IntervalSetOn<2, TypeParam> out;
  const Context<TypeParam> context;
  fillHoles<TypeParam, 2>(context, Connectivity::Face, {}, out);
  EXPECT_TRUE(out.empty());
  const auto atLimit = toSet<TypeParam, 2>(CellList<2>{Cell<2>{{minCoordinate, 0}}});
  EXPECT_THROW((fillHoles<TypeParam, 2>(context, Connectivity::Face, atLimit, out)), CoordinateOverflow);
}

TYPED_TEST(Components, HaveNoCellThatTheSetHasNot) {
  const auto set = toSet<TypeParam, 2>(CellList<2>{{{0, 0}}, {{2, 0}}, {{0, 3}}});
  const Labelled<TypeParam, 2> labelled(Connectivity::Face, set);
  const auto componentAt = [&](const Cell<2>& cell) {
    return componentOf<TypeParam, 2>(Context<TypeParam>(), set, labelled.labels, labelled.numbering, cell);
  };
  EXPECT_EQ(componentAt({{2, 0}}), 1);
  for (const Cell<2>& cell : {Cell<2>{{1, 0}}, Cell<2>{{0, 1}}, Cell<2>{{3, 3}}, Cell<2>{{-1, -1}}}) {
    EXPECT_EQ(componentAt(cell), -1);
  }
  EXPECT_EQ((componentOf<TypeParam, 2>(Context<TypeParam>(), {}, {}, ComponentNumbering(), {{0, 0}})), -1);
}

// Rows over all coordinates there are: the sums of coordinates need more than 64 bits.
TYPED_TEST(Components, OfAllCoordinatesHaveExactCentroids) {
  const auto host =
    fromArrays<2>({{minCoordinate}, {minCoordinate + 1}, {minCoordinate + 2}, {maxRowKey}}, {0, 1, 2, 3, 4},
      {{minCoordinate, maxIntervalEnd}, {minCoordinate, maxIntervalEnd}, {minCoordinate, maxIntervalEnd},
        {maxRowKey, maxIntervalEnd}});
  IntervalSetOn<2, TypeParam> set;
  copy(host, set);
  const auto measures = measuresOf<TypeParam, 2>(set, Labelled<TypeParam, 2>(Connectivity::Face, set));
  ASSERT_EQ(measures.size(), 2U);
  EXPECT_EQ(measures[0].size, 3 * ((std::int64_t{1} << 32) - 1));
  EXPECT_EQ(measures[0].centroid(0), -0.5);
  EXPECT_EQ(measures[0].centroid(1), minCoordinate + 1.5);
  EXPECT_EQ(measures[1].centroid(0), maxRowKey + 0.5);
  EXPECT_EQ(measures[1].centroid(1), maxRowKey + 0.5);
}

// As ranks do it: parts are measured apart and added in any order.
TYPED_TEST(Components, MeasuresOfPartsAddUp) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int k = 0; k < 50; ++k) {
    CellList<3> all = randomCells<3>(random, 5, 0.5);
    ComponentMeasures<3> sum = ComponentMeasures<3>::none();
    for (const auto& part : reference<3>(Connectivity::Face, all)) {
      const auto set = toSet<TypeParam, 3>(part);
      sum.add(measuresOf<TypeParam, 3>(set, Labelled<TypeParam, 3>(Connectivity::Face, set)).at(0));
    }
    expectMeasures<3>(sum, all);
  }
}

TYPED_TEST(Components, RefuseLabelsOfAnotherLength) {
  IntervalSetOn<2, TypeParam> set;
  makeBox<TypeParam, 2>(Context<TypeParam>(), {{0, 0}, {2, 3}}, set);
  const Context<TypeParam> context;
  const ComponentNumbers<TypeParam> two("Testing::labels", 2);
  EXPECT_THROW((connectedComponents<TypeParam, 2>(context, Connectivity::Face, set, two)), InvalidArgument);
}

TYPED_TEST(Components, HolesAreFilledInPlace) {
  const CellList<2> ring{{{0, 0}}, {{1, 0}}, {{2, 0}}, {{0, 1}}, {{2, 1}}, {{0, 2}}, {{1, 2}}, {{2, 2}}};
  CellList<2> filled = ring;
  filled.insert({{1, 1}});
  auto set = toSet<TypeParam, 2>(ring);
  const Context<TypeParam> context;
  fillHoles<TypeParam, 2>(context, Connectivity::Face, set, set);
  expectCells<TypeParam, 2>(set, filled);
}

} // namespace
} // namespace spanwise::testing
