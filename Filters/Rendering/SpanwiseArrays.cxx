#include "SpanwiseArrays.h"

#include "SpanwiseMirroredArray.h"

#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/Label.hpp"

#include <vtkArrayDispatch.h>
#include <vtkDataArray.h>
#include <vtkDataArrayRange.h>

#include <algorithm>

namespace spanwise {

namespace {

constexpr std::int64_t chunk = 1 << 14;

// out[k] = in[ids[k]], tuple by tuple.
struct GatherWorker {
  const vtkIdType* ids;
  vtkIdType count;
  vtkDataArray* out;

  template <class Array>
  void operator()(Array* in) const {
    using Value = vtk::GetAPIType<Array>;
    auto* const target = vtkAOSDataArrayTemplate<Value>::FastDownCast(out);
    if (target == nullptr) {
      generic(in);
      return;
    }
    const int components = in->GetNumberOfComponents();
    Value* const values = target->GetPointer(0);
    forEachUneven(
      HostExecutionSpace(), SPANWISE_LABEL("Rendering::gather"), (count + chunk - 1) / chunk, [&](std::int64_t part) {
        const auto tuples = vtk::DataArrayTupleRange(in);
        const vtkIdType end = std::min<vtkIdType>(count, (part + 1) * chunk);
        for (vtkIdType k = part * chunk; k < end; ++k) {
          const auto tuple = tuples[ids[k]];
          for (int c = 0; c < components; ++c) {
            values[k * components + c] = tuple[c];
          }
        }
      });
  }

  void generic(vtkDataArray* in) const {
    for (vtkIdType k = 0; k < count; ++k) {
      out->SetTuple(k, ids[k], in);
    }
  }
};

} // namespace

vtkSmartPointer<vtkAbstractArray> gathered(vtkAbstractArray* array, const vtkIdType* ids, vtkIdType count) {
  const auto in = onHost(array);
  auto out = vtk::TakeSmartPointer(vtkAbstractArray::CreateArray(in->GetDataType()));
  out->SetName(in->GetName());
  out->SetNumberOfComponents(in->GetNumberOfComponents());
  out->CopyComponentNames(in);
  out->SetNumberOfTuples(count);
  auto* const values = vtkDataArray::SafeDownCast(in);
  auto* const outValues = vtkDataArray::SafeDownCast(out);
  if (values != nullptr && outValues != nullptr) {
    const GatherWorker worker{ids, count, outValues};
    if (!vtkArrayDispatch::Dispatch::Execute(values, worker)) {
      worker.generic(values);
    }
    outValues->SetLookupTable(values->GetLookupTable());
  } else {
    for (vtkIdType k = 0; k < count; ++k) {
      out->SetTuple(k, ids[k], in);
    }
  }
  return out;
}

bool ArrayChoice::contains(const char* array) const {
  return !none && (name == nullptr || (array != nullptr && std::strcmp(name, array) == 0));
}

void shareArrays(vtkDataSetAttributes* from, const ArrayChoice& choice, vtkDataSetAttributes* to) {
  addArrays(from, choice, to, [](vtkAbstractArray* array) { return array; });
}

void gatherArrays(vtkDataSetAttributes* from, const ArrayChoice& choice, const vtkIdType* ids, vtkIdType count,
  vtkDataSetAttributes* to) {
  addArrays(from, choice, to, [&](vtkAbstractArray* array) { return gathered(array, ids, count); });
}

} // namespace spanwise
