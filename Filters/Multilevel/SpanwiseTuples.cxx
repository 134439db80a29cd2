#include "SpanwiseTuples.h"

#include "SpanwiseValues.h"

#include <vtkCellData.h>

namespace spanwise {

bool isReal(vtkAbstractArray* array) { return array->GetDataType() == VTK_FLOAT || array->GetDataType() == VTK_DOUBLE; }

vtkSmartPointer<vtkDataArray> inTuples(vtkDataArray* array) {
  if (array->HasStandardMemoryLayout()) {
    return array;
  }
  const auto copy = arrayLike(array, array->GetNumberOfTuples());
  copy->InsertTuples(0, array->GetNumberOfTuples(), 0, array);
  return vtkDataArray::SafeDownCast(copy);
}

void dropIds(vtkCellData* values) {
  for (const int attribute : {vtkDataSetAttributes::GLOBALIDS, vtkDataSetAttributes::PEDIGREEIDS}) {
    values->SetActiveAttribute(-1, attribute);
  }
}

} // namespace spanwise
