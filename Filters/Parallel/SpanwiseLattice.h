#ifndef SpanwiseLattice_h
#define SpanwiseLattice_h

// From positions in space to cells. Not wrapped.

#include "SpanwiseIntervalGrid.h"
#include "spanwiseParallelModule.h"

#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/RowCut.hpp"

namespace spanwise {

/// The cells whose centres c lie in the bounds, low <= c < high along each axis. Throws InvalidArgument for bounds that
/// are not finite or leave the coordinate limits.
template <int Dim>
SPANWISEPARALLEL_EXPORT geometry::Box<Dim> cellsWithin(const GridPlacement& placement, const double bounds[6]);

/// The planes of a box.
template <int Dim>
parallel::PlaneRange planesOf(const geometry::Box<Dim>& box) {
  return box.empty() ? parallel::PlaneRange{0, 0} : parallel::PlaneRange{box.begin[Dim - 1], box.end[Dim - 1]};
}

} // namespace spanwise

#endif
