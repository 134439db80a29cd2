#ifndef SpanwiseElement_h
#define SpanwiseElement_h

// The cells of a data set as a structuring element. Not wrapped and not installed.

#include "SpanwiseIntervalGrid.h"
#include "SpanwiseRankCells.h"

#include "Core/Geometry/StructuringElement.hpp"

class vtkDataSet;

namespace spanwise {

/// Collective. The cells of a data set, the cell with the point `origin` being the element's origin. All ranks get all
/// of it. Throws InvalidArgument if there is no cell, or cells have other sides than those of `placement`.
template <int Dim>
geometry::StructuringElement<Dim> elementOf(
  const RankGroup& group, vtkDataSet* data, const double origin[3], const GridPlacement& placement);

} // namespace spanwise

#endif
