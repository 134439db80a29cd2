#pragma once

#include "Core/Geometry/List.hpp"
#include "Core/Multilevel/LeafCover.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace spanwise::multilevel {

/// The first child of a node that has none.
inline constexpr std::uint32_t noChild = std::numeric_limits<std::uint32_t>::max();

/// What is to be done with a node of a tree.
enum class TreeNode : std::uint8_t {
  Taken,  ///< a leaf, or what has children
  Copied, ///< if it has no children it is somebody else's: it is left out
  Masked, ///< it and all below it are left out
};

/// Trees as arrays, in any numbering in which the children of a node follow each other. The numbers of first children
/// count from the tree's root.
template <int Dim, class MemorySpace>
struct TreeArrays {
  Kokkos::View<const geometry::Cell<Dim>*, MemorySpace> roots;   ///< [trees] cells of level 0, each once
  Kokkos::View<const std::int64_t*, MemorySpace> firstNodes;     ///< [trees + 1] the root of each tree
  Kokkos::View<const std::uint32_t*, MemorySpace> firstChildren; ///< [nodes] child 0 of each node, or noChild
  Kokkos::View<const TreeNode*, MemorySpace> nodes;              ///< [nodes]; empty: all are taken
};

template <int Dim, class ExecutionSpace>
using TreeArraysOn = TreeArrays<Dim, typename ExecutionSpace::memory_space>;

/// The leaves of trees by level, and the node of each leaf. Keeps its memory.
template <int Dim, class MemorySpace>
struct TreeLeaves {
  std::vector<geometry::IntervalSet<Dim, MemorySpace>> leaves;
  std::vector<geometry::List<std::int64_t, MemorySpace>> nodes; ///< in the order of the level's leaves
};

template <int Dim, class ExecutionSpace>
using TreeLeavesOn = TreeLeaves<Dim, typename ExecutionSpace::memory_space>;

/// out = the leaves of trees, up to the finest level that has some. makeTrees() goes the other way.
///
/// Throws InvalidArgument if a child is not a node of its tree or if there are more than `maxLevels` levels,
/// CoordinateOverflow if a cell would lie beyond the coordinate limits; `out` is then empty. O(nodes + leaves log
/// leaves). A repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void levelsOfTrees(const Context<ExecutionSpace>& context, const TreeArraysOn<Dim, ExecutionSpace>& trees,
  int maxLevels, TreeLeavesOn<Dim, ExecutionSpace>& out);

/// firstChildren[n] = the first child of node n, from the breadth-first descriptor of trees: a bit for each node, eight
/// a byte, highest first. `firstNodes` are the roots of the trees, and the number of all nodes. O(nodes log trees).
template <class ExecutionSpace, int Dim>
void firstChildrenOf(const Context<ExecutionSpace>& context,
  const Kokkos::View<const std::int64_t*, typename ExecutionSpace::memory_space>& firstNodes,
  const Kokkos::View<const std::uint8_t*, typename ExecutionSpace::memory_space>& refinedBits,
  const Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space>& firstChildren);

} // namespace spanwise::multilevel
