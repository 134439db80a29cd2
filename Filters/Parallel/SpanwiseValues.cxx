#include "SpanwiseValues.h"

#include "SpanwiseAllocate.h"
#include "SpanwiseArrayList.h"
#include "SpanwiseMirroredArray.h"

#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <vtkAbstractArray.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkSmartPointer.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <format>
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>

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

using Host = HostExecutionSpace;
using Range = IndexRange<Host>;

/// Of so many bytes: a cache line is a small item.
Work workOf(std::size_t bytes) { return {static_cast<std::int64_t>(bytes / 64)}; }

/// Fills a piece of an array's values.
void fill(vtkDataArray* array, double value, std::int64_t first, std::int64_t count) {
  switch (array->GetDataType()) {
    vtkTemplateMacro(
      std::fill_n(static_cast<VTK_TT*>(array->GetVoidPointer(0)) + first, count, inTypeOf<VTK_TT>(value)));
  default:
    break;
  }
}

} // namespace

vtkSmartPointer<vtkAbstractArray> arrayLike(vtkAbstractArray* model, std::int64_t count) {
  auto result = vtkSmartPointer<vtkAbstractArray>::Take(vtkAbstractArray::CreateArray(model->GetDataType()));
  if (auto* const numbers = vtkDataArray::SafeDownCast(result)) {
    allocate(numbers, count, model->GetNumberOfComponents());
  } else {
    result->SetNumberOfComponents(model->GetNumberOfComponents());
    result->SetNumberOfTuples(count);
  }
  describeLike(model, result);
  return result;
}

void bringToHost(vtkDataSetAttributes* values) {
  ArrayList arrays;
  bool any = false;
  for (int k = 0; k < values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* const array = values->GetAbstractArray(k);
    const auto here = onHost(array);
    any = any || here != array;
    arrays.add(here, values->IsArrayAnAttribute(k));
  }
  if (any) {
    values->Initialize();
    arrays.giveTo(values);
  }
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
      slice->InsertTuples(0, count, first, onHost(from->GetAbstractArray(k)));
    }
    slices.add(slice, from->IsArrayAnAttribute(k));
  }
  slices.giveTo(to);
}

std::int64_t numCellsOf(const CellRun* runs, std::int64_t numRuns) {
  return std::transform_reduce(
    runs, runs + numRuns, std::int64_t{0}, std::plus<>(), [](const CellRun& run) { return run.count; });
}

void fillBesideRuns(vtkAbstractArray* array, double value, const CellRun* runs, std::int64_t numRuns) {
  auto* const numbers = vtkDataArray::SafeDownCast(array);
  if (numbers == nullptr) {
    return;
  }
  if (!areAlikeInMemory(numbers, numbers)) { // bits
    numbers->Fill(std::isnan(value) || value == 0.0 ? 0.0 : 1.0);
    return;
  }
  const std::int64_t numTuples = numbers->GetNumberOfTuples();
  const std::int64_t components = numbers->GetNumberOfComponents();
  constexpr std::int64_t tuplesPerBlock = 1 << 14;
  forEach(
    SPANWISE_KERNEL("fill beside"), Range(Host(), 0, (numTuples + tuplesPerBlock - 1) / tuplesPerBlock),
    [=](std::int64_t block) {
      const std::int64_t last = std::min((block + 1) * tuplesPerBlock, numTuples);
      const CellRun* run = std::lower_bound(runs, runs + numRuns, block * tuplesPerBlock,
        [](const CellRun& r, std::int64_t tuple) { return r.a + r.count <= tuple; });
      for (std::int64_t tuple = block * tuplesPerBlock; tuple < last;) {
        const std::int64_t end = run < runs + numRuns ? std::min(run->a, last) : last;
        if (tuple < end) {
          fill(numbers, value, tuple * components, (end - tuple) * components);
        }
        tuple = run < runs + numRuns ? std::max(end, run->a + run->count) : last;
        ++run;
      }
    },
    workOf(static_cast<std::size_t>(numTuples * components * numbers->GetDataTypeSize())));
}

void copyRuns(vtkAbstractArray* source, const CellRun* runs, std::int64_t numRuns, vtkAbstractArray* to) {
  const auto from = onHost(source);
  if (areAlikeInMemory(from, to)) {
    const auto size = static_cast<std::size_t>(from->GetNumberOfComponents()) * from->GetDataTypeSize();
    const auto* const in = static_cast<const char*>(from->GetVoidPointer(0));
    auto* const out = static_cast<char*>(to->GetVoidPointer(0));
    forEach(
      SPANWISE_KERNEL("copy runs"), Range(Host(), 0, numRuns),
      [=](std::int64_t k) { std::memcpy(out + runs[k].a * size, in + runs[k].b * size, runs[k].count * size); },
      workOf(numCellsOf(runs, numRuns) * size));
    return;
  }
  for (std::int64_t k = 0; k < numRuns; ++k) {
    to->InsertTuples(runs[k].a, runs[k].count, runs[k].b, from);
  }
}

} // namespace spanwise
