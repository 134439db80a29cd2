#include "vtkSpanwiseLatticeAlgorithm.h"

#include "SpanwiseIntervalGrid.h"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <format>

using spanwise::GridPlacement;
using spanwise::InvalidArgument;

void vtkSpanwiseLatticeAlgorithm::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Resolution: " << this->Resolution << "\n";
  os << indent << "Spacing: " << this->Spacing[0] << " " << this->Spacing[1] << " " << this->Spacing[2] << "\n";
  os << indent << "Origin: " << this->Origin[0] << " " << this->Origin[1] << " " << this->Origin[2] << "\n";
  os << indent << "Level: " << this->Level << "\n";
}

double vtkSpanwiseLatticeAlgorithm::SpacingFor(double longest) const {
  if (this->Resolution < 1) {
    throw InvalidArgument(std::format("the resolution is {}; it must be at least 1", this->Resolution));
  }
  if (!(longest > 0.0 && std::isfinite(longest))) {
    throw InvalidArgument(
      std::format("the longest side of the bounds is {}; to find the size of cells from a resolution it "
                  "must be positive and finite: give a spacing instead",
        longest));
  }
  return longest / this->Resolution;
}

GridPlacement vtkSpanwiseLatticeAlgorithm::MakePlacement(const double bounds[6], int dimension) const {
  if (this->Level < 0 || this->Level > spanwise::maxLevel) {
    throw InvalidArgument(std::format("the level is {}; it must be in [0, {}]", this->Level, spanwise::maxLevel));
  }
  const bool given =
    std::any_of(this->Spacing, this->Spacing + dimension, [](double size) { return size != 0.0; }); // NaN is
  double longest = 0.0;
  for (int d = 0; d < dimension; ++d) {
    longest = std::max(longest, bounds[2 * d + 1] - bounds[2 * d]);
  }
  const double size = given ? 0.0 : this->SpacingFor(longest);
  GridPlacement placement;
  placement.level = this->Level;
  for (int d = 0; d < dimension; ++d) {
    placement.origin[d] = given ? this->Origin[d] : bounds[2 * d];
    placement.spacing[d] = std::ldexp(given ? this->Spacing[d] : size, -this->Level);
    if (!(placement.spacing[d] > 0.0 && std::isfinite(placement.spacing[d]))) {
      throw InvalidArgument(
        std::format("the spacing along axis {} is {}; it must be positive and finite, or 0 along all axes", d,
          given ? this->Spacing[d] : size));
    }
  }
  if (dimension == 2) {
    placement.origin[2] = bounds[4]; // the plane of the shape
    placement.spacing[2] = placement.spacing[0];
  }
  return placement;
}
