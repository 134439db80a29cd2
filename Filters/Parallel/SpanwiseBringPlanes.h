#ifndef SpanwiseBringPlanes_h
#define SpanwiseBringPlanes_h

// Cells of other ranks, for those that ask. Not wrapped.

#include "SpanwiseRankCells.h"

namespace spanwise {

/// Collective. Gives each rank the cells, and the values on them, that the ranks have in the planes that it asks for,
/// which may be others' too. Where ranks have the same cell, the value of the first one counts. All ranks must have the
/// same arrays (unifyArrays()).
template <int Dim>
SPANWISEPARALLEL_EXPORT void bringPlanes(
  const RankGroup& group, const parallel::PlaneRange& wanted, RankCells<Dim>& cells);

} // namespace spanwise

#endif
