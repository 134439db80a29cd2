#include "vtkSpanwiseMeshAlgorithm.h"

#include "SpanwiseChosenArray.h"
#include "SpanwiseExecute.h"

#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>

using namespace spanwise;

void vtkSpanwiseMeshAlgorithm::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Controller: " << this->Controller << "\n";
}

int vtkSpanwiseMeshAlgorithm::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  return 1;
}

int vtkSpanwiseMeshAlgorithm::RequestInformation(
  vtkInformation* /*request*/, vtkInformationVector** /*inputs*/, vtkInformationVector* outputs) {
  outputs->GetInformationObject(0)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

int vtkSpanwiseMeshAlgorithm::RequestUpdateExtent(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  if (this->NeedsWholeMesh()) {
    requestWholeInputs(
      RankGroup::ofRequest(this->Controller, outputs->GetInformationObject(0)), inputs, this->GetNumberOfInputPorts());
  }
  return 1;
}

int vtkSpanwiseMeshAlgorithm::RequestData(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  const RankGroup group = RankGroup::ofRequest(this->Controller, outputs->GetInformationObject(0));
  vtkDataObject* output = vtkDataObject::GetData(outputs, 0);
  output->Initialize();
  if (this->NeedsWholeMesh() && group.streams() && group.piece() > 0) {
    return 1;
  }
  return execute(
    this, outputs, group, [&] { this->MakeOutput(group, inputs, vtkDataObject::GetData(inputs[0], 0), output); });
}

vtkDataArray* vtkSpanwiseMeshAlgorithm::GetMeshArray(int index, const char* what, vtkDataSet* input, bool& onPoints) {
  return chosenArray(
    this, index, what, input, [&](int& association) { return this->GetInputArrayToProcess(index, input, association); },
    onPoints);
}

void vtkSpanwiseMeshAlgorithm::AddFieldValue(vtkDataObject* output, const char* name, double value) {
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->InsertNextValue(value);
  output->GetFieldData()->AddArray(array);
}
