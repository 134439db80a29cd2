#include "SpanwiseOneGrid.h"

#include "SpanwiseBridge.h"

#include "Core/Runtime/Error.hpp"

#include <vtkAlgorithm.h>
#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataObject.h>
#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkInformationIntegerKey.h>
#include <vtkInformationVector.h>
#include <vtkPartitionedDataSetCollection.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace spanwise {

namespace {

/// The data sets of a composite one that have cells, by their numbers in it.
std::map<std::int64_t, vtkDataSet*> partsWithCells(vtkCompositeDataSet* composite) {
  std::map<std::int64_t, vtkDataSet*> parts;
  const auto at = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
  for (at->InitTraversal(); !at->IsDoneWithTraversal(); at->GoToNextItem()) {
    auto* const data = vtkDataSet::SafeDownCast(at->GetCurrentDataObject());
    if (numCellsOf(data) > 0) {
      parts.emplace(at->GetCurrentFlatIndex(), data);
    }
  }
  return parts;
}

vtkInformationIntegerKey* oneGridKey() {
  static vtkInformationIntegerKey* const key = vtkInformationIntegerKey::MakeKey("ONE_GRID", "Spanwise");
  return key;
}

} // namespace

void requireOneGrid(vtkInformation* port) {
  port->Set(oneGridKey(), 1);
  port->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  port->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPartitionedDataSetCollection");
  port->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkOverlappingAMR");
}

vtkDataSet* oneDataSet(const RankGroup& group, vtkDataObject* data) {
  auto* const composite = vtkCompositeDataSet::SafeDownCast(data);
  if (group.maximum(static_cast<std::int64_t>(composite != nullptr)) == 0) {
    return vtkDataSet::SafeDownCast(data);
  }
  const auto mine = composite != nullptr ? partsWithCells(composite) : std::map<std::int64_t, vtkDataSet*>();
  std::vector<std::int64_t> numbers;
  for (const auto& [number, part] : mine) {
    numbers.push_back(number);
  }
  const std::vector<std::int64_t> onRanks = group.gather(numbers);
  const std::set<std::int64_t> all(onRanks.begin(), onRanks.end());
  if (all.size() > 1) {
    throw InvalidArgument("the input is a collection, and " + std::to_string(all.size()) +
      " of its parts have cells; this filter takes one grid of cells of one size: "
      "Spanwise Resample Levels makes one of levels, Merge Blocks and then Spanwise Grid To Intervals one of blocks");
  }
  return mine.empty() ? nullptr : mine.begin()->second;
}

OneGridInputs::OneGridInputs(const RankGroup& group, vtkAlgorithm* algorithm, vtkInformationVector** inputs) {
  for (int port = 0; port < algorithm->GetNumberOfInputPorts(); ++port) {
    if (algorithm->GetInputPortInformation(port)->Has(oneGridKey()) == 0) {
      ports_.push_back(inputs[port]);
      continue;
    }
    const auto vector = vtkSmartPointer<vtkInformationVector>::New();
    for (int k = 0; k < inputs[port]->GetNumberOfInformationObjects(); ++k) {
      vtkInformation* const given = inputs[port]->GetInformationObject(k);
      vtkDataObject* const data = given->Get(vtkDataObject::DATA_OBJECT());
      vtkDataSet* const one = oneDataSet(group, data);
      if (one == data) {
        vector->Append(given);
        continue;
      }
      vtkNew<vtkInformation> replaced;
      replaced->Copy(given);
      replaced->Set(vtkDataObject::DATA_OBJECT(), one);
      vector->Append(replaced);
    }
    owned_.push_back(vector);
    ports_.push_back(vector);
  }
}

} // namespace spanwise
