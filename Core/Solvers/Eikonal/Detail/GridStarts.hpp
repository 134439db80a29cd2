#pragma once

// The steps of startAtPoints(), for grids of which there is only a part.

#include "Core/Solvers/Eikonal/GridSources.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace spanwise::eikonal::gridstarts {

/// Points as sources in a medium that is not known yet. Throws InvalidArgument where the radius is negative or NaN, or
/// the time of a point is not finite.
template <int Dim>
std::vector<FactoredSource<Dim>> sourcesAt(const std::vector<PointSource<Dim>>& points, double radius);

/// Throws InvalidArgument unless there is a time for each cell of the set and the grid.
void checkTimes(std::size_t numTimes, std::int64_t cellsOfSet, std::int64_t cellsOfGrid);

/// Looks up the medium at each source, in the cells [firstCell, endCell). Returns for each whether it is in one of
/// these that is no wall. O(sources * log rows).
template <class ExecutionSpace, int Dim>
std::vector<std::uint8_t> findMedium(const ExecutionSpace& space,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const Grid<Dim, typename ExecutionSpace::memory_space>& grid,
  std::int64_t firstCell, std::int64_t endCell, std::vector<FactoredSource<Dim>>& sources);

/// Throws InvalidArgument for a point that fronts cannot start from.
template <int Dim>
[[noreturn]] void refuse(const FactoredSource<Dim>& source);

/// labels [cells] = the source, by its place among those of `factoring`, whose straight time a cell around it has; of
/// several the first, -1 for all other cells.
template <class ExecutionSpace, int Dim>
void labelSources(const ExecutionSpace& space, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const Grid<Dim, typename ExecutionSpace::memory_space>& grid,
  const GridFactoring<Dim, typename ExecutionSpace::memory_space>& factoring,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& labels);

/// Lowers times around sources whose medium is known, and chooses one for each cell. Sources may be outside of the
/// grid: only cells start from which the line to a source is in the grid.
template <class ExecutionSpace, int Dim>
void start(const ExecutionSpace& space, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const Grid<Dim, typename ExecutionSpace::memory_space>& grid, const std::vector<FactoredSource<Dim>>& sources,
  double radius, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  GridFactoring<Dim, typename ExecutionSpace::memory_space>& factoring);

} // namespace spanwise::eikonal::gridstarts
