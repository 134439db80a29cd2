#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/DomainMorphology.hpp"
#include "Core/Geometry/FillHoles.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/PeriodicReference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>

namespace spanwise::testing {
namespace {

using enum MorphologyOperation;

template <class Space>
class Repeating : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};
};
TYPED_TEST_SUITE(Repeating, AllSpaces, SpaceNames);

template <int Dim>
CellList<Dim> dilated(const Periods<Dim>& periods, const CellList<Dim>& set, const CellList<Dim>& element) {
  CellList<Dim> result;
  for (const Cell<Dim>& a : set) {
    for (const Cell<Dim>& b : element) {
      result.insert(wrapped(periods, sum(a, b)));
    }
  }
  return result;
}

template <int Dim>
CellList<Dim> eroded(const Periods<Dim>& periods, const CellList<Dim>& set, const CellList<Dim>& element) {
  CellList<Dim> result;
  for (const Cell<Dim>& a : set) {
    const Cell<Dim> cell = wrapped(periods, sum(a, *element.begin(), -1));
    if (std::all_of(element.begin(), element.end(),
          [&](const Cell<Dim>& b) { return set.count(wrapped(periods, sum(cell, b))) == 1; })) {
      result.insert(cell);
    }
  }
  return result;
}

template <int Dim>
CellList<Dim> without(CellList<Dim> a, const CellList<Dim>& b) {
  for (const Cell<Dim>& cell : b) {
    a.erase(cell);
  }
  return a;
}

template <int Dim>
CellList<Dim> reference(
  MorphologyOperation operation, const Periods<Dim>& periods, const CellList<Dim>& set, const CellList<Dim>& element) {
  switch (operation) {
  case Dilate:
    return dilated(periods, set, element);
  case Erode:
    return eroded(periods, set, element);
  case Open:
    return dilated(periods, eroded(periods, set, element), element);
  case Close:
    return eroded(periods, dilated(periods, set, element), element);
  case OuterGradient:
    return without(dilated(periods, set, element), set);
  case InnerGradient:
    return without(set, eroded(periods, set, element));
  }
  return set;
}

/// The cells within `below` before the period and `above` behind it, along the axes that repeat.
template <int Dim>
CellList<Dim> unwrapped(
  const Periods<Dim>& periods, const CellList<Dim>& set, const Cell<Dim>& below, const Cell<Dim>& above) {
  CellList<Dim> result = set;
  for (int d = 0; d < Dim; ++d) {
    if (periods.along[d]) {
      const CellList<Dim> once = result;
      const std::int64_t extent = periods.box.extent(d);
      for (Cell<Dim> cell : once) {
        const std::int64_t at = cell.at[d];
        for (std::int64_t k = -30; k <= 30; ++k) {
          const std::int64_t moved = at + k * extent;
          if (periods.box.begin[d] - below.at[d] <= moved && moved < periods.box.end[d] + above.at[d]) {
            cell.at[d] = static_cast<Coordinate>(moved);
            result.insert(cell);
          }
        }
      }
    }
  }
  return result;
}

template <class Space, int Dim>
void expectCopies(int numCases, Coordinate maxExtent) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Context<Space> context;
  IntervalSetOn<Dim, Space> out;
  for (int k = 0; k < numCases && !::testing::Test::HasFailure(); ++k) {
    const RandomCase<Dim> some(random, maxExtent);
    Cell<Dim> below{};
    Cell<Dim> above{};
    for (int d = 0; d < Dim; ++d) { // up to some periods, and whole ones
      const auto extent = static_cast<Coordinate>(some.periods.along[d] ? some.periods.box.extent(d) : 1);
      below.at[d] = static_cast<Coordinate>(random() % 2 == 0 ? random() % 12 : extent * (random() % 3));
      above.at[d] = static_cast<Coordinate>(random() % 2 == 0 ? random() % 12 : extent * (random() % 3));
    }
    SCOPED_TRACE("case " + std::to_string(k));
    auto set = toSet<Space, Dim>(some.cells);
    const CellList<Dim> expected = unwrapped(some.periods, some.cells, below, above);
    unwrap<Space, Dim>(context, set, some.periods, below, above, out);
    expectCells<Space, Dim>(out, expected);
    unwrap<Space, Dim>(context, set, some.periods, below, above, set);
    expectCells<Space, Dim>(set, expected);
  }
}

TYPED_TEST(Repeating, CopiesAgreeWithBruteForce) {
  expectCopies<TypeParam, 2>(400, 9);
  expectCopies<TypeParam, 3>(200, 5);
}

