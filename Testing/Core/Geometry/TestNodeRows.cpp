#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/NodeRows.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class NodeRows : public ::testing::Test {};
TYPED_TEST_SUITE(NodeRows, AllSpaces, SpaceNames);

template <int Dim>
CellList<Dim> nodesReference(const CellList<Dim>& cells) {
  CellList<Dim> nodes;
  for (const Cell<Dim>& cell : cells) {
    for (int corner = 0; corner < (1 << Dim); ++corner) {
      Cell<Dim> node = cell;
      for (int d = 0; d < Dim; ++d) {
        node.at[d] += (corner >> d) & 1;
      }
      nodes.insert(node);
    }
  }
  return nodes;
}

template <class Space, int Dim>
void expectNodes(const CellList<Dim>& cells) {
  const auto set = toSet<Space, Dim>(cells);
  using Memory = typename Space::memory_space;
  const Context<Space> context;
  IntervalSetOn<Dim, Space> rowsOn;
  nodeRowsOf<Space, Dim>(context, set, rowsOn);
  constexpr int perRow = nodeRowsPerRow<Dim>;
  Kokkos::View<std::int64_t*, Memory> basesOn("bases", static_cast<std::size_t>(perRow * set.numIntervals()));
  nodeBases<Space, Dim>(context, set, rowsOn, basesOn);

  const auto bases = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), basesOn);
  HostIntervalSet<Dim> rows;
  copy(rowsOn, rows);
  const IntervalSetView<Dim> view = rows.view();

  // Every node once, in order, and found by its coordinates.
  const CellList<Dim> expected = nodesReference<Dim>(cells);
  ASSERT_EQ(numNodes(view), static_cast<std::int64_t>(expected.size()));
  EXPECT_EQ((countNodes<Space, Dim>(context, set)), static_cast<std::int64_t>(expected.size()));
  std::map<Cell<Dim>, std::int64_t> numbers;
  for (const Cell<Dim>& node : expected) {
    const std::int64_t number = static_cast<std::int64_t>(numbers.size());
    EXPECT_EQ(findNodeInRow(view, view.findRow(node.row()), node.x()), number);
    numbers[node] = number;
  }

  // The corners of every cell, by the bases of its interval.
  const HostIntervalSet<Dim> hostSet = toHostSet<Dim>(cells);
  const IntervalSetView<Dim> hostCells = hostSet.view();
  std::int64_t c = 0;
  for (const Cell<Dim>& cell : cells) {
    const std::int64_t i = hostCells.intervalOfCell(c);
    for (int corner = 0; corner < (1 << Dim); ++corner) {
      Cell<Dim> node = cell;
      for (int d = 0; d < Dim; ++d) {
        node.at[d] += (corner >> d) & 1;
      }
      const auto base = bases(static_cast<std::size_t>(perRow * i + (corner >> 1)));
      EXPECT_EQ(base + (c - hostCells.cellOffsets[i]) + (corner & 1), numbers.at(node));
    }
    ++c;
  }
}

TYPED_TEST(NodeRows, AreThoseOfBruteForce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const double density : {0.05, 0.5, 0.95}) {
    expectNodes<TypeParam, 2>(randomCells<2>(random, 14, density));
    expectNodes<TypeParam, 3>(randomCells<3>(random, 5, density));
  }
  expectNodes<TypeParam, 2>({});
  for (const double density : {0.5, 0.9, 0.99}) { // many intervals in a row, short ones and such of several words
    expectNodes<TypeParam, 2>(randomCells<2>(random, 100, density));
  }
  for (int round = 0; round < 60; ++round) { // rows with few intervals, which may overlap those beside them or not
    CellList<2> flat;
    CellList<3> solid;
    const int perRow = 1 + round % 3;
    for (Coordinate z = 0; z < 4; ++z) {
      for (Coordinate y = 0; y < 6; ++y) {
        for (int k = 0; k < perRow; ++k) {
          const auto begin = static_cast<Coordinate>(7 * k + random() % 5);
          const auto end = static_cast<Coordinate>(begin + random() % 5);
          for (Coordinate x = begin; x < end; ++x) {
            solid.insert({{x, y, z}});
            if (z == 0) {
              flat.insert({{x, y}});
            }
          }
        }
      }
    }
    expectNodes<TypeParam, 2>(flat);
    expectNodes<TypeParam, 3>(solid);
  }
}

TYPED_TEST(NodeRows, ExistAtTheEndOfTheCoordinateRange) {
  IntervalSetOn<3, TypeParam> set;
  constexpr Coordinate end = maxIntervalEnd;
  makeBox<TypeParam, 3>(Context<TypeParam>(), {{end - 2, end - 1, end - 1}, {end, end, end}}, set);
  const Context<TypeParam> context;
  IntervalSetOn<3, TypeParam> rowsOn;
  nodeRowsOf<TypeParam, 3>(context, set, rowsOn);
  HostIntervalSet<3> rows;
  copy(rowsOn, rows);
  EXPECT_EQ(numNodes(rows.view()), 3 * 2 * 2);
  EXPECT_EQ((countNodes<TypeParam, 3>(context, set)), 3 * 2 * 2);
  const std::int64_t last = rows.view().findRow({end, end});
  EXPECT_EQ(findNodeInRow(rows.view(), last, end), 11);
}

} // namespace
} // namespace spanwise::testing
