#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>
#include <vector>

namespace spanwise::parallel {

// How the cells of a set that is spread over the ranks are cut among them. All functions are collective, and may throw
// on one rank alone only for lack of memory.

/// Sets that are cut together.
template <int Dim, class ExecutionSpace>
using SetList = std::vector<const geometry::IntervalSetOn<Dim, ExecutionSpace>*>;

/// The cut that the ranks' cells already follow, if they do: each rank's planes lie above those of the rank before it.
/// False if they do not. O(sets + ranks).
template <class ExecutionSpace, int Dim>
bool findCut(const Context<ExecutionSpace>& context, const SetList<Dim, ExecutionSpace>& sets, RowCut& cut);

/// The most even cut into `parts` for all sets together. Counts planes one by one up to 2^20 of them, above that in
/// groups. O(rows + planes).
template <class ExecutionSpace, int Dim>
RowCut evenCut(const Context<ExecutionSpace>& context, int parts, const SetList<Dim, ExecutionSpace>& sets);

/// The ranges of planes of all ranks. Collective.
std::vector<PlaneRange> gatherRanges(const Communicator& communicator, const PlaneRange& mine);

/// How many planes are counted one by one at most: 8 MB to add up over all ranks.
inline constexpr std::int64_t maxPlaneCounts = 1 << 20;

/// How uneven a cut may be before cells move: the largest part over the mean.
inline constexpr double toleratedImbalance = 1.1;

/// The cut that the ranks' cells follow already, if they do and no rank has more than `tolerated` times the mean;
/// otherwise the most even one. `stays` tells which.
template <class ExecutionSpace, int Dim>
RowCut balancedCutOf(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  bool& stays, double tolerated = toleratedImbalance);

} // namespace spanwise::parallel
