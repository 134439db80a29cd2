#include "SpanwiseArrayList.h"
#include "SpanwiseBridge.h"
#include "SpanwiseMirroredArray.h"

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <vtkArrayDispatch.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataArrayRange.h>
#include <vtkDataSetAttributes.h>
#include <vtkSmartPointer.h>

#include <cstring>

namespace spanwise {

namespace {

// out[k] = in[sources[k]], as whole tuples.
struct GatherTuples {
  template <class InArray, class OutArray>
  void operator()(InArray* in, OutArray* out, const std::vector<std::int64_t>& sources) const {
    const auto from = vtk::DataArrayTupleRange(in);
    auto to = vtk::DataArrayTupleRange(out);
    const IndexRange<HostExecutionSpace> range(HostExecutionSpace(), 0, static_cast<std::int64_t>(sources.size()));
    forEach(SPANWISE_KERNEL("gather tuples"), range,
      [&](std::int64_t k) { to[k] = from[sources[static_cast<std::size_t>(k)]]; });
  }
};

vtkSmartPointer<vtkAbstractArray> gathered(vtkAbstractArray* in, const std::vector<std::int64_t>& sources) {
  auto out = vtkSmartPointer<vtkAbstractArray>::Take(in->NewInstance());
  out->SetNumberOfComponents(in->GetNumberOfComponents());
  out->SetNumberOfTuples(static_cast<vtkIdType>(sources.size()));
  describeLike(in, out);
  auto* inData = vtkDataArray::SafeDownCast(in);
  auto* outData = vtkDataArray::SafeDownCast(out);
  if (inData == nullptr ||
    !vtkArrayDispatch::Dispatch2SameValueType::Execute(inData, outData, GatherTuples{}, sources)) {
    for (std::size_t k = 0; k < sources.size(); ++k) { // strings, bits
      out->SetTuple(static_cast<vtkIdType>(k), sources[k], in);
    }
  }
  return out;
}

} // namespace

template <int Dim>
void passCellData(const Intervals<Dim>& intervals, vtkCellData* from, vtkCellData* to) {
  SPANWISE_REGION("DataModel::passCellData");
  ArrayList arrays;
  for (int k = 0; k < from->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* in = from->GetAbstractArray(k);
    if (in->GetName() != nullptr && std::strcmp(in->GetName(), vtkDataSetAttributes::GhostArrayName()) == 0) {
      continue;
    }
    vtkSmartPointer<vtkAbstractArray> out = in;
    if (!intervals.sameCells) {
      out = gathered(onHost(in), intervals.sourceCells);
    }
    arrays.add(out, from->IsArrayAnAttribute(k));
  }
  arrays.giveTo(to);
}

template void passCellData(const Intervals<2>&, vtkCellData*, vtkCellData*);
template void passCellData(const Intervals<3>&, vtkCellData*, vtkCellData*);

} // namespace spanwise
