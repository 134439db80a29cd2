#ifndef SpanwiseComponentValues_h
#define SpanwiseComponentValues_h

// The values of one component of an array, one after the other. Not wrapped and not installed.

#include "SpanwiseHostView.h"
#include "SpanwiseStoredParts.h"

#include <vtkAOSDataArrayTemplate.h>
#include <vtkDataArray.h>
#include <vtkSmartPointer.h>

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

} // namespace spanwise

#endif
