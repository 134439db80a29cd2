#include "SpanwiseValues.h"

#include "SpanwiseArrayList.h"

#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkAbstractArray.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkSmartPointer.h>

#include <cstring>
#include <format>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

/// Whether tuples of both are the same bytes, one after the other.
bool areAlikeInMemory(vtkAbstractArray* a, vtkAbstractArray* b) {
  return vtkDataArray::SafeDownCast(a) != nullptr && vtkDataArray::SafeDownCast(b) != nullptr &&
    a->GetDataType() == b->GetDataType() && a->GetDataType() != VTK_BIT &&
    a->GetNumberOfComponents() == b->GetNumberOfComponents() && a->HasStandardMemoryLayout() &&
    b->HasStandardMemoryLayout();
}

} // namespace

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

void checkLength(vtkAbstractArray* array, std::int64_t count, const char* what) {
  if (array->GetNumberOfTuples() != count) {
    throw InvalidArgument(std::format("the array '{}' has {} for {}; there must be one a {}",
      array->GetName() != nullptr ? array->GetName() : "", countText(array->GetNumberOfTuples(), "value"),
      countText(count, what), what));
  }
}

void sliceValues(vtkDataSetAttributes* from, std::int64_t first, std::int64_t count, vtkDataSetAttributes* to) {
  ArrayList slices;
  for (int k = 0; k < from->GetNumberOfArrays(); ++k) {
    const auto slice = arrayLike(from->GetAbstractArray(k), count);
    if (count > 0) {
      slice->InsertTuples(0, count, first, from->GetAbstractArray(k));
    }
    slices.add(slice, from->IsArrayAnAttribute(k));
  }
  slices.giveTo(to);
}

void copyRuns(vtkAbstractArray* from, const CellRun* runs, std::int64_t numRuns, vtkAbstractArray* to) {
  if (areAlikeInMemory(from, to)) {
    const auto size = static_cast<std::size_t>(from->GetNumberOfComponents()) * from->GetDataTypeSize();
    const auto* const in = static_cast<const char*>(from->GetVoidPointer(0));
    auto* const out = static_cast<char*>(to->GetVoidPointer(0));
    for (std::int64_t k = 0; k < numRuns; ++k) {
      std::memcpy(out + runs[k].a * size, in + runs[k].b * size, runs[k].count * size);
    }
    return;
  }
  for (std::int64_t k = 0; k < numRuns; ++k) {
    to->InsertTuples(runs[k].a, runs[k].count, runs[k].b, from);
  }
}

} // namespace spanwise
