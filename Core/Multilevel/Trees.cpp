#include "Core/Multilevel/Trees.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Scan.hpp"

#include <limits>
#include <utility>

namespace spanwise::multilevel {

namespace {

constexpr std::int64_t maxNodes = std::numeric_limits<std::uint32_t>::max(); // that number stands for no child

template <int Dim>
inline constexpr int numChildren = 1 << Dim;

/// Nodes of a level, in the order of trees, then breadth-first.
template <int Dim>
struct LevelNodes {
  geometry::Cell<Dim>* cells;
  std::int64_t* trees;
  std::int64_t* inTree; ///< the number of the node in its tree
  Covering* coverings;
};

/// Where the nodes of a level of each tree begin: in the level, and in the tree.
struct TreeStarts {
  std::int64_t inLevel = 0;
  std::int64_t inTree = 0;
};

/// The roots, one tree a cell.
template <int Dim>
struct PlantTrees {
  geometry::IntervalSetView<Dim> roots;
  LevelCoverView<Dim> level;
  LevelNodes<Dim> nodes;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t i) const {
    const geometry::Interval interval = roots.intervals[i];
    const geometry::RowKey<Dim> key = roots.rowKeys[row];
    const std::int64_t first = roots.cellOffsets[i] - interval.begin;
    for (std::int64_t x = interval.begin; x < interval.end; ++x) {
      geometry::Cell<Dim> cell{};
      cell.at[0] = static_cast<geometry::Coordinate>(x);
      cell.at[1] = key.y;
      if constexpr (Dim == 3) {
        cell.at[2] = key.z;
      }
      nodes.cells[first + x] = cell;
      nodes.trees[first + x] = first + x;
      nodes.inTree[first + x] = 0;
    }
    level.forCoveredOf(key, interval.begin, interval.end,
      [&](std::int64_t x, const Covering& covering) { nodes.coverings[first + x] = covering; });
  }
};

struct StartTrees {
  TreeStarts* starts;
  std::int64_t* firstNodes;

  KOKKOS_FUNCTION void operator()(std::int64_t t) const {
    starts[t] = {t, 0};
    firstNodes[t] = t;
  }
};

struct ClearInner {
  std::int64_t* numInner;
  KOKKOS_FUNCTION void operator()(std::int64_t t) const { numInner[t] = 0; }
};

struct MarkRefined {
  const Covering* coverings;
  std::int64_t* ranks;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    ranks[n] = static_cast<std::int64_t>(coverings[n].isRefined());
  }
};

/// Goes to the next level of each tree.
struct AdvanceTrees {
  const std::int64_t* ranks; ///< of a level's nodes, how many refined ones are before
  std::int64_t numTrees;
  int children;
  const TreeStarts* from;
  TreeStarts* to;
  std::int64_t* firstNodes;
  std::int64_t* numInner;

  KOKKOS_FUNCTION void operator()(std::int64_t t) const {
    const TreeStarts here = from[t];
    to[t].inLevel = children * ranks[here.inLevel];
    firstNodes[t] += to[t].inLevel;
    if (t < numTrees) {
      to[t].inTree = here.inTree + (from[t + 1].inLevel - here.inLevel);
      if (ranks[from[t + 1].inLevel] > ranks[here.inLevel]) {
        numInner[t] = to[t].inTree;
      }
    }
  }
};

/// Writes the children of refined nodes.
template <int Dim>
struct GrowTrees {
  LevelNodes<Dim> parents;
  const std::int64_t* ranks;
  const TreeStarts* starts; ///< of the children's level
  LevelCoverView<Dim> level;
  LevelNodes<Dim> nodes;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    if (!parents.coverings[p].isRefined()) {
      return;
    }
    const geometry::Cell<Dim> parent = parents.cells[p];
    const std::int64_t tree = parents.trees[p];
    const std::int64_t first = numChildren<Dim> * ranks[p];
    for (int k = 0; k < numChildren<Dim>; ++k) {
      geometry::Cell<Dim> cell{}; // of masked nodes at the end of the lattice only it may wrap around
      for (int d = 0; d < Dim; ++d) {
        cell.at[d] = static_cast<geometry::Coordinate>(2 * std::int64_t{parent.at[d]} + ((k >> d) & 1));
      }
      nodes.cells[first + k] = cell;
      nodes.trees[first + k] = tree;
      nodes.inTree[first + k] = starts[tree].inTree + (first + k - starts[tree].inLevel);
      nodes.coverings[first + k] = Covering();
    }
    for (int k = 0; k < numChildren<Dim>; k += 2) {
      const geometry::Cell<Dim> left = nodes.cells[first + k];
      level.forCoveredOf(left.row(), left.x(), std::int64_t{left.x()} + 2,
        [&](std::int64_t x, const Covering& covering) { nodes.coverings[first + k + (x - left.x())] = covering; });
    }
  }
};

