#ifndef SpanwiseCoarsening_h
#define SpanwiseCoarsening_h

// Blocks of 2^k cells along each axis as cells of a coarser grid: the level of detail. Not wrapped.

#include "SpanwiseDrawnCells.h"
#include "spanwiseRenderingModule.h"

#include "Core/Multilevel/Blocks.hpp"

#include <vtkSmartPointer.h>

class vtkDataArray;

namespace spanwise {

/// Drawn cells in blocks of 2^shift cells along each axis, found on a side.
template <int Dim, ComputeSide side>
struct Coarsening {
  DrawnCells<Dim> fine;
  IntervalGridPointer<Dim> grid; ///< the blocks, with the spacing 2^shift as large
  int shift = 0;

  [[nodiscard]] multilevel::CellsInBlocks<Dim> cellsInBlocks(const SideContext<side>& context) const {
    return {fine.cells(context), grid->mirrored().template on<side>().view(), shift};
  }
};

/// Blocks of 2^shift cells, as multilevel::makeBlocks() makes them.
template <int Dim, ComputeSide side>
SPANWISERENDERING_EXPORT Coarsening<Dim, side> coarsen(
  const SideContext<side>& context, const DrawnCells<Dim>& drawn, int shift);

/// All blocks, with the faces that are drawn of the cells.
template <int Dim, ComputeSide side>
DrawnCells<Dim> drawnBlocks(const Coarsening<Dim, side>& coarsening) {
  DrawnCells<Dim> blocks = drawnCells(coarsening.grid);
  blocks.faces = coarsening.fine.faces;
  return blocks;
}

/// One cell of each block, by its number in the grid, as multilevel::cellsOfBlocks() chooses them.
template <int Dim, ComputeSide side>
SPANWISERENDERING_EXPORT ViewOnSide<side, std::int64_t> cellsOfBlocks(
  const SideContext<side>& context, const Coarsening<Dim, side>& coarsening);

/// A node of the fine grid for each node of the coarse one: the same corner of a block's chosen cell.
template <int Dim, ComputeSide side>
SPANWISERENDERING_EXPORT ViewOnSide<side, std::int64_t> nodesOfBlocks(const SideContext<side>& context,
  const Coarsening<Dim, side>& coarsening, const ViewOnSide<side, std::int64_t>& cells);

/// The mean over the drawn cells of each block of an array of floating-point values, component by component. Values
/// that are not numbers do not count; a block without any other has not-a-number. It lies on the side where it was
/// found. O(cells).
template <int Dim, ComputeSide side>
SPANWISERENDERING_EXPORT vtkSmartPointer<vtkDataArray> meansOverBlocks(
  const SideContext<side>& context, const Coarsening<Dim, side>& coarsening, vtkDataArray* values);

} // namespace spanwise

#endif
