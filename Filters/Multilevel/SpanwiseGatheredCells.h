#ifndef SpanwiseGatheredCells_h
#define SpanwiseGatheredCells_h

// Some cells of a level, or those of two sets, with their values. Internal to this library.

#include "SpanwiseRankCells.h"
#include "SpanwiseSide.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise {

// On a side. On the device arrays that can be there are made there.

/// The result of a set operation.
template <ComputeSide side, int Dim>
MirroredSet<Dim> combined(geometry::SetOperation operation, const MirroredSet<Dim>& a, const MirroredSet<Dim>& b) {
  using Space = SpaceOf<side>;
  geometry::IntervalSetOn<Dim, Space> out;
  geometry::combine<Space, Dim>(Context<Space>(), operation, a.template on<side>(), b.template on<side>(), out);
  return MirroredSet<Dim>::template of<side>(out);
}

/// The cells of `from` that are in `set`.
template <ComputeSide side, int Dim>
RankCells<Dim> selectedCells(const RankCells<Dim>& from, const MirroredSet<Dim>& set);

/// The cells of both, which have none in common, with the arrays that both have (name, type, components), but
/// vtkGhostType; one without cells does not count. For many sets CellsToJoin takes less time, on the host.
template <ComputeSide side, int Dim>
RankCells<Dim> unitedCells(const RankCells<Dim>& a, const RankCells<Dim>& b);

} // namespace spanwise

#endif
