#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Eikonal/Grid.hpp"
#include "Core/Solvers/Eikonal/GridSources.hpp"
#include "Core/Solvers/Eikonal/Sources.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace spanwise::eikonal {

/// Which front begins at each cell that starts. Keeps its memory.
template <int Dim, class MemorySpace>
struct FrontLabels {
  Kokkos::View<std::int32_t*, MemorySpace> ofCell;         ///< [cells]
  Kokkos::View<FactoredSource<Dim>*, MemorySpace> sources; ///< [count]
  std::int64_t count = 0;                                  ///< 0: fronts are not told apart
  double radius = 0.0;

  /// For computeGridTimes(), in GridFactoringView::fronts. Nothing where there are not two fronts.
  [[nodiscard]] GridFrontsView<Dim> view() const {
    return count > 1 ? GridFrontsView<Dim>{ofCell.data(), sources.data(), radius} : GridFrontsView<Dim>{};
  }
};

struct FrontOptions {
  int order = 1; ///< of the differences
  /// How far from where fronts come from their kink is taken out of the differences; 0: not at all.
  double factoringRadius = std::numeric_limits<double>::infinity();
};

/// Collective. Tells the fronts apart that start at cells: labels = the front of each cell with a time in `times`,
/// which are those of startAtPoints(), startAtSurface() and of cells that start by themselves, and where it comes from:
/// a point of `factoring`, the nearest place of the surface, or the cell's centre. Cells that start no later than all
/// that read them, as within a region, begin none. All ranks have the places of all fronts. In second order fronts of
/// points alone are told apart, as differences over two cells must be of one front: where other cells start, too, all
/// are one.
///
/// With them differences do not mix times of fronts that meet: in a constant medium where nothing is in the way no time
/// of first order is before the first front of any source. Without them a cell between two sources may be early by 0.3
/// of its size. O(cells + starts of the surface * triangles near them). Allocates only where there are more cells or
/// fronts than before. Throws InvalidArgument as labelAtSurface() does.
template <class ExecutionSpace, int Dim>
void labelFronts(const Context<ExecutionSpace>& context, Grid<Dim, ExecutionSpace>& grid, const SurfaceSources& surface,
  const FrontOptions& options, const GridFactoringOn<Dim, ExecutionSpace>& factoring,
  const CellArray<double, ExecutionSpace>& times, FrontLabels<Dim, typename ExecutionSpace::memory_space>& labels);

} // namespace spanwise::eikonal
