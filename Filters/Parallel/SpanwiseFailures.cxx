#include "SpanwiseFailures.h"

#include <vtkAlgorithm.h>
#include <vtkDataObject.h>
#include <vtkInformation.h>
#include <vtkInformationIdTypeKey.h>
#include <vtkInformationStringKey.h>
#include <vtkInformationVector.h>

#include <algorithm>
#include <vector>

namespace spanwise {

namespace {

vtkInformationStringKey* messageKey() {
  static vtkInformationStringKey* const key = vtkInformationStringKey::MakeKey("FAILURE", "Spanwise");
  return key;
}

// The state of the data as the failure left it: a request that succeeds changes it.
vtkInformationIdTypeKey* stateKey() {
  static vtkInformationIdTypeKey* const key = vtkInformationIdTypeKey::MakeKey("FAILED_STATE", "Spanwise");
  return key;
}

std::string failureOf(vtkDataObject* data) {
  vtkInformation* const information = data != nullptr ? data->GetInformation() : nullptr;
  const bool failed = information != nullptr && information->Has(messageKey()) && information->Has(stateKey()) &&
    information->Get(stateKey()) == static_cast<vtkIdType>(data->GetMTime());
  return failed ? information->Get(messageKey()) : "";
}

} // namespace

void markFailed(vtkInformationVector* outputs, const std::string& message) {
  for (int port = 0; port < outputs->GetNumberOfInformationObjects(); ++port) {
    if (vtkDataObject* data = vtkDataObject::GetData(outputs, port)) {
      data->GetInformation()->Set(messageKey(), message.c_str());
      data->GetInformation()->Set(stateKey(), static_cast<vtkIdType>(data->GetMTime()));
    }
  }
}

std::string failureUpstream(vtkAlgorithm* algorithm) {
  // Breadth first, and each once: pipelines may branch and join again.
  std::vector<vtkAlgorithm*> reached = {algorithm};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    vtkAlgorithm* const consumer = reached[next];
    for (int port = 0; port < consumer->GetNumberOfInputPorts(); ++port) {
      for (int k = 0; k < consumer->GetNumberOfInputConnections(port); ++k) {
        if (const std::string failure = failureOf(consumer->GetInputDataObject(port, k)); !failure.empty()) {
          return failure;
        }
        vtkAlgorithm* const producer = consumer->GetInputAlgorithm(port, k);
        if (producer != nullptr && std::find(reached.begin(), reached.end(), producer) == reached.end()) {
          reached.push_back(producer);
        }
      }
    }
  }
  return "";
}

} // namespace spanwise
