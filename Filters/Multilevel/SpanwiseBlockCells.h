#ifndef SpanwiseBlockCells_h
#define SpanwiseBlockCells_h

// Blocks of an AMR hierarchy as cells of their level. Internal to this library.

#include "SpanwiseInputCells.h"
#include "SpanwiseIntervalGrid.h"
#include "SpanwiseRankCells.h"

#include <vector>

class vtkImageData;

namespace spanwise {

/// The cells of blocks on the lattice `placement` of a level, but those marked duplicate, hidden or refined in
/// vtkGhostType, with the arrays that all blocks have. Throws InvalidArgument where a block does not fit the level or
/// is of another dimension, where an array has not one tuple a cell, and where a cell is there twice. A block takes
/// hardly more than its rows, so that there may be many: O(rows of blocks * log of them + values).
template <int Dim>
RankCells<Dim> cellsOfBlocks(
  const std::vector<vtkImageData*>& blocks, const GridPlacement& placement, int level, InputValues values);

} // namespace spanwise

#endif
