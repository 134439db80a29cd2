#ifndef SpanwiseExecute_h
#define SpanwiseExecute_h

// How every filter runs: the runtime is there, exceptions become one message, a failed output is empty. Not wrapped.

#include "SpanwiseRankGroup.h"
#include "spanwiseParallelModule.h"

#include "Core/Runtime/Runtime.hpp"

class vtkAlgorithm;
class vtkInformationVector;

namespace spanwise {

/// Empties the outputs of a request.
SPANWISEPARALLEL_EXPORT void clearOutputs(vtkInformationVector* outputs);

/// Ends a request that failed with the current exception: empties the outputs, and says why through `algorithm`'s error
/// event unless the user stopped it. All ranks know the reason; rank 0 says it.
SPANWISEPARALLEL_EXPORT void failRequest(
  vtkAlgorithm* algorithm, vtkInformationVector* outputs, const RankGroup& group);

/// Starts the runtime and runs `work`, the body of RequestData. Returns 1 in any case: the pipeline itself would report
/// a 0 as a second error, and on one rank alone it would keep the others waiting in the next filter.
///
/// In a group every exception must be agreed upon: what may throw on one rank alone goes through group.agree().
template <class Work>
int execute(vtkAlgorithm* algorithm, vtkInformationVector* outputs, const RankGroup& group, const Work& work) {
  try {
    group.agree(startRuntime);
    work();
  } catch (...) {
    failRequest(algorithm, outputs, group);
  }
  return 1;
}

/// Has the inputs of a filter that needs everything asked for the whole data set where one process makes a part of the
/// output on its own. Ranks that work together are asked for their own pieces, as always.
SPANWISEPARALLEL_EXPORT void requestWholeInputs(
  const RankGroup& group, vtkInformationVector** inputs, int numberOfPorts);

} // namespace spanwise

#endif
