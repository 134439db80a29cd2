#include "vtkSpanwiseLatticeAlgorithm.h"

#include "SpanwiseIntervalGrid.h"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <string>

using spanwise::GridPlacement;
using spanwise::InvalidArgument;

void vtkSpanwiseLatticeAlgorithm::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SpacingMode: " << (this->SpacingMode == GIVEN_SPACING ? "given" : "from resolution") << "\n";
  os << indent << "Resolution: " << this->Resolution << "\n";
  os << indent << "Spacing: " << this->Spacing[0] << " " << this->Spacing[1] << " " << this->Spacing[2] << "\n";
  os << indent << "Origin: " << this->Origin[0] << " " << this->Origin[1] << " " << this->Origin[2] << "\n";
  os << indent << "Level: " << this->Level << "\n";
}

GridPlacement vtkSpanwiseLatticeAlgorithm::MakePlacement(const double bounds[6], int dimension) const
{
  if (this->Level < 0 || this->Level > spanwise::maxLevel)
  {
    throw InvalidArgument("the level is " + std::to_string(this->Level) + "; it must be in [0, " +
      std::to_string(spanwise::maxLevel) + "]");
  }
  GridPlacement placement;
  placement.level = this->Level;
  double longest = 0.0;
  for (int d = 0; d < 3; ++d)
  {
    placement.origin[d] = this->SpacingMode == GIVEN_SPACING ? this->Origin[d] : bounds[2 * d];
    longest = std::max(longest, d < dimension ? bounds[2 * d + 1] - bounds[2 * d] : 0.0);
  }
  if (this->SpacingMode != GIVEN_SPACING && this->Resolution < 1)
  {
    throw InvalidArgument("the resolution is " + std::to_string(this->Resolution) + "; it must be at least 1");
  }
  if (this->SpacingMode != GIVEN_SPACING && !(longest > 0.0 && std::isfinite(longest)))
  {
    throw InvalidArgument("the longest side of the bounds is " + std::to_string(longest) +
      "; to find the size of cells from a resolution it must be positive and finite: give a spacing instead");
  }
  for (int d = 0; d < 3; ++d)
  {
    const double root = this->SpacingMode == GIVEN_SPACING ? this->Spacing[d] : longest / this->Resolution;
    if (d < dimension && !(root > 0.0 && std::isfinite(root)))
    {
      throw InvalidArgument("the spacing along axis " + std::to_string(d) + " is " + std::to_string(root) +
        "; it must be positive and finite");
    }
    placement.spacing[d] = std::ldexp(d < dimension ? root : placement.spacing[0], d < dimension ? -this->Level : 0);
  }
  if (dimension == 2)
  {
    placement.origin[2] = bounds[4]; // the plane of the shape
  }
  return placement;
}
