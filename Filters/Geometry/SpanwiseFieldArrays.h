#ifndef SpanwiseFieldArrays_h
#define SpanwiseFieldArrays_h

// VTK's arrays as fields, and back. Not wrapped and not installed.

#include "Core/Field/Field.hpp"

#include "SpanwiseComponentValues.h"

#include <vtkArrayDispatch.h>
#include <vtkDataArrayRange.h>
#include <vtkTypeTraits.h>

#include <memory>
#include <string>

namespace spanwise {

namespace detail {

template <class T>
struct CopyComponents {
  template <class Array>
  void operator()(Array* array, const FieldView<T>& to) const {
    const auto tuples = vtk::DataArrayTupleRange(array);
    for (std::int64_t t = 0; t < to.numCells; ++t) {
      for (int c = 0; c < to.numComponents; ++c) {
        to(t, c) = static_cast<T>(tuples[t][c]);
      }
    }
  }
};

} // namespace detail

/// The first `numComponents` components of an array as a field: shared with the array, which then lives as long as the
/// field does, where the array has this type and keeps each component in one piece; otherwise a copy. Who writes the
/// field must know which.
template <FieldValue T>
HostField<T> fieldOf(vtkDataArray* array, int numComponents) {
  FieldView<T> shared;
  shared.numCells = array->GetNumberOfTuples();
  shared.numComponents = numComponents;
  bool inOnePiece = true;
  for (int c = 0; c < numComponents; ++c) {
    shared.component[c] = inPlace<T>(array, c);
    inOnePiece = inOnePiece && shared.component[c] != nullptr;
  }
  if (inOnePiece) {
    return {array->GetName(), shared, std::make_shared<vtkSmartPointer<vtkDataArray>>(array)};
  }
  HostField<T> copy(array->GetName(), array->GetNumberOfTuples(), numComponents);
  if (!vtkArrayDispatch::Dispatch::Execute(array, detail::CopyComponents<T>(), copy.view())) {
    detail::CopyComponents<T>()(array, copy.view());
  }
  return copy;
}

/// An array of VTK's usual kind with the values of a field, and zeros in the components that the field does not have.
template <FieldValue T>
vtkSmartPointer<vtkDataArray> arrayOf(const HostField<T>& field, const std::string& name, int numComponents) {
  const auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(vtkTypeTraits<T>::VTK_TYPE_ID));
  array->SetName(name.c_str());
  array->SetNumberOfComponents(numComponents);
  array->SetNumberOfTuples(field.numCells());
  const FieldView<const T> values = field.view();
  T* const to = static_cast<T*>(array->GetVoidPointer(0));
  for (std::int64_t k = 0; k < values.numCells; ++k) {
    for (int c = 0; c < numComponents; ++c) {
      to[k * numComponents + c] = c < values.numComponents ? values(k, c) : T{};
    }
  }
  return array;
}

} // namespace spanwise

#endif
