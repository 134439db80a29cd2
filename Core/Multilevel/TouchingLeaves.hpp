#pragma once

#include "Core/Multilevel/LeafCover.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::multilevel {

/// out[l] = the leaves of level l that are among `some`, or have a point in common with one of these, of whatever
/// level. `some` are leaves, of all levels or fewer; `cover` is that of all leaves (coverOfLeaves()). Levels may differ
/// by any number from leaf to leaf. `out` is neither of the others. O(rows + intervals) of all levels, and of the cells
/// of each level that coarser leaves of `some` beside it would have; allocates.
///
/// Throws CoordinateOverflow where a leaf at the limits of its level's coordinates has neighbours beyond them.
template <class ExecutionSpace, int Dim>
void touchingLeaves(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const LeafCoverOn<Dim, ExecutionSpace>& cover, const LeavesOn<Dim, ExecutionSpace>& some,
  LeavesOn<Dim, ExecutionSpace>& out);

} // namespace spanwise::multilevel