/// What kind of node: one of two bits.
enum NodeKind : std::uint8_t { Leaf = 0, Refined = 1, Masked = 2 };

/// Numbers the nodes over all trees, and counts those that are masked.
struct NumberNodes {
  const std::int64_t* firstNodes;
  const std::int64_t* trees;
  const std::int64_t* inTree;
  const Covering* coverings;
  std::int64_t* nodes;
  std::uint8_t* kinds;

  KOKKOS_FUNCTION void operator()(std::int64_t n, std::int64_t& masked) const {
    nodes[n] = firstNodes[trees[n]] + inTree[n];
    const Covering covering = coverings[n];
    kinds[nodes[n]] = covering.isLeaf() ? Leaf : covering.isRefined() ? Refined : Masked;
    masked += static_cast<std::int64_t>(covering.isNothing());
  }
};

struct PackBits {
  const std::uint8_t* kinds;
  std::int64_t count;
  std::uint8_t* refined;
  std::uint8_t* masked;

  KOKKOS_FUNCTION void operator()(std::int64_t byte) const {
    unsigned refinedBits = 0;
    unsigned maskedBits = 0;
    for (std::int64_t bit = 0; bit < 8; ++bit) {
      const std::uint8_t kind = 8 * byte + bit < count ? kinds[8 * byte + bit] : std::uint8_t{Leaf};
      refinedBits = 2 * refinedBits + (kind & Refined);
      maskedBits = 2 * maskedBits + (kind >> 1);
    }
    refined[byte] = static_cast<std::uint8_t>(refinedBits);
    masked[byte] = static_cast<std::uint8_t>(maskedBits);
  }
};

