#ifndef SpanwiseShownCells_h
#define SpanwiseShownCells_h

// A flow's cells and values as filters give them on: on the side where the flow is computed. Not wrapped and not
// installed.

#include "SpanwiseMirroredSet.h"
#include "SpanwiseRankCells.h"
#include "SpanwiseSide.h"

#include "Core/Field/Copy.hpp"
#include "Core/Field/Field.hpp"
#include "Core/Geometry/Copy.hpp"

namespace spanwise {

/// A copy of a flow's set, which goes on to change its own: on its side, or on the host where there is no memory.
template <ComputeSide side, int Dim>
MirroredSet<Dim> shownSet(const geometry::IntervalSetOn<Dim, SpaceOf<side>>& set) {
  const auto copyTo = [&]<ComputeSide there>(const SideContext<there>& /*context*/) {
    geometry::IntervalSetOn<Dim, SpaceOf<there>> result;
    geometry::copy(set, result);
    return MirroredSet<Dim>::template of<there>(result);
  };
  return orOnHost(
    [&] { return copyTo(SideContext<side>()); }, [&] { return copyTo(SideContext<ComputeSide::Host>()); });
}

/// Calls add.operator()<there>(values, cells), which adds arrays of a flow's values to cells: on the side of the flow,
/// or on the host where there is no memory for them.
template <ComputeSide side, class Add>
void addShown(const field::FieldOn<double, SpaceOf<side>>& values, vtkCellData* cells, const Add& add) {
  orOnHost([&] { add.template operator()<side>(values, cells); },
    [&] {
      field::HostField<double> onHost;
      field::copy(values, onHost);
      add.template operator()<ComputeSide::Host>(onHost, cells);
    });
}

/// The cells of a set with what addShown() adds.
template <ComputeSide side, int Dim, class Add>
RankCells<Dim> shownCells(const geometry::IntervalSetOn<Dim, SpaceOf<side>>& set,
  const field::FieldOn<double, SpaceOf<side>>& values, const Add& add) {
  RankCells<Dim> cells;
  cells.set = shownSet<side, Dim>(set);
  addShown<side>(values, cells.values, add);
  return cells;
}

} // namespace spanwise

#endif
