#ifndef SpanwiseTuples_h
#define SpanwiseTuples_h

// What becomes of arrays between levels, whatever the direction. Internal to this library.

#include "Core/Field/Field.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <vtkDataArray.h>
#include <vtkSmartPointer.h>

#include <cstdint>

class vtkAbstractArray;
class vtkCellData;

namespace spanwise {

/// Whether an array has floating-point numbers.
bool isReal(vtkAbstractArray* array);

/// The array with its numbers side by side in memory: itself, or a copy.
vtkSmartPointer<vtkDataArray> inTuples(vtkDataArray* array);

/// One component of an array of inTuples() as a field: in place if it is the only one, otherwise in memory of the
/// field's own.
template <class T>
field::HostField<T> componentField(vtkDataArray* tuples, int component) {
  auto* values = static_cast<T*>(tuples->GetVoidPointer(0));
  const int components = tuples->GetNumberOfComponents();
  if (components == 1) {
    FieldView<T> view;
    view.values = values;
    view.numCells = tuples->GetNumberOfTuples();
    return field::HostField<T>("values", view, nullptr);
  }
  field::HostField<T> field("values", tuples->GetNumberOfTuples());
  T* const out = field.view().values;
  forEach(SPANWISE_KERNEL("take component"), IndexRange<HostExecutionSpace>(HostExecutionSpace(), 0, field.numCells()),
    [=](std::int64_t c) { out[c] = values[c * components + component]; });
  return field;
}

/// Puts the values of a field where an array of inTuples() has a component.
template <class T>
void putComponent(const field::HostField<T>& field, int component, vtkDataArray* tuples) {
  auto* const out = static_cast<T*>(tuples->GetVoidPointer(0));
  const int components = tuples->GetNumberOfComponents();
  const T* const values = field.view().values;
  forEach(SPANWISE_KERNEL("put component"), IndexRange<HostExecutionSpace>(HostExecutionSpace(), 0, field.numCells()),
    [=](std::int64_t c) { out[c * components + component] = values[c]; });
}

/// Arrays stay, but none counts as the cells' ids any more: a cell and its children are not the same cell.
void dropIds(vtkCellData* values);

} // namespace spanwise

#endif
