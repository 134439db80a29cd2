#ifndef SpanwiseFlowArrays_h
#define SpanwiseFlowArrays_h

// How flows show their values. Not wrapped and not installed.

#include "SpanwiseArrayOnSide.h"
#include "SpanwiseSide.h"

#include "Core/Field/Field.hpp"
#include "Core/Runtime/FieldView.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"

#include <vtkCellData.h>
#include <vtkDataObject.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkTable.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace spanwise {

/// The components of a field from `first` on, times `scale` and with `shift` added; 0 in those that `from` lacks.
struct ScaledComponents {
  FieldView<const double> from;
  int first;
  int count; ///< of the components that count
  double scale;
  double shift;
  FieldView<double> to;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    for (int c = 0; c < to.numComponents; ++c) {
      to(cell, c) = c < count ? scale * from(cell, first + c) + shift : 0.0;
    }
  }
};

/// An array on cells, on their side, of `count` components of a field, times `scale` and with `shift` added; vectors of
/// the plane get a third one.
template <ComputeSide side>
void addArray(vtkCellData* cells, const char* name, const field::FieldOn<double, SpaceOf<side>>& values, int first,
  int count, double scale = 1.0, double shift = 0.0) {
  using Space = SpaceOf<side>;
  ArrayOnSide<side, double> array(name, values.numCells(), count == 2 ? 3 : count);
  forEach(SPANWISE_KERNEL("flow array"), IndexRange<Space>(Space(), 0, values.numCells()),
    ScaledComponents{values.view(), first, count, scale, shift, array.values().view()});
  cells->AddArray(array.array());
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
