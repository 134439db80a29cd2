#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/Grid.hpp"
#include "Core/Solvers/Eikonal/Sources.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// Straight lines from a surface go across at most so many cells along each axis, from centre to centre.
inline constexpr int cellsOfSurfaceLines = 8;

/// Collective. Lowers the times of own cells near a surface, of those that are no walls; all other times stay. In 2D
/// the third coordinate of points does not count, and a triangle is the area that it covers. All ranks give the same
/// surface, and the halo has cellsOfSurfaceLines planes.
///
/// A cell that the surface touches starts at the travel time, in the medium of the cell, from the nearest place of what
/// is of a triangle in the cell to its centre. A cell whose centre is within the travel time of two cells, along the
/// axis where that is longest, of the nearest place of a triangle starts by way of the straight line from there, in the
/// media that the line goes through, if it stays in the set and meets no wall; where a medium is so much faster along
/// one axis that this would be farther than 8 cells along it, within the time of 8 cells. So in a constant medium times
/// near a surface are exact, on both sides of it, and differences of first and second order need not reach across it.
///
/// Returns how many cells of all ranks the surface gives a time. Times are the same for any number of threads and
/// any order of the triangles. These are put into bins, and each cell looks for those near it: O(cells + pairs of cells
/// and triangles that are near each other).
/// Axes that repeat let it look for all copies of the surface. Throws InvalidArgument, on all ranks, where a triangle
/// names a point that does not exist, a time or a coordinate is not finite, the surface is longer than 1000 periods,
/// `times` has another length than the grid has cells, or ranks give surfaces of different sizes.
template <class ExecutionSpace, int Dim>
std::int64_t startAtSurface(const Context<ExecutionSpace>& context, const Grid<Dim, ExecutionSpace>& grid,
  const SurfaceSources& surface, const CellArray<double, ExecutionSpace>& times);

/// Collective. Labels own cells that have no label (-1) and the time that startAtSurface() gives them with the number
/// of the triangle that it comes from, counted from `first` on; of several the one with the least number.
template <class ExecutionSpace, int Dim>
void labelAtSurface(const Context<ExecutionSpace>& context, const Grid<Dim, ExecutionSpace>& grid,
  const SurfaceSources& surface, std::int64_t first, const CellArray<double, ExecutionSpace>& times,
  const CellArray<std::int32_t, ExecutionSpace>& labels);

} // namespace spanwise::eikonal