struct LargestTree {
  using value_type = std::int64_t;
  const std::int64_t* firstNodes;
  KOKKOS_FUNCTION void init(std::int64_t& most) const { most = 0; }
  KOKKOS_FUNCTION void join(std::int64_t& most, const std::int64_t& other) const { most = Kokkos::max(most, other); }
  KOKKOS_FUNCTION void operator()(std::int64_t t, std::int64_t& most) const {
    most = Kokkos::max(most, firstNodes[t + 1] - firstNodes[t]);
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void makeTrees(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const LeafCoverOn<Dim, ExecutionSpace>& cover, TreesOn<ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Multilevel::makeTrees");
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const auto at = [](std::size_t l, const auto& sets) { return sets[l].view(); };
  const std::int64_t numTrees = cover.covered.empty() ? 0 : cover.covered.front().numCells();
  out.levelOffsets.assign(1, 0);
  out.levelOffsets.reserve(leaves.size() + 1);
  if (numTrees > 0) {
    out.levelOffsets.push_back(numTrees);
    for (std::size_t l = 0; l + 1 < leaves.size(); ++l) {
      out.levelOffsets.push_back(out.levelOffsets.back() + numChildren<Dim> * cover.refined[l].numCells());
    }
  }
  const std::int64_t numNodes = out.levelOffsets.back();

  std::int64_t* const nodeNumbers = out.levelNodes.prepare(numNodes);
  const LevelNodes<Dim> nodes{frame.template array<geometry::Cell<Dim>>(numNodes).data(),
    frame.template array<std::int64_t>(numNodes).data(), frame.template array<std::int64_t>(numNodes).data(),
    out.coverings.prepare(numNodes)};
  const auto ofLevel = [&](std::size_t l) {
    const std::int64_t first = out.levelOffsets[l];
    return LevelNodes<Dim>{nodes.cells + first, nodes.trees + first, nodes.inTree + first, nodes.coverings + first};
  };
  std::int64_t* const firstNodes = out.firstNodes.prepare(numTrees + 1);
  std::int64_t* const numInner = out.numInner.prepare(numTrees);
  auto* starts = frame.template array<TreeStarts>(numTrees + 1).data();
  auto* nextStarts = frame.template array<TreeStarts>(numTrees + 1).data();
  const IndexRange<ExecutionSpace> overTrees(space, 0, numTrees + 1);
  forEach(SPANWISE_KERNEL("start trees"), overTrees, StartTrees{starts, firstNodes});
  forEach(SPANWISE_KERNEL("clear inner"), IndexRange<ExecutionSpace>(space, 0, numTrees), ClearInner{numInner});
  if (numTrees > 0) {
    const geometry::IntervalSetView<Dim> roots = cover.covered.front().view();
    forEachPart(space, SPANWISE_KERNEL("plant trees"), roots.rowOffsets, roots.numRows, roots.numIntervals,
      PlantTrees<Dim>{roots, {at(0, leaves), at(0, cover.refined)}, ofLevel(0)});
  }
  for (std::size_t l = 0; l + 2 < out.levelOffsets.size() && out.levelOffsets[l + 2] > out.levelOffsets[l + 1]; ++l) {
    typename Workspace<typename ExecutionSpace::memory_space>::Frame levelFrame(context.workspace());
    const std::int64_t count = out.levelOffsets[l + 1] - out.levelOffsets[l];
    std::int64_t* const ranks = levelFrame.template array<std::int64_t>(count + 1).data();
    const IndexRange<ExecutionSpace> overNodes(space, 0, count);
    forEach(SPANWISE_KERNEL("mark refined"), overNodes, MarkRefined{out.coverings.data() + out.levelOffsets[l], ranks});
    exclusiveScan(space, SPANWISE_KERNEL("scan refined"), ranks, count);
    forEach(SPANWISE_KERNEL("advance trees"), overTrees,
      AdvanceTrees{ranks, numTrees, numChildren<Dim>, starts, nextStarts, firstNodes, numInner});
    forEach(SPANWISE_KERNEL("grow trees"), overNodes,
      GrowTrees<Dim>{ofLevel(l), ranks, nextStarts, {at(l + 1, leaves), at(l + 1, cover.refined)}, ofLevel(l + 1)});
    std::swap(starts, nextStarts);
  }

  std::int64_t most = 0;
  reduce(
    SPANWISE_KERNEL("largest tree"), IndexRange<ExecutionSpace>(space, 0, numTrees), LargestTree{firstNodes}, most);
  if (most >= maxNodes) {
    out.levelOffsets.assign(1, 0);
    out.numNodes = out.numMasked = 0;
    out.numInner.clear();
    throw InvalidArgument("a tree has " + std::to_string(most) + " nodes; at most 2^32 - 2 can be numbered");
  }
  auto* const kinds = frame.template array<std::uint8_t>(numNodes).data();
  reduce(SPANWISE_KERNEL("number nodes"), IndexRange<ExecutionSpace>(space, 0, numNodes),
    NumberNodes{firstNodes, nodes.trees, nodes.inTree, nodes.coverings, nodeNumbers, kinds}, out.numMasked);
  const std::int64_t numBytes = (numNodes + 7) / 8;
  std::uint8_t* const refinedBits = out.refinedBits.prepare(numBytes);
  forEach(SPANWISE_KERNEL("pack bits"), IndexRange<ExecutionSpace>(space, 0, numBytes),
    PackBits{kinds, numNodes, refinedBits, out.maskedBits.prepare(numBytes)});
  out.numNodes = numNodes;
}

#define SPANWISE_TREES(Space, Dim)                                                                                     \
  template void makeTrees<Space, Dim>(                                                                                 \
    const Context<Space>&, const LeavesOn<Dim, Space>&, const LeafCoverOn<Dim, Space>&, TreesOn<Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_TREES)

} // namespace spanwise::multilevel
