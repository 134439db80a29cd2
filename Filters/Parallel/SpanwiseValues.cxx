#include "SpanwiseValues.h"

#include "Core/Runtime/Error.hpp"

#include <vtkAbstractArray.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkSmartPointer.h>

#include <string>

namespace spanwise {

vtkSmartPointer<vtkAbstractArray> arrayLike(vtkAbstractArray* model, std::int64_t count) {
  auto result = vtkSmartPointer<vtkAbstractArray>::Take(vtkAbstractArray::CreateArray(model->GetDataType()));
  result->SetName(model->GetName());
  result->SetNumberOfComponents(model->GetNumberOfComponents());
  result->CopyComponentNames(model);
  if (model->HasInformation()) {
    result->CopyInformation(model->GetInformation());
  }
  result->SetNumberOfTuples(count);
  return result;
}

void checkLength(vtkAbstractArray* array, std::int64_t numCells) {
  if (array->GetNumberOfTuples() != numCells) {
    throw InvalidArgument(std::string("the array '") + (array->GetName() != nullptr ? array->GetName() : "") +
      "' has " + std::to_string(array->GetNumberOfTuples()) + " values for " + std::to_string(numCells) +
      " cells; there must be one a cell");
  }
}

void sliceValues(vtkDataSetAttributes* from, std::int64_t first, std::int64_t count, vtkDataSetAttributes* to) {
  to->Initialize();
  for (int k = 0; k < from->GetNumberOfArrays(); ++k) {
    const auto slice = arrayLike(from->GetAbstractArray(k), count);
    if (count > 0) {
      slice->InsertTuples(0, count, first, from->GetAbstractArray(k));
    }
    const int index = to->AddArray(slice);
    const int attribute = from->IsArrayAnAttribute(k);
    if (attribute >= 0) {
      to->SetActiveAttribute(index, attribute);
    }
  }
}

void copyRuns(vtkAbstractArray* from, const CellRun* runs, std::int64_t numRuns, vtkAbstractArray* to) {
  for (std::int64_t k = 0; k < numRuns; ++k) {
    to->InsertTuples(runs[k].a, runs[k].count, runs[k].b, from);
  }
}

} // namespace spanwise
