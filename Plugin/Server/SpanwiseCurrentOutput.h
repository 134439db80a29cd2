#ifndef SpanwiseCurrentOutput_h
#define SpanwiseCurrentOutput_h

// What information that is gathered tells of. Not wrapped.

#include <vtkAlgorithm.h>
#include <vtkDataObject.h>
#include <vtkExecutive.h>

namespace spanwise {

/// The data that an output holds, without the update that vtkAlgorithm::GetOutputDataObject() may make.
inline vtkDataObject* currentOutput(vtkObject* object, int port) {
  auto* algorithm = vtkAlgorithm::SafeDownCast(object);
  if (algorithm == nullptr) {
    return vtkDataObject::SafeDownCast(object);
  }
  if (port < 0 || port >= algorithm->GetNumberOfOutputPorts()) {
    return nullptr;
  }
  return vtkDataObject::GetData(algorithm->GetExecutive()->GetOutputInformation(port));
}

} // namespace spanwise

#endif
