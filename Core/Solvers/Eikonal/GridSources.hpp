#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Eikonal/Grid.hpp"
#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace spanwise::eikonal {

/// A place that fronts start from, anywhere within a cell.
template <int Dim>
struct PointSource {
  double at[Dim];
  double time = 0.0;
};

/// Sources that are taken out of the differences (updateFactored()), and from which cells. Keeps its memory.
template <int Dim, class MemorySpace>
class GridFactoring {
public:
  [[nodiscard]] GridFactoringView<Dim> view() const { return view_; }

  [[nodiscard]] std::int64_t numSources() const { return numSources_; }
  /// [numSources()], by place: by the first coordinate, of equal ones by the next.
  [[nodiscard]] const FactoredSource<Dim>* sources() const { return sources_.data(); }

  /// For startAtPoints() and the like: puts sources where kernels find them; no cell takes one out. Waits.
  template <class ExecutionSpace>
  FactoredSource<Dim>* setSources(const ExecutionSpace& space, const std::vector<FactoredSource<Dim>>& sources) {
    view_ = {};
    numSources_ = 0;
    if (!sources.empty()) {
      const std::size_t count = sources.size();
      reserve(sources_, static_cast<std::int64_t>(count), SPANWISE_LABEL("Eikonal::sources"));
      const Kokkos::View<const FactoredSource<Dim>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
        sources.data(), count);
      Kokkos::deep_copy(space, Kokkos::subview(sources_, Kokkos::pair<std::size_t, std::size_t>(0, count)), host);
      space.fence(SPANWISE_LABEL("Eikonal::sources"));
      numSources_ = static_cast<std::int64_t>(count);
    }
    return sources_.data();
  }
  /// Says that cells take sources out; which ones is to be written.
  std::int32_t* prepare(std::int64_t numCells) {
    reserve(sourceOfCell_, numCells, SPANWISE_LABEL("Eikonal::sourceOfCell"));
    view_ = {sourceOfCell_.data(), sources_.data()};
    return sourceOfCell_.data();
  }

private:
  Kokkos::View<FactoredSource<Dim>*, MemorySpace> sources_;
  Kokkos::View<std::int32_t*, MemorySpace> sourceOfCell_;
  GridFactoringView<Dim> view_;
  std::int64_t numSources_ = 0;
};

template <int Dim, class ExecutionSpace>
using GridFactoringOn = GridFactoring<Dim, typename ExecutionSpace::memory_space>;

/// Collective. Lowers the times of own cells around each point, those at most two cells away that see it in a straight
/// line within the set, to the travel time along that line; all other times stay. All ranks give the same points, which
/// may be in the cells of any rank.
///
/// `factoring` will take the points out of the differences within `radius` of them, each cell the one that is nearest
/// in time, each point in the medium of its cell; of equally near ones that with the least coordinates, x first. With
/// it the order of the differences is kept around a point, without it an error of h log h comes from there. A radius of
/// 0 takes none out; with an infinite one a constant speed is solved exactly, where nothing is in the way. The radius
/// should not shrink with the size of cells where orders are to be observed.
///
/// The same bits for any order of the points. O(sources * (log sources + log rows)), and where the radius is not 0 and
/// sources are spread also O(cells * log sources), on each rank. Copies the sources to the device; allocates for them.
/// Throws InvalidArgument, on all ranks, where a point is not in a cell of any rank, or in a wall, its time is not
/// finite, the radius is negative or NaN, `times` has another length than the grid has cells, or ranks give different
/// points.
template <class ExecutionSpace, int Dim>
void startAtPoints(const Context<ExecutionSpace>& context, const Grid<Dim, ExecutionSpace>& grid,
  const std::vector<PointSource<Dim>>& points, double radius, const CellArray<double, ExecutionSpace>& times,
  GridFactoringOn<Dim, ExecutionSpace>& factoring);

/// Collective. labels [cells] = the number of the point whose straight time a cell around it has, as startAtPoints()
/// gave it with this `factoring` and fronts have not overtaken; of several the one with the least number, -1 for all
/// other cells. What labelBySource() starts from. Throws InvalidArgument, on all ranks, where arrays do not have the
/// grid's cells. O(cells).
template <class ExecutionSpace, int Dim>
void labelAroundPoints(const Context<ExecutionSpace>& context, Grid<Dim, ExecutionSpace>& grid,
  const GridFactoringOn<Dim, ExecutionSpace>& factoring, const CellArray<double, ExecutionSpace>& times,
  const CellArray<std::int32_t, ExecutionSpace>& labels);

/// Collective. Lowers the times of the cells that the grid shares with all ranks' `sources` to `time`; returns how many
/// there are on all ranks. The sources may lie in any planes and be on several ranks. O(cells of the sources * log
/// rows).
template <class ExecutionSpace, int Dim>
std::int64_t startAtCells(const Context<ExecutionSpace>& context, const Grid<Dim, ExecutionSpace>& grid,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& sources, double time,
  const CellArray<double, ExecutionSpace>& times);

} // namespace spanwise::eikonal
