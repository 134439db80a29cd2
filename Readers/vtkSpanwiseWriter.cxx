#include "vtkSpanwiseWriter.h"

#include "SpanwiseBridge.h"
#include "SpanwiseExecute.h"
#include "SpanwiseStepWriter.h"

#include "vtkDataObject.h"
#include "vtkErrorCode.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <optional>
#include <string>

vtkStandardNewMacro(vtkSpanwiseWriter);

vtkSpanwiseWriter::vtkSpanwiseWriter() {
  this->SetProgressText("Spanwise Interval Writer"); // ParaView's progress bar would show the name of the class
}

vtkSpanwiseWriter::~vtkSpanwiseWriter() = default;

void vtkSpanwiseWriter::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "CompressionLevel: " << this->CompressionLevel << "\n";
  os << indent << "WriteAllTimeSteps: " << this->WriteAllTimeSteps << "\n";
}

int vtkSpanwiseWriter::RequestInformation(vtkInformation*, vtkInformationVector** inputs, vtkInformationVector*) {
  vtkInformation* info = inputs[0]->GetInformationObject(0);
  this->NumberOfSteps = info->Length(vtkStreamingDemandDrivenPipeline::TIME_STEPS());
  return 1;
}

int vtkSpanwiseWriter::RequestUpdateExtent(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkInformation* info = inputs[0]->GetInformationObject(0);
  if (this->WriteAllTimeSteps && this->CurrentStep < this->NumberOfSteps) {
    info->Set(Pipeline::UPDATE_TIME_STEP(), info->Get(Pipeline::TIME_STEPS())[this->CurrentStep]);
  }
  return this->Superclass::RequestUpdateExtent(request, inputs, outputs);
}

int vtkSpanwiseWriter::RequestData(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  const auto group = spanwise::RankGroup::ofAll(this->Controller);
  vtkInformation* info = inputs[0]->GetInformationObject(0);
  vtkDataObject* data = vtkDataObject::GetData(info);
  const int count = this->WriteAllTimeSteps ? std::max(this->NumberOfSteps, 1) : 1;
  bool goesOn = false;
  bool failed = true;
  spanwise::execute(this, outputs, group, [&] {
    const std::string name = this->Begin(group);
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
