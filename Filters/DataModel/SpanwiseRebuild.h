#ifndef SpanwiseRebuild_h
#define SpanwiseRebuild_h

// Interval sets from explicit cells. Internal to this library.

#include "SpanwiseBridge.h"

#include <cstdint>
#include <vector>

class vtkDataSet;

namespace spanwise {

/// The dimension of the sets that cells of this type make, or 0 if they make none.
int dimensionOfCellType(int type);

/// intervalsOf() for a dataset of explicit cells, of which only `kept` count, or all if `keptAll`. The first kept cell
/// is of dimension Dim.
template <int Dim>
Intervals<Dim> rebuild(
  vtkDataSet* data, std::vector<std::int64_t> kept, bool keptAll, const GridPlacement* like, const Progress& progress);

} // namespace spanwise

#endif
