#ifndef SpanwiseMorphCells_h
#define SpanwiseMorphCells_h

// Morphology of distributed sets. Not wrapped and not installed.

#include "SpanwiseIntervalGrid.h"
#include "SpanwiseRankCells.h"

#include "Core/Geometry/Morphology.hpp"
#include "Core/Runtime/Progress.hpp"

class vtkUnstructuredGrid;

namespace spanwise {

/// Collective. `output` = the operation on the cells of all ranks, with the values that cells had before: where there
/// was none, NaN or 0. Each rank gets a halo of as many planes as the element reaches; the values stay where they are.
template <int Dim>
void morphCells(const RankGroup& group, geometry::MorphologyOperation operation,
  const geometry::StructuringElement<Dim>& element, const geometry::Periods<Dim>& periods, RankCells<Dim>& cells,
  const GridPlacement& placement, const Progress& progress, vtkUnstructuredGrid* output);

} // namespace spanwise

#endif