template <class Space, int Dim>
void expectPeriodicMorphology(int numCases, Coordinate maxExtent) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Context<Space> context;
  for (int k = 0; k < numCases && !::testing::Test::HasFailure(); ++k) {
    const RandomCase<Dim> some(random, maxExtent);
    CellList<Dim> element = randomCells<Dim>(random, 2, 0.2);
    element.insert(Cell<Dim>{{static_cast<Coordinate>(random() % 11) - 5}}); // often further than a period
    const auto by = StructuringElement<Dim>::of(toHostSet<Dim>(element));
    const auto set = toSet<Space, Dim>(some.cells);
    for (const MorphologyOperation operation : {Dilate, Erode, Open, Close, OuterGradient, InnerGradient}) {
      SCOPED_TRACE("case " + std::to_string(k) + ", operation " + std::to_string(static_cast<int>(operation)));
      IntervalSetOn<Dim, Space> out;
      morph<Space, Dim>(context, operation, set, by, out, some.periods);
      expectCells<Space, Dim>(out, reference(operation, some.periods, some.cells, element));
    }
  }
}

TYPED_TEST(Repeating, MorphologyAgreesWithBruteForce) {
  expectPeriodicMorphology<TypeParam, 2>(150, 8);
  expectPeriodicMorphology<TypeParam, 3>(60, 4);
}

template <class Space, int Dim>
void expectPeriodicComponents(int numCases, Coordinate maxExtent) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Context<Space> context;
  for (int k = 0; k < numCases && !::testing::Test::HasFailure(); ++k) {
    const RandomCase<Dim> some(random, maxExtent);
    const auto set = toSet<Space, Dim>(some.cells);
    for (const Connectivity connectivity : {Connectivity::Face, Connectivity::Edge, Connectivity::Vertex}) {
      SCOPED_TRACE("case " + std::to_string(k) + ", connectivity " + std::to_string(static_cast<int>(connectivity)));
      const auto expected = componentsOf(connectivity, some.periods, some.cells);
      const ComponentNumbers<Space> labels("Testing::labels", static_cast<std::size_t>(set.numIntervals()));
      ASSERT_EQ((connectedComponents<Space, Dim>(context, connectivity, set, labels, some.periods).count()),
        static_cast<std::int64_t>(expected.size()));
      for (std::size_t c = 0; c < expected.size(); ++c) {
        IntervalSetOn<Dim, Space> out;
        const auto number = static_cast<std::int64_t>(c);
        selectComponents<Space, Dim>(context, set, labels, {number, number}, out);
        expectCells<Space, Dim>(out, expected[c]);
      }
    }
  }
}

TYPED_TEST(Repeating, ComponentsAgreeWithBruteForce) {
  expectPeriodicComponents<TypeParam, 2>(300, 9);
  expectPeriodicComponents<TypeParam, 3>(120, 5);
}

template <class Space, int Dim>
void expectPeriodicHoles(int numCases, Coordinate maxExtent) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Context<Space> context;
  std::int64_t numFilled = 0;
  std::int64_t numAround = 0; // holes that are closed on one side of the seam only
  for (int k = 0; k < numCases && !::testing::Test::HasFailure(); ++k) {
    const RandomCase<Dim> some(random, maxExtent);
    if (some.cells.empty()) {
      continue;
    }
    const auto set = toSet<Space, Dim>(some.cells);
    for (const Connectivity connectivity : {Connectivity::Face, Connectivity::Edge, Connectivity::Vertex}) {
      SCOPED_TRACE("case " + std::to_string(k) + ", connectivity " + std::to_string(static_cast<int>(connectivity)));
      IntervalSetOn<Dim, Space> out;
      const auto fill = [&] { fillHoles<Space, Dim>(context, connectivity, set, out, some.periods); };
      if (std::all_of(some.periods.along, some.periods.along + Dim, [](bool along) { return along; })) {
        EXPECT_THROW(fill(), InvalidArgument);
        continue;
      }
      fill();
      const CellList<Dim> expected = withHoles(connectivity, some.periods, some.cells);
      expectCells<Space, Dim>(out, expected);
      numFilled += static_cast<std::int64_t>(expected.size() - some.cells.size());
      IntervalSetOn<Dim, Space> open;
      fillHoles<Space, Dim>(context, connectivity, set, open);
      numAround += open.numCells() == out.numCells() ? 0 : 1;
    }
  }
  // the cases do have holes; how many depends on the library's random numbers
  EXPECT_GT(numFilled, numCases / 4);
  EXPECT_GT(numAround, numCases / 20);
}

TYPED_TEST(Repeating, HolesAgreeWithBruteForce) {
  expectPeriodicHoles<TypeParam, 2>(400, 9);
  expectPeriodicHoles<TypeParam, 3>(300, 5);
}

