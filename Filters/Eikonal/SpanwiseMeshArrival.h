#ifndef SpanwiseMeshArrival_h
#define SpanwiseMeshArrival_h

// Arrival times at the points of a mesh. Not wrapped and not installed.

#include "SpanwiseArrivalSettings.h"

#include "Core/Runtime/Progress.hpp"

class vtkDataSet;

namespace spanwise {

/// Collective. output = input with point arrays, and the cell array Gradient. `second` is null on ranks without a
/// second input. The mesh may be in pieces on several ranks.
ArrivalSummary solveOnMesh(const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* input,
  vtkDataSet* second, const Progress& progress, vtkDataSet* output);

} // namespace spanwise

#endif
