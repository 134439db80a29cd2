// Components and holes of sets that are cut among ranks, and on axes that repeat, by their definition.

#include "Core/Geometry/ComponentMeasures.hpp"
#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/DescribeComponents.hpp"
#include "Core/Geometry/EulerNumber.hpp"
#include "Core/Geometry/FillHoles.hpp"
#include "Core/Geometry/LargestComponent.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/RankCase.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <cstdint>
#include <map>

namespace spanwise::testing {
namespace {

constexpr std::array allConnectivities{Connectivity::Face, Connectivity::Edge, Connectivity::Vertex};

/// What connectedComponents() says of a set, on the host.
template <class Space, int Dim>
struct Labelled {
  Labelled(
    const Space& space, Connectivity connectivity, const IntervalSetOn<Dim, Space>& set, const SetDomain<Dim>& domain)
    : labels("Testing::labels", static_cast<std::size_t>(set.numIntervals())) {
    const Context context(space, world());
    numbering = connectedComponents<Space, Dim>(context, connectivity, set, labels, domain);
    const auto numParts = static_cast<std::size_t>(numbering.numParts());
    numbers = ComponentNumbers<Space>("Testing::numbers", numParts);
    sizes = ComponentNumbers<Space>("Testing::sizes", numParts);
    measures = ComponentMeasuresOn<Space, Dim>("Testing::measures", numParts);
    componentNumbers<Space>(context, numbering, numbers);
    componentSizes<Space, Dim>(context, set, labels, numbering, sizes);
    measureComponents<Space, Dim>(context, set, labels, numbering, measures);
  }

