#ifndef SpanwiseChoice_h
#define SpanwiseChoice_h

// What filters check of their properties, and how they choose the type of an output. Internal to this library.

#include "Core/Runtime/Error.hpp"

#include <vtkDataObject.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>

#include <string>

namespace spanwise {

/// The value, if it is within [min, max]; otherwise throws InvalidArgument.
inline int checkedChoice(const std::string& what, int value, int min, int max) {
  if (value < min || value > max) {
    throw InvalidArgument("the " + what + " is " + std::to_string(value) + "; it must be in [" + std::to_string(min) +
      ", " + std::to_string(max) + "]");
  }
  return value;
}

/// Makes the first output one of type T, if it is not. Returns 1, for RequestDataObject().
template <class T>
int setOutputType(vtkInformationVector* outputs) {
  if (T::GetData(outputs, 0) == nullptr) {
    vtkNew<T> output;
    outputs->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(), output);
  }
  return 1;
}

} // namespace spanwise

#endif
