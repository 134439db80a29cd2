#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/EulerNumber.hpp"
#include "Core/Geometry/FillHoles.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <cmath>

namespace spanwise::testing {
namespace {

template <class Space>
class EulerNumber : public ::testing::Test {
protected:
  const Context<Space> context;

  template <int Dim>
  std::int64_t of(const IntervalSetOn<Dim, Space>& set, Connectivity connectivity) {
    return eulerNumber<Space, Dim>(context, connectivity, set);
  }
  template <int Dim>
  std::int64_t of(const CellList<Dim>& cells, Connectivity connectivity) {
    return of<Dim>(toSet<Space, Dim>(cells), connectivity);
  }
};
TYPED_TEST_SUITE(EulerNumber, AllSpaces, SpaceNames);

/// Vertices, edges, faces and cells of the closed cells, each once: the place of each is that of its middle, in halves.
template <int Dim>
std::int64_t ofClosedCells(const CellList<Dim>& cells, const Periods<Dim>& periods = {}) {
  std::set<std::array<std::int64_t, Dim>> parts;
  for (const Cell<Dim>& cell : cells) {
    for (int k = 0; k < (Dim == 2 ? 9 : 27); ++k) {
      std::array<std::int64_t, Dim> place{};
      int rest = k;
      for (std::size_t d = 0; d < Dim; ++d) {
        place[d] = 2 * std::int64_t{cell.at[d]} + rest % 3;
        if (periods.along[d] && place[d] == 2 * std::int64_t{periods.box.end[d]}) {
          place[d] = 2 * std::int64_t{periods.box.begin[d]};
        }
        rest /= 3;
      }
      parts.insert(place);
    }
  }
  std::int64_t number = 0;
  for (const auto& place : parts) {
    int axes = 0; // along which the part extends
    for (const std::int64_t at : place) {
      axes += static_cast<int>(at % 2 != 0);
    }
    number += axes % 2 == 0 ? 1 : -1;
  }
  return number;
}

/// Cells, pairs, blocks of 2 x 2 and of 2 x 2 x 2.
template <int Dim>
std::int64_t ofBlocks(const CellList<Dim>& cells, const Periods<Dim>& periods = {}) {
  std::int64_t number = 0;
  for (const Cell<Dim>& cell : cells) {
    for (int axes = 0; axes < 1 << Dim; ++axes) {
      bool whole = true;
      int dimension = 0;
      for (int corner = 0; corner < 1 << Dim; ++corner) {
        Cell<Dim> other = cell;
        for (int d = 0; d < Dim; ++d) {
          other.at[d] += corner >> d & 1;
          if (periods.along[d] && other.at[d] == periods.box.end[d]) {
            other.at[d] = periods.box.begin[d];
          }
        }
        whole = whole && ((corner & ~axes) != 0 || cells.count(other) == 1);
      }
      for (int d = 0; d < Dim; ++d) {
        dimension += axes >> d & 1;
      }
      number += !whole ? 0 : dimension % 2 == 0 ? 1 : -1;
    }
  }
  return number;
}

TYPED_TEST(EulerNumber, AgreesWithBruteForce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int k = 0; k < 300; ++k) {
    const double density = std::array{0.0, 0.2, 0.5, 0.8, 1.0}[random() % 5];
    const CellList<2> flat = randomCells<2>(random, 6, density);
    EXPECT_EQ(this->of(flat, Connectivity::Vertex), ofClosedCells(flat));
    EXPECT_EQ(this->of(flat, Connectivity::Edge), ofClosedCells(flat));
    EXPECT_EQ(this->of(flat, Connectivity::Face), ofBlocks(flat));
    const CellList<3> solid = randomCells<3>(random, 3, density);
    EXPECT_EQ(this->of(solid, Connectivity::Vertex), ofClosedCells(solid));
    EXPECT_EQ(this->of(solid, Connectivity::Face), ofBlocks(solid));
  }
}

template <class Space, int Dim>
void expectOnTorus(std::mt19937& random, Coordinate extent, const Context<Space>& context) {
  const CellList<Dim> cells = randomCells<Dim>(random, extent, std::array{0.3, 0.7, 1.0}[random() % 3]);
  const auto set = toSet<Space, Dim>(cells);
  for (unsigned axes = 0; axes < 1U << Dim; ++axes) {
    Periods<Dim> periods;
    for (int d = 0; d < Dim; ++d) {
      periods.along[d] = (axes >> d & 1U) != 0;
      periods.box.begin[d] = -extent;
      periods.box.end[d] = extent + static_cast<Coordinate>(random() % 2);
    }
    const auto number = [&](Connectivity connectivity) {
      return eulerNumber<Space, Dim>(context, connectivity, set, periods);
    };
    EXPECT_EQ(number(Connectivity::Vertex), ofClosedCells(cells, periods));
    EXPECT_EQ(number(Connectivity::Face), ofBlocks(cells, periods));
  }
}

TYPED_TEST(EulerNumber, OnATorusAgreesWithBruteForce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int k = 0; k < 60; ++k) {
    const auto extent = static_cast<Coordinate>(1 + random() % 3);
    expectOnTorus<TypeParam, 2>(random, extent, this->context);
    expectOnTorus<TypeParam, 3>(random, extent, this->context);
  }
}

