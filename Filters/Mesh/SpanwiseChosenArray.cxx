#include "SpanwiseChosenArray.h"

#include "SpanwiseValues.h"

#include "Core/Runtime/Error.hpp"

#include <vtkAlgorithm.h>
#include <vtkDataArray.h>
#include <vtkDataObject.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkInformation.h>

#include <format>
#include <string>

namespace spanwise {

namespace {

/// What the arrays of numbers are called that are on the points or cells of a data set: "'a', 'b'".
std::string arraysOf(vtkDataObject* data) {
  std::string text;
  for (const int kind : {vtkDataObject::POINT, vtkDataObject::CELL}) {
    vtkDataSetAttributes* const arrays = data != nullptr ? data->GetAttributes(kind) : nullptr;
    for (int k = 0; arrays != nullptr && k < arrays->GetNumberOfArrays(); ++k) {
      vtkDataArray* const array = arrays->GetArray(k);
      if (array != nullptr && array->GetName() != nullptr) {
        text += std::format("{}'{}'", text.empty() ? "" : ", ", array->GetName());
      }
    }
  }
  return text;
}

} // namespace

vtkDataArray* chosenArray(
  vtkAlgorithm* filter, int index, const char* what, vtkDataSet* data, const ArrayFinder& find, bool& onPoints) {
  if (index >= filter->GetNumberOfInputArraySpecifications()) {
    throw InvalidArgument(std::format("no array was chosen for the {}; there must be one", what));
  }
  int association = vtkDataObject::FIELD_ASSOCIATION_NONE;
  vtkDataArray* const array = find(association);
  onPoints = association == vtkDataObject::FIELD_ASSOCIATION_POINTS;
  if (array == nullptr || (!onPoints && association != vtkDataObject::FIELD_ASSOCIATION_CELLS)) {
    vtkInformation* const chosen = filter->GetInputArrayInformation(index);
    const char* const name = chosen->Get(vtkDataObject::FIELD_NAME());
    const std::string arrays = arraysOf(data);
    if (name == nullptr || *name == 0) {
      throw InvalidArgument(std::format("no array was chosen for the {}; {}", what,
        arrays.empty() ? "there must be one" : "there must be one of " + arrays));
    }
    throw InvalidArgument(std::format("the input has no array '{}' of numbers on its points or cells for the {}{}",
      name, what, arrays.empty() ? "" : "; it has " + arrays));
  }
  checkLength(array, onPoints ? data->GetNumberOfPoints() : data->GetNumberOfCells(), onPoints ? "point" : "cell");
  return array;
}

} // namespace spanwise
