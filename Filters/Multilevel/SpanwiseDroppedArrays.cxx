#include "SpanwiseDroppedArrays.h"

#include <vtkAlgorithm.h>
#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataObject.h>
#include <vtkDataSetAttributes.h>
#include <vtkSetGet.h>
#include <vtkSmartPointer.h>

#include <cstring>
#include <set>
#include <sstream>
#include <string>

namespace spanwise {

namespace {

void addPointArrays(vtkDataObject* data, std::set<std::string>& names) {
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(data)) {
    const auto at = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (at->InitTraversal(); !at->IsDoneWithTraversal(); at->GoToNextItem()) {
      addPointArrays(at->GetCurrentDataObject(), names);
    }
    return;
  }
  vtkDataSetAttributes* const points = data != nullptr ? data->GetAttributes(vtkDataObject::POINT) : nullptr;
  for (int k = 0; points != nullptr && k < points->GetNumberOfArrays(); ++k) {
    const char* const name = points->GetAbstractArray(k)->GetName();
    if (name != nullptr && std::strcmp(name, vtkDataSetAttributes::GhostArrayName()) != 0) {
      names.insert(name);
    }
  }
}

} // namespace

void warnOfPointArrays(vtkAlgorithm* algorithm, const RankGroup& group, vtkDataObject* data) {
  std::set<std::string> names;
  addPointArrays(data, names);
  std::string lines;
  for (const std::string& name : names) {
    lines += name + '\n'; // no name has a line break that people can choose
  }
  names.clear();
  std::istringstream all(group.gather(lines));
  for (std::string name; std::getline(all, name);) {
    names.insert(name);
  }
  if (names.empty() || group.rank() != 0) {
    return;
  }
  std::string listed;
  for (const std::string& name : names) {
    listed += (listed.empty() ? "'" : ", '") + name + "'";
  }
  vtkWarningWithObjectMacro(algorithm,
    << "the point arrays " << listed
    << " are not in the result, whose cells have other points; Point Data to Cell Data makes cell arrays of them");
}

} // namespace spanwise
