#ifndef SpanwiseCoarsening_h
#define SpanwiseCoarsening_h

// Blocks of 2^k cells along each axis as cells of a coarser grid: the level of detail. Not wrapped.

#include "SpanwiseDrawnCells.h"
#include "spanwiseRenderingModule.h"

#include "Core/Multilevel/Blocks.hpp"

#include <vtkSmartPointer.h>

class vtkDataArray;

namespace spanwise {

/// Drawn cells in blocks of 2^k cells along each axis.
template <int Dim>
struct Coarsening {
  DrawnCells<Dim> fine;
  IntervalGridPointer<Dim> grid; ///< the blocks, with the spacing 2^k as large
  int shift = 0;
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> cells; ///< one cell of each block, by its number in the grid

  [[nodiscard]] multilevel::CellsInBlocks<Dim> cellsInBlocks() const { return {fine.cells(), grid->cells(), shift}; }
};

/// Blocks of 2^shift cells, as multilevel::makeBlocks() makes them.
template <int Dim>
SPANWISERENDERING_EXPORT Coarsening<Dim> coarsen(const DrawnCells<Dim>& drawn, int shift);

/// All blocks, with the faces that are drawn of the cells.
template <int Dim>
DrawnCells<Dim> drawnBlocks(const Coarsening<Dim>& coarsening) {
  DrawnCells<Dim> blocks = drawnCells(coarsening.grid);
  blocks.faces = coarsening.fine.faces;
  return blocks;
}

/// A node of the fine grid for each node of the coarse one: the same corner of the block's chosen cell.
template <int Dim>
SPANWISERENDERING_EXPORT Kokkos::View<std::int64_t*, Kokkos::HostSpace> nodesOfBlocks(
  const Coarsening<Dim>& coarsening);

/// The mean over the drawn cells of each block of an array of floating-point values, component by component. Values
/// that are not numbers do not count; a block without any other has not-a-number. O(cells).
template <int Dim>
SPANWISERENDERING_EXPORT vtkSmartPointer<vtkDataArray> meansOverBlocks(
  const Coarsening<Dim>& coarsening, vtkDataArray* values);

} // namespace spanwise

#endif
