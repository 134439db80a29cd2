#include "vtkSpanwiseGridAlgorithm.h"

#include "SpanwiseExecute.h"
#include "SpanwiseOneGrid.h"

#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkUnstructuredGrid.h"

void vtkSpanwiseGridAlgorithm::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Controller: " << this->Controller << "\n";
}

int vtkSpanwiseGridAlgorithm::RequestInformation(
  vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs) {
  outputs->GetInformationObject(0)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

int vtkSpanwiseGridAlgorithm::RequestUpdateExtent(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  const auto group = spanwise::RankGroup::ofRequest(this->Controller, outputs->GetInformationObject(0));
  spanwise::requestWholeInputs(group, inputs, this->GetNumberOfInputPorts());
  return 1;
}

int vtkSpanwiseGridAlgorithm::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  const auto group = spanwise::RankGroup::ofRequest(this->Controller, outputs->GetInformationObject(0));
  vtkUnstructuredGrid* output = vtkUnstructuredGrid::GetData(outputs, 0);
  output->Initialize();
  return spanwise::execute(this, outputs, group, [&] {
    spanwise::OneGridInputs grids(group, this, inputs);
    this->MakeOutput(group, grids.get(), output);
  });
}
