#ifndef SpanwiseLevelArrival_h
#define SpanwiseLevelArrival_h

// Arrival times on the leaves of levels. Not wrapped and not installed.

#include "SpanwiseArrivalSettings.h"

#include "Core/Runtime/Progress.hpp"

class vtkDataObject;
class vtkDataSet;
class vtkPartitionedDataSetCollection;

namespace spanwise {

/// Collective. output = the levels with cell arrays: what comes of the mesh without hanging nodes that leaves make, at
/// the centres of leaves. Cells are named by their numbers over all levels, one after the other. `input` is null on
/// ranks without one, `second` on those without a second input. Throws InvalidArgument where levels are in pieces on
/// several ranks, and as readLevels() does.
ArrivalSummary solveOnLevels(const Team& team, const ArrivalSettings& settings, vtkDataObject* input,
  vtkDataSet* second, const Progress& progress, vtkPartitionedDataSetCollection* output);

} // namespace spanwise

#endif
