#define SPANWISE_INSTANTIATING_MIRRORED_ARRAYS
#include "SpanwiseMirroredArray.h"

#include "SpanwiseAllocate.h"
#include "SpanwiseArrayList.h"
#include "SpanwiseIntervalValues.h"
#include "SpanwiseMirroredSet.h"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Copy.hpp"
#include "Core/Field/Reductions.hpp"
#include "Core/Field/SpreadIntervals.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/HostCopy.hpp"

#include <vtkObjectFactory.h>
#include <vtkTypeTraits.h>

#include <limits>
#include <type_traits>

using namespace spanwise::field;

namespace spanwise {

namespace {

using Device = SpaceOf<ComputeSide::Device>;

template <class T>
FieldView<FieldTypeOf<T>> viewOf(vtkAOSDataArrayTemplate<T>* array) {
  FieldView<FieldTypeOf<T>> view;
  view.values = reinterpret_cast<FieldTypeOf<T>*>(array->GetPointer(0));
  view.componentStride = 1;
  view.cellStride = array->GetNumberOfComponents();
  view.numCells = array->GetNumberOfTuples();
  view.numComponents = array->GetNumberOfComponents();
  return view;
}

/// As MirroredValues::ranges().
template <class Space, class T>
bool rangesOn(const Field<T, typename Space::memory_space>& field, double* ranges) {
  bool any = false;
  for (int c = 0; c < field.numComponents(); ++c) {
    const auto found = extrema<Space, T>(Context<Space>(), field, c);
    const bool has = found.cellOfMin >= 0;
    ranges[2 * c] = has ? static_cast<double>(found.min) : std::numeric_limits<double>::max();
    ranges[2 * c + 1] = has ? static_cast<double>(found.max) : std::numeric_limits<double>::lowest();
    any = any || has;
  }
  return any;
}

/// The values of an array that has one for each interval, spread over the cells on the device.
template <int Dim>
bool spreadThere(vtkDataArray* array, MirroredValues<vtkIdType>::Field& out) {
  const IntervalValues<Dim>* const values = intervalValues<Dim>(array);
  if (values == nullptr) {
    return false;
  }
  const Context<Device> context;
  spreadIntervals<Device, Dim>(context, values->grid()->mirrored().template on<ComputeSide::Device>(),
    values->ofIntervals().template on<ComputeSide::Device>(), out);
  context.space().fence(SPANWISE_LABEL("DataModel::of intervals"));
  return true;
}

} // namespace

template <class T>
vtkSmartPointer<vtkAOSDataArrayTemplate<T>> MirroredValues<T>::hostCopy() const {
  const auto made = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(vtkTypeTraits<T>::VTK_TYPE_ID));
  const vtkSmartPointer<HostArray> array = HostArray::FastDownCast(made);
  allocate(array, device_.numCells(), device_.numComponents());
  if (device_.numCells() == 0) {
    return array;
  }
  if (device_.numComponents() == 1) {
    const FieldView<const FieldTypeOf<T>> values = device_.view();
    copyToHost(Device(), values.values, values.numCells, viewOf<T>(array).values);
    return array;
  }
  Device().fence(SPANWISE_LABEL("DataModel::host copy"));
  HostField<FieldTypeOf<T>> columns;
  copy(device_, columns);
  HostField<FieldTypeOf<T>> target("values", viewOf<T>(array), /*owner=*/nullptr);
  copyValues<HostExecutionSpace, FieldTypeOf<T>>(Context<HostExecutionSpace>(), columns, target);
  HostExecutionSpace().fence(SPANWISE_LABEL("DataModel::host copy"));
  return array;
}

template <class T>
std::size_t MirroredValues<T>::bytesOfHost() const {
  const vtkSmartPointer<HostArray>* const made = host_.ifMade();
  return made == nullptr ? 0 : std::size_t{1024} * (*made)->GetActualMemorySize();
}

template <class T>
bool MirroredValues<T>::ranges(double* ranges) const {
  const auto there = [&] { return rangesOn<Device>(device_, ranges); };
  return orOnHost(there, [&] {
    return rangesOn<HostExecutionSpace>(HostField<FieldTypeOf<T>>("values", viewOf<T>(host()), nullptr), ranges);
  });
}

template <class T>
MirroredArray<T>* MirroredArray<T>::New() {
  VTK_STANDARD_NEW_BODY(MirroredArray<T>);
}

template <class T>
void* MirroredArray<T>::GetVoidPointer(vtkIdType index) {
  return this->Backend->values().host()->GetVoidPointer(index);
}

