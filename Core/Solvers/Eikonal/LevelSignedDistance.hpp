#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Multilevel/LeafCover.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <vector>

namespace spanwise::eikonal {

/// The cells that leaves of a hierarchy make together, as blocks: on the levels of the hierarchy, and on coarser ones
/// up to a few cells, which cells have some of it in them and which are all of it. Keeps its memory.
template <int Dim, class MemorySpace>
struct LevelBlocks {
  using Set = geometry::IntervalSet<Dim, MemorySpace>;

  int numAbove = 0;      ///< levels coarser than level 0
  std::vector<Set> some; ///< from the coarsest level on
  std::vector<Set> all;

  [[nodiscard]] int numLevels() const { return static_cast<int>(some.size()); }
};

template <int Dim, class ExecutionSpace>
using LevelBlocksOn = LevelBlocks<Dim, typename ExecutionSpace::memory_space>;

/// out = the blocks of leaves, leaves[level]. O(rows + intervals) of all levels. A repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void blocksOfLeaves(const Context<ExecutionSpace>& context, const multilevel::LeavesOn<Dim, ExecutionSpace>& leaves,
  LevelBlocksOn<Dim, ExecutionSpace>& out);

/// distances [n] = the Euclidean distance of points [n][Dim] from the boundary of what leaves cover, which are the
/// faces between covered places and all others; no face between two leaves counts. Negative in the leaves. Exact, but
/// for rounding. +infinity without leaves, -infinity in leaves without a boundary (all of a period).
///
/// `root` is the lattice of level 0, `periods` counts its cells. Each point goes down from the coarsest blocks to the
/// nearest ones first, and leaves out those that are farther than what it has found (N. Roussopoulos, S. Kelley, F.
/// Vincent, Nearest neighbor queries, SIGMOD 1995): a block that is all of one kind is not looked into, so it costs
/// O(levels log rows) where the boundary is near beside the leaves around it. The same for any number of threads.
/// Throws InvalidArgument where `distances` has another length than there are points, a spacing is not positive, leaves
/// are not in the period, or blocks of more than 64 levels would be needed.
template <class ExecutionSpace, int Dim>
void signedDistanceToLeaves(const Context<ExecutionSpace>& context, const LevelBlocksOn<Dim, ExecutionSpace>& blocks,
  const geometry::GridGeometry<Dim>& root, const geometry::Periods<Dim>& periods,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& points,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& distances);

} // namespace spanwise::eikonal
