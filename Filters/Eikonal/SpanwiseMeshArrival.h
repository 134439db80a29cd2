#ifndef SpanwiseMeshArrival_h
#define SpanwiseMeshArrival_h

// Arrival times at the points of a mesh. Not wrapped and not installed.

#include "SpanwiseArrivalSettings.h"

#include "Core/Runtime/Progress.hpp"

class vtkDataSet;

namespace spanwise {

/// Collective. Where fronts start in a mesh, which is null or empty on all ranks but one.
FrontSources sourcesInMesh(const Team& team, const ArrivalSettings& settings, vtkDataSet* mesh, vtkDataSet* second);

/// On this rank alone: output = input with point arrays, and the cell array Gradient.
ArrivalSummary solveWholeMesh(const ArrivalSettings& settings, FrontSources sources, vtkDataSet* input,
  const Progress& progress, vtkDataSet* output);

/// Collective. output = input with point arrays, and the cell array Gradient. `second` is null on ranks without a
/// second input. The mesh may be in pieces on several ranks.
ArrivalSummary solveOnMesh(const Team& team, const ArrivalSettings& settings, vtkDataSet* input, vtkDataSet* second,
  const Progress& progress, vtkDataSet* output);

} // namespace spanwise

#endif
