#ifndef SpanwiseGridPlaces_h
#define SpanwiseGridPlaces_h

// Points among the cells of a grid. Not wrapped and not installed.

#include "SpanwiseIntervalGrid.h"
#include "SpanwiseRankGroup.h"

#include "Core/Geometry/Periods.hpp"

#include <vector>

namespace spanwise {

/// Collective. Where points, 3 coordinates each, are in a grid of which every rank has a part: Dim coordinates each
/// that Core finds in a cell of some rank, NaN where there is none within `reach` of the point. All ranks give the same
/// points and get the same places. Points are taken along axes that repeat into the period; those beside all cells are
/// moved to the nearest place in one, and those on an upper face to within a billionth of a cell's size beside it. A 2D
/// grid is in its plane z. O(log rows) for a point in a cell, O(rows) for one beside.
template <int Dim>
std::vector<double> placesIn(const RankGroup& group, const IntervalGrid<Dim>& grid,
  const geometry::Periods<Dim>& periods, const std::vector<double>& points, double reach);

} // namespace spanwise

#endif
