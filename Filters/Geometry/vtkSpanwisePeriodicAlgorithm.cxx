#include "vtkSpanwisePeriodicAlgorithm.h"

void vtkSpanwisePeriodicAlgorithm::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  this->PrintPeriodicAxes(os, indent);
}
