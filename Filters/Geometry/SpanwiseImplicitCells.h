#ifndef SpanwiseImplicitCells_h
#define SpanwiseImplicitCells_h

// The cells on one side of an implicit function. Not wrapped and not installed.

#include "SpanwiseIntervalGrid.h"

#include "Core/Runtime/Progress.hpp"

class vtkImplicitFunction;

namespace spanwise {

/// Which cells an implicit function keeps: those at whose centres it is negative, or not negative. NaN is neither.
enum class FunctionSide { Inside, Outside };

/// The cells of `box` on one side of `function`, which is evaluated at cell centres, in 2D at z = placement.origin[2].
/// It is called with arrays of some 10^5 positions, so that functions that are fast on arrays are fast here.
template <int Dim>
geometry::HostIntervalSet<Dim> implicitCells(vtkImplicitFunction* function, FunctionSide side,
  const geometry::Box<Dim>& box, const GridPlacement& placement, const Progress& progress);

extern template geometry::HostIntervalSet<2> implicitCells<2>(
  vtkImplicitFunction*, FunctionSide, const geometry::Box<2>&, const GridPlacement&, const Progress&);
extern template geometry::HostIntervalSet<3> implicitCells<3>(
  vtkImplicitFunction*, FunctionSide, const geometry::Box<3>&, const GridPlacement&, const Progress&);

} // namespace spanwise

#endif