template <class T>
vtkDataArray::MemorySpace MirroredArray<T>::GetMemorySpace() {
  if (GetDeviceVoidPointer(0) == nullptr) {
    return vtkDataArray::HostMemory;
  }
#ifdef KOKKOS_ENABLE_HIP
  return vtkDataArray::HipDeviceMemory;
#else
  return vtkDataArray::CudaDeviceMemory;
#endif
}

template <class T>
void* MirroredArray<T>::GetDeviceVoidPointer(vtkIdType index) {
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
  if (this->Backend && this->GetNumberOfComponents() == 1 && this->GetNumberOfTuples() > 0) {
    return const_cast<FieldTypeOf<T>*>(this->Backend->values().device().view().values + index); // VTK has it so
  }
#else
  static_cast<void>(index);
#endif
  return nullptr;
}

template <class T>
typename MirroredValues<T>::Field deviceField(vtkDataArray* array) {
  if (const MirroredValues<T>* const there = mirroredValues<T>(array)) {
    return there->device();
  }
  typename MirroredValues<T>::Field result;
  if constexpr (std::is_same_v<T, vtkIdType>) {
    if (spreadThere<2>(array, result) || spreadThere<3>(array, result)) {
      return result;
    }
  }
  vtkSmartPointer<vtkAOSDataArrayTemplate<T>> tuples = vtkAOSDataArrayTemplate<T>::FastDownCast(array);
  if (tuples == nullptr) {
    tuples = vtkSmartPointer<vtkAOSDataArrayTemplate<T>>::New();
    tuples->DeepCopy(array);
  }
  const HostField<FieldTypeOf<T>> values(
    array->GetName() != nullptr ? array->GetName() : "", viewOf<T>(tuples), /*owner=*/nullptr);
  copy(values, result);
  return result;
}

void bringToDevice(vtkFieldData* arrays, const char* name) {
  vtkDataArray* const array = arrays->GetArray(name);
  if (array == nullptr || isReadyThere(array) || array->GetNumberOfComponents() > maxComponents) {
    return;
  }
  withMirroredType(array->GetDataType(), [&]<class T>() {
    vtkSmartPointer<vtkAOSDataArrayTemplate<T>> here = vtkAOSDataArrayTemplate<T>::FastDownCast(array);
    if (here != nullptr) {
      const auto both = mirroredArray<T>(std::make_shared<const MirroredValues<T>>(deviceField<T>(array), here));
      describeLike(array, both);
      arrays->AddArray(both); // in the other's place
    }
  });
}

void bringToDevice(vtkFieldData* arrays) {
  for (int k = 0; k < arrays->GetNumberOfArrays(); ++k) {
    if (const char* const name = arrays->GetAbstractArray(k)->GetName()) {
      bringToDevice(arrays, name);
    }
  }
}

bool isReadyThere(vtkAbstractArray* array) {
  return isOnDevice(array) || intervalValues<2>(array) != nullptr || intervalValues<3>(array) != nullptr;
}

bool isOnDevice(vtkAbstractArray* array) {
  bool found = false;
  withMirroredType(array->GetDataType(), [&]<class T>() { found = mirroredValues<T>(array) != nullptr; });
  return found;
}

vtkSmartPointer<vtkAbstractArray> onHost(vtkAbstractArray* array) {
  vtkSmartPointer<vtkAbstractArray> result = array;
  if (const auto* const flat = intervalValues<2>(array)) {
    flat->makeReadable();
  } else if (const auto* const solid = intervalValues<3>(array)) {
    solid->makeReadable();
  }
  withMirroredType(array->GetDataType(), [&]<class T>() {
    const MirroredValues<T>* const values = mirroredValues<T>(array);
    if (values == nullptr) {
      return;
    }
    auto copy = vtkSmartPointer<vtkDataArray>::Take(values->host()->NewInstance());
    copy->ShallowCopy(values->host()); // the values are shared
    describeLike(array, copy);
    result = copy;
  });
  return result;
}

} // namespace spanwise

#define SPANWISE_MIRRORED_ARRAY(T)                                                                                     \
  template class spanwise::MirroredValues<T>;                                                                          \
  template class SPANWISEDATAMODEL_EXPORT spanwise::MirroredArray<T>;                                                  \
  template spanwise::MirroredValues<T>::Field spanwise::deviceField<T>(vtkDataArray*);
SPANWISE_FOR_EACH_MIRRORED_TYPE(SPANWISE_MIRRORED_ARRAY)
