#include "SpanwiseGeometry.h"

#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>

#include <algorithm>
#include <cmath>

namespace spanwise {

template <int Dim>
bool needsDoublePoints(const IntervalGrid<Dim>& grid) {
  constexpr double limit = 1 << 17; // float has 24 bits: half a unit in the last place is 2^-8 of a cell here
  double bounds[6];
  grid.bounds(bounds);
  const GridPlacement& placement = grid.placement();
  for (int d = 0; d < Dim; ++d) {
    if (std::max(std::abs(bounds[2 * d]), std::abs(bounds[2 * d + 1])) > limit * placement.spacing[d]) {
      return true;
    }
  }
  return false;
}

template bool needsDoublePoints<2>(const IntervalGrid<2>&);
template bool needsDoublePoints<3>(const IntervalGrid<3>&);

PointWriter::PointWriter(bool asDouble, std::int64_t count) {
  points_->SetDataType(asDouble ? VTK_DOUBLE : VTK_FLOAT);
  points_->SetNumberOfPoints(count);
  if (asDouble) {
    doubles_ = vtkDoubleArray::SafeDownCast(points_->GetData())->GetPointer(0);
  } else {
    floats_ = vtkFloatArray::SafeDownCast(points_->GetData())->GetPointer(0);
  }
}

} // namespace spanwise
