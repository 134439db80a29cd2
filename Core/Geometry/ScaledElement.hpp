#pragma once

#include "Core/Geometry/StructuringElement.hpp"

namespace spanwise::geometry {

// Structuring elements whose radii are lengths, of cells that need not be cubes. Radii count as 1e-6 of a cell longer,
// so that one of 0.3 is three cells of 0.1.

/// A length along each axis. As the size of a cell they are positive.
template <int Dim>
struct Lengths {
  double along[Dim];
};

/// The cells whose centres are, along each axis, at most the radius from that of the origin. One factor. Throws
/// InvalidArgument if a radius is negative, NaN, or more cells than coordinates have.
template <int Dim>
StructuringElement<Dim> scaledBox(const Lengths<Dim>& radii, const Lengths<Dim>& cell);

/// The cells whose centres are at most the radius from that of the origin, by the sum of the distances along the axes.
/// Of cubes it is StructuringElement::diamond(); of other cells one factor of O(cells^(Dim - 1)) rows, for the cells of
/// a radius. Throws InvalidArgument for a radius that is negative, NaN or of more than 30,000 cells along an axis; in
/// 3D, of cells that are not cubes, of more than maxBallRadius cells.
template <int Dim>
StructuringElement<Dim> scaledDiamond(double radius, const Lengths<Dim>& cell);

/// The same by the Euclidean distance. One factor of O(cells^(Dim - 1)) rows; of cubes it is
/// StructuringElement::ball(). Throws InvalidArgument for a radius that is negative, NaN or of more than maxBallRadius
/// cells along an axis.
template <int Dim>
StructuringElement<Dim> scaledBall(double radius, const Lengths<Dim>& cell);

} // namespace spanwise::geometry
