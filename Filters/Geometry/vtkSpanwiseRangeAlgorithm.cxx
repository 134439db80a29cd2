#include "vtkSpanwiseRangeAlgorithm.h"

#include "Core/Geometry/ValueRange.hpp"

void vtkSpanwiseRangeAlgorithm::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "LowerThreshold: " << this->LowerThreshold << "\n";
  os << indent << "UpperThreshold: " << this->UpperThreshold << "\n";
  os << indent << "Component: " << this->Component << "\n";
}

spanwise::geometry::ValueRange vtkSpanwiseRangeAlgorithm::GetRange() const {
  return {this->LowerThreshold, this->UpperThreshold};
}
