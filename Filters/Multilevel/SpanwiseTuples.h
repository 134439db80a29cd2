#ifndef SpanwiseTuples_h
#define SpanwiseTuples_h

// What becomes of arrays between levels, whatever the direction. Internal to this library.

#include <vtkSmartPointer.h>

class vtkAbstractArray;
class vtkCellData;
class vtkDataArray;

namespace spanwise {

/// Whether an array has floating-point numbers.
bool isReal(vtkAbstractArray* array);

/// The array with its numbers side by side in memory: itself, or a copy.
vtkSmartPointer<vtkDataArray> inTuples(vtkDataArray* array);

/// Arrays stay, but none counts as the cells' ids any more: a cell and its children are not the same cell.
void dropIds(vtkCellData* values);

} // namespace spanwise

#endif
