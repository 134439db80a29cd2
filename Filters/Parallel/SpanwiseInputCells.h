#ifndef SpanwiseInputCells_h
#define SpanwiseInputCells_h

// An input dataset as cells, the same way on every rank. Not wrapped.

#include "SpanwiseIntervalGrid.h"
#include "SpanwiseRankCells.h"
#include "SpanwiseRankGroup.h"
#include "spanwiseParallelModule.h"

#include "Core/Runtime/Progress.hpp"

#include <variant>

class vtkDataSet;

namespace spanwise {

/// This rank's cells of an input, 2D or 3D on all ranks alike, on one lattice.
struct InputCells {
  std::variant<RankCells<2>, RankCells<3>> cells;
  GridPlacement placement;

  [[nodiscard]] int dimension() const { return cells.index() == 0 ? 2 : 3; }
};

/// Which values of an input are read, and whether arrays may stay on the device (MirroredArray).
enum class InputValues { None, All, AllOnAnySide };

/// Collective. The cells of a dataset (see intervalsOf()); `data` may be null or empty on some ranks. All ranks agree
/// on the dimension and on the lattice, which is that of the first rank with cells. Throws InvalidArgument where a
/// dataset is not made of intervals, or ranks differ in dimension, in spacing or by a shift that is not whole.
SPANWISEPARALLEL_EXPORT InputCells readCells(
  const RankGroup& group, vtkDataSet* data, InputValues values, const Progress& progress = {});

/// Collective. Gives all ranks the placement and the dimension that the first of the ranks which know most has: the
/// highest `knowledge`. Placements are compared by nobody here.
SPANWISEPARALLEL_EXPORT void sharePlacement(
  const RankGroup& group, int knowledge, GridPlacement& placement, int& dimension);

/// Moves cells to the lattice of `placement`. Throws InvalidArgument if the two do not fit (see shiftBetween()).
template <int Dim>
SPANWISEPARALLEL_EXPORT void moveToLattice(
  MirroredSet<Dim>& set, const GridPlacement& from, const GridPlacement& placement);

} // namespace spanwise

#endif
