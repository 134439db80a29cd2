#include "SpanwiseArrayList.h"

#include <vtkAbstractArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>

namespace spanwise {

namespace {

// Field data whose arrays can be set by their numbers, from which others copy them.
class NumberedArrays : public vtkFieldData {
public:
  static NumberedArrays* New();
  vtkTypeMacro(NumberedArrays, vtkFieldData);

  void SetNumber(int count) {
    this->AllocateArrays(count);
    this->NumberOfActiveArrays = count;
  }
  using vtkFieldData::SetArray;
};
vtkStandardNewMacro(NumberedArrays);

} // namespace

void ArrayList::add(vtkAbstractArray* array, int attribute) { entries_.push_back({array, attribute}); }

void ArrayList::giveTo(vtkFieldData* data) const {
  vtkNew<NumberedArrays> arrays;
  arrays->SetNumber(static_cast<int>(entries_.size()));
  arrays->SetGhostsToSkip(data->GetGhostsToSkip()); // copied too
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    arrays->SetArray(static_cast<int>(k), entries_[k].array);
  }
  data->ShallowCopy(arrays);
}

void ArrayList::giveTo(vtkDataSetAttributes* data) const {
  giveTo(static_cast<vtkFieldData*>(data));
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    if (entries_[k].attribute >= 0) {
      data->SetActiveAttribute(static_cast<int>(k), entries_[k].attribute);
    }
  }
}

ArraysByName::ArraysByName(vtkFieldData* data) {
  for (int k = 0; k < data->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* array = data->GetAbstractArray(k);
    if (const char* name = array->GetName(); name != nullptr && *name != 0) {
      arrays_.emplace(name, array);
    }
  }
}

vtkAbstractArray* ArraysByName::find(const char* name) const {
  const auto found = name != nullptr ? arrays_.find(name) : arrays_.end();
  return found != arrays_.end() ? found->second : nullptr;
}

void describeLike(vtkAbstractArray* model, vtkAbstractArray* array) {
  array->SetName(model->GetName());
  array->CopyComponentNames(model);
  if (model->HasInformation()) {
    array->CopyInformation(model->GetInformation());
  }
}

} // namespace spanwise
