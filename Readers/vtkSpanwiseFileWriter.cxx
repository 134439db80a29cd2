#include "vtkSpanwiseFileWriter.h"

#include "SpanwiseFailures.h"
#include "SpanwiseRankGroup.h"

#include "Core/Runtime/Error.hpp"

#include "vtkErrorCode.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkStreamingDemandDrivenPipeline.h"

vtkSpanwiseFileWriter::~vtkSpanwiseFileWriter() { this->SetFileName(nullptr); }

void vtkSpanwiseFileWriter::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << (this->FileName ? this->FileName : "(none)") << "\n";
  os << indent << "Controller: " << this->Controller << "\n";
}

int vtkSpanwiseFileWriter::FillInputPortInformation(int, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject"); // so that no block comes alone
  return 1;
}

vtkTypeBool vtkSpanwiseFileWriter::ProcessRequest(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  if (request->Has(vtkDemandDrivenPipeline::REQUEST_INFORMATION())) {
    return this->RequestInformation(request, inputs, outputs);
  }
  if (request->Has(vtkStreamingDemandDrivenPipeline::REQUEST_UPDATE_EXTENT())) {
    return this->RequestUpdateExtent(request, inputs, outputs);
  }
  return this->Superclass::ProcessRequest(request, inputs, outputs);
}

int vtkSpanwiseFileWriter::Write() {
  this->WasAsked = false;
  this->SetErrorCode(vtkErrorCode::NoError);
  if (this->Superclass::Write() == 0) {
    return 0;
  }
  if (!this->WasAsked) { // a filter before this one failed, and VTK went no further
    this->SetErrorCode(vtkErrorCode::UnknownError);
    if (spanwise::RankGroup::ofAll(this->Controller).rank() == 0) {
      vtkErrorMacro("cannot write '" << (this->FileName ? this->FileName : "")
                                     << "': the input could not be computed; what was there is left as it was");
    }
    return 0;
  }
  return 1;
}

int vtkSpanwiseFileWriter::RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) {
  return 1;
}

int vtkSpanwiseFileWriter::RequestUpdateExtent(vtkInformation*, vtkInformationVector** inputs, vtkInformationVector*) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkInformation* info = inputs[0]->GetInformationObject(0);
  const auto group = spanwise::RankGroup::ofAll(this->Controller);
  info->Set(Pipeline::UPDATE_PIECE_NUMBER(), group.rank());
  info->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), group.size());
  info->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
  return 1;
}

std::string vtkSpanwiseFileWriter::Begin(const spanwise::RankGroup& group) {
  this->SetErrorCode(vtkErrorCode::NoError);
  this->WasAsked = true;
  const std::string name = this->FileName ? this->FileName : "";
  group.agree([&] {
    if (const std::string why = spanwise::failureUpstream(this); !why.empty()) {
      throw spanwise::FileError(
        "cannot write '" + name + "': the input could not be computed; what was there is left as it was. " + why);
    }
  });
  return name;
}

void vtkSpanwiseFileWriter::WriteData() {
  // RequestData() does it all.
}
