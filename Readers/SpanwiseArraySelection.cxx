#include "SpanwiseArraySelection.h"

#include <vtkDataArraySelection.h>
#include <vtkNew.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>

namespace spanwise {

namespace {

std::unordered_set<std::string> disabledNames(vtkDataArraySelection* selection) {
  std::unordered_set<std::string> names;
  for (int k = 0; k < selection->GetNumberOfArrays(); ++k) {
    if (selection->GetArraySetting(k) == 0) {
      names.insert(selection->GetArrayName(k));
    }
  }
  return names;
}

} // namespace

void listArrays(const std::vector<IcsrArray>& arrays, vtkDataArraySelection* selection) {
  std::vector<const char*> names;
  names.reserve(arrays.size());
  for (const IcsrArray& array : arrays) {
    names.push_back(array.name.c_str());
  }
  vtkNew<vtkDataArraySelection> listed; // which knows no name yet, so that VTK has none to look through
  listed->SetUnknownArraySetting(selection->GetUnknownArraySetting());
  listed->SetArrays(names.data(), static_cast<int>(names.size()));
  const std::unordered_set<std::string> disabled = disabledNames(selection);
  for (const char* name : names) {
    if (disabled.contains(name)) {
      listed->DisableArray(name);
    }
  }
  selection->DeepCopy(listed); // which changes nothing where both are equal
}

std::vector<IcsrArray> chosenArrays(const std::vector<IcsrArray>& arrays, vtkDataArraySelection* selection) {
  const std::unordered_set<std::string> disabled = disabledNames(selection);
  std::vector<IcsrArray> result;
  std::copy_if(arrays.begin(), arrays.end(), std::back_inserter(result),
    [&](const IcsrArray& array) { return !disabled.contains(array.name); });
  return result;
}

} // namespace spanwise
