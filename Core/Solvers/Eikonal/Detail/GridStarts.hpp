#pragma once

#include "Core/Solvers/Eikonal/GridSources.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal::gridstarts {

/// What sources are labelled by: their places among those of a factoring, or their numbers in the list of points.
enum class LabelBy { Place, Number };

/// labels [cells] = the source of `factoring` whose straight time a cell around it has; of several the one with the
/// least label, -1 for all other cells.
template <class ExecutionSpace, int Dim>
void labelSources(const ExecutionSpace& space, const Grid<Dim, ExecutionSpace>& grid,
  const GridFactoringOn<Dim, ExecutionSpace>& factoring, const CellArray<double, ExecutionSpace>& times,
  const CellArray<std::int32_t, ExecutionSpace>& labels, LabelBy by);

} // namespace spanwise::eikonal::gridstarts
