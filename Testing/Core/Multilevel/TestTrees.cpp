// Hierarchies as trees, by the definition, and back.

#include "Core/Geometry/Measures.hpp"
#include "Core/Multilevel/LevelsOfTrees.hpp"
#include "Core/Multilevel/Trees.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Arrays.hpp"
#include "Testing/Core/Multilevel/LeavesOnSpace.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

/// Trees by the definition: nodes in a queue.
template <int Dim>
struct QueuedTrees {
  std::vector<std::int64_t> firstNodes{0};
  std::vector<std::int64_t> numInner;
  std::vector<Cell<Dim>> cells;
  std::vector<std::size_t> levels;
  std::vector<bool> refined;
  std::vector<bool> masked;

  explicit QueuedTrees(const Leaves<Dim>& leaves) {
    std::vector<CellList<Dim>> covered;
    for (std::size_t l = 0; l < leaves.size(); ++l) {
      covered.push_back(ancestorsOn(leaves, l));
    }
    for (const Cell<Dim>& root : leaves.empty() ? CellList<Dim>() : covered.front()) {
      const std::size_t first = cells.size();
      add(root, 0);
      for (std::size_t n = first; n < cells.size(); ++n) {
        const bool isCovered = covered[levels[n]].count(cells[n]) > 0;
        masked.push_back(!isCovered);
        refined.push_back(isCovered && leaves[levels[n]].count(cells[n]) == 0);
        for (int k = 0; refined[n] && k < 1 << Dim; ++k) {
          add(childOf(cells[n], k), levels[n] + 1);
        }
      }
      std::size_t inner = first;
      while (levels[inner] < levels.back()) {
        ++inner;
      }
      numInner.push_back(static_cast<std::int64_t>(inner - first));
      firstNodes.push_back(static_cast<std::int64_t>(cells.size()));
    }
  }

  void add(const Cell<Dim>& cell, std::size_t level) {
    cells.push_back(cell);
    levels.push_back(level);
  }
};

std::vector<bool> toBits(const std::vector<std::uint8_t>& bytes, std::size_t count) {
  EXPECT_EQ(bytes.size(), (count + 7) / 8);
  std::vector<bool> bits;
  for (std::size_t n = 0; n < count; ++n) {
    bits.push_back((bytes[n / 8] >> (7 - n % 8) & 1) != 0);
  }
  return bits;
}

template <class Space>
class MakeTrees : public ::testing::Test {
protected:
  using Memory = typename Space::memory_space;
  Space space = oneThread<Space>(); // most cases are small
  const Context<Space> context{space};
  TreesOn<Space> trees;

  template <int Dim>
  void make(const Space& on, const Leaves<Dim>& cells) {
    const Context there(on);
    const LeavesAndCover<Space, Dim> levels(there, cells);
    makeTrees<Space, Dim>(there, levels.leaves, levels.cover, trees);
    on.fence();
  }

  template <int Dim>
  void check(const Leaves<Dim>& cells) {
    make<Dim>(space, cells);
    const QueuedTrees<Dim> expected(cells);
    const std::size_t numNodes = expected.cells.size();
    ASSERT_EQ(trees.numNodes, static_cast<std::int64_t>(numNodes));
    EXPECT_EQ(toVector(trees.firstNodes), expected.firstNodes);
    EXPECT_EQ(toVector(trees.numInner), expected.numInner);
    EXPECT_EQ(toBits(toVector(trees.refinedBits), numNodes), expected.refined);
    EXPECT_EQ(toBits(toVector(trees.maskedBits), numNodes), expected.masked);
    EXPECT_EQ(trees.numMasked, std::count(expected.masked.begin(), expected.masked.end(), true));
    checkCoverings(cells, expected);
    comeBack(cells);
  }

