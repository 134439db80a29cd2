#include "vtkSpanwiseTableAlgorithm.h"

#include "SpanwiseExecute.h"

#include <vtkDataSet.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkTable.h>

using namespace spanwise;

void vtkSpanwiseTableAlgorithm::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Controller: " << this->Controller << "\n";
}

int vtkSpanwiseTableAlgorithm::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  return 1;
}

int vtkSpanwiseTableAlgorithm::RequestInformation(
  vtkInformation* /*request*/, vtkInformationVector** /*inputs*/, vtkInformationVector* outputs) {
  outputs->GetInformationObject(0)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

int vtkSpanwiseTableAlgorithm::RequestUpdateExtent(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  requestWholeInputs(RankGroup::ofRequest(this->Controller, outputs->GetInformationObject(0)), inputs, 1);
  return 1;
}

int vtkSpanwiseTableAlgorithm::RequestData(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  const RankGroup group = RankGroup::ofRequest(this->Controller, outputs->GetInformationObject(0));
  vtkDataSet* const input = vtkDataSet::GetData(inputs[0], 0);
  vtkTable* const output = vtkTable::GetData(outputs, 0);
  output->Initialize();
  return execute(this, outputs, group, [&] {
    this->MakeOutput(group, input, output);
    if (input != nullptr) {
      output->GetFieldData()->PassData(input->GetFieldData());
    }
  });
}
