#ifndef SpanwiseComponentValues_h
#define SpanwiseComponentValues_h

// The values of one component of an array, one after the other. Not wrapped and not installed.

#include "SpanwiseHostView.h"
#include "SpanwiseMirroredArray.h"
#include "SpanwiseSide.h"
#include "SpanwiseStoredParts.h"

#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/Label.hpp"

#include <vtkAOSDataArrayTemplate.h>
#include <vtkDataArray.h>
#include <vtkSmartPointer.h>

#include <memory>
#include <type_traits>

namespace spanwise {

/// Whether `component` stands for the magnitude, the Euclidean length of all components: their number does.
inline bool isMagnitude(vtkDataArray* array, int component) { return component == array->GetNumberOfComponents(); }

/// Throws InvalidArgument unless `component` is one of the array's or stands for the magnitude.
void checkComponent(vtkDataArray* array, int component);

/// The type of a component's values: that of the array's, unsigned char for bits, double for the magnitude.
int typeOfComponent(vtkDataArray* array, int component);

/// One component as an array of its own.
vtkSmartPointer<vtkDataArray> separated(vtkDataArray* array, int component);

/// Each component where it lies, if its values lie one after the other; otherwise null. T is the array's type.
template <class T>
T* inPlace(vtkDataArray* array, int component) {
  if (auto* parts = storedInParts<T>(array)) {
    return parts->GetComponentArrayPointer(component);
  }
  auto* usual = vtkAOSDataArrayTemplate<T>::FastDownCast(array);
  return usual != nullptr && array->GetNumberOfComponents() == 1 ? usual->GetPointer(0) : nullptr;
}

/// The values of a component, where they lie or in `copy`. T is typeOfComponent().
template <class T>
HostValues<T> componentValues(vtkDataArray* array, int component, vtkSmartPointer<vtkDataArray>& copy) {
  const T* values = isMagnitude(array, component) ? nullptr : inPlace<T>(array, component);
  if (values == nullptr) {
    copy = separated(array, component);
    values = static_cast<const T*>(copy->GetVoidPointer(0));
  }
  return hostValues(values, array->GetNumberOfTuples());
}

/// The values of a component on a side: where they lie, or a copy that this keeps.
template <class T, ComputeSide side>
class ComponentOn {
public:
  using ExecutionSpace = SpaceOf<side>;
  using Values = Kokkos::View<const T*, typename ExecutionSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// T is typeOfComponent(). Throws if there is no memory.
  ComponentOn(const ExecutionSpace& space, vtkDataArray* array, int component) {
    if constexpr (side == ComputeSide::Device) {
      if (!isMagnitude(array, component) && isReadyThere(array) &&
        withMirroredType(array->GetDataType(), [&]<class U>() { this->template share<U>(array, component); })) {
        return;
      }
    }
    array_ = vtkDataArray::SafeDownCast(onHost(array));
    const HostValues<T> values = componentValues<T>(array_, component, copy_);
    if constexpr (side == ComputeSide::Device) {
      uploaded_ = Kokkos::View<T*, typename ExecutionSpace::memory_space>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, space, SPANWISE_LABEL("Geometry::component")),
        values.extent(0));
      copyFromHost(space, values.data(), static_cast<std::int64_t>(values.extent(0)), uploaded_.data());
      values_ = uploaded_;
    } else {
      values_ = values;
    }
  }

  [[nodiscard]] const Values& values() const { return values_; }

private:
  template <class U>
  void share(vtkDataArray* array, int component) {
    if constexpr (std::is_same_v<T, U>) {
      const typename MirroredValues<U>::Field field = deviceField<U>(array);
      owner_ = std::make_shared<typename MirroredValues<U>::Field>(field);
      values_ = Values(reinterpret_cast<const T*>(field.view().address(0, component)), field.numCells());
    }
  }

  Values values_;
  Kokkos::View<T*, typename ExecutionSpace::memory_space> uploaded_;
  std::shared_ptr<const void> owner_;
  vtkSmartPointer<vtkDataArray> array_;
  vtkSmartPointer<vtkDataArray> copy_;
};

} // namespace spanwise

#endif
