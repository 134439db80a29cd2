#include "Core/Field/BlockSet.hpp"
#include "Core/Field/ForEachBlockCell.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <cstdlib>
#include <random>

namespace spanwise::testing {
namespace {

template <class Space>
class BlockSets : public ::testing::Test {};
TYPED_TEST_SUITE(BlockSets, AllSpaces, SpaceNames);

constexpr BlockOrder orders[] = {BlockOrder::Row, BlockOrder::Morton, BlockOrder::Hilbert};
constexpr BlockGrouping groupings[] = {BlockGrouping::Naive, BlockGrouping::BitMask, BlockGrouping::Contiguous};

template <class T, class Memory>
std::vector<T> hostCopy(const T* values, std::int64_t count) {
  const Kokkos::View<const T*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> from(
    values, static_cast<std::size_t>(count));
  std::vector<T> result(static_cast<std::size_t>(count));
  Kokkos::deep_copy(
    Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(result.data(), result.size()), from);
  return result;
}

} // namespace

/// What a kernel sees of each cell: its coordinates, its number as findCell() gives it, and where its data is.
template <int Dim, class Space>
struct NoteBlockCell {
  BlockSetView<Dim> set;
  Kokkos::View<Cell<Dim>*, typename Space::memory_space> cells;
  Kokkos::View<std::int64_t*, typename Space::memory_space> found;
  Kokkos::View<std::int64_t*, typename Space::memory_space> places;
  Kokkos::View<int*, typename Space::memory_space> visits;

  KOKKOS_FUNCTION void operator()(std::int64_t number, const Cell<Dim>& cell) const {
    const auto i = static_cast<std::size_t>(number);
    cells(i) = cell;
    found(i) = set.findCell(cell);
    places(i) = set.subsetPlace(number);
    Kokkos::atomic_inc(&visits(i));
  }
};

namespace {

/// All that the docstrings of BlockSet say of a set with a subset.
template <class Space, int Dim>
void expectBlocks(
  const Space& space, const CellList<Dim>& cells, const CellList<Dim>& subset, const BlockOptions& options) {
  using Memory = typename Space::memory_space;
  using Shape = BlockShape<Dim>;
  const Context<Space> context(space);
  BlockSetOn<Dim, Space> set;
  buildBlocks<Space, Dim>(context, toSet<Space, Dim>(cells), toSet<Space, Dim>(subset), options, set);
  const auto blockOf = [](const Cell<Dim>& cell) {
    Cell<Dim> block = cell;
    for (Coordinate& c : block.at) {
      c = static_cast<Coordinate>(std::floor(static_cast<double>(c) / Shape::side));
    }
    return block;
  };
  std::map<Cell<Dim>, bool> expected; // whether it has a cell of the subset
  std::size_t numSubsetCells = 0;
  for (const Cell<Dim>& cell : cells) {
    expected[blockOf(cell)] |= subset.contains(cell);
    numSubsetCells += subset.count(cell);
  }
  EXPECT_EQ(set.numCells(), static_cast<std::int64_t>(cells.size()));
  EXPECT_EQ(set.numSubsetCells(), static_cast<std::int64_t>(numSubsetCells));
  ASSERT_EQ(set.numBlocks(), static_cast<std::int64_t>(expected.size()));
  EXPECT_EQ(set.numPlaces(), 64 * set.numBlocks());

  const auto blocks = hostCopy<Cell<Dim>, Memory>(set.view().blocks, set.numBlocks());
  std::map<Cell<Dim>, std::int32_t> numbers;
  bool groupHasEnded = false;
  for (std::int64_t b = 0; b < set.numBlocks(); ++b) {
    const Cell<Dim>& block = blocks[static_cast<std::size_t>(b)];
    ASSERT_TRUE(expected.contains(block));
    numbers[block] = static_cast<std::int32_t>(b);
    if (options.grouping == BlockGrouping::Contiguous) {
      EXPECT_FALSE(groupHasEnded && expected[block]) << "block " << b;
      EXPECT_EQ(b < set.blocksOf(SubsetGroup::With).end, expected[block]);
      groupHasEnded = !expected[block];
    } else if (options.order == BlockOrder::Row && b > 0) {
      EXPECT_LT(blocks[static_cast<std::size_t>(b - 1)], block);
    }
  }
  EXPECT_EQ(numbers.size(), expected.size());
  const auto around = hostCopy<std::int32_t, Memory>(set.view().around, set.numBlocks() * Shape::numAround);
  for (const auto& [block, number] : numbers) {
    for (int a = 0; a < Shape::numAround; ++a) {
      Cell<Dim> other = block;
      for (int d = 0; d < Dim; ++d) {
        other.at[d] += Shape::stepOf(a, d);
      }
      const auto at = static_cast<std::size_t>(number * Shape::numAround + a);
      ASSERT_EQ(around[at], numbers.contains(other) ? numbers[other] : -1);
    }
  }

  const auto numPlaces = static_cast<std::size_t>(set.numPlaces());
  const NoteBlockCell<Dim, Space> note{set.view(), Kokkos::View<Cell<Dim>*, Memory>("Testing::cells", numPlaces),
    Kokkos::View<std::int64_t*, Memory>("Testing::found", numPlaces),
    Kokkos::View<std::int64_t*, Memory>("Testing::places", numPlaces),
    Kokkos::View<int*, Memory>("Testing::visits", numPlaces)};
  forEachCell(space, SPANWISE_KERNEL("note cells"), set, note, SubsetGroup::With);
  forEachCell(space, SPANWISE_KERNEL("note cells"), set, note, SubsetGroup::Without);
  space.fence();
  const auto visits = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), note.visits);
  const auto seen = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), note.cells);
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), note.found);
  const auto places = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), note.places);
  CellList<Dim> visited;
  std::set<std::int64_t> subsetPlaces;
  for (std::size_t i = 0; i < numPlaces; ++i) {
    if (visits(i) == 0) {
      continue;
    }
    EXPECT_EQ(visits(i), 1);
    visited.insert(seen(i));
    EXPECT_EQ(found(i), static_cast<std::int64_t>(i));
    EXPECT_EQ(places(i) >= 0, subset.contains(seen(i)));
    if (places(i) >= 0) {
      EXPECT_LT(places(i), set.numSubsetPlaces());
      EXPECT_TRUE(subsetPlaces.insert(places(i)).second);
    }
  }
  EXPECT_EQ(visited, cells);
  if (options.grouping == BlockGrouping::BitMask) {
    EXPECT_EQ(set.numSubsetPlaces(), set.numSubsetCells());
  }
}

