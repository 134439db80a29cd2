#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/GridPaths.hpp"
#include "Core/Solvers/Eikonal/RankGrid.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// Collective. tracePaths() on a grid of which every rank has a part: `starts` are this rank's, anywhere in the cells
/// of any rank, and it gets their paths, with the same points as one rank finds. Times, gradient and origins are those
/// of the cells that the rank holds, with the halo's (computeGridTimesOnRanks(), gradientOfTimesOnRanks(),
/// findOriginsOnRanks()). All ranks give the same surface, and the grid was built with cellsOfSurfaceLines planes where
/// it has triangles, as solveGridArrivalOnRanks() does.
///
/// Each rank traces paths through its own cells; where they leave these they go on at the next rank, as often as they
/// go from one to another. At the end the pieces come together where the start is. Allocates. Throws, on all ranks, as
/// tracePaths() does.
template <class ExecutionSpace, int Dim>
void tracePathsOnRanks(const Context<ExecutionSpace>& context, const RankGrid<ExecutionSpace, Dim>& grid,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& gradient,
  const Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space>& origins,
  const Kokkos::View<const typename GridPaths<Dim, typename ExecutionSpace::memory_space>::Place*,
    typename ExecutionSpace::memory_space>& starts,
  double step, const SurfaceSources& surface, GridPaths<Dim, typename ExecutionSpace::memory_space>& paths);

} // namespace spanwise::eikonal
