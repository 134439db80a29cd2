#include "vtkSpanwiseManySetsAlgorithm.h"

#include "SpanwiseAlignedInputs.h"
#include "SpanwiseOneGrid.h"

#include <vtkInformation.h>
#include <vtkInformationVector.h>

int vtkSpanwiseManySetsAlgorithm::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  spanwise::requireOneGrid(info);
  info->Set(vtkAlgorithm::INPUT_IS_REPEATABLE(), 1);
  return 1;
}

int vtkSpanwiseManySetsAlgorithm::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  spanwise::mergeTimes(inputs[0], outputs->GetInformationObject(0));
  return this->Superclass::RequestInformation(request, inputs, outputs);
}
