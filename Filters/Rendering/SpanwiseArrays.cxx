#include "SpanwiseArrays.h"

#include "SpanwiseArrayList.h"
#include "SpanwiseIntervalValues.h"
#include "SpanwiseMirroredArray.h"

#include "Core/Runtime/FieldView.hpp"
#include "Core/Runtime/ForEach.hpp"
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

vtkSmartPointer<vtkAbstractArray> gatheredHere(vtkAbstractArray* array, const vtkIdType* ids, vtkIdType count) {
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

// out(k, c) = in(ids[k], c)
template <class T>
struct GatherTuple {
  FieldView<const T> in;
  const vtkIdType* ids;
  FieldView<T> out;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    for (int c = 0; c < in.numComponents; ++c) {
      out(k, c) = in(ids[k], c);
    }
  }
};

using Device = SpaceOf<ComputeSide::Device>;
using DeviceContext = SideContext<ComputeSide::Device>;
using DeviceIds = IdsOnSide<ComputeSide::Device>;

template <class T>
vtkSmartPointer<vtkAbstractArray> gatheredThere(
  const DeviceContext& context, vtkDataArray* array, const DeviceIds& ids) {
  using Value = FieldTypeOf<T>;
  const typename MirroredValues<T>::Field in = deviceField<T>(array);
  typename MirroredValues<T>::Field out(
    array->GetName() != nullptr ? array->GetName() : "", ids.count(), in.numComponents());
  forEach(SPANWISE_KERNEL("gather"), IndexRange<Device>(context.space(), 0, ids.count()),
    GatherTuple<Value>{in.view(), ids.data(), out.view()});
  const vtkSmartPointer<MirroredArray<T>> result = mirroredArray<T>(out);
  describeLike(array, result);
  result->SetLookupTable(array->GetLookupTable());
  return result;
}

// values[k] = that of the interval of cell ids[k]
template <int Dim>
struct FindValue {
  geometry::IntervalSetView<Dim> set;
  const std::int64_t* ofIntervals;
  const vtkIdType* ids;
  vtkIdType* values;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    values[k] = static_cast<vtkIdType>(ofIntervals[set.intervalOfCell(ids[k])]);
  }
};

// Of an array with a value for each interval, whose set lies on the device; null if it is none.
template <int Dim>
vtkSmartPointer<vtkAbstractArray> gatheredOfIntervals(
  const DeviceContext& context, vtkAbstractArray* array, const DeviceIds& ids) {
  const IntervalValues<Dim>* const values = intervalValues<Dim>(array);
  if (values == nullptr || !values->grid()->mirrored().isOnDevice()) {
    return nullptr;
  }
  const auto made = vtk::TakeSmartPointer(vtkDataArray::CreateDataArray(array->GetDataType()));
  const vtkSmartPointer<vtkAOSDataArrayTemplate<vtkIdType>> out =
    vtkAOSDataArrayTemplate<vtkIdType>::FastDownCast(made);
  describeLike(array, out);
  out->SetNumberOfValues(ids.count());
  const auto& set = values->grid()->mirrored().template on<ComputeSide::Device>();
  const std::int64_t* const ofIntervals = values->ofIntervals().template on<ComputeSide::Device>().data();
  fillOnSide(context, ids.count(), out->GetPointer(0), [&](vtkIdType* found) {
    forEach(SPANWISE_KERNEL("find values"), IndexRange<Device>(context.space(), 0, ids.count()),
      FindValue<Dim>{set.view(), ofIntervals, ids.data(), found});
  });
  return out;
}

} // namespace

template <ComputeSide side>
vtkSmartPointer<vtkAbstractArray> gathered(
  const SideContext<side>& context, vtkAbstractArray* array, IdsOnSide<side>& ids) {
  if constexpr (side == ComputeSide::Device) {
    vtkSmartPointer<vtkAbstractArray> result = gatheredOfIntervals<2>(context, array, ids);
    if (result == nullptr) {
      result = gatheredOfIntervals<3>(context, array, ids);
    }
    if (result == nullptr && isOnDevice(array)) {
      withMirroredType(array->GetDataType(),
        [&]<class T>() { result = gatheredThere<T>(context, vtkDataArray::SafeDownCast(array), ids); });
    }
    if (result != nullptr) {
      return result;
    }
  }
  return gatheredHere(array, ids.onHost()->GetPointer(0), ids.count());
}

bool ArrayChoice::contains(const char* array) const {
  return !none && (name == nullptr || (array != nullptr && std::strcmp(name, array) == 0));
}

void shareArrays(vtkDataSetAttributes* from, const ArrayChoice& choice, vtkDataSetAttributes* to) {
  addArrays(from, choice, to, [](vtkAbstractArray* array) { return onHost(array); });
}

template <ComputeSide side>
void gatherArrays(const SideContext<side>& context, vtkDataSetAttributes* from, const ArrayChoice& choice,
  IdsOnSide<side>& ids, vtkDataSetAttributes* to) {
  addArrays(from, choice, to, [&](vtkAbstractArray* array) { return onHost(gathered(context, array, ids)); });
}

#define SPANWISE_ARRAYS(side)                                                                                          \
  template vtkSmartPointer<vtkAbstractArray> gathered<side>(                                                           \
    const SideContext<side>&, vtkAbstractArray*, IdsOnSide<side>&);                                                    \
  template void gatherArrays<side>(                                                                                    \
    const SideContext<side>&, vtkDataSetAttributes*, const ArrayChoice&, IdsOnSide<side>&, vtkDataSetAttributes*);
SPANWISE_ARRAYS(ComputeSide::Host)
SPANWISE_ARRAYS(ComputeSide::Device)

} // namespace spanwise
