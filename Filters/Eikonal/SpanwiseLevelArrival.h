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
/// the centres of leaves. Levels come to a cut along planes of level 0 (distributeLevels()). Leaves are named by their
/// numbers over all levels, one after the other. `input` is null on ranks without one, `second` on those without a
/// second input. Throws as readLevels() and solveOnMesh() do.
ArrivalSummary solveOnLevels(const RankGroup& group, const ArrivalSettings& settings, vtkDataObject* input,
  vtkDataSet* second, const Progress& progress, vtkPartitionedDataSetCollection* output);

} // namespace spanwise

#endif