// In 2D it is components minus holes, the holes being components of the background with the opposite connectivity.
TYPED_TEST(EulerNumber, IsComponentsMinusHoles) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int k = 0; k < 100; ++k) {
    const CellList<2> cells = randomCells<2>(random, 10, 0.6);
    const auto set = toSet<TypeParam, 2>(cells);
    for (const bool byFaces : {true, false}) {
      const Connectivity connectivity = byFaces ? Connectivity::Face : Connectivity::Vertex;
      const Connectivity opposite = byFaces ? Connectivity::Vertex : Connectivity::Face;
      const auto count = [&](Connectivity of, const IntervalSetOn<2, TypeParam>& what) {
        const ComponentNumbers<TypeParam> labels("Testing::labels", static_cast<std::size_t>(what.numIntervals()));
        return connectedComponents<TypeParam, 2>(this->context, of, what, labels).count();
      };
      IntervalSetOn<2, TypeParam> filled;
      fillHoles<TypeParam, 2>(this->context, opposite, set, filled);
      CellList<2> holes = toCells(filled);
      for (const Cell<2>& cell : cells) {
        holes.erase(cell);
      }
      EXPECT_EQ(this->of(set, connectivity), count(connectivity, set) - count(opposite, toSet<TypeParam, 2>(holes)));
    }
  }
}

/// The cells of [-extent, extent)^Dim whose centres pass a test.
template <int Dim, class Test>
CellList<Dim> cellsWhere(Coordinate extent, const Test& test) {
  CellList<Dim> result;
  for (const Cell<Dim>& cell : allCells<Dim>(-extent, extent)) {
    double centre[3] = {0.0, 0.0, 0.0};
    for (int d = 0; d < Dim; ++d) {
      centre[d] = cell.at[d] + 0.5;
    }
    if (test(centre)) {
      result.insert(cell);
    }
  }
  return result;
}

TYPED_TEST(EulerNumber, OfKnownShapes) {
  const auto length = [](const double* x) { return std::hypot(x[0], x[1], x[2]); };
  const auto disk = cellsWhere<2>(10, [&](const double* x) { return length(x) < 9.0; });
  const auto annulus = cellsWhere<2>(10, [&](const double* x) { return length(x) < 9.0 && length(x) > 4.0; });
  const auto ball = cellsWhere<3>(10, [&](const double* x) { return length(x) < 9.0; });
  const auto hollow = cellsWhere<3>(10, [&](const double* x) { return length(x) < 9.0 && length(x) > 4.0; });
  const auto torus =
    cellsWhere<3>(12, [&](const double* x) { return std::hypot(std::hypot(x[0], x[2]) - 7.0, x[1]) < 3.5; });
  for (const Connectivity connectivity : {Connectivity::Face, Connectivity::Vertex}) {
    EXPECT_EQ(this->of(disk, connectivity), 1);
    EXPECT_EQ(this->of(annulus, connectivity), 0);
    EXPECT_EQ(this->of(ball, connectivity), 1);
    EXPECT_EQ(this->of(hollow, connectivity), 2);
    EXPECT_EQ(this->of(torus, connectivity), 0);
    EXPECT_EQ(this->of(CellList<3>{}, connectivity), 0);
  }
  // two cells that share a vertex only
  EXPECT_EQ(this->of(CellList<2>{{{0, 0}}, {{1, 1}}}, Connectivity::Face), 2);
  EXPECT_EQ(this->of(CellList<2>{{{0, 0}}, {{1, 1}}}, Connectivity::Vertex), 1);
  EXPECT_THROW(this->of(ball, Connectivity::Edge), InvalidArgument);
  IntervalSetOn<3, TypeParam> large;
  makeBall<TypeParam, 3>(this->context, {{-1e9, 3.0, 5.5}, 150.0}, large);
  EXPECT_EQ(this->of(large, Connectivity::Vertex), 1);
}

TYPED_TEST(EulerNumber, AtTheLimitsOfCoordinates) {
  for (const Connectivity connectivity : {Connectivity::Face, Connectivity::Vertex}) {
    const CellList<3> apart{
      Cell<3>{{minCoordinate, minCoordinate, minCoordinate}}, Cell<3>{{maxRowKey, maxRowKey, maxRowKey}}};
    EXPECT_EQ(this->of(apart, connectivity), 2);
    const CellList<3> together{
      Cell<3>{{maxRowKey, maxRowKey, maxRowKey - 1}}, Cell<3>{{maxRowKey, maxRowKey, maxRowKey}}};
    EXPECT_EQ(this->of(together, connectivity), 1);
  }
}

// What ranks use: a slab and the plane below it, without that plane alone.
TYPED_TEST(EulerNumber, IsTheSumOverSlabs) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int k = 0; k < 50; ++k) {
    const auto set = toSet<TypeParam, 3>(randomCells<3>(random, 4, 0.5));
    for (const Connectivity connectivity : {Connectivity::Face, Connectivity::Vertex}) {
      std::int64_t sum = 0;
      for (const PlaneRange planes : {PlaneRange{-10, -2}, PlaneRange{-2, 1}, PlaneRange{1, 2}, PlaneRange{2, 10}}) {
        IntervalSetOn<3, TypeParam> slab;
        IntervalSetOn<3, TypeParam> below;
        restrictRows<TypeParam, 3>(Context<TypeParam>(), set, {planes.begin - 1, planes.end}, slab);
        restrictRows<TypeParam, 3>(Context<TypeParam>(), set, {planes.begin - 1, planes.begin}, below);
        sum += this->of(slab, connectivity) - this->of(below, connectivity);
      }
      EXPECT_EQ(sum, this->of(set, connectivity));
    }
  }
}

} // namespace
} // namespace spanwise::testing
