#ifndef SpanwiseFailures_h
#define SpanwiseFailures_h

// An output is empty where there is nothing, and where something failed. Who replaces a good file by it must know
// which. Not wrapped.

#include "spanwiseParallelModule.h"

#include <string>

class vtkAlgorithm;
class vtkInformationVector;

namespace spanwise {

/// Notes on the outputs of a request that they are empty because it failed, and why. The note holds until something is
/// put into them.
SPANWISEPARALLEL_EXPORT void markFailed(vtkInformationVector* outputs, const std::string& message);

/// Why something that an algorithm's inputs are made of could not be computed: what was noted of the nearest such
/// output upstream, however many filters have worked on it since. Empty if nothing failed.
SPANWISEPARALLEL_EXPORT std::string failureUpstream(vtkAlgorithm* algorithm);

} // namespace spanwise

#endif
