#ifndef SpanwiseMorphCells_h
#define SpanwiseMorphCells_h

// Morphology of distributed sets. Not wrapped and not installed.

#include "SpanwiseIntervalGrid.h"
#include "SpanwiseRankCells.h"

#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Runtime/Progress.hpp"

class vtkUnstructuredGrid;

namespace spanwise {

/// What is done to a set.
template <int Dim>
struct MorphologyChoice {
  geometry::MorphologyOperation operation;
  geometry::StructuringElement<Dim> element;
  geometry::Periods<Dim> periods;
};

/// Collective. `output` = the operation on the cells of all ranks, with the values that cells had before: where there
/// was none, NaN or 0. The values stay where they are.
template <int Dim>
void morphCells(const RankGroup& group, const MorphologyChoice<Dim>& choice, RankCells<Dim>& cells,
  const GridPlacement& placement, const Progress& progress, vtkUnstructuredGrid* output);

} // namespace spanwise

#endif
