#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/GridSources.hpp"
#include "Core/Solvers/Eikonal/RankGrid.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace spanwise::eikonal {

/// Whose points a rank gives.
enum class PointsOf {
  EveryRank, ///< all ranks give the same
  ThisRank   ///< each gives its own: those of rank 0 are numbered first, and so on
};

/// Collective. startAtPoints() on a grid of which every rank has a part: times [grid.numCells()], of which those of own
/// cells are lowered. A point may be in the cells of any rank, whoever gives it; each cell takes the point out of its
/// differences that it would take with one rank. Throws, on all ranks, as startAtPoints() does; a point is wrong if it
/// is in the cells of no rank. O(points * log rows + cells * points if the radius is not 0) on each rank.
template <class ExecutionSpace, int Dim>
void startAtPointsOnRanks(const ExecutionSpace& space, RankGrid<ExecutionSpace, Dim>& grid,
  const std::vector<PointSource<Dim>>& points, PointsOf whose, double radius,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  GridFactoring<Dim, typename ExecutionSpace::memory_space>& factoring);

/// Collective. labelAroundPoints(): labels [grid.numCells()] are the numbers of points.
template <class ExecutionSpace, int Dim>
void labelAroundPointsOnRanks(const ExecutionSpace& space, RankGrid<ExecutionSpace, Dim>& grid,
  const GridFactoring<Dim, typename ExecutionSpace::memory_space>& factoring,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& labels);

/// Collective. startAtCells() with the cells of all ranks' `sources`, which may lie in any planes and be on several
/// ranks. Returns how many cells of all ranks start.
template <class ExecutionSpace, int Dim>
std::int64_t startAtCellsOnRanks(const Context<ExecutionSpace>& context, RankGrid<ExecutionSpace, Dim>& grid,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& sources, double time,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times);

} // namespace spanwise::eikonal
