#include "SpanwiseChosenArray.h"

#include "Core/Runtime/Error.hpp"

#include <vtkAlgorithm.h>
#include <vtkDataArray.h>
#include <vtkDataObject.h>
#include <vtkInformation.h>

#include <format>
#include <string>

namespace spanwise {

vtkDataArray* chosenArray(vtkAlgorithm* filter, int index, const char* what, const ArrayFinder& find, bool& onPoints) {
  if (index >= filter->GetNumberOfInputArraySpecifications()) {
    throw InvalidArgument(std::format("no array was chosen for the {}; there must be one", what));
  }
  int association = vtkDataObject::FIELD_ASSOCIATION_NONE;
  vtkDataArray* const array = find(association);
  onPoints = association == vtkDataObject::FIELD_ASSOCIATION_POINTS;
  if (array == nullptr || (!onPoints && association != vtkDataObject::FIELD_ASSOCIATION_CELLS)) {
    const char* const name = filter->GetInputArrayInformation(index)->Get(vtkDataObject::FIELD_NAME());
    throw InvalidArgument(std::format("the input has no array{} of numbers on its points or cells for the {}",
      name != nullptr && *name != 0 ? " '" + std::string(name) + "'" : "", what));
  }
  return array;
}

} // namespace spanwise
