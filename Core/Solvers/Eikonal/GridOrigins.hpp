#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/Grid.hpp"
#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// gradient [Dim][cells], component by component = the gradient of the times of a grid, from the differences of first
/// or second order that times are computed by. 0 at cells that no earlier time explains: sources, and what has not been
/// reached.
///
/// `factoring`, that of the times: where a source is taken out of the differences, the gradient is that of what is left
/// and the exact one of the source's straight-line time. So it keeps its order around a point, where times have a kink;
/// in a constant medium it is exact, also beside the source, unless something is in the way. Throws InvalidArgument
/// where an array has another length. O(cells). Does not wait.
template <class ExecutionSpace, int Dim>
void gradientOfTimes(const ExecutionSpace& space, const GridOn<Dim, ExecutionSpace>& grid, int order,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& gradient,
  const GridFactoringView<Dim>& factoring = {});

/// origins [cells] = the neighbour that most of a front comes from, whose time is earlier: the one whose direction has
/// the largest share of |grad u|_M^2. The cell itself where there is none: at sources, and where nothing has arrived.
/// So each cell is at the end of a chain that begins in a source. Throws InvalidArgument where an array has another
/// length. O(cells). Does not wait.
template <class ExecutionSpace, int Dim>
void findOrigins(const ExecutionSpace& space, const GridOn<Dim, ExecutionSpace>& grid,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& origins);

/// Gives each cell the label of the source that its front came from: a Voronoi map by time. On input labels of source
/// cells are at least 0, all others -1; on return -1 is left where no labelled source has been reached along
/// `origins`. Chains are cut in half again and again (pointer jumping: J. C. Wyllie, 1979): O(cells log longest chain).
/// Throws InvalidArgument where the arrays differ in length.
template <class ExecutionSpace>
void labelBySource(const Context<ExecutionSpace>& context,
  const Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space>& origins,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& labels);

} // namespace spanwise::eikonal