template <class Space, int Dim>
void expectBlocksOfRandomSets() {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const Space& space : ofSeveralThreads<Space>()) {
    for (const double density : {0.0, 0.02, 0.5, 1.0}) {
      const CellList<Dim> cells = randomCells<Dim>(random, Dim == 2 ? 21 : 7, density);
      for (const double part : {0.0, 0.01, 0.5}) {
        const CellList<Dim> subset = randomCells<Dim>(random, Dim == 2 ? 25 : 8, part); // some beyond the set
        for (const BlockOrder order : orders) {
          for (const BlockGrouping grouping : groupings) {
            expectBlocks<Space, Dim>(space, cells, subset, {order, grouping});
          }
        }
      }
    }
  }
}

TYPED_TEST(BlockSets, HoldTheCellsOfASetIn2D) { expectBlocksOfRandomSets<TypeParam, 2>(); }
TYPED_TEST(BlockSets, HoldTheCellsOfASetIn3D) { expectBlocksOfRandomSets<TypeParam, 3>(); }

TYPED_TEST(BlockSets, HoldAtTheLimitsOfCoordinates) {
  const CellList<3> corners{
    {{minCoordinate, minCoordinate, minCoordinate}}, {{maxRowKey, maxRowKey, maxRowKey}}, {{0, -1, maxRowKey}}};
  for (const BlockOrder order : orders) { // 2^30 blocks along an axis: more than a curve tells apart
    expectBlocks<TypeParam, 3>(TypeParam(), corners, {}, {order, BlockGrouping::Naive});
    expectBlocks<TypeParam, 2>(TypeParam(), {{{minCoordinate, maxRowKey}}, {{maxRowKey, minCoordinate}}},
      {{{maxRowKey, minCoordinate}}}, {order, BlockGrouping::Contiguous});
  }
}

/// The blocks of a box of 8 blocks an axis, in their order.
template <class Space, int Dim>
std::vector<Cell<Dim>> blocksOfBox(BlockOrder order) {
  const Context<Space> context;
  Box<Dim> box{};
  std::fill_n(box.begin, Dim, -2 * BlockShape<Dim>::side);
  std::fill_n(box.end, Dim, 6 * BlockShape<Dim>::side);
  IntervalSetOn<Dim, Space> set;
  makeBox<Space, Dim>(context, box, set);
  BlockSetOn<Dim, Space> blocks;
  buildBlocks<Space, Dim>(context, set, order, blocks);
  return hostCopy<Cell<Dim>, typename Space::memory_space>(blocks.view().blocks, blocks.numBlocks());
}

template <class Space, int Dim>
void expectCurves() {
  const auto hilbert = blocksOfBox<Space, Dim>(BlockOrder::Hilbert);
  for (std::size_t b = 1; b < hilbert.size(); ++b) { // from neighbour to neighbour
    int steps = 0;
    for (int d = 0; d < Dim; ++d) {
      steps += std::abs(hilbert[b].at[d] - hilbert[b - 1].at[d]);
    }
    EXPECT_EQ(steps, 1) << "block " << b;
  }
  const auto morton = blocksOfBox<Space, Dim>(BlockOrder::Morton);
  for (std::size_t b = 0; b < morton.size(); ++b) { // the bits of b in turn
    for (std::size_t d = 0; d < Dim; ++d) {
      std::size_t c = 0;
      for (std::size_t bit = 0; bit < 3; ++bit) {
        c |= (b >> (bit * Dim + d) & 1U) << bit;
      }
      EXPECT_EQ(morton[b].at[d], static_cast<Coordinate>(c) - 2) << "block " << b;
    }
  }
}

TYPED_TEST(BlockSets, FollowTheCurves) {
  expectCurves<TypeParam, 2>();
  expectCurves<TypeParam, 3>();
}

} // namespace
} // namespace spanwise::testing
