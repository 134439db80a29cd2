#include "SpanwiseExecute.h"

#include <vtkAlgorithm.h>
#include <vtkDataObject.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkSetGet.h>
#include <vtkStreamingDemandDrivenPipeline.h>

namespace spanwise {

void clearOutputs(vtkInformationVector* outputs) {
  for (int port = 0; port < outputs->GetNumberOfInformationObjects(); ++port) {
    if (vtkDataObject* data = vtkDataObject::GetData(outputs, port)) {
      data->Initialize();
    }
  }
}

void failRequest(vtkAlgorithm* algorithm, vtkInformationVector* outputs, const Team& team) {
  clearOutputs(outputs);
  const std::exception_ptr failure = std::current_exception();
  if (team.rank() == 0 && !isCancelled(failure)) {
    vtkErrorWithObjectMacro(algorithm, << messageOf(failure));
  }
}

void requestWholeInputs(const Team& team, vtkInformationVector** inputs, int numberOfPorts) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  if (!team.streams()) {
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