  template <int Dim>
  void checkCoverings(const Leaves<Dim>& cells, const QueuedTrees<Dim>& expected) {
    const auto nodes = toVector(trees.levelNodes);
    const auto coverings = toVector(trees.coverings);
    ASSERT_EQ(trees.levelOffsets.back(), trees.numNodes);
    for (std::size_t l = 0; l + 1 < trees.levelOffsets.size(); ++l) {
      const std::vector<Cell<Dim>> leaves(cells[l].begin(), cells[l].end());
      std::int64_t last = -1;
      for (std::int64_t k = trees.levelOffsets[l]; k < trees.levelOffsets[l + 1]; ++k) {
        const auto node = static_cast<std::size_t>(nodes[static_cast<std::size_t>(k)]);
        const Covering covering = coverings[static_cast<std::size_t>(k)];
        ASSERT_GT(static_cast<std::int64_t>(node), last);
        last = static_cast<std::int64_t>(node);
        ASSERT_EQ(expected.levels[node], l);
        ASSERT_EQ(covering.isRefined(), expected.refined[node]);
        ASSERT_EQ(covering.isNothing(), expected.masked[node]);
        if (covering.isLeaf()) {
          ASSERT_TRUE(leaves[static_cast<std::size_t>(covering.number())] == expected.cells[node]);
        }
      }
    }
  }

  /// The leaves of the descriptor are the leaves.
  template <int Dim>
  void comeBack(const Leaves<Dim>& cells) {
    std::vector<Cell<Dim>> roots;
    for (const Cell<Dim>& root : cells.empty() ? CellList<Dim>() : ancestorsOn(cells, 0)) {
      roots.push_back(root);
    }
    const QueuedTrees<Dim> expected(cells);
    std::vector<TreeNode> kinds;
    for (const bool masked : expected.masked) {
      kinds.push_back(masked ? TreeNode::Masked : TreeNode::Taken);
    }
    const Kokkos::View<std::uint32_t*, Memory> children("Testing::children", static_cast<std::size_t>(trees.numNodes));
    firstChildrenOf<Space, Dim>(context, trees.firstNodes.view(), trees.refinedBits.view(), children);
    TreeLeavesOn<Dim, Space> back;
    levelsOfTrees<Space, Dim>(
      context, {arrayOn<Space>(roots), trees.firstNodes.view(), children, arrayOn<Space>(kinds)}, 31, back);
    space.fence();
    for (std::size_t l = 0; l < cells.size(); ++l) {
      if (l >= back.leaves.size()) {
        EXPECT_TRUE(cells[l].empty());
        continue;
      }
      expectCells<Space, Dim>(back.leaves[l], cells[l]);
      const auto nodes = toVector(back.nodes[l]);
      std::size_t k = 0;
      for (const Cell<Dim>& cell : cells[l]) {
        ASSERT_TRUE(expected.cells[static_cast<std::size_t>(nodes[k++])] == cell);
      }
    }
    EXPECT_TRUE(back.leaves.empty() || !back.leaves.back().empty());
  }

  template <int Dim>
  void checkRandom() {
    forRandomLeaves<Dim>(5, [this](const Leaves<Dim>& leaves) { this->template check<Dim>(leaves); });
  }
};
TYPED_TEST_SUITE(MakeTrees, AllSpaces, SpaceNames);

TYPED_TEST(MakeTrees, AreBreadthFirstAndComeBackIn2D) { this->template checkRandom<2>(); }
TYPED_TEST(MakeTrees, AreBreadthFirstAndComeBackIn3D) { this->template checkRandom<3>(); }

TYPED_TEST(MakeTrees, NothingHasNone) {
  this->template check<2>({});
  this->template check<3>(Leaves<3>(3));
}

TYPED_TEST(MakeTrees, WorkAtTheLimits) {
  Leaves<2> cells(2);
  cells[1] = {{{minCoordinate, minCoordinate}}, {{maxRowKey, 0}}, {{0, maxRowKey}}};
  this->template make<2>(this->space, cells);
  EXPECT_EQ(this->trees.numNodes, 15);
  EXPECT_EQ(this->trees.numMasked, 9);
}

