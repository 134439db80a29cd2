#include "vtkSpanwisePeriodicAlgorithm.h"

#include "SpanwisePeriods.h"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <string>

using namespace spanwise;

void vtkSpanwisePeriodicAlgorithm::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Periodic: " << this->PeriodicX << " " << this->PeriodicY << " " << this->PeriodicZ << "\n";
  os << indent << "PeriodBox: " << this->PeriodBox << "\n";
  os << indent << "PeriodBounds:";
  for (const double bound : this->PeriodBounds) {
    os << " " << bound;
  }
  os << "\n";
}

PeriodChoice vtkSpanwisePeriodicAlgorithm::GetPeriodChoice() const {
  if (this->PeriodBox != BOX_OF_INPUT && this->PeriodBox != GIVEN_BOUNDS) {
    throw InvalidArgument("the period box is " + std::to_string(this->PeriodBox) + "; it must be 0 or 1");
  }
  PeriodChoice choice{{this->PeriodicX, this->PeriodicY, this->PeriodicZ}, this->PeriodBox == GIVEN_BOUNDS, {}};
  std::copy_n(this->PeriodBounds, 6, choice.bounds);
  return choice;
}
