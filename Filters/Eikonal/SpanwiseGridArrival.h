#ifndef SpanwiseGridArrival_h
#define SpanwiseGridArrival_h

// Arrival times on the cells of grids of intervals and of images. Not wrapped and not installed.

#include "SpanwiseArrivalSettings.h"

#include "Core/Runtime/Progress.hpp"

class vtkDataObject;
class vtkDataSet;

namespace spanwise {

/// Whether a data set is an image, or a grid that carries intervals: its cells are on a lattice.
bool isOnLattice(vtkDataObject* data);

/// Collective. output = input with cell arrays. `input` is null on ranks without one, `second` on those without a
/// second input. Cells that vtkGhostType marks hidden are walls. Throws InvalidArgument where a grid is in pieces on
/// several ranks.
ArrivalSummary solveOnGrid(const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* input,
  vtkDataSet* second, const Progress& progress, vtkDataSet* output);

} // namespace spanwise

#endif
