#ifndef SpanwiseElementArrays_h
#define SpanwiseElementArrays_h

// The quality, the measure and the barycentre of the elements of a mesh as arrays on cells. Not wrapped.

#include "SpanwiseInputMesh.h"

#include <vtkDoubleArray.h>
#include <vtkSmartPointer.h>

class vtkDataSet;

namespace spanwise {

/// What is known of the elements of one rank, in their order; barycentres have three components.
struct ElementValues {
  vtkSmartPointer<vtkDoubleArray> qualities;
  vtkSmartPointer<vtkDoubleArray> measures;
  vtkSmartPointer<vtkDoubleArray> barycentres; ///< null if they were not asked for
};

ElementValues valuesOfElements(const InputMesh& mesh, bool barycentres);

/// Values of elements as an array on cells: the same array if all cells are elements, else NaN on those that are none.
vtkSmartPointer<vtkDoubleArray> onCells(const InputMesh& mesh, const char* name, vtkDoubleArray* values);

/// Where cells of `data` have an array of what valuesOfElements() says of the elements of `before` (Quality, Measure,
/// Barycentre), puts that of `after` in its place; arrays that have the name and other values stay.
void renewElementArrays(vtkDataSet* data, const InputMesh& before, const InputMesh& after);

} // namespace spanwise

#endif
