#include "SpanwiseExecute.h"

#include "SpanwiseFailures.h"

#include <vtkAlgorithm.h>
#include <vtkDataObject.h>
#include <vtkInformation.h>
#include <vtkInformationStringKey.h>
#include <vtkInformationVector.h>
#include <vtkSetGet.h>
#include <vtkStreamingDemandDrivenPipeline.h>

#include <format>
#include <string>

using namespace spanwise::parallel;

namespace spanwise {

namespace {

/// Notes in an algorithm's information that it fails with a message. Returns whether that is new: whoever asks for an
/// empty image again has it computed again, since no extent is in it, and views ask several times. What is upstream,
/// the properties and the time step are still the same then.
bool isNewFailure(vtkAlgorithm* algorithm, vtkInformationVector* outputs, const std::string& message) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  static vtkInformationStringKey* const key = vtkInformationStringKey::MakeKey("LAST_FAILURE", "Spanwise");
  auto* const pipeline = Pipeline::SafeDownCast(algorithm->GetExecutive());
  if (pipeline == nullptr) {
    return true;
  }
  double time = 0.0;
  if (outputs->GetNumberOfInformationObjects() > 0) {
    vtkInformation* const output = outputs->GetInformationObject(0);
    time = output->Has(Pipeline::UPDATE_TIME_STEP()) ? output->Get(Pipeline::UPDATE_TIME_STEP()) : 0.0;
  }
  const std::string failure = std::format("{} {} {}", pipeline->GetPipelineMTime(), time, message);
  vtkInformation* const information = algorithm->GetInformation();
  const char* const before = information->Get(key);
  if (before != nullptr && failure == before) {
    return false;
  }
  information->Set(key, failure.c_str());
  return true;
}

} // namespace

void clearOutputs(vtkInformationVector* outputs) {
  for (int port = 0; port < outputs->GetNumberOfInformationObjects(); ++port) {
    if (vtkDataObject* data = vtkDataObject::GetData(outputs, port)) {
      data->Initialize();
    }
  }
}

void failRequest(vtkAlgorithm* algorithm, vtkInformationVector* outputs, const RankGroup& group) {
  clearOutputs(outputs);
  const std::exception_ptr failure = std::current_exception();
  markFailed(outputs, isCancelled(failure) ? "it was stopped" : messageOf(failure));
  if (group.rank() == 0 && !isCancelled(failure)) {
    if (const std::string message = messageOf(failure); isNewFailure(algorithm, outputs, message)) {
      vtkErrorWithObjectMacro(algorithm, << message);
    }
  }
}

void requestWholeInputs(const RankGroup& group, vtkInformationVector** inputs, int numberOfPorts) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  if (!group.streams()) {
    return;
  }
  for (int port = 0; port < numberOfPorts; ++port) {
    for (int k = 0; k < inputs[port]->GetNumberOfInformationObjects(); ++k) {
      vtkInformation* info = inputs[port]->GetInformationObject(k);
      info->Set(Pipeline::UPDATE_PIECE_NUMBER(), 0);
      info->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), 1);
      info->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
      if (info->Has(Pipeline::WHOLE_EXTENT())) {
        int extent[6];
        info->Get(Pipeline::WHOLE_EXTENT(), extent);
        info->Set(Pipeline::UPDATE_EXTENT(), extent, 6);
      }
    }
  }
}

} // namespace spanwise
