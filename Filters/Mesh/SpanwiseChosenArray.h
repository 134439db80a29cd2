#ifndef SpanwiseChosenArray_h
#define SpanwiseChosenArray_h

// The arrays that people choose for a filter. Not wrapped.

#include "spanwiseMeshModule.h"

#include <functional>

class vtkAlgorithm;
class vtkDataArray;
class vtkDataSet;

namespace spanwise {

/// GetInputArrayToProcess() of a filter for one of its inputs; only the filter may call it.
using ArrayFinder = std::function<vtkDataArray*(int& association)>;

/// The array that filter->SetInputArrayToProcess(index, ...) chose on points or cells of `data`, one tuple each, and
/// whether it is on points. Throws InvalidArgument where there is none, or it is shorter or longer; `what` says what it
/// is for.
SPANWISEMESH_EXPORT vtkDataArray* chosenArray(
  vtkAlgorithm* filter, int index, const char* what, vtkDataSet* data, const ArrayFinder& find, bool& onPoints);

} // namespace spanwise

#endif