  ComponentNumbers<Space> labels;
  ComponentNumbering numbering;
  ComponentNumbers<Space> numbers;
  ComponentNumbers<Space> sizes;
  ComponentMeasuresOn<Space, Dim> measures;
};

template <int Dim>
Box<Dim> boxOf(const CellList<Dim>& cells) {
  auto box = ComponentMeasures<Dim>::none().box;
  for (const Cell<Dim>& cell : cells) {
    for (int d = 0; d < Dim; ++d) {
      box.begin[d] = std::min(box.begin[d], cell.at[d]);
      box.end[d] = std::max(box.end[d], cell.at[d] + 1);
    }
  }
  return box;
}

template <class View>
auto onHost(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

template <class Space>
class RankComponents : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // all cases are small
  const Context<Space> context{space, world()};

  template <int Dim>
  void expectLabels(const RankCase<Dim>& some, Connectivity connectivity, const std::vector<CellList<Dim>>& expected) {
    std::map<Cell<Dim>, std::int64_t> numberOfCell;
    for (std::size_t c = 0; c < expected.size(); ++c) {
      for (const Cell<Dim>& cell : expected[c]) {
        numberOfCell[cell] = static_cast<std::int64_t>(c);
      }
    }
    const auto set = toSet<Space, Dim>(some.mine);
    const Labelled<Space, Dim> found(space, connectivity, set, some.domain());
    ASSERT_EQ(found.numbering.count(), static_cast<std::int64_t>(expected.size()));
    const auto labels = onHost(found.labels);
    const auto numbers = onHost(found.numbers);
    const auto sizes = onHost(found.sizes);
    const auto measures = onHost(found.measures);
    const auto host = toHostSet<Dim>(some.mine);
    const IntervalSetView<Dim> view = host.view();
    for (std::int64_t i = 0; i < view.numIntervals; ++i) {
      const Cell<Dim> cell = cellOf(view.rowKeys[view.rowOfInterval(i)], view.intervals[i].begin);
      const std::int64_t part = labels(i);
      const std::int64_t number = numberOfCell.at(cell);
      const CellList<Dim>& component = expected[static_cast<std::size_t>(number)];
      ASSERT_EQ(numbers(part), number);
      ASSERT_EQ(found.numbering.number(part), number);
      EXPECT_EQ(found.numbering.hasFirstCell(part), labelOf(view, labels, *component.begin()) == part);
      EXPECT_EQ(sizes(part), std::ssize(component));
      EXPECT_EQ(measures(part).size, std::ssize(component));
      const Box<Dim> box = boxOf<Dim>(component);
      for (int d = 0; d < Dim; ++d) {
        EXPECT_EQ(measures(part).box.begin[d], box.begin[d]);
        EXPECT_EQ(measures(part).box.end[d], box.end[d]);
      }
    }
    expectDescription<Dim>(some, connectivity, found);
    std::int64_t largest = -1;
    for (std::size_t c = 0; c < expected.size(); ++c) {
      if (largest < 0 || expected[c].size() > expected[static_cast<std::size_t>(largest)].size()) {
        largest = static_cast<std::int64_t>(c);
      }
    }
    EXPECT_EQ(largestComponent<Space>(context, found.sizes, found.numbering), largest);
    const auto componentAt = [&](const Cell<Dim>& cell) {
      return componentOf<Space, Dim>(context, set, found.labels, found.numbering, cell);
    };
    for (std::size_t c = 0; c < std::min<std::size_t>(expected.size(), 2); ++c) {
      EXPECT_EQ(componentAt(*expected[c].rbegin()), static_cast<std::int64_t>(c));
    }
    Cell<Dim> outside{};
    outside.at[0] = minCoordinate;
    EXPECT_EQ(componentAt(outside), -1);
    IntervalSetOn<Dim, Space> out;
    largestComponent<Space, Dim>(context, connectivity, set, out, some.domain());
    expectCells<Space, Dim>(
      out, largest < 0 ? CellList<Dim>() : some.mineOf(expected[static_cast<std::size_t>(largest)]));
  }

  /// All at once as one by one.
  template <int Dim>
  void expectDescription(const RankCase<Dim>& some, Connectivity connectivity, const Labelled<Space, Dim>& oneByOne) {
    const auto set = toSet<Space, Dim>(some.mine);
    const auto found = describeComponents<Space, Dim>(context, connectivity, set, some.domain());
    EXPECT_EQ(found.numbering.count(), oneByOne.numbering.count());
    ASSERT_EQ(found.numbering.numParts(), oneByOne.numbering.numParts());
    const auto same = [](const auto& a, const auto& b, const auto& of) {
      const auto left = onHost(a);
      const auto right = onHost(b);
      ASSERT_EQ(left.extent(0), right.extent(0));
      for (std::size_t i = 0; i < left.extent(0); ++i) {
        EXPECT_EQ(of(left(i)), of(right(i)));
      }
    };
    same(found.labels, oneByOne.labels, [](std::int64_t label) { return label; });
    same(found.measures, oneByOne.measures, [](const ComponentMeasures<Dim>& m) { return m.size; });
    same(found.measures, oneByOne.measures, [](const ComponentMeasures<Dim>& m) { return m.centroid(Dim - 1); });
    EXPECT_EQ(found.eulerNumber.has_value(), Dim == 2 || connectivity != Connectivity::Edge);
    if (found.eulerNumber) {
      EXPECT_EQ(*found.eulerNumber,
        (eulerNumber<Space, Dim>(context, connectivity, toSet<Space, Dim>(some.cells), some.periods)));
    }
  }

  /// The part of a cell; -1 where this rank does not have it.
  template <int Dim, class Labels>
  static std::int64_t labelOf(const IntervalSetView<Dim>& view, const Labels& labels, const Cell<Dim>& cell) {
    const std::int64_t number = view.findCell(cell);
    return number < 0 ? -1 : labels(view.intervalOfCell(number));
  }

  template <int Dim>
  void expectHoles(const RankCase<Dim>& some, const Holes& holes) {
    const auto set = toSet<Space, Dim>(some.mine);
    IntervalSetOn<Dim, Space> out;
    const auto fill = [&] { fillHoles<Space, Dim>(context, holes, set, out, some.domain()); };
    if (std::all_of(some.periods.along, some.periods.along + Dim, [](bool along) { return along; })) {
      EXPECT_THROW(fill(), InvalidArgument);
      return;
    }
    fill();
    const CellList<Dim> expected =
      some.cells.empty() ? some.cells : withHoles<Dim>(holes.ways, some.periods, some.cells, holes.largest);
    expectCells<Space, Dim>(out, some.mineOf(expected));
    numFilled += std::ssize(expected) - std::ssize(some.cells);
    auto inPlace = set;
    fillHoles<Space, Dim>(context, holes, inPlace, inPlace, some.domain());
    expectCells<Space, Dim>(inPlace, some.mineOf(expected));
  }

  template <int Dim>
  void compareWithDefinition(int numCases, Coordinate maxExtent, bool repeats) {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    std::mt19937 random(seed() + Dim);
    for (int k = 0; k < numCases && !::testing::Test::HasFatalFailure(); ++k) {
      const RankCase<Dim> some(random, maxExtent, repeats);
      const auto largestHole = static_cast<std::int64_t>(1 + random() % 5);
      for (const Connectivity connectivity : allConnectivities) {
        SCOPED_TRACE("case " + std::to_string(k) + ", connectivity " + std::to_string(static_cast<int>(connectivity)));
        expectLabels<Dim>(some, connectivity, componentsOf<Dim>(connectivity, some.periods, some.cells));
        expectHoles<Dim>(some, connectivity);
        expectHoles<Dim>(some, Holes(connectivity, largestHole));
        if (Dim == 2 || connectivity != Connectivity::Edge) {
          const auto whole = toSet<Space, Dim>(some.cells);
          EXPECT_EQ((eulerNumber<Space, Dim>(context, connectivity, toSet<Space, Dim>(some.mine), some.domain())),
            (eulerNumber<Space, Dim>(context, connectivity, whole, some.periods)));
        }
      }
    }
    EXPECT_GT(numFilled, numCases / 4);
  }

  std::int64_t numFilled = 0;
};
TYPED_TEST_SUITE(RankComponents, AllSpaces, SpaceNames);

TYPED_TEST(RankComponents, AreThoseOfTheWholeIn2D) { this->template compareWithDefinition<2>(40, 9, false); }
TYPED_TEST(RankComponents, AreThoseOfTheWholeIn3D) { this->template compareWithDefinition<3>(30, 5, false); }
TYPED_TEST(RankComponents, ThatRepeatAreThoseOfTheWholeIn2D) { this->template compareWithDefinition<2>(40, 9, true); }
TYPED_TEST(RankComponents, ThatRepeatAreThoseOfTheWholeIn3D) { this->template compareWithDefinition<3>(40, 5, true); }

/// The cut in which each rank has two rows from 0 on, and the ends what is beyond.
RowCut twoRowsEach() {
  RowCut cut;
  cut.bounds = {PlaneRange().begin};
  for (int r = 1; r < world().size(); ++r) {
    cut.bounds.push_back(std::int64_t{2} * r);
  }
  cut.bounds.push_back(PlaneRange().end);
  return cut;
}

// Each turn of a snake is on another rank, and only all of them together say that it is one.
TYPED_TEST(RankComponents, OfASnakeAreOne) {
  CellList<2> snake;
  const Coordinate height = 2 * world().size() + 1;
  for (Coordinate x = 0; x < 40; ++x) {
    for (Coordinate y = 0; y < height; ++y) {
      if (x % 2 == 0 || y == (x % 4 == 1 ? 0 : height - 1)) {
        snake.insert({{x, y}});
      }
    }
  }
  const SetDomain<2> domain(world(), twoRowsEach());
  const auto countOf = [&](const CellList<2>& cells) {
    const auto set = toSet<TypeParam, 2>(cellsIn<2>(cells, domain.planes()));
    return Labelled<TypeParam, 2>(this->space, Connectivity::Face, set, domain).numbering.count();
  };
  EXPECT_EQ(countOf(snake), 1);
  snake.erase(Cell<2>{{20, 2}});
  EXPECT_EQ(countOf(snake), 2);
  EXPECT_EQ(countOf({}), 0);
}

TYPED_TEST(RankComponents, RefuseOnAllRanksWhatIsWrongOnOne) {
  const SetDomain<2> domain(world(), twoRowsEach());
  const bool isFirst = world().rank() == 0;
  const auto set = toSet<TypeParam, 2>(cellsIn<2>({{{0, 0}}, {{0, 3}}}, domain.planes()));
  const auto find = [&](const IntervalSetOn<2, TypeParam>& cells, std::int64_t tooMany) {
    const ComponentNumbers<TypeParam> labels("labels", static_cast<std::size_t>(cells.numIntervals() + tooMany));
    return connectedComponents<TypeParam, 2>(this->context, Connectivity::Face, cells, labels, domain);
  };
  EXPECT_THROW(find(set, isFirst ? 1 : 0), InvalidArgument);
  EXPECT_EQ(find(set, 0).count(), 2);
  if (world().size() > 1) { // planes of the last rank on the first
    EXPECT_THROW(find(isFirst ? toSet<TypeParam, 2>({{{0, 1000}}}) : set, 0), InvalidArgument);
    EXPECT_THROW((SetDomain<2>(world(), RowCut{{0, 1}})), InvalidArgument);
  }
  auto atLimit = isFirst ? toSet<TypeParam, 2>({{{minCoordinate, 0}}}) : IntervalSetOn<2, TypeParam>();
  EXPECT_THROW(
    (fillHoles<TypeParam, 2>(this->context, Connectivity::Face, atLimit, atLimit, domain)), CoordinateOverflow);
  EXPECT_TRUE(atLimit.empty());
}

} // namespace
} // namespace spanwise::testing
