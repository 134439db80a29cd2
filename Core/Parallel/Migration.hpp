#pragma once

#include "Core/Parallel/CellMove.hpp"
#include "Core/Parallel/Cut.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::parallel {

/// Collective. out = the cells of all ranks' sets that part rank() of `cut` owns. Values follow with move.moveValues().
/// The sets may be cut in any way, or none: ranks whose planes follow each other just send slabs, others are united,
/// and a cell that several ranks have counts once. `out` may be `set`. O(rows + intervals). Throws on all ranks alike.
template <class ExecutionSpace, int Dim>
void migrate(const Context<ExecutionSpace>& context, const RowCut& cut,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, geometry::IntervalSetOn<Dim, ExecutionSpace>& out,
  CellMove<ExecutionSpace, Dim>& move);

/// Collective. Brings the set to a cut in which no rank has more than `tolerated` times the mean, or as near as whole
/// planes allow, and returns it. Cells stay where they are if they follow such a cut already.
template <class ExecutionSpace, int Dim>
RowCut balance(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out, CellMove<ExecutionSpace, Dim>& move,
  double tolerated = toleratedImbalance);

/// Collective. out = the cells of the whole set in the planes that part rank() of `cut` owns and in its halo (Halo);
/// nothing for a part without planes. On a periodic axis a rank's own planes end with the period, and planes beyond it
/// are those of the other end, moved by whole periods. Values follow with move.moveValues(); later ones by a
/// HaloExchange. `out` may be `set`. O(rows + intervals).
///
/// Throws, on all ranks, InvalidArgument where the halo is negative or cells lie outside a rank's own planes, and
/// CoordinateOverflow where a halo plane has no coordinate.
template <class ExecutionSpace, int Dim>
void addHalo(const Context<ExecutionSpace>& context, const RowCut& cut, const Halo& halo,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, geometry::IntervalSetOn<Dim, ExecutionSpace>& out,
  CellMove<ExecutionSpace, Dim>& move);

} // namespace spanwise::parallel
