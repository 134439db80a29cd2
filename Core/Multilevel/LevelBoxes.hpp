#pragma once

#include "Core/Geometry/Boxes.hpp"
#include "Core/Multilevel/LeafCover.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::multilevel {

/// out = the boxes of a level of block-structured AMR: together they have, each once, the cells of level 0 that are
/// covered, or above level 0 the children of the cells of level l - 1 that are refined. So the boxes of a level are
/// disjoint, those above level 0 begin and end at even coordinates (whole cells of the level below, as VTK and AMReX
/// ask), lie in the boxes of the level below, and have every leaf of the level. Cells of boxes that are neither leaves
/// nor refined are where a hierarchy has holes. In the order of boxesOf().
///
/// Throws InvalidArgument for a level that there is not, CoordinateOverflow if a box would end beyond 2^31 - 1. As
/// boxesOf().
template <class ExecutionSpace, int Dim>
void levelBoxes(const Context<ExecutionSpace>& context, const LeafCoverOn<Dim, ExecutionSpace>& cover, int level,
  geometry::ListOn<geometry::Box<Dim>, ExecutionSpace>& out);

/// What is at the cells of boxes. Keeps its memory.
template <class MemorySpace>
struct BoxCoverings {
  geometry::List<std::int64_t, MemorySpace> offsets; ///< [boxes + 1] the first cell of each box
  geometry::List<Covering, MemorySpace> cells;       ///< of one box after the other, each by row, then x
};

template <class ExecutionSpace>
using BoxCoveringsOn = BoxCoverings<typename ExecutionSpace::memory_space>;

/// out = what is at each cell of the boxes of a level. `leaves` and `refined` are those of the level. O(cells + rows *
/// (log rows + log intervals)) of the boxes. A repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void coveringsOfBoxes(const Context<ExecutionSpace>& context,
  const geometry::ListOn<geometry::Box<Dim>, ExecutionSpace>& boxes,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& leaves,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& refined, BoxCoveringsOn<ExecutionSpace>& out);

} // namespace spanwise::multilevel
