#include "vtkSpanwiseFileReader.h"

#include "ReadingFile.hpp"
#include "SpanwiseExecute.h"
#include "SpanwiseRankGroup.h"

#include "Core/Runtime/Error.hpp"

#include "vtkDataArraySelection.h"
#include "vtkDataObject.h"
#include "vtkDataObjectTypes.h"
#include "vtkDemandDrivenPipeline.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkSmartPointer.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>

vtkSpanwiseFileReader::vtkSpanwiseFileReader() { this->SetNumberOfInputPorts(0); }

vtkSpanwiseFileReader::~vtkSpanwiseFileReader() { this->SetFileName(nullptr); }

void vtkSpanwiseFileReader::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << (this->FileName ? this->FileName : "(none)") << "\n";
  os << indent << "Selection:\n";
  this->Selection->PrintSelf(os, indent.GetNextIndent());
}

vtkMTimeType vtkSpanwiseFileReader::GetMTime() {
  return std::max(this->Superclass::GetMTime(), this->Selection->GetMTime());
}

int vtkSpanwiseFileReader::FillOutputPortInformation(int, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkDataObject");
  return 1;
}

vtkTypeBool vtkSpanwiseFileReader::ProcessRequest(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  if (!request->Has(vtkDemandDrivenPipeline::REQUEST_DATA_OBJECT())) {
    return this->Superclass::ProcessRequest(request, inputs, outputs);
  }
  this->SetOutputType(outputs);
  return 1;
}

void vtkSpanwiseFileReader::SetOutputType(vtkInformationVector* outputs) {
  int type = VTK_UNSTRUCTURED_GRID;
  try {
    if (this->HasSeveralGrids(this->FileName ? this->FileName : "")) {
      type = VTK_PARTITIONED_DATA_SET_COLLECTION;
    }
  } catch (const std::exception&) {
    // Said by RequestData.
  }
  vtkInformation* info = outputs->GetInformationObject(0);
  vtkDataObject* output = vtkDataObject::GetData(info);
  if (!output || output->GetDataObjectType() != type) {
    info->Set(
      vtkDataObject::DATA_OBJECT(), vtkSmartPointer<vtkDataObject>::Take(vtkDataObjectTypes::NewDataObject(type)));
  }
}

int vtkSpanwiseFileReader::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  this->SetOutputType(outputs); // of another file: ParaView's readers of series give its name no earlier
  try {
    this->ReadInformation(this->FileName ? this->FileName : "", outputs->GetInformationObject(0));
  } catch (const std::exception&) {
    // Said by RequestData, on which all ranks agree: one that stopped here alone would keep the others waiting.
  }
  return this->Superclass::RequestInformation(request, inputs, outputs);
}

int vtkSpanwiseFileReader::RequestData(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  // ParaView's readers of series ask with their own information, which that of this reader's executive knows nothing
  // of.
  vtkInformation* info = outputs->GetInformationObject(0);
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  this->Time =
    info->Has(Pipeline::UPDATE_TIME_STEP()) ? std::optional(info->Get(Pipeline::UPDATE_TIME_STEP())) : std::nullopt;
  vtkDataObject* output = vtkDataObject::GetData(outputs, 0);
  if (vtkUnstructuredGrid::SafeDownCast(output)) {
    return this->Superclass::RequestData(request, inputs, outputs);
  }
  const auto group = spanwise::RankGroup::ofRequest(this->Controller, info);
  output->Initialize();
  return spanwise::execute(this, outputs, group, [&] { this->Read(group, output); });
}

void vtkSpanwiseFileReader::MakeOutput(
  const spanwise::RankGroup& group, vtkInformationVector**, vtkUnstructuredGrid* output) {
  this->Read(group, output);
}

void vtkSpanwiseFileReader::Read(const spanwise::RankGroup& group, vtkDataObject* output) {
  group.agree([&] {
    const std::string name = this->FileName ? this->FileName : "";
    if (name.empty()) {
      throw spanwise::FileError("no file name was given");
    }
    spanwise::readingFile(name, [&] { this->ReadOutput(name, group, output); });
  });
}
