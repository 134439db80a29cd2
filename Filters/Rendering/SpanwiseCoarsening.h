#ifndef SpanwiseCoarsening_h
#define SpanwiseCoarsening_h

// Blocks of 2^k cells along each axis as cells of a coarser grid: the level of detail. Not wrapped.

#include "SpanwiseDrawnCells.h"
#include "spanwiseRenderingModule.h"

#include <vtkSmartPointer.h>

class vtkDataArray;

namespace spanwise {

/// Drawn cells in blocks of 2^k cells along each axis. A block is there if any of its cells is.
template <int Dim>
struct Coarsening {
  using Numbers = Kokkos::View<std::int64_t*, Kokkos::HostSpace>;

  int shift = 0; ///< k
  DrawnCells<Dim> fine;
  IntervalGridPointer<Dim> grid; ///< the blocks, with the spacing 2^k as large
  Numbers rowsOfBlocks;          ///< fine rows in the order of the rows of blocks
  Numbers blockRowOffsets;       ///< [rows of blocks + 1] into rowsOfBlocks
  Numbers firstBlock;            ///< the block that holds the first cell of each fine interval
  Numbers cells; ///< one cell of each block, by its number in the fine grid: near the middle if that is there

  /// The block that holds the cell x of the fine interval i.
  [[nodiscard]] std::int64_t blockOf(std::int64_t i, Coordinate x) const {
    return firstBlock[static_cast<std::size_t>(i)] + (x >> shift) - (fine.set.view().intervals[i].begin >> shift);
  }
};

/// O(rows + intervals log intervals + blocks).
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
SPANWISERENDERING_EXPORT typename Coarsening<Dim>::Numbers nodesOfBlocks(const Coarsening<Dim>& coarsening);

/// The mean over the drawn cells of each block of an array of floating-point values, component by component. Values
/// that are not numbers do not count; a block without any other has not-a-number. O(cells).
template <int Dim>
SPANWISERENDERING_EXPORT vtkSmartPointer<vtkDataArray> meansOverBlocks(
  const Coarsening<Dim>& coarsening, vtkDataArray* values);

} // namespace spanwise

#endif
