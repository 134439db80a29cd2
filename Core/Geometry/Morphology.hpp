#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Workspace.hpp"

namespace spanwise {

/// What morph() makes of a set A with a structuring element B. B + c is B moved by the cell c, and the cells of A and
/// of what surrounds it are all of the lattice: it has no border.
///
/// Source: J. Serra, Image Analysis and Mathematical Morphology, Academic Press 1982; G. Matheron, Random Sets and
/// Integral Geometry, Wiley 1975.
enum class MorphologyOperation {
  Dilate,        ///< the Minkowski sum {a + b : a in A, b in B}: all cells of B + a for the cells a of A
  Erode,         ///< {c : B + c lies in A}; by duality the complement of the complement dilated by {-b : b in B}
  Open,          ///< Erode, then Dilate: all cells of those B + c that lie in A; a part of A
  Close,         ///< Dilate, then Erode; A is a part of it
  OuterGradient, ///< Dilate without A: the layer around A
  InnerGradient, ///< A without Erode: the layer of A along its boundary
};

/// The box of the cells |b[d]| <= radius[d] as a structuring element.
template <int Dim>
struct BoxElement {
  Coordinate radius[Dim]; ///< at least 0; may differ from axis to axis
};

/// out = the operation on `set` with the element.
///
/// A box is separable: the intervals are widened (shrunk), then each row becomes the union (intersection) of the rows
/// within the radius along y, then along z. Windows of rows are doubled, so a radius r costs O(log r) passes over rows
/// and intervals.
///
/// Throws InvalidArgument if a radius is negative, CoordinateOverflow if a dilated cell would leave the coordinate
/// limits (dilations, closings, outer gradients). The result does not depend on the number of threads. `out` may share
/// nothing with `set`; its memory is used again (IntervalSet). A repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void morph(const ExecutionSpace& space, MorphologyOperation operation, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const BoxElement<Dim>& element, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace);

} // namespace spanwise
