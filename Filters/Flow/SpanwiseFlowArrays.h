#ifndef SpanwiseFlowArrays_h
#define SpanwiseFlowArrays_h

// How flows show their values. Not wrapped and not installed.

#include "Core/Field/Field.hpp"

#include <vtkCellData.h>
#include <vtkDataObject.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkTable.h>

#include <cstddef>
#include <string>

namespace spanwise {

/// An array on cells of `count` components of a field, times `scale` and with `shift` added; vectors of the plane get a
/// third one.
inline void addArray(vtkCellData* cells, const char* name, const field::Field<double, Kokkos::HostSpace>& values,
  int first, int count, double scale = 1.0, double shift = 0.0) {
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  const int components = count == 2 ? 3 : count;
  const auto numCells = static_cast<vtkIdType>(values.numCells());
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(numCells);
  double* const to = array->GetPointer(0);
  for (int c = 0; c < components; ++c) {
    const double* const from = c < count && numCells > 0 ? values.view().address(0, first + c) : nullptr;
    for (vtkIdType i = 0; i < numCells; ++i) {
      to[components * i + c] = from != nullptr ? scale * from[i] + shift : 0.0;
    }
  }
  cells->AddArray(array);
}

/// A column of numbers, one for each of `count` rows.
template <class Value>
void addColumn(vtkTable* table, const std::string& name, std::size_t count, const Value& value) {
  vtkNew<vtkDoubleArray> column;
  column->SetName(name.c_str());
  column->SetNumberOfTuples(static_cast<vtkIdType>(count));
  for (std::size_t k = 0; k < count; ++k) {
    column->SetValue(static_cast<vtkIdType>(k), static_cast<double>(value(k)));
  }
  table->AddColumn(column);
}

/// A number of the field data.
inline void addNumber(vtkDataObject* output, const char* name, double value) {
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->InsertNextValue(value);
  output->GetFieldData()->AddArray(array);
}

} // namespace spanwise

#endif
