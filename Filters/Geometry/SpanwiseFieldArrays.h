#ifndef SpanwiseFieldArrays_h
#define SpanwiseFieldArrays_h

// VTK's arrays as fields, and back. Not wrapped and not installed.

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Convert.hpp"
#include "Core/Field/Copy.hpp"
#include "Core/Field/Field.hpp"
#include "Core/Field/ForCells.hpp"

#include "SpanwiseAllocate.h"
#include "SpanwiseComponentValues.h"
#include "SpanwiseMirroredArray.h"
#include "SpanwiseSide.h"

#include <vtkAOSDataArrayTemplate.h>
#include <vtkArrayDispatch.h>
#include <vtkDataArrayRange.h>
#include <vtkTypeTraits.h>

#include <memory>
#include <string>
#include <type_traits>

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

namespace detail {

/// The first `numComponents` components where they lie, if they are tuples of this type or one array; otherwise a view
/// of nothing. Arrays of several components that have a buffer each are at no equal distances.
template <class T>
FieldView<T> sharedView(vtkDataArray* array, int numComponents) {
  FieldView<T> view;
  view.numCells = array->GetNumberOfTuples();
  view.numComponents = numComponents;
  if (auto* tuples = vtkAOSDataArrayTemplate<T>::FastDownCast(array)) {
    view.values = tuples->GetPointer(0);
    view.componentStride = 1;
    view.cellStride = array->GetNumberOfComponents();
  } else if (numComponents == 1) {
    view.values = inPlace<T>(array, 0);
  }
  return view;
}

} // namespace detail

/// The first `numComponents` components of an array as a field: shared with the array, which then lives as long as the
/// field does, where the array has this type and is VTK's usual kind or the field has one component in one piece;
/// otherwise a copy. Who writes the field must know which.
template <field::FieldValue T>
field::HostField<T> fieldOf(vtkDataArray* array, int numComponents) {
  const FieldView<T> shared = detail::sharedView<T>(array, numComponents);
  if (shared.values != nullptr || shared.numCells == 0) {
    return {array->GetName(), shared, std::make_shared<vtkSmartPointer<vtkDataArray>>(array)};
  }
  field::HostField<T> copy(array->GetName(), array->GetNumberOfTuples(), numComponents);
  if (!vtkArrayDispatch::Dispatch::Execute(array, detail::CopyComponents<T>(), copy.view())) {
    detail::CopyComponents<T>()(array, copy.view());
  }
  return copy;
}

/// The same on a side: on the device a copy, unless the array lies there and has this type.
template <ComputeSide side, field::FieldValue T>
field::FieldOn<T, SpaceOf<side>> fieldOn(vtkDataArray* array, int numComponents) {
  using Field = field::FieldOn<T, SpaceOf<side>>;
  if constexpr (side == ComputeSide::Device) {
    Field result;
    const bool isThere = withMirroredType(array->GetDataType(), [&]<class From>() {
      using Stored = typename MirroredValues<From>::Field;
      const Stored all = deviceField<From>(array);
      auto some = Stored(all).view();
      some.numComponents = numComponents;
      const Stored values(array->GetName(), some, std::make_shared<Stored>(all));
      if constexpr (std::is_same_v<Stored, Field>) {
        result = values;
      } else if constexpr (std::is_same_v<T, double>) {
        const Context<SpaceOf<side>> context;
        result = Field(array->GetName(), values.numCells(), numComponents);
        field::convertValues<SpaceOf<side>, FieldTypeOf<From>, T>(context, values, result);
      }
    });
    if (isThere && result.numCells() == array->GetNumberOfTuples()) {
      return result;
    }
    const auto onTheHost = onHost(array);
    field::copy(fieldOf<T>(vtkDataArray::SafeDownCast(onTheHost), numComponents), result);
    return result;
  } else {
    return fieldOf<T>(vtkDataArray::SafeDownCast(onHost(array)), numComponents);
  }
}

/// An array of VTK's usual kind with the values of a field, and zeros in the components that the field does not have.
template <field::FieldValue T>
vtkSmartPointer<vtkDataArray> arrayOf(const field::HostField<T>& field, const std::string& name, int numComponents) {
  const auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(vtkTypeTraits<T>::VTK_TYPE_ID));
  array->SetName(name.c_str());
  allocate(array, field.numCells(), numComponents);
  const FieldView<const T> values = field.view();
  T* const to = static_cast<T*>(array->GetVoidPointer(0));
  field::forCells(
    HostExecutionSpace(), SPANWISE_KERNEL("fill array"), values.numCells, [=](std::int64_t first, std::int64_t last) {
      for (std::int64_t k = first; k < last; ++k) {
        for (int c = 0; c < numComponents; ++c) {
          to[k * numComponents + c] = c < values.numComponents ? values(k, c) : T{};
        }
      }
    });
  HostExecutionSpace().fence(SPANWISE_LABEL("Geometry::arrayOf"));
  return array;
}

/// The same of a field on a side: on the device an array that lies there.
template <ComputeSide side, field::FieldValue T>
vtkSmartPointer<vtkDataArray> arrayOn(
  const field::FieldOn<T, SpaceOf<side>>& field, const std::string& name, int numComponents) {
  using ExecutionSpace = SpaceOf<side>;
  if constexpr (side == ComputeSide::Device) {
    field::FieldOn<T, ExecutionSpace> values = field;
    if (numComponents > field.numComponents()) {
      const Context<ExecutionSpace> context;
      values = field::FieldOn<T, ExecutionSpace>(name, field.numCells(), numComponents);
      field::fill<ExecutionSpace, T>(context, values, T{});
      FieldView<T> first = values.view();
      first.numComponents = field.numComponents();
      field::FieldOn<T, ExecutionSpace> some(name, first, std::make_shared<field::FieldOn<T, ExecutionSpace>>(values));
      field::copyValues<ExecutionSpace, T>(context, field, some);
    }
    values.setName(name);
    return mirroredArray<T>(values);
  } else {
    return arrayOf<T>(field, name, numComponents);
  }
}

} // namespace spanwise

#endif
