#ifndef SpanwiseCellArray_h
#define SpanwiseCellArray_h

// The cell array that a filter of several ranks works on. Not wrapped and not installed.

#include "SpanwiseRankGroup.h"

#include <string>

class vtkCellData;
class vtkDataArray;
class vtkDataSet;
class vtkInformation;

namespace spanwise {

/// Collective. The name of the cell array that was chosen by SetInputArrayToProcess(0, ...), of which `wanted` is the
/// algorithm's GetInputArrayInformation(0): by its name, or as the active one of a kind. Ranks without cells have no
/// opinion; on them it is the name that others found. Throws InvalidArgument where an input with cells has no such
/// array on cells, or one without a name.
std::string nameOfCellArray(const RankGroup& group, vtkDataSet* input, vtkInformation* wanted);

/// The array of this name. Throws InvalidArgument if there is none, as not all ranks have it then.
vtkDataArray* cellArray(vtkCellData* values, const std::string& name);

} // namespace spanwise

#endif
