#ifndef SpanwiseProlongedValues_h
#define SpanwiseProlongedValues_h

// Cells and their arrays, one level finer. Internal to this library.

#include "SpanwiseRankCells.h"

#include "Core/Multilevel/Prolongation.hpp"

namespace spanwise {

// On a side. On the device arrays that can be there are made there.

/// The arrays of `coarse` on fine cells, one level finer, the parents of which are all coarse cells. Whole numbers, and
/// what is no number, are those of the parents whatever the method is.
template <ComputeSide side, int Dim>
vtkSmartPointer<vtkCellData> prolongedValues(
  const RankCells<Dim>& coarse, const MirroredSet<Dim>& fine, multilevel::Prolongation method);

/// All children of cells, with their values. Throws CoordinateOverflow (refine()).
template <ComputeSide side, int Dim>
RankCells<Dim> refined(const RankCells<Dim>& cells, multilevel::Prolongation method);

/// The same for some of more cells, which are neighbours for slopes.
template <ComputeSide side, int Dim>
RankCells<Dim> refinedAmong(const MirroredSet<Dim>& some, const RankCells<Dim>& cells, multilevel::Prolongation method);

} // namespace spanwise

#endif
