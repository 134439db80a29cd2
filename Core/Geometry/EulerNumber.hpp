#pragma once

#include "Core/Geometry/Connectivity.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// Collective. The Euler number of a set of which each rank has the planes that it owns: components minus tunnels plus
/// cavities in 3D, components minus holes in 2D.
///
/// - Vertex (and Edge in 2D): of the closed cells, whose components touch in a vertex: vertices - edges + faces in 2D,
///   vertices - edges + faces - cells in 3D.
/// - Face: of the complex whose vertices are cells, whose edges are pairs that share a face, and so on: cells - pairs +
///   blocks of 2 x 2 (- blocks of 2 x 2 x 2 in 3D).
///
/// Along x all but one a row of these cancel, so intervals are counted: with A_y the set moved one row up, and I the
/// number of intervals, the numbers are I(A u A_y) - I(A) and I(A) - I(A n A_y) in 2D; in 3D likewise with A_z and
/// both. Source: T. Y. Kong, A. Rosenfeld, Digital Topology: Introduction and Survey, Computer Vision, Graphics, and
/// Image Processing 48 (1989), 357-393.
///
/// Additive: the number of A and B together is that of A plus that of B minus that of their common part, where no cell
/// of A outside B is a neighbour of a cell of B outside A. Where axes repeat, it is that of the set on the cylinder or
/// torus: 0 for a ring. A rank adds the number of its planes and the one below, without that of the one below alone.
/// O(rows + intervals). With one process a repeated call allocates nothing unless an axis repeats. Throws
/// InvalidArgument for Edge in 3D, which has no such complex, or as checkDomain(), and CoordinateOverflow where a cell
/// before a period has no coordinate.
template <class ExecutionSpace, int Dim>
std::int64_t eulerNumber(const Context<ExecutionSpace>& context, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const SetDomain<Dim>& domain = {});

} // namespace spanwise::geometry
