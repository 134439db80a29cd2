#include "SpanwiseCellArray.h"

#include "SpanwiseBridge.h"

#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataObject.h>
#include <vtkDataSet.h>
#include <vtkInformation.h>

namespace spanwise {

namespace {

vtkDataArray* chosenArray(vtkCellData* values, vtkInformation* wanted) {
  if (wanted->Get(vtkDataObject::FIELD_ASSOCIATION()) != vtkDataObject::FIELD_ASSOCIATION_CELLS) {
    return nullptr;
  }
  const char* const name = wanted->Get(vtkDataObject::FIELD_NAME());
  return name != nullptr ? values->GetArray(name)
                         : values->GetAttribute(wanted->Get(vtkDataObject::FIELD_ATTRIBUTE_TYPE()));
}

} // namespace

std::string nameOfCellArray(const RankGroup& group, vtkDataSet* input, vtkInformation* wanted) {
  std::string name;
  group.agree([&] {
    if (numCellsOf(input) == 0) {
      return;
    }
    vtkDataArray* const array = chosenArray(input->GetCellData(), wanted);
    if (array == nullptr) {
      const char* const wantedName = wanted->Get(vtkDataObject::FIELD_NAME());
      throw InvalidArgument("the input has no cell array of numbers" +
        (wantedName != nullptr && *wantedName != 0 ? " '" + std::string(wantedName) + "'"
                                                   : ", or none is active and none was chosen"));
    }
    if (array->GetName() == nullptr || *array->GetName() == 0) {
      throw InvalidArgument("the cell array that was chosen has no name; give it one");
    }
    name = array->GetName();
  });
  const std::string all = group.gather(name + '\n'); // no name has a line break that people can choose
  for (std::size_t begin = 0; begin < all.size() && name.empty();) {
    const std::size_t end = all.find('\n', begin);
    name = all.substr(begin, end - begin);
    begin = end + 1;
  }
  return name;
}

vtkDataArray* cellArray(vtkCellData* values, const std::string& name) {
  vtkDataArray* const array = values->GetArray(name.c_str());
  if (array == nullptr) {
    throw InvalidArgument("the cell array '" + name + "' is not the same on all ranks that have cells");
  }
  return array;
}

} // namespace spanwise
