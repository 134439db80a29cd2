#ifndef SpanwiseDroppedArrays_h
#define SpanwiseDroppedArrays_h

// Says what an input has that the result has not. Internal to this library.

#include "SpanwiseRankGroup.h"

class vtkAlgorithm;
class vtkDataObject;

namespace spanwise {

/// Collective. Gives one warning that names the point arrays of all ranks' inputs, if there are any: cells of another
/// size have other points. `data` may be null or empty on some ranks. Rank 0 says it.
void warnOfPointArrays(vtkAlgorithm* algorithm, const RankGroup& group, vtkDataObject* data);

} // namespace spanwise

#endif
