#pragma once

#include "Core/Geometry/List.hpp"
#include "Core/Multilevel/LeafCover.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>
#include <vector>

namespace spanwise::multilevel {

/// A hierarchy as trees: one for each covered cell of level 0, in the order of these cells. A node of a tree is a cell:
/// the root, and for each refined node all of its 2^Dim children, child k one further along axis d where bit d of k is
/// set. The nodes of a tree are numbered breadth-first: by level, in each by their parent, then by child; those of all
/// trees one after the other. So a bit for each node, whether it has children, says everything: the breadth-first
/// descriptor that vtkHyperTree is built from. A node that is neither a leaf nor refined is a hole, and masked.
///
/// Keeps its memory.
template <class MemorySpace>
struct Trees {
  std::int64_t numNodes = 0;
  std::int64_t numMasked = 0;
  geometry::List<std::int64_t, MemorySpace> firstNodes; ///< [trees + 1] the root of each tree
  geometry::List<std::int64_t, MemorySpace> numInner;   ///< [trees] nodes of each tree above its deepest level
  geometry::List<std::uint8_t, MemorySpace>
    refinedBits; ///< of each node, whether it has children; eight a byte, highest first
  geometry::List<std::uint8_t, MemorySpace> maskedBits; ///< of each node, whether it is masked; likewise

  std::vector<std::int64_t> levelOffsets;               ///< [levels + 1] where each level begins in the following two
  geometry::List<std::int64_t, MemorySpace> levelNodes; ///< the nodes by level, in each in ascending order
  geometry::List<Covering, MemorySpace> coverings;      ///< what is at them

  [[nodiscard]] std::int64_t numTrees() const { return numInner.count(); }
};

template <class ExecutionSpace>
using TreesOn = Trees<typename ExecutionSpace::memory_space>;

/// out = the trees of leaves with this cover (coverOfLeaves()). Level by level: count the refined nodes, scan, write
/// their children. O(nodes * (log rows + log intervals)). Throws InvalidArgument if a tree has 2^32 - 1 nodes or more,
/// which vtkHyperTree cannot number. A repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void makeTrees(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const LeafCoverOn<Dim, ExecutionSpace>& cover, TreesOn<ExecutionSpace>& out);

} // namespace spanwise::multilevel