// Two walls around the ring that x is: what lies between is a hole, on both sides of them is outside.
TYPED_TEST(Repeating, WhatLiesBetweenTwoRingsIsAHole) {
  CellList<2> rings;
  for (Coordinate x = 0; x < 10; ++x) {
    rings.insert({{x, 0}});
    rings.insert({{x, 4}});
  }
  const auto set = toSet<TypeParam, 2>(rings);
  IntervalSetOn<2, TypeParam> out;
  const auto cellsWith = [&](const Periods<2>& periods) {
    fillHoles<TypeParam, 2>(this->context, Connectivity::Vertex, set, out, periods);
    return out.numCells();
  };
  EXPECT_EQ(cellsWith({}), 20);
  EXPECT_EQ(cellsWith({{{0, 0}, {10, 0}}, {true, false}}), 50);
  EXPECT_EQ(cellsWith({{{0, 0}, {11, 0}}, {true, false}}), 20); // the rings are open at x = 10
  EXPECT_EQ(cellsWith({{{0, 0}, {0, 5}}, {false, true}}), 20);
  EXPECT_THROW(cellsWith({{{0, 0}, {10, 5}}, {true, true}}), InvalidArgument);
}

TYPED_TEST(Repeating, HolesOfAPeriodMayReachTheCoordinateLimits) {
  const Periods<2> allOfX{{{minCoordinate, 0}, {maxIntervalEnd, 0}}, {true, false}};
  const auto set =
    toSet<TypeParam, 2>(CellList<2>{{{minCoordinate, 0}}, {{maxRowKey - 1, 0}}, {{maxRowKey, -1}}, {{maxRowKey, 1}}});
  IntervalSetOn<2, TypeParam> out;
  fillHoles<TypeParam, 2>(this->context, Connectivity::Face, set, out, allOfX);
  EXPECT_EQ(out.numCells(), 5);
  EXPECT_THROW((fillHoles<TypeParam, 2>(this->context, Connectivity::Face, set, out)), CoordinateOverflow);
}

// A helix of ten turns, each in three steps: its ends meet at the seam only.
TYPED_TEST(Repeating, AHelixIsOne) {
  CellList<2> helix;
  for (Coordinate y = 0; y < 30; ++y) {
    for (Coordinate x = 0; x < 33; ++x) {
      helix.insert({{33 * (y % 3) + x, y}});
    }
  }
  const auto set = toSet<TypeParam, 2>(helix);
  const ComponentNumbers<TypeParam> labels("Testing::labels", static_cast<std::size_t>(set.numIntervals()));
  const auto count = [&](Connectivity connectivity, const Periods<2>& periods) {
    return connectedComponents<TypeParam, 2>(this->context, connectivity, set, labels, periods).count();
  };
  const Periods<2> alongX{{{0, 0}, {99, 0}}, {true, false}};
  EXPECT_EQ(count(Connectivity::Face, alongX), 30);
  EXPECT_EQ(count(Connectivity::Vertex, {}), 10);
  EXPECT_EQ(count(Connectivity::Vertex, alongX), 1);
}

TYPED_TEST(Repeating, ARingIsClosedAtTheSeam) {
  const auto set = toSet<TypeParam, 2>(CellList<2>{{{0, 0}}, {{1, 0}}, {{8, 0}}, {{9, 1}}});
  const ComponentNumbers<TypeParam> labels("Testing::labels", static_cast<std::size_t>(set.numIntervals()));
  const Periods<2> periods{{{0, 0}, {10, 2}}, {true, false}};
  const auto count = [&](Connectivity connectivity, const Periods<2>& along) {
    return connectedComponents<TypeParam, 2>(this->context, connectivity, set, labels, along).count();
  };
  EXPECT_EQ(count(Connectivity::Face, {}), 3);
  EXPECT_EQ(count(Connectivity::Face, periods), 3);
  EXPECT_EQ(count(Connectivity::Vertex, {}), 2);
  EXPECT_EQ(count(Connectivity::Vertex, periods), 1);
}

TYPED_TEST(Repeating, RefuseCellsOutsideThePeriodAndEmptyPeriods) {
  const auto set = toSet<TypeParam, 2>(CellList<2>{{{0, 0}}, {{10, 0}}});
  IntervalSetOn<2, TypeParam> out;
  const auto element = StructuringElement<2>::box({{1, 1}});
  const auto with = [&](const Periods<2>& periods) {
    morph<TypeParam, 2>(this->context, Dilate, set, element, out, periods);
  };
  EXPECT_THROW(with({{{0, 0}, {10, 1}}, {true, false}}), InvalidArgument);
  EXPECT_THROW(with({{{0, 5}, {11, 5}}, {false, true}}), InvalidArgument);
  EXPECT_NO_THROW(with({{{0, 5}, {11, 5}}, {true, false}}));
  const Periods<2> atLimit{{{maxRowKey - 10, 0}, {maxIntervalEnd, 1}}, {true, false}};
  const auto there = toSet<TypeParam, 2>(CellList<2>{{{maxRowKey - 10, 0}}});
  EXPECT_THROW((morph<TypeParam, 2>(this->context, Dilate, there, element, out, atLimit)), CoordinateOverflow);
}

