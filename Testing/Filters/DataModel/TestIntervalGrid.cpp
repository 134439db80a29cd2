#include "SpanwiseIntervalGrid.h"

#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Dimensions.hpp"
#include "Testing/Rooms.hpp"

#include <vtkSMPTools.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace spanwise::testing {
namespace {

template <class D>
class IntervalGridTest : public ::testing::Test {};
TYPED_TEST_SUITE(IntervalGridTest, Dimensions, DimensionNames);

const GridPlacement somewhere{{0.3, -1.7, 2.5}, {0.5, 0.25, 0.75}, 3};

template <int Dim>
CellList<Dim> someCells(unsigned salt, Coordinate extent, double density) {
  std::mt19937 random(seed() + salt);
  return randomCells<Dim>(random, extent, density);
}

// The nodes of cells in their order, by brute force.
template <int Dim>
std::map<std::array<std::int64_t, 3>, std::int64_t> nodesOf(const CellList<Dim>& cells) {
  std::map<std::array<std::int64_t, 3>, std::int64_t> nodes; // by z, y, x
  for (const Cell<Dim>& cell : cells) {
    for (int corner = 0; corner < (1 << Dim); ++corner) {
      std::array<std::int64_t, 3> node{};
      for (int d = 0; d < Dim; ++d) {
        node[static_cast<std::size_t>(2 - d)] = std::int64_t{cell.at[d]} + ((corner >> d) & 1);
      }
      nodes.emplace(node, 0);
    }
  }
  std::int64_t number = 0;
  for (auto& [node, n] : nodes) {
    n = number++;
  }
  return nodes;
}

// Everything that the record answers about cells and nodes, against brute force.
template <int Dim>
void expectTopology(const CellList<Dim>& cells) {
  const auto grid = IntervalGrid<Dim>::make(toHostSet<Dim>(cells), somewhere);
  const auto nodes = nodesOf<Dim>(cells);
  ASSERT_EQ(grid->cells().numCells, static_cast<std::int64_t>(cells.size()));
  ASSERT_EQ(grid->numNodes(), static_cast<std::int64_t>(nodes.size()));

  std::vector<std::vector<std::int64_t>> cellsOfNodes(nodes.size());
  std::int64_t c = 0;
  for (const Cell<Dim>& cell : cells) {
    EXPECT_EQ(grid->cellAt(c), cell);
    const std::int64_t i = grid->intervalOfCell(c);
    EXPECT_EQ(i, grid->cells().intervalOfCell(c));
    EXPECT_EQ(grid->rowOfInterval(i), grid->cells().rowOfInterval(i));
    for (int corner = 0; corner < (1 << Dim); ++corner) {
      std::array<std::int64_t, 3> node{};
      for (int d = 0; d < Dim; ++d) {
        node[static_cast<std::size_t>(2 - d)] = std::int64_t{cell.at[d]} + ((corner >> d) & 1);
      }
      EXPECT_EQ(grid->nodeOfCell(c, corner), nodes.at(node));
      cellsOfNodes[static_cast<std::size_t>(nodes.at(node))].push_back(c);
    }
    ++c;
  }
  for (const auto& [node, n] : nodes) {
    std::int64_t coordinates[3];
    grid->nodeCoordinates(n, coordinates);
    double position[3];
    grid->nodePosition(n, position);
    for (int d = 0; d < 3; ++d) {
      EXPECT_EQ(coordinates[d], node[static_cast<std::size_t>(2 - d)]);
      EXPECT_EQ(position[d], somewhere.origin[d] + static_cast<double>(coordinates[d]) * somewhere.spacing[d]);
    }
    std::int64_t found[8];
    const int count = grid->cellsOfNode(n, found);
    EXPECT_EQ(std::vector<std::int64_t>(found, found + count), cellsOfNodes[static_cast<std::size_t>(n)]);
  }
}

TYPED_TEST(IntervalGridTest, TopologyIsThatOfBruteForce) {
  constexpr int Dim = TypeParam::value;
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectTopology<Dim>(someCells<Dim>(1, Dim == 2 ? 30 : 7, 0.5));
  expectTopology<Dim>(someCells<Dim>(2, Dim == 2 ? 45 : 10, 0.05)); // mostly single cells
  expectTopology<Dim>(someCells<Dim>(3, Dim == 2 ? 45 : 8, 0.97));  // long intervals
}

TYPED_TEST(IntervalGridTest, OneCell) {
  constexpr int Dim = TypeParam::value;
  expectTopology<Dim>({Cell<Dim>{}});
}

TYPED_TEST(IntervalGridTest, EmptySet) {
  constexpr int Dim = TypeParam::value;
  const auto grid = IntervalGrid<Dim>::make(HostIntervalSet<Dim>(), somewhere);
  EXPECT_EQ(grid->numNodes(), 0);
  EXPECT_TRUE(grid->box().empty());
  double bounds[6];
  grid->bounds(bounds);
  EXPECT_GT(bounds[0], bounds[1]);
  double local[3];
  const double position[3] = {0.0, 0.0, 0.0};
  EXPECT_EQ(grid->findCell(position, local), -1);
}

TYPED_TEST(IntervalGridTest, CellsAtTheLimitsOfCoordinates) {
  constexpr int Dim = TypeParam::value;
  Cell<Dim> lowest{};
  Cell<Dim> highest{};
  std::fill_n(lowest.at, Dim, minCoordinate);
  std::fill_n(highest.at, Dim, maxRowKey);
  expectTopology<Dim>({lowest, highest});

  const auto grid = IntervalGrid<Dim>::make(toHostSet<Dim>({lowest, highest}), GridPlacement{});
  double bounds[6];
  grid->bounds(bounds);
  EXPECT_EQ(bounds[0], -2147483648.0);
  EXPECT_EQ(bounds[1], 2147483647.0);
  double position[3];
  grid->nodePosition(grid->numNodes() - 1, position);
  EXPECT_EQ(position[0], 2147483647.0);
  EXPECT_EQ(position[1], 2147483647.0);
  double local[3];
  EXPECT_EQ(grid->findCell(position, local), 1);
  EXPECT_EQ(local[0], 1.0);
  std::fill_n(position, 3, -2147483648.0);
  EXPECT_EQ(grid->findCell(position, local), 0);
}

// The tables are bounded by the intervals, however long these are.
TYPED_TEST(IntervalGridTest, LongIntervalsCostNothing) {
  constexpr int Dim = TypeParam::value;
  HostIntervalSet<Dim> set;
  Box<Dim> box{};
  std::fill_n(box.end, Dim, Coordinate{1});
  box.begin[0] = minCoordinate;
  box.end[0] = maxIntervalEnd;
  makeBox<HostExecutionSpace, Dim>(Context<HostExecutionSpace>(), box, set);
  ASSERT_EQ(set.numCells(), (std::int64_t{1} << 32) - 1);
  const auto grid = IntervalGrid<Dim>::make(set, somewhere);
  EXPECT_LT(grid->bytes(), 4096U);
  for (const std::int64_t c :
    {std::int64_t{0}, std::int64_t{1} << 20, (std::int64_t{1} << 31) + 5, set.numCells() - 1}) {
    EXPECT_EQ(grid->cellAt(c).at[0], minCoordinate + c);
    EXPECT_EQ(grid->nodeOfCell(c, 1), c + 1);
    std::int64_t node[3];
    grid->nodeCoordinates(c, node);
    EXPECT_EQ(node[0], minCoordinate + c);
  }
}

TYPED_TEST(IntervalGridTest, PositionsInsideCellsAreFound) {
  constexpr int Dim = TypeParam::value;
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const CellList<Dim> cells = someCells<Dim>(4, Dim == 2 ? 20 : 6, 0.5);
  const auto grid = IntervalGrid<Dim>::make(toHostSet<Dim>(cells), somewhere);
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> anywhere(-25.0, 25.0);
  for (int k = 0; k < 2000; ++k) {
    double position[3];
    Cell<Dim> cell{};
    for (int d = 0; d < 3; ++d) {
      const double t = anywhere(random);
      position[d] = somewhere.origin[d] + t * somewhere.spacing[d];
      if (d < Dim) {
        cell.at[d] = static_cast<Coordinate>(std::floor(t));
      }
    }
    double local[3];
    const std::int64_t found = grid->findCell(position, local);
    ASSERT_EQ(found, grid->cells().findCell(cell));
    for (int d = 0; found >= 0 && d < Dim; ++d) {
      EXPECT_NEAR(position[d], somewhere.position(d, cell.at[d]) + local[d] * somewhere.spacing[d], 1e-12);
    }
  }
}

// Tables are made when VTK first asks for a node or a cell, from whichever of its threads.
TYPED_TEST(IntervalGridTest, AnyThreadMayAskFirst) {
  constexpr int Dim = TypeParam::value;
  const auto set = toHostSet<Dim>(someCells<Dim>(8, Dim == 2 ? 150 : 30, 0.6));
  const auto known = IntervalGrid<Dim>::make(set, somewhere);
  const auto numCells = static_cast<vtkIdType>(known->cells().numCells);
  std::vector<std::int64_t> expected;
  for (vtkIdType c = 0; c < numCells; ++c) {
    expected.push_back(known->nodeOfCell(c, Dim));
  }
  for (const char* backend : {"Sequential", "STDThread", "OpenMP", "TBB"}) { // those that VTK was built with
    vtkSMPTools::LocalScope(vtkSMPTools::Config(4, backend, false), [&] {
      const auto grid = IntervalGrid<Dim>::make(set, somewhere);
      std::vector<std::int64_t> found(expected.size());
      vtkSMPTools::For(0, numCells, 100, [&](vtkIdType begin, vtkIdType end) {
        for (vtkIdType c = begin; c < end; ++c) {
          found[static_cast<std::size_t>(c)] = grid->nodeOfCell(c, Dim);
        }
      });
      EXPECT_EQ(found, expected) << backend;
    });
  }
}

// A node belongs to the cell above it if there is one, otherwise to one of those below.
TYPED_TEST(IntervalGridTest, EveryNodeIsFoundInOneOfItsCells) {
  constexpr int Dim = TypeParam::value;
  const CellList<Dim> cells = someCells<Dim>(5, Dim == 2 ? 20 : 6, 0.3);
  for (const GridPlacement& placement :
    {somewhere, GridPlacement{{1e6, -1e6, 1e6}, {0.1, 0.3, 0.7}, 0}, GridPlacement{{0, 0, 0}, {1e-9, 1e9, 1.0}, 0}}) {
    const auto grid = IntervalGrid<Dim>::make(toHostSet<Dim>(cells), placement);
    for (std::int64_t n = 0; n < grid->numNodes(); ++n) {
      double position[3];
      grid->nodePosition(n, position);
      double local[3];
      const std::int64_t found = grid->findCell(position, local);
      std::int64_t around[8];
      const int count = grid->cellsOfNode(n, around);
      ASSERT_NE(std::find(around, around + count, found), around + count);
      std::int64_t coordinates[3];
      grid->nodeCoordinates(n, coordinates);
      Cell<Dim> above{};
      std::copy_n(coordinates, Dim, above.at);
      const std::int64_t preferred = grid->cells().findCell(above);
      EXPECT_TRUE(preferred < 0 || found == preferred);
    }
  }
}

TYPED_TEST(IntervalGridTest, PositionsFarAwayOrNotANumberAreNowhere) {
  constexpr int Dim = TypeParam::value;
  const auto grid = IntervalGrid<Dim>::make(toHostSet<Dim>({Cell<Dim>{}}), GridPlacement{});
  double local[3];
  for (const double bad : {1e300, -1e300, std::numeric_limits<double>::infinity(), std::nan("")}) {
    const double position[3] = {bad, 0.5, 0.5};
    EXPECT_EQ(grid->findCell(position, local), -1);
  }
}

TYPED_TEST(IntervalGridTest, BoundsAreThoseOfTheCells) {
  constexpr int Dim = TypeParam::value;
  Box<Dim> box{};
  for (int d = 0; d < Dim; ++d) {
    box.begin[d] = -3 - d;
    box.end[d] = 5 + d;
  }
  HostIntervalSet<Dim> set;
  makeBox<HostExecutionSpace, Dim>(Context<HostExecutionSpace>(), box, set);
  const auto grid = IntervalGrid<Dim>::make(set, somewhere);
  EXPECT_EQ(grid->box(), box);
  double bounds[6];
  grid->bounds(bounds);
  for (int d = 0; d < 3; ++d) {
    EXPECT_EQ(bounds[2 * d], somewhere.position(d, d < Dim ? box.begin[d] : 0));
    EXPECT_EQ(bounds[2 * d + 1], somewhere.position(d, d < Dim ? box.end[d] : 0));
  }
}

TYPED_TEST(IntervalGridTest, WrongPlacementsAreNamed) {
  constexpr int Dim = TypeParam::value;
  const auto messageOf = [](const GridPlacement& placement) -> std::string {
    try {
      IntervalGrid<Dim>::make(toHostSet<Dim>({Cell<Dim>{}}), placement);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(messageOf({{0, 0, 0}, {1, 0, 1}, 0}), "the spacing along y is 0; it must be positive and finite");
  EXPECT_EQ(messageOf({{0, 0, 0}, {-0.5, 1, 1}, 0}), "the spacing along x is -0.5; it must be positive and finite");
  EXPECT_EQ(messageOf({{0, std::nan(""), 0}, {1, 1, 1}, 0}), "the origin along y is nan; it must be finite");
  EXPECT_EQ(messageOf({{0, 0, 0}, {1, 1, 1}, 31}), "the level is 31; it must be from 0 to 30");
  EXPECT_EQ(messageOf({{0, 0, 0}, {1, 1, 1}, -1}), "the level is -1; it must be from 0 to 30");
  EXPECT_NE(messageOf({{1.7e308, 0, 0}, {1e308, 1, 1}, 0}), "");
}

// The record counts what it holds: the set and its mask at first, then the node rows, and its tables.
TYPED_TEST(IntervalGridTest, BytesAreCounted) {
  constexpr int Dim = TypeParam::value;
  const auto before = runtimeReport();
  const auto bytesNow = [](const RuntimeReport& report) {
    std::size_t sum = 0;
    for (const MemoryAccount& account : report.memory) {
      sum += account.bytesNow;
    }
    return sum;
  };
  const auto set = toHostSet<Dim>(someCells<Dim>(6, Dim == 2 ? 100 : 15, 0.7));
  const auto grid = IntervalGrid<Dim>::make(set, somewhere);
  const auto expectAllCounted = [&] {
    const auto held = static_cast<double>(bytesNow(runtimeReport()) - bytesNow(before));
    EXPECT_NEAR(static_cast<double>(grid->bytes()), held, 0.02 * held);
  };
  expectAllCounted();
  const std::size_t ofSet = grid->bytes();
  const CellMask<Dim>* const mask = grid->mirrored().mask(); // of noise
  ASSERT_NE(mask, nullptr);
  EXPECT_LE(mask->bytes(), 16 * static_cast<std::size_t>(set.numIntervals()));
  EXPECT_GE(ofSet, set.bytesUsed() + mask->bytes());
  EXPECT_LT(ofSet, set.bytesUsed() + mask->bytes() + 1024); // no tables yet
  for (const IntervalGrid<Dim>* more : {&grid->withCellTables(), &grid->withNodeTables()}) {
    const std::size_t bytes = more->bytes();
    expectAllCounted();
    EXPECT_GT(bytes, ofSet + 8 * set.numIntervals());
  }
  const std::size_t onHost = grid->bytes();
  static_cast<void>(grid->template cellsAndNodesOn<ComputeSide::Device>());
  expectAllCounted();
  EXPECT_GE(grid->bytes(), onHost + set.bytesUsed() + 8 * nodeRowsPerRow<Dim> * set.numIntervals());
}

TYPED_TEST(IntervalGridTest, HasTheSameNodesOnBothSides) {
  constexpr int Dim = TypeParam::value;
  using Device = SpaceOf<ComputeSide::Device>;
  const auto grid = IntervalGrid<Dim>::make(toHostSet<Dim>(someCells<Dim>(8, 6, 0.5)), somewhere);
  const CellsAndNodes<Dim> here = grid->template cellsAndNodesOn<ComputeSide::Host>();
  const CellsAndNodes<Dim> there = grid->template cellsAndNodesOn<ComputeSide::Device>();
  EXPECT_EQ(numNodes(there.nodeRows), grid->numNodes());
  EXPECT_EQ(there.nodeRows.numIntervals, here.nodeRows.numIntervals);
  std::vector<std::int64_t> bases(static_cast<std::size_t>(nodeRowsPerRow<Dim> * here.cells.numIntervals));
  copyToHost(Device(), there.bases, static_cast<std::int64_t>(bases.size()), bases.data());
  EXPECT_TRUE(std::equal(bases.begin(), bases.end(), here.bases));
  EXPECT_EQ((grid->template cellsAndNodesOn<ComputeSide::Device>().bases), there.bases) << "they were made again";
}

TYPED_TEST(IntervalGridTest, TheLeastBytesAreKnownBefore) {
  constexpr int Dim = TypeParam::value;
  HostIntervalSet<Dim> cube;
  HostIntervalSet<Dim> longer;
  Box<Dim> box{};
  std::fill_n(box.end, Dim, Coordinate{Dim == 2 ? 1000 : 100});
  makeBox<HostExecutionSpace, Dim>(Context<HostExecutionSpace>(), box, cube);
  box.end[0] = maxIntervalEnd;
  makeBox<HostExecutionSpace, Dim>(Context<HostExecutionSpace>(), box, longer);
  for (const HostIntervalSet<Dim>& set : {cube, longer, toHostSet<Dim>(someCells<Dim>(6, Dim == 2 ? 100 : 15, 0.5)),
         toHostSet<Dim>(someCells<Dim>(6, 9, 0.1))}) {
    const double least = IntervalGrid<Dim>::minBytes(set.numRows(), set.numIntervals(), set.numCells());
    const auto grid = IntervalGrid<Dim>::make(set, somewhere);
    const auto bytes = static_cast<double>(grid->withCellTables().withNodeTables().bytes());
    EXPECT_LE(least, bytes) << set.numIntervals() << " intervals";
    EXPECT_GE(least, 0.1 * bytes) << set.numIntervals() << " intervals";
  }
}

TYPED_TEST(IntervalGridTest, HasItsSetOnBothSidesOnDemand) {
  constexpr int Dim = TypeParam::value;
  constexpr ComputeSide device = ComputeSide::Device;
  const CellList<Dim> cells = someCells<Dim>(7, 5, 0.5);
  const auto grid = IntervalGrid<Dim>::make(toHostSet<Dim>(cells), somewhere);
  EXPECT_FALSE(grid->mirrored().isOnDevice());
  const auto& there = grid->mirrored().template on<device>();
  EXPECT_EQ(&there, &grid->mirrored().template on<device>());
  EXPECT_TRUE(grid->mirrored().isOnDevice());

  const auto made = IntervalGrid<Dim>::make(MirroredSet<Dim>::template of<device>(there), somewhere);
  EXPECT_FALSE(made->mirrored().isOnHost());
  EXPECT_EQ(made->numNodes(), grid->numNodes());
  EXPECT_EQ(made->numCells(), grid->numCells());
  for (int d = 0; d < Dim; ++d) {
    EXPECT_EQ(made->box().begin[d], grid->box().begin[d]);
    EXPECT_EQ(made->box().end[d], grid->box().end[d]);
  }
  EXPECT_FALSE(made->mirrored().isOnHost()) << "making the record copied the set";
  EXPECT_EQ(toCells<Dim>(made->set()), cells);
  EXPECT_EQ(&made->set(), &made->set());
}

// Python and ParaView destroy datasets after the exit handlers have run: that must not end in an abort.
TEST(IntervalGridLife, RecordsMayOutliveKokkos) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
    {
      startRuntime();
      auto grid = IntervalGrid<2>::make(toHostSet<2>({{{0, 0}}}), GridPlacement{});
      Kokkos::finalize();
      grid.reset();
      std::exit(0);
    },
    ::testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace spanwise::testing
