#include "vtkSpanwiseLevelsAlgorithm.h"

#include "SpanwiseExecute.h"
#include "SpanwiseOneGrid.h"

#include "vtkDataObject.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationDoubleKey.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"

void vtkSpanwiseLevelsAlgorithm::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Controller: " << this->Controller << "\n";
}

int vtkSpanwiseLevelsAlgorithm::FillInputPortInformation(int, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  return 1;
}

int vtkSpanwiseLevelsAlgorithm::FillOutputPortInformation(int, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkPartitionedDataSetCollection");
  return 1;
}

int vtkSpanwiseLevelsAlgorithm::RequestInformation(
  vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs) {
  outputs->GetInformationObject(0)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

int vtkSpanwiseLevelsAlgorithm::RequestUpdateExtent(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  const auto group = spanwise::RankGroup::ofRequest(this->Controller, outputs->GetInformationObject(0));
  spanwise::requestWholeInputs(group, inputs, this->GetNumberOfInputPorts());
  return 1;
}

int vtkSpanwiseLevelsAlgorithm::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  const auto group = spanwise::RankGroup::ofRequest(this->Controller, outputs->GetInformationObject(0));
  vtkDataObject* output = vtkDataObject::GetData(outputs, 0);
  output->Initialize();
  return spanwise::execute(this, outputs, group, [&] {
    spanwise::OneGridInputs grids(group, this, inputs);
    this->MakeOutput(group, grids.get(), output);
    vtkDataObject* input = this->GetNumberOfInputPorts() > 0 ? vtkDataObject::GetData(grids.get()[0], 0) : nullptr;
    if (input != nullptr && input->GetFieldData() != nullptr) {
      vtkNew<vtkFieldData> own; // what is told of the output itself stays
      own->PassData(output->GetFieldData());
      output->GetFieldData()->PassData(input->GetFieldData());
      output->GetFieldData()->PassData(own);
    }
    // Executives pass the time on where the input announces time steps; some readers only say it of their data.
    vtkInformationDoubleKey* time = vtkDataObject::DATA_TIME_STEP();
    if (input != nullptr && input->GetInformation()->Has(time) && !output->GetInformation()->Has(time)) {
      output->GetInformation()->CopyEntry(input->GetInformation(), time);
    }
  });
}
