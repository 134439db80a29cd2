#ifndef SpanwiseCoarsenedValues_h
#define SpanwiseCoarsenedValues_h

// Cells and their arrays, one level coarser. Internal to this library.

#include "SpanwiseRankCells.h"

#include "Core/Multilevel/CoarsenValues.hpp"
#include "Core/Multilevel/Refine.hpp"

#include <vector>

namespace spanwise {

/// What becomes of arrays where cells are coarsened. Arrays that do not hold numbers get the first value.
struct CoarseRules {
  multilevel::CoarseValue real = multilevel::CoarseValue::Mean;          ///< of floating-point numbers
  multilevel::CoarseValue whole = multilevel::CoarseValue::MostFrequent; ///< of whole numbers
};

/// Cells, and what share of each is covered by the cells that it was made of. No shares stand for whole cells; cells
/// without arrays have none.
template <int Dim>
struct CoveredCells {
  RankCells<Dim> cells;
  std::vector<double> shares;
};

/// Cells one level coarser, with their values.
template <int Dim>
CoveredCells<Dim> coarsened(const CoveredCells<Dim>& fine, multilevel::Coarsening which, const CoarseRules& rules);

/// The arrays of `fine` on the cells of `coarse`, each of which has a child among the fine ones. No `shares` are 1.
template <int Dim>
vtkSmartPointer<vtkCellData> coarsenedValues(const RankCells<Dim>& fine, const geometry::HostIntervalSet<Dim>& coarse,
  const CoarseRules& rules, const std::vector<double>& shares = {});

} // namespace spanwise

#endif
