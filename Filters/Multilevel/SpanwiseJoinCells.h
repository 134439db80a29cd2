#ifndef SpanwiseJoinCells_h
#define SpanwiseJoinCells_h

// Cells of several datasets as one set. Internal to this library.

#include "SpanwiseRankCells.h"

#include <vector>

namespace spanwise {

/// The cells of all parts, with the arrays that every part with cells has. Throws InvalidArgument if a cell is in two
/// parts.
template <int Dim>
RankCells<Dim> joinCells(const std::vector<RankCells<Dim>>& parts);

/// Keeps the arrays of `values` that `like` has too (name, type, components), in the order of `like`. An array that is
/// active in `like` is active.
void keepArraysOf(vtkCellData* like, vtkCellData* values);

} // namespace spanwise

#endif
