#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Core/Solvers/Eikonal/GridArrival.hpp"
#include "Core/Solvers/Eikonal/RankGrid.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// Arrival times on a grid of which every rank has a part, and what they were computed with. Arrays have the cells that
/// the rank holds; grid.owned() says which are its own. Lives no longer than the communicator.
template <class ExecutionSpace, int Dim>
struct RankGridArrival {
  using Memory = typename ExecutionSpace::memory_space;

  explicit RankGridArrival(const Communicator& communicator) : grid(communicator) {}

  RankGrid<ExecutionSpace, Dim> grid;
  GridFactoring<Dim, Memory> factoring;
  FrontLabels<Dim, Memory> fronts;
  Kokkos::View<double*, Memory> times;         ///< [cells held], notReached where no front came
  Trace trace = Trace::Nothing;                ///< whether the next two are set
  Kokkos::View<std::int32_t*, Memory> labels;  ///< [cells held]: the source that each cell has its time from, -1: none
  Kokkos::View<std::int32_t*, Memory> origins; ///< [cells held]: findOriginsOnRanks()
  Slopes slopes = Slopes::Nothing;             ///< whether the next is set
  Kokkos::View<double*, Memory> gradient;      ///< [Dim][cells held]
};

/// Collective. solveGridArrival() for the cells of all ranks: the same bits, labels and reports, but for messages,
/// however they are cut. `set` has this rank's cells, all in its part of the cut. Of `starts` all ranks give the same
/// points and the same surface, and each the times of its own cells, whose numbers follow those of the ranks before
/// unless they are given; a set is not taken. The report is that of all ranks, but for the first wall, which is this
/// rank's, and the bytes. Throws, on all ranks, as solveGridArrival() does, and InvalidArgument where there is a set.
template <class ExecutionSpace, int Dim>
GridArrivalReport solveGridArrivalOnRanks(const Context<ExecutionSpace>& context, const parallel::RowCut& cut,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const geometry::GridGeometry<Dim>& lattice,
  const geometry::Periods<Dim>& periods, const Speed& speed,
  const GridStarts<Dim, typename ExecutionSpace::memory_space>& starts, const GridArrivalOptions& options,
  RankGridArrival<ExecutionSpace, Dim>& out, const Progress& progress = {});

} // namespace spanwise::eikonal
