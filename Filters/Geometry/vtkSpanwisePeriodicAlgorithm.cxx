#include "vtkSpanwisePeriodicAlgorithm.h"

#include "SpanwiseOneGrid.h"

void vtkSpanwisePeriodicAlgorithm::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  this->PrintPeriodicAxes(os, indent);
}

int vtkSpanwisePeriodicAlgorithm::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  spanwise::requireOneGrid(info);
  return 1;
}
