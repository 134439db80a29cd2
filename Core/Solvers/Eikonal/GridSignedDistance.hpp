#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <limits>

namespace spanwise::eikonal {

/// Collective. distances [cells of `box` in this rank's planes of the domain, in the order of cells as a set] = the
/// Euclidean distance from the centre of each cell to the boundary of the set of all ranks' cells, which are the faces
/// between its cells and all others; negative in the set. `set` has this rank's cells; the box is the same on all.
/// Exact, but for rounding: no cell of the set or of its complement is left out, inside of the box or not. +infinity
/// without a set, -infinity in a set without a boundary (all of a period).
///
/// The least distance to cells of the other kind is found axis by axis: along x from the ends of intervals, along y and
/// z as the lower envelope of the distances over a line, which takes two passes (A. Meijster, J. B. T. M. Roerdink, W.
/// H. Hesselink, A general algorithm for computing distance transforms in linear time, Math. Morphology (2000) 331-340;
/// P. F. Felzenszwalb, D. P. Huttenlocher, Theory of Computing 8 (2012) 415-428). To the faces of a cell a distance
/// along an axis is half a cell less than to its centre, but at least 0; of envelopes that asks only for convexity.
/// O(cells of the box, extended along all axes but x to what has cells and one cell more). Passes are in place: in a
/// box that has all of that they need no memory beside `distances`, but for some lines, otherwise 8 bytes for each of
/// the extended box's cells. Lines are done in parallel.
///
/// Planes are done where they are. For the slowest axis the lines of all ranks' planes are dealt out evenly to the
/// ranks, and their distances go back: two exchanges of 8 bytes a cell, whatever the distances, and the work is shared
/// even where the planes are not. That takes 16 bytes a cell of memory beside `distances`. All ranks have the bits that
/// one process would have.
///
/// Throws InvalidArgument, on all ranks, where `distances` has another length than the box has cells, a spacing is not
/// positive, the extended box has more than 2^30 cells along an axis, a period does not hold the set or the box, or a
/// rank has cells in the planes of another.
template <class ExecutionSpace, int Dim>
void signedDistanceInBox(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const geometry::GridGeometry<Dim>& lattice,
  const geometry::SetDomain<Dim>& domain, const geometry::Box<Dim>& box,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& distances);

/// distances [cells of `where`] = the same for the cells of a set, as of a band around the boundary; beyond `most`, the
/// greatest distance that is asked for, they are infinite, with the sign that they have. A search through the rows
/// around each cell, from the nearest on until none can be nearer: O(rows within the distance * log rows) a cell, so
/// for bands of some cells. Throws as signedDistanceInBox(), and where `most` is negative or NaN.
template <class ExecutionSpace, int Dim>
void signedDistanceOnCells(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const geometry::GridGeometry<Dim>& lattice,
  const geometry::Periods<Dim>& periods, const geometry::IntervalSetOn<Dim, ExecutionSpace>& where, double most,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& distances);

} // namespace spanwise::eikonal
