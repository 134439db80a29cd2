#ifndef SpanwiseElement_h
#define SpanwiseElement_h

// Structuring elements as properties have them. Not wrapped and not installed.

#include "SpanwiseIntervalGrid.h"
#include "SpanwiseRankCells.h"

#include "Core/Geometry/StructuringElement.hpp"

class vtkDataSet;

namespace spanwise {

/// The size of a cell along each axis, in the unit in which radii are given: 1 where they are counted in cells.
struct RadiusUnit {
  double cell[3];
};

/// The box with these radii. Throws InvalidArgument if one is negative, NaN or more than coordinates have.
template <int Dim>
StructuringElement<Dim> boxOf(const double radii[3], const RadiusUnit& unit);

/// The cells whose centres are at most so far from that of the origin, by the sum of the distances along the axes (a
/// diamond) or by the Euclidean distance (a ball). Throws InvalidArgument for a radius that is negative, NaN or of more
/// than 30,000 cells, or in 3D, where the element has a row for each of its rows, of more than 1,000: balls, and
/// diamonds of cells that are not cubes.
template <int Dim>
StructuringElement<Dim> diamondOf(double radius, const RadiusUnit& unit);
template <int Dim>
StructuringElement<Dim> ballOf(double radius, const RadiusUnit& unit);

/// Collective. The cells of a data set, the cell with the point `origin` being the element's origin. All ranks get all
/// of it. Throws InvalidArgument if there is no cell, or cells have other sides than those of `placement`.
template <int Dim>
StructuringElement<Dim> elementOf(
  const Team& team, vtkDataSet* data, const double origin[3], const GridPlacement& placement);

} // namespace spanwise

#endif
