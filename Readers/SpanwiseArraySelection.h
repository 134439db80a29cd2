#ifndef SpanwiseArraySelection_h
#define SpanwiseArraySelection_h

// Which arrays of a file are wanted. Not wrapped.

#include "IcsrTypes.hpp"

#include <vector>

class vtkDataArraySelection;

namespace spanwise {

/// Makes the names of a selection those of `arrays`, in their order. Names that it knows keep their state, and others
/// are enabled. O(arrays) where none is disabled: VTK looks through all names for each that is.
void listArrays(const std::vector<IcsrArray>& arrays, vtkDataArraySelection* selection);

/// The arrays that a selection does not disable. O(arrays).
std::vector<IcsrArray> chosenArrays(const std::vector<IcsrArray>& arrays, vtkDataArraySelection* selection);

} // namespace spanwise

#endif
