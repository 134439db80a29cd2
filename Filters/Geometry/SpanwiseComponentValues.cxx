#include "SpanwiseComponentValues.h"

#include "Core/Runtime/Error.hpp"

#include <vtkArrayDispatch.h>
#include <vtkDataArrayRange.h>
#include <vtkDoubleArray.h>

#include <cmath>
#include <string>

namespace spanwise {

namespace {

struct ComputeMagnitude {
  template <class Array>
  void operator()(Array* array, vtkDoubleArray* magnitude) const {
    const auto tuples = vtk::DataArrayTupleRange(array);
    for (vtkIdType t = 0; t < tuples.size(); ++t) {
      double square = 0.0;
      for (const auto value : tuples[t]) {
        square += static_cast<double>(value) * static_cast<double>(value);
      }
      magnitude->SetValue(t, std::sqrt(square));
    }
  }
};

} // namespace

void checkComponent(vtkDataArray* array, int component) {
  if (component < 0 || component > array->GetNumberOfComponents()) {
    throw InvalidArgument("the component is " + std::to_string(component) + "; the array has " +
      std::to_string(array->GetNumberOfComponents()) +
      ": it must be one of them from 0, or their number for the magnitude");
  }
}

int typeOfComponent(vtkDataArray* array, int component) {
  if (isMagnitude(array, component)) {
    return VTK_DOUBLE;
  }
  return array->GetDataType() == VTK_BIT ? VTK_UNSIGNED_CHAR : array->GetDataType();
}

vtkSmartPointer<vtkDataArray> separated(vtkDataArray* array, int component) {
  if (isMagnitude(array, component)) {
    const auto magnitude = vtkSmartPointer<vtkDoubleArray>::New();
    magnitude->SetNumberOfValues(array->GetNumberOfTuples());
    if (!vtkArrayDispatch::Dispatch::Execute(array, ComputeMagnitude(), magnitude.Get())) {
      ComputeMagnitude()(array, magnitude.Get());
    }
    return magnitude;
  }
  auto copy = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(typeOfComponent(array, component)));
  copy->SetNumberOfTuples(array->GetNumberOfTuples());
  copy->CopyComponent(0, array, component);
  return copy;
}

} // namespace spanwise
