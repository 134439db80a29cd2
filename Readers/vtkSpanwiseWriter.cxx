#include "vtkSpanwiseWriter.h"

#include "SpanwiseBridge.h"
#include "SpanwiseExecute.h"
#include "SpanwiseFailures.h"
#include "SpanwiseStepWriter.h"

#include "vtkDataObject.h"
#include "vtkErrorCode.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <optional>
#include <string>

vtkStandardNewMacro(vtkSpanwiseWriter);

vtkSpanwiseWriter::vtkSpanwiseWriter() {
  this->SetProgressText("Spanwise Interval Writer"); // ParaView's progress bar would show the name of the class
}

vtkSpanwiseWriter::~vtkSpanwiseWriter() { this->SetFileName(nullptr); }

void vtkSpanwiseWriter::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << (this->FileName ? this->FileName : "(none)") << "\n";
  os << indent << "CompressionLevel: " << this->CompressionLevel << "\n";
  os << indent << "WriteAllTimeSteps: " << this->WriteAllTimeSteps << "\n";
  os << indent << "Controller: " << this->Controller << "\n";
}

int vtkSpanwiseWriter::FillInputPortInformation(int, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject"); // so that no block comes alone
  return 1;
}

vtkTypeBool vtkSpanwiseWriter::ProcessRequest(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  if (request->Has(vtkDemandDrivenPipeline::REQUEST_INFORMATION())) {
    return this->RequestInformation(request, inputs, outputs);
  }
  if (request->Has(vtkStreamingDemandDrivenPipeline::REQUEST_UPDATE_EXTENT())) {
    return this->RequestUpdateExtent(request, inputs, outputs);
  }
  return this->Superclass::ProcessRequest(request, inputs, outputs);
}

int vtkSpanwiseWriter::Write() {
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

int vtkSpanwiseWriter::RequestInformation(vtkInformation*, vtkInformationVector** inputs, vtkInformationVector*) {
  vtkInformation* info = inputs[0]->GetInformationObject(0);
  this->NumberOfSteps = info->Length(vtkStreamingDemandDrivenPipeline::TIME_STEPS());
  return 1;
}

int vtkSpanwiseWriter::RequestUpdateExtent(vtkInformation*, vtkInformationVector** inputs, vtkInformationVector*) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkInformation* info = inputs[0]->GetInformationObject(0);
  const auto group = spanwise::RankGroup::ofAll(this->Controller);
  info->Set(Pipeline::UPDATE_PIECE_NUMBER(), group.rank());
  info->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), group.size());
  info->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
  if (this->WriteAllTimeSteps && this->CurrentStep < this->NumberOfSteps) {
    info->Set(Pipeline::UPDATE_TIME_STEP(), info->Get(Pipeline::TIME_STEPS())[this->CurrentStep]);
  }
  return 1;
}

int vtkSpanwiseWriter::RequestData(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  const auto group = spanwise::RankGroup::ofAll(this->Controller);
  vtkInformation* info = inputs[0]->GetInformationObject(0);
  vtkDataObject* data = vtkDataObject::GetData(info);
  const int count = this->WriteAllTimeSteps ? std::max(this->NumberOfSteps, 1) : 1;
  this->SetErrorCode(vtkErrorCode::NoError);
  this->WasAsked = true;
  bool goesOn = false;
  bool failed = true;
  spanwise::execute(this, outputs, group, [&] {
    const std::string name = this->FileName ? this->FileName : "";
    group.agree([&] {
      if (const std::string why = spanwise::failureUpstream(this); !why.empty()) {
        throw spanwise::FileError(
          "cannot write '" + name + "': the input could not be computed; what was there is left as it was. " + why);
      }
    });
    if (!this->Steps) {
      this->Steps = std::make_unique<spanwise::StepWriter>(group, name, spanwise::IcsrStorage{this->CompressionLevel});
    }
    std::optional<double> time;
    if (data && data->GetInformation()->Has(vtkDataObject::DATA_TIME_STEP())) {
      time = data->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP());
    }
    if (!time && this->WriteAllTimeSteps && this->CurrentStep < this->NumberOfSteps) {
      time = info->Get(vtkStreamingDemandDrivenPipeline::TIME_STEPS())[this->CurrentStep];
    }
    const double step = this->CurrentStep;
    const spanwise::Progress progress = spanwise::progressOf(this);
    this->Steps->write(data, time, progress.part(step / count, (step + 1) / count));
    goesOn = ++this->CurrentStep < count;
    if (!goesOn) {
      this->Steps->finish();
      if (group.rank() == 0) {
        for (const std::string& remark : this->Steps->remarks()) {
          vtkWarningMacro("In '" << this->FileName << "' " << remark);
        }
      }
    }
    failed = false;
  });
  if (goesOn) {
    request->Set(vtkStreamingDemandDrivenPipeline::CONTINUE_EXECUTING(), 1);
    return 1;
  }
  request->Remove(vtkStreamingDemandDrivenPipeline::CONTINUE_EXECUTING());
  this->Steps.reset(); // an unfinished file goes with it
  this->CurrentStep = 0;
  this->WriteTime.Modified();
  if (failed) {
    this->SetErrorCode(vtkErrorCode::CannotOpenFileError);
  } else {
    this->UpdateProgress(1.0);
  }
  return 1;
}

void vtkSpanwiseWriter::WriteData() {
  // RequestData() does it all.
}
