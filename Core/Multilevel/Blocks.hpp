#pragma once

#include "Core/Geometry/Surface/SurfaceCells.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::multilevel {

// Blocks of 2^shift cells along each axis, `shift` from 0 to 30. A block is there if any of its cells is. As a cell of
// 2^shift times the size it is at floor(c / 2^shift), where the cell c is.

/// blocks = the blocks of a set, as coarsen() makes them level by level. `blocks` may be `set` itself. O(rows +
/// intervals).
template <class ExecutionSpace, int Dim>
void makeBlocks(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  int shift, geometry::IntervalSetOn<Dim, ExecutionSpace>& blocks);

/// Cells and the blocks that they are in, for kernels.
template <int Dim>
struct CellsInBlocks {
  geometry::SurfaceCells<Dim> cells;
  geometry::IntervalSetView<Dim> blocks; ///< what makeBlocks() makes of cells.set
  int shift = 0;
};

/// chosen[b] = one cell of block b, by its number in the grid: the one in the middle if that is there, otherwise the
/// nearest to it along x in the block's first row. O(cells' rows and intervals + blocks), with a search for each row of
/// blocks and layer of cells; on a device for each block. The same for any number of threads. Does not wait.
template <class ExecutionSpace, int Dim>
void cellsOfBlocks(const Context<ExecutionSpace>& context, const CellsInBlocks<Dim>& in,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& chosen);

} // namespace spanwise::multilevel