// Large enough to be spread over threads.
TYPED_TEST(MakeTrees, AreTheSameForAnyNumberOfThreads) {
  shareLittleWork();
  std::mt19937 random(seed());
  RandomLevels how;
  how.extent = 8;
  const auto cells = randomLeaves<3>(random, how);
  this->template make<3>(this->space, cells);
  const auto bits = toVector(this->trees.refinedBits);
  const auto nodes = toVector(this->trees.levelNodes);
  this->template make<3>(TypeParam(), cells);
  EXPECT_GT(bits.size(), 10000U);
  EXPECT_EQ(toVector(this->trees.refinedBits), bits);
  EXPECT_EQ(toVector(this->trees.levelNodes), nodes);
}

template <class Space>
class LevelsOfTrees : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};
  TreeLeavesOn<2, Space> leaves;

  void run(const std::vector<Cell<2>>& roots, const std::vector<std::int64_t>& firstNodes,
    const std::vector<std::uint32_t>& children, const std::vector<TreeNode>& nodes = {}, int maxLevels = 31) {
    levelsOfTrees<Space, 2>(context,
      {arrayOn<Space>(roots), arrayOn<Space>(firstNodes), arrayOn<Space>(children), arrayOn<Space>(nodes)}, maxLevels,
      leaves);
    space.fence();
  }
};
TYPED_TEST_SUITE(LevelsOfTrees, AllSpaces, SpaceNames);

// Nodes need not be breadth-first, as long as siblings follow each other.
TYPED_TEST(LevelsOfTrees, TakeAnyOrderOfNodes) {
  constexpr std::uint32_t no = noChild;
  // two roots; the second one's children are refined from the last to the first, and only two of these
  this->run({{{5, -1}}, {{-3, 2}}}, {0, 1, 14}, {no, 1, no, 9, no, 5, no, no, no, no, no, no, no, no});
  ASSERT_EQ(this->leaves.leaves.size(), 3U);
  expectCells<TypeParam, 2>(this->leaves.leaves[0], {{{5, -1}}});
  expectCells<TypeParam, 2>(this->leaves.leaves[1], {{{-6, 4}}, {{-6, 5}}});
  expectCells<TypeParam, 2>(this->leaves.leaves[2], childrenOf<2>({{{-5, 4}}, {{-5, 5}}}));
  EXPECT_EQ(toVector(this->leaves.nodes[2]), (std::vector<std::int64_t>{10, 11, 12, 13, 6, 7, 8, 9}));
}

TYPED_TEST(LevelsOfTrees, LeaveOutWhatIsMaskedOrCopied) {
  constexpr std::uint32_t no = noChild;
  const auto taken = TreeNode::Taken;
  const std::vector<std::uint32_t> children{1, 5, no, no, no, no, no, no, no};
  this->run({{{0, 0}}}, {0, 9}, children,
    {taken, TreeNode::Masked, TreeNode::Copied, taken, taken, taken, taken, taken, taken});
  ASSERT_EQ(this->leaves.leaves.size(), 2U);
  expectCells<TypeParam, 2>(this->leaves.leaves[1], {{{0, 1}}, {{1, 1}}});
  this->run({{{0, 0}}}, {0, 9}, children, std::vector<TreeNode>(9, TreeNode::Copied));
  EXPECT_TRUE(this->leaves.leaves.empty());
}

TYPED_TEST(LevelsOfTrees, WrongTreesAreErrors) {
  constexpr std::uint32_t no = noChild;
  EXPECT_THROW(this->run({{{0, 0}}}, {0, 4}, {1, no, no, no}), InvalidArgument);       // too few nodes
  EXPECT_THROW(this->run({{{0, 0}}}, {0, 5}, {0, no, no, no, no}), InvalidArgument);   // its own child
  EXPECT_THROW(this->run({{{0, 0}}}, {0, 5}, {1, 1, no, no, no}), InvalidArgument);    // for ever
  EXPECT_THROW(this->run({{{1, 0}}}, {0, 5}, {1, 1, no, no, no}), CoordinateOverflow); // the same
  EXPECT_TRUE(this->leaves.leaves.empty());
  EXPECT_THROW(this->run({{{1 << 30, 0}}}, {0, 5}, {1, no, no, no, no}), CoordinateOverflow);
}

} // namespace
} // namespace spanwise::testing
