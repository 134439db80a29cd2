#pragma once

#include "Core/Geometry/Detail/LatticeAxis.hpp"

namespace spanwise::geometry::detail {

// Where edges in a plane cross the rows of a lattice. [0] is the coordinate along rows, [1] the one across. An edge
// crosses a row if the row's centre is in [low[1], high[1]): of two edges that meet on a row's centre line, one above
// and one below, one crosses it. It crosses left of each cell whose centre is on its right or on it. Both rules are as
// if the centres were moved by an infinitely small step along the row and a much smaller one across.

/// An edge with its ends in ascending order across rows.
struct Edge {
  double low[2];
  double high[2];
};

KOKKOS_INLINE_FUNCTION Edge edgeBetween(double along0, double across0, double along1, double across1) {
  return across0 <= across1 ? Edge{{along0, across0}, {along1, across1}} : Edge{{along1, across1}, {along0, across0}};
}

/// Rows or cells [begin, end).
struct CellRange {
  std::int64_t begin;
  std::int64_t end;
};

/// The rows that the edge crosses.
KOKKOS_INLINE_FUNCTION CellRange rowsAcross(const Edge& edge, const LatticeAxis& across) {
  return {across.firstNotBelow(edge.low[1]), across.firstNotBelow(edge.high[1])};
}

/// The first cell, in the row with the centre line `centre`, that is on the right of the edge or on it. The edge
/// crosses the row.
KOKKOS_INLINE_FUNCTION std::int64_t firstCellRightOf(const Edge& edge, double centre, const LatticeAxis& along) {
  const double part = (centre - edge.low[1]) / (edge.high[1] - edge.low[1]);
  const double position = edge.low[0] + part * (edge.high[0] - edge.low[0]);
  return firstTrue(along.begin, along.end, along.near(position), [&](std::int64_t c) {
    const double cell[2] = {along.centre(c), centre};
    return orientation(edge.low, edge.high, cell) <= 0;
  });
}

} // namespace spanwise::geometry::detail
