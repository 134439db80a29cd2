#ifndef SpanwiseQueries_h
#define SpanwiseQueries_h

// Questions about places that a grid answers from its rows alone: which cells a line meets, which cell is nearest,
// which lie in a box or on a plane. Cells are closed boxes: what touches a cell meets it. All positions are in the
// units of the placement. Not wrapped.

#include "SpanwiseIntervalGrid.h"
#include "spanwiseDataModelModule.h"

#include <cstdint>
#include <functional>

namespace spanwise {

/// What a line does in one cell: it is inside from `in` to `out`, as fractions of the way from its begin to its end.
struct LineInCell {
  std::int64_t cell;
  double in;
  double out;
};

/// Calls visit(crossing) for the cells that the segment from `begin` to `end` meets, in the order in which it meets
/// them, until it returns false. Cells are larger by `tolerance` on each side. A 2D grid is met in its plane. O(rows of
/// the planes and the range of rows met + cells met), whatever the distance.
template <int Dim>
SPANWISEDATAMODEL_EXPORT void walkLine(const IntervalGrid<Dim>& grid, const double begin[3], const double end[3],
  double tolerance, const std::function<bool(const LineInCell&)>& visit);

/// The cell nearest to a position.
struct NearestCell {
  std::int64_t cell = -1; ///< -1: none within the radius
  double point[3];        ///< the place of the cell that is nearest
  double distance2;       ///< the square of its distance
};

/// The cell nearest to a position, if it is within `radius`, which may be infinite. Of cells at the same distance the
/// one that findCell() prefers if they contain the position, otherwise any one. O(rows nearer than the cell, times log
/// intervals).
template <int Dim>
SPANWISEDATAMODEL_EXPORT NearestCell nearestCell(
  const IntervalGrid<Dim>& grid, const double position[3], double radius);

/// Calls visit(first, last) for the runs first ... last - 1 of cells, in order, that meet a box given as VTK gives
/// bounds.
template <int Dim>
SPANWISEDATAMODEL_EXPORT void cellsInBounds(const IntervalGrid<Dim>& grid, const double bounds[6],
  const std::function<void(std::int64_t first, std::int64_t last)>& visit);

/// Calls visit(first, last) for the runs of cells, in order, within `tolerance` of the plane through `origin` with the
/// given normal, which need not be of length 1. O(rows + runs).
template <int Dim>
SPANWISEDATAMODEL_EXPORT void cellsOnPlane(const IntervalGrid<Dim>& grid, const double origin[3],
  const double normal[3], double tolerance, const std::function<void(std::int64_t first, std::int64_t last)>& visit);

} // namespace spanwise

#endif
