#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// What morph() makes of a set A with a structuring element B. B + c is B moved by the cell c. The lattice has no
/// border: what is not in A is outside, on all sides.
///
/// Source: J. Serra, Image Analysis and Mathematical Morphology, Academic Press 1982; G. Matheron, Random Sets and
/// Integral Geometry, Wiley 1975.
enum class MorphologyOperation {
  Dilate,        ///< the Minkowski sum {a + b : a in A, b in B}: all cells of B + a for the cells a of A
  Erode,         ///< {c : B + c lies in A}; its dual: the complement of the complement dilated by {-b : b in B}
  Open,          ///< Erode, then Dilate: all cells of those B + c that lie in A; a part of A
  Close,         ///< Dilate, then Erode; A is a part of it
  OuterGradient, ///< Dilate without A: the layer around A
  InnerGradient, ///< A without Erode: the layer of A along its boundary
};

/// out = the operation on `set` with the element.
///
/// Cost: a box is separable: the intervals are widened (shrunk), then each row becomes the union (intersection) of the
/// rows within the radius along y, then along z. On the host windows of up to 32 rows take about three merges a row,
/// however wide they are, and wider ones a merge more for each doubling; on a device windows are doubled from one row.
/// A factor of k rows (StructuringElement), and on the host a box of radius 1, is one pass on the host, in which the k
/// rows that come to lie on each other are merged; on a device it takes k - 1 merges of the set with itself, and one
/// pass over the intervals for each length of its rows. Noise, that is a set with no fewer intervals than its bounding
/// box has words of 64 cells, is done on bit masks, for rows of up to 64 cells and boxes with radii up to 16.
///
/// Throws CoordinateOverflow if the box around a dilation's (an erosion's, where that is done first) cells would pass
/// the coordinate limits; an erosion by an element around the origin never does. Throws InvalidArgument if a dilation
/// may make more than maxMadeRows (2^30) rows: more than that box has, than the set has times the element, and than
/// the set has when widened along y, times the element's reach along z. What an erosion takes a set that is smaller
/// than the element for is found without work, and is empty. The result does not depend on the
/// number of threads. `out` may share nothing with `set`; its memory is used again (IntervalSet). A repeated call
/// allocates nothing.
template <class ExecutionSpace, int Dim>
void morph(const Context<ExecutionSpace>& context, MorphologyOperation operation,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const StructuringElement<Dim>& element,
  IntervalSetOn<Dim, ExecutionSpace>& out);

/// How far around a cell the set counts for whether the cell is in the result of morph(): the cells from -below to
/// above along each axis.
template <int Dim>
struct MorphologyReach {
  Cell<Dim> below{};
  Cell<Dim> above{};
};

/// The reach of an operation with an element; 2^31 - 1 cells, as far as coordinates go, if it is more.
template <int Dim>
MorphologyReach<Dim> reachOf(MorphologyOperation operation, const StructuringElement<Dim>& element);

/// Which cells make a boundary.
enum class BoundarySide {
  Inner, ///< cells of the set with a neighbour that is not in it
  Outer, ///< cells that are not in the set, with a neighbour that is
};

/// out = the boundary of `set`: its gradient by the neighbourhood of one step. As morph().
template <class ExecutionSpace, int Dim>
void boundary(const Context<ExecutionSpace>& context, BoundarySide side, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out);

} // namespace spanwise::geometry
