#ifndef SpanwiseCoarsenedValues_h
#define SpanwiseCoarsenedValues_h

// Cells and their arrays, one level coarser. Internal to this library.

#include "SpanwiseRankCells.h"

#include "Core/Multilevel/CoarsenValues.hpp"
#include "Core/Multilevel/Refine.hpp"

#include <vtkDataArray.h>
#include <vtkSmartPointer.h>

namespace spanwise {

/// What becomes of arrays where cells are coarsened. Arrays that do not hold numbers get the first value.
struct CoarseRules {
  multilevel::CoarseValue real = multilevel::CoarseValue::Mean;          ///< of floating-point numbers
  multilevel::CoarseValue whole = multilevel::CoarseValue::MostFrequent; ///< of whole numbers
};

/// What share of each cell is covered by the cells that it was made of, in double; null: whole cells.
using CellShares = vtkSmartPointer<vtkDataArray>;

/// Cells and their shares; cells without arrays have none.
template <int Dim>
struct CoveredCells {
  RankCells<Dim> cells;
  CellShares shares;
};

// On a side. On the device arrays that can be there are made there.

/// Cells one level coarser, with their values.
template <ComputeSide side, int Dim>
CoveredCells<Dim> coarsened(const CoveredCells<Dim>& fine, multilevel::Coarsening which, const CoarseRules& rules);

/// The arrays of `fine` on the cells of `coarse`, each of which has a child among the fine ones.
template <ComputeSide side, int Dim>
vtkSmartPointer<vtkCellData> coarsenedValues(
  const CoveredCells<Dim>& fine, const MirroredSet<Dim>& coarse, const CoarseRules& rules);

/// The shares of coarse cells that the fine ones cover.
template <ComputeSide side, int Dim>
CellShares coveredShares(const CoveredCells<Dim>& fine, const MirroredSet<Dim>& coarse);

} // namespace spanwise

#endif