// What reaches over very many periods.
TYPED_TEST(Repeating, MorphologyReachesOverManyPeriods) {
  const Periods<2> alongX{{{0, 0}, {10, 0}}, {true, false}};
  const Periods<2> alongY{{{0, 0}, {0, 3}}, {false, true}};
  const auto with = [&](MorphologyOperation operation, const CellList<2>& cells, const Periods<2>& periods,
                      const Cell<2>& radius) {
    const auto set = toSet<TypeParam, 2>(cells);
    IntervalSetOn<2, TypeParam> out;
    morph<TypeParam, 2>(this->context, operation, set, StructuringElement<2>::box(radius), out, periods);
    return out;
  };
  CellList<2> ring;
  for (Coordinate x = 0; x < 10; ++x) {
    ring.insert({{x, 0}});
  }
  for (const MorphologyOperation operation : {Dilate, Erode, Open, Close}) {
    expectCells<TypeParam, 2>(with(operation, ring, alongX, {{500'000'000, 0}}), ring);
  }
  expectCells<TypeParam, 2>(with(Dilate, {{{4, 0}}}, alongX, {{1'000'003, 0}}), ring);
  EXPECT_TRUE(with(Erode, {{{4, 0}}, {{5, 0}}}, alongX, {{1'000'003, 0}}).empty());
  for (const MorphologyOperation operation : {Dilate, Erode, Open, Close}) {
    EXPECT_THROW(with(operation, ring, alongY, {{0, 2'000'000'000}}), InvalidArgument);
  }
  EXPECT_EQ(with(Dilate, {{{4, 0}}}, alongY, {{0, 10'000}}).numRows(), 3);
}

template <class Space, int Dim>
void expectCrops(int numCases) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_int_distribution<Coordinate> at(-6, 6);
  const Context<Space> context;
  IntervalSetOn<Dim, Space> out;
  for (int k = 0; k < numCases; ++k) {
    const CellList<Dim> cells = randomCells<Dim>(random, Dim == 2 ? 5 : 3, 0.7);
    Box<Dim> box;
    for (int d = 0; d < Dim; ++d) {
      box.begin[d] = at(random);
      box.end[d] = at(random);
    }
    CellList<Dim> expected;
    for (const Cell<Dim>& cell : cells) {
      bool inside = true;
      for (int d = 0; d < Dim; ++d) {
        inside = inside && box.begin[d] <= cell.at[d] && cell.at[d] < box.end[d];
      }
      if (inside) {
        expected.insert(cell);
      }
    }
    auto set = toSet<Space, Dim>(cells);
    crop<Space, Dim>(context, set, box, out);
    expectCells<Space, Dim>(out, expected);
    crop<Space, Dim>(context, set, box, set);
    expectCells<Space, Dim>(set, expected);
  }
}

TYPED_TEST(Repeating, CropsAgreeWithBruteForce) {
  expectCrops<TypeParam, 2>(300);
  expectCrops<TypeParam, 3>(150);
}

TYPED_TEST(Repeating, AllThatThereIsIsNotCropped) {
  const CellList<3> cells{
    Cell<3>{{minCoordinate, minCoordinate, minCoordinate}}, Cell<3>{{maxRowKey, maxRowKey, maxRowKey}}};
  IntervalSetOn<3, TypeParam> out;
  crop<TypeParam, 3>(this->context, toSet<TypeParam, 3>(cells), onePeriod<3>({}), out);
  expectCells<TypeParam, 3>(out, cells);
}

// A period of more than 2^31 cells: a copy is moved by more than a coordinate holds, and lies within the limits.
TYPED_TEST(Repeating, LongPeriods) {
  constexpr Coordinate end = 1200000000;
  const Periods<2> periods{{{-end, 0}, {end, 1}}, {true, false}};
  IntervalSetOn<2, TypeParam> out;
  morph<TypeParam, 2>(this->context, Dilate, toSet<TypeParam, 2>(CellList<2>{{{-end, 0}}}),
    StructuringElement<2>::box({{1, 0}}), out, periods);
  expectCells<TypeParam, 2>(out, {{{-end, 0}}, {{-end + 1, 0}}, {{end - 1, 0}}});
}

} // namespace
} // namespace spanwise::testing
