#ifndef SpanwiseMeans_h
#define SpanwiseMeans_h

// The levels of a hierarchy with the means of what is finer. Internal to this library.

#include "SpanwiseCoarsenedValues.h"

#include <vector>

namespace spanwise {

/// No cells, with the same arrays.
template <int Dim>
RankCells<Dim> emptyLike(const RankCells<Dim>& cells);

/// On a side. For so many levels from `first` on, the leaves and the cells in which there are finer leaves, with the
/// volume averages of these (most frequent values of whole numbers). Levels below `first` are left empty.
template <ComputeSide side, int Dim>
std::vector<CoveredCells<Dim>> meansOfLevels(
  const std::vector<RankCells<Dim>>& leaves, std::size_t numLevels, std::size_t first = 0);

} // namespace spanwise

#endif
