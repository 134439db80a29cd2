#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/GridOrigins.hpp"
#include "Core/Solvers/Eikonal/RankGrid.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

// What follows from times on a grid of which every rank has a part. Arrays have the cells that the rank holds,
// grid.numCells(): of times the halo's are needed, and gradients, labels come with those of the halo.

/// Collective. gradientOfTimes(). Throws InvalidArgument, on all ranks, where it does, or the order is higher than the
/// grid's.
template <class ExecutionSpace, int Dim>
void gradientOfTimesOnRanks(const ExecutionSpace& space, RankGrid<ExecutionSpace, Dim>& grid, int order,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& gradient,
  const GridFactoringView<Dim>& factoring = {});

/// findOrigins(): cells of the grid, which may be of the halo. Cells of the halo are their own. Not collective.
template <class ExecutionSpace, int Dim>
void findOriginsOnRanks(const ExecutionSpace& space, const RankGrid<ExecutionSpace, Dim>& grid,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& origins);

/// Collective. labelBySource(), along the origins of findOriginsOnRanks(). Chains are followed to the halo, whose
/// labels then come from their own ranks, again and again, as often as a chain goes from one rank to another.
template <class ExecutionSpace, int Dim>
void labelBySourceOnRanks(const Context<ExecutionSpace>& context, RankGrid<ExecutionSpace, Dim>& grid,
  const Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space>& origins,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& labels);

} // namespace spanwise::eikonal
