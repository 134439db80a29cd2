#include "SpanwiseArrivalArrays.h"

#include "Core/Runtime/Reserve.hpp"

#include <vtkDataSetAttributes.h>

#include <utility>

namespace spanwise {

void addActive(vtkDataSetAttributes* data, vtkDataArray* array) {
  data->AddArray(array);
  data->SetActiveScalars(array->GetName());
}

vtkSmartPointer<vtkDoubleArray> filledArray(const char* name, std::int64_t tuples, int components, double value) {
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(tuples);
  array->Fill(value);
  return array;
}

} // namespace spanwise
