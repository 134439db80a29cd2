#include "Core/Multilevel/LevelsOfTrees.hpp"

#include "Core/Geometry/Builders/SortedCells.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Scan.hpp"

namespace spanwise::multilevel {

namespace {

template <int Dim>
inline constexpr int numChildren = 1 << Dim;

/// A node that has been reached: its cell and its number over all trees.
template <int Dim>
struct ReachedNode {
  geometry::Cell<Dim> cell;
  std::int64_t node;
  std::int64_t tree;
};

/// Leaves and nodes with children.
struct NodeTotals {
  std::int64_t leaves = 0;
  std::int64_t refined = 0;

  KOKKOS_FUNCTION NodeTotals& operator+=(const NodeTotals& other) {
    leaves += other.leaves;
    refined += other.refined;
    return *this;
  }
};

enum Fault : std::int64_t { None, NoSuchChild, BeyondLimits };

/// What the nodes of a level are, and whether their children can be reached.
template <int Dim, class Memory>
struct ClassifyNodes {
  using value_type = std::int64_t;
  TreeArrays<Dim, Memory> trees;
  const ReachedNode<Dim>* reached;
  NodeTotals* totals;

  KOKKOS_FUNCTION void init(std::int64_t& fault) const { fault = None; }
  KOKKOS_FUNCTION void join(std::int64_t& fault, const std::int64_t& other) const { fault = Kokkos::max(fault, other); }
  KOKKOS_FUNCTION void operator()(std::int64_t n, std::int64_t& fault) const {
    const ReachedNode<Dim> node = reached[n];
    const std::uint32_t child = trees.firstChildren(node.node);
    const TreeNode kind = trees.nodes.extent(0) > 0 ? trees.nodes(node.node) : TreeNode::Taken;
    totals[n] = {};
    if (kind == TreeNode::Masked) {
      return;
    }
    if (child == noChild) {
      totals[n].leaves = static_cast<std::int64_t>(kind == TreeNode::Taken);
      return;
    }
    totals[n].refined = 1;
    const std::int64_t numNodes = trees.firstNodes(node.tree + 1) - trees.firstNodes(node.tree);
    if (child == 0 || std::int64_t{child} + numChildren<Dim> > numNodes) {
      fault = Kokkos::max(fault, std::int64_t{NoSuchChild});
    }
    for (int d = 0; d < Dim; ++d) {
      const std::int64_t low = 2 * std::int64_t{node.cell.at[d]};
      if (!geometry::isCellCoordinate(low) || !geometry::isCellCoordinate(low + 1)) {
        fault = Kokkos::max(fault, std::int64_t{BeyondLimits});
      }
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void levelsOfTrees(const Context<ExecutionSpace>& context, const TreeArraysOn<Dim, ExecutionSpace>& trees,
  int maxLevels, TreeLeavesOn<Dim, ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();

  using Memory = typename ExecutionSpace::memory_space;
  using Node = ReachedNode<Dim>;
  SPANWISE_REGION("Multilevel::levelsOfTrees");
  typename Workspace<Memory>::Frame frame(context.workspace());
  std::size_t numLevels = 0;
  auto count = static_cast<std::int64_t>(trees.roots.extent(0));
  Node* reached = frame.template array<Node>(count).data();
  Node* const ofRoots = reached;
  forEach(
    SPANWISE_KERNEL("reach roots"), IndexRange<ExecutionSpace>(space, 0, count),
    KOKKOS_LAMBDA(std::int64_t t) { ofRoots[t] = {trees.roots(t), trees.firstNodes(t), t}; });
  while (count > 0) {
    if (numLevels == static_cast<std::size_t>(maxLevels)) {
      out = {};
      throw InvalidArgument("the trees have more than " + std::to_string(maxLevels) + " levels");
    }
    const IndexRange<ExecutionSpace> overNodes(space, 0, count);
    auto* const totals = frame.template array<NodeTotals>(count + 1).data();
    std::int64_t fault = None;
    reduce(SPANWISE_KERNEL("classify nodes"), overNodes, ClassifyNodes<Dim, Memory>{trees, reached, totals}, fault);
    if (fault == BeyondLimits) {
      out = {};
      throw CoordinateOverflow("a tree is so deep that cells have coordinates of 2^31 and more");
    }
    if (fault == NoSuchChild) {
      out = {};
      throw InvalidArgument("a node of a tree has children that are not nodes of the tree");
    }
    const NodeTotals sum = exclusiveScan(space, SPANWISE_KERNEL("scan nodes"), totals, count);
    const Node* const nodes = reached;
    Node* const leaves = frame.template array<Node>(sum.leaves).data();
    Node* const scratch = frame.template array<Node>(sum.leaves).data();
    Node* const children = frame.template array<Node>(numChildren<Dim> * sum.refined).data();
    forEach(
      SPANWISE_KERNEL("reach children"), overNodes, KOKKOS_LAMBDA(std::int64_t n) {
        const Node node = nodes[n];
        if (totals[n + 1].leaves > totals[n].leaves) {
          leaves[totals[n].leaves] = node;
        }
        if (totals[n + 1].refined == totals[n].refined) {
          return;
        }
        const std::int64_t first = trees.firstNodes(node.tree) + trees.firstChildren(node.node);
        for (int k = 0; k < numChildren<Dim>; ++k) {
          Node child{{}, first + k, node.tree};
          for (int d = 0; d < Dim; ++d) {
            child.cell.at[d] = 2 * node.cell.at[d] + ((k >> d) & 1);
          }
          children[numChildren<Dim> * totals[n].refined + k] = child;
        }
      });

    if (out.leaves.size() == numLevels) {
      out.leaves.emplace_back();
      out.nodes.emplace_back();
    }
    const auto byCell = KOKKOS_LAMBDA(const Node& a, const Node& b) { return a.cell < b.cell; };
    const Node* const sorted = sortStably(space, leaves, scratch, sum.leaves, byCell);
    makeFromSortedCells(
      context, sum.leaves, KOKKOS_LAMBDA(std::int64_t n) { return sorted[n].cell; }, out.leaves[numLevels]);
    std::int64_t* const numbers = out.nodes[numLevels].prepare(sum.leaves);
    forEach(
      SPANWISE_KERNEL("number leaves"), IndexRange<ExecutionSpace>(space, 0, sum.leaves),
      KOKKOS_LAMBDA(std::int64_t n) { numbers[n] = sorted[n].node; });
    ++numLevels;
    reached = children;
    count = numChildren<Dim> * sum.refined;
  }
  while (numLevels > 0 && out.leaves[numLevels - 1].empty()) {
    --numLevels;
  }
  out.leaves.resize(numLevels);
  out.nodes.resize(numLevels);
}

template <class ExecutionSpace, int Dim>
void firstChildrenOf(const Context<ExecutionSpace>& context,
  const Kokkos::View<const std::int64_t*, typename ExecutionSpace::memory_space>& firstNodes,
  const Kokkos::View<const std::uint8_t*, typename ExecutionSpace::memory_space>& refinedBits,
  const Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space>& firstChildren) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Multilevel::firstChildrenOf");
  const auto count = static_cast<std::int64_t>(firstChildren.extent(0));
  const std::int64_t numTrees = static_cast<std::int64_t>(firstNodes.extent(0)) - 1;
  if (count == 0) {
    return;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  std::int64_t* const ranks = frame.template array<std::int64_t>(count + 1).data();
  const IndexRange<ExecutionSpace> overNodes(space, 0, count);
  const std::uint8_t* const bits = refinedBits.data();
  const std::int64_t* const roots = firstNodes.data();
  std::uint32_t* const children = firstChildren.data();
  forEach(
    SPANWISE_KERNEL("unpack bits"), overNodes,
    KOKKOS_LAMBDA(std::int64_t n) { ranks[n] = (bits[n / 8] >> (7 - n % 8)) & 1; });
  exclusiveScan(space, SPANWISE_KERNEL("scan bits"), ranks, count);
  forEach(
    SPANWISE_KERNEL("first children"), overNodes, KOKKOS_LAMBDA(std::int64_t n) {
      const std::int64_t root = roots[firstAbove(roots, 0, numTrees + 1, n) - 1];
      children[n] =
        ranks[n + 1] > ranks[n] ? static_cast<std::uint32_t>(1 + numChildren<Dim> * (ranks[n] - ranks[root])) : noChild;
    });
}

#define SPANWISE_LEVELS_OF_TREES(Space, Dim)                                                                           \
  template void levelsOfTrees<Space, Dim>(                                                                             \
    const Context<Space>&, const TreeArraysOn<Dim, Space>&, int, TreeLeavesOn<Dim, Space>&);                           \
  template void firstChildrenOf<Space, Dim>(const Context<Space>&,                                                     \
    const Kokkos::View<const std::int64_t*, Space::memory_space>&,                                                     \
    const Kokkos::View<const std::uint8_t*, Space::memory_space>&,                                                     \
    const Kokkos::View<std::uint32_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LEVELS_OF_TREES)

} // namespace spanwise::multilevel
