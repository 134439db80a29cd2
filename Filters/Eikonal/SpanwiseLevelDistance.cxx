#include "SpanwiseLevelDistance.h"

#include "SpanwiseLattice.h"
#include "SpanwiseLevelPeriods.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkDoubleArray.h>

#include <span>
#include <vector>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

template <class T, class View>
std::vector<T> gathered(const RankGroup& group, const View& mine) {
  return group.communicator().gather(std::span<const T>(mine.data(), mine.extent(0)));
}

/// Collective. The cells of all ranks, which own planes in their order.
template <int Dim>
HostIntervalSet<Dim> setOfAll(const RankGroup& group, const HostIntervalSet<Dim>& mine) {
  if (group.alone()) {
    return mine;
  }
  const auto keys = gathered<RowKey<Dim>>(group, mine.rowKeys());
  const auto intervals = gathered<Interval>(group, mine.intervals());
  std::vector<std::int64_t> lengths;
  for (std::int64_t row = 0; row < mine.numRows(); ++row) {
    lengths.push_back(mine.rowOffsets()(row + 1) - mine.rowOffsets()(row));
  }
  std::vector<std::int64_t> offsets{0};
  for (const std::int64_t length : group.gather(lengths)) {
    offsets.push_back(offsets.back() + length);
  }
  return fromArrays<Dim>(keys, offsets, intervals);
}

} // namespace

template <int Dim>
LevelDistance<Dim>::LevelDistance(const RankGroup& group, const Hierarchy<Dim>& levels, const PeriodChoice& periods)
  : root_(levels.root) {
  std::vector<HostIntervalSet<Dim>> leaves;
  for (const RankCells<Dim>& level : levels.leaves) {
    leaves.push_back(setOfAll<Dim>(group, level.set.host()));
  }
  const Context<Host> context;
  group.agree([&] { eikonal::blocksOfLeaves<Host, Dim>(context, leaves, blocks_); });
  periods_ = periodsOfLevels<Dim>(group, periods, levels);
}

template <int Dim>
vtkSmartPointer<vtkDoubleArray> LevelDistance<Dim>::atCentres(
  const HostIntervalSet<Dim>& cells, const GridPlacement& placement, const std::string& name) const {
  const GridGeometry<Dim> lattice = latticeOf<Dim>(placement);
  std::vector<double> points;
  points.reserve(static_cast<std::size_t>(Dim * cells.numCells()));
  const IntervalSetView<Dim> view = cells.view();
  for (std::int64_t row = 0; row < view.numRows; ++row) {
    const RowKey<Dim> key = view.rowKeys[row];
    for (std::int64_t i = view.rowOffsets[row]; i < view.rowOffsets[row + 1]; ++i) {
      for (Coordinate x = view.intervals[i].begin; x < view.intervals[i].end; ++x) {
        points.push_back(lattice.centre(0, x));
        points.push_back(lattice.centre(1, key.y));
        if constexpr (Dim == 3) {
          points.push_back(lattice.centre(2, key.z));
        }
      }
    }
  }
  auto distances = vtkSmartPointer<vtkDoubleArray>::New();
  distances->SetName(name.c_str());
  distances->SetNumberOfValues(cells.numCells());
  eikonal::signedDistanceToLeaves<Host, Dim>(Host(), blocks_, latticeOf<Dim>(root_), periods_,
    Kokkos::View<const double*, Kokkos::HostSpace>(points.data(), points.size()),
    Kokkos::View<double*, Kokkos::HostSpace>(
      distances->GetPointer(0), static_cast<std::size_t>(distances->GetNumberOfValues())));
  Host().fence(SPANWISE_LABEL("Filters::distances"));
  return distances;
}

template <int Dim>
Periods<Dim> LevelDistance<Dim>::periodsOn(int level) const {
  Periods<Dim> periods = periods_;
  for (int axis = 0; axis < Dim; ++axis) {
    periods.box.begin[axis] *= periods.along[axis] ? Coordinate{1} << level : 0;
    periods.box.end[axis] *= periods.along[axis] ? Coordinate{1} << level : 0;
  }
  return periods;
}

template <int Dim>
RankCells<Dim> cellsOfLevels(const Hierarchy<Dim>& levels) {
  const Context<Host> context;
  HostIntervalSet<Dim> all;
  for (std::size_t level = 0; level < levels.leaves.size(); ++level) { // from the coarsest on
    if (level > 0) {
      refine<Host, Dim>(context, all, all);
    }
    combine<Host, Dim>(context, SetOperation::Union, all, levels.leaves[level].set.host(), all);
  }
  RankCells<Dim> cells;
  cells.set = all;
  return cells;
}

template class LevelDistance<2>;
template class LevelDistance<3>;
template RankCells<2> cellsOfLevels(const Hierarchy<2>&);
template RankCells<3> cellsOfLevels(const Hierarchy<3>&);

} // namespace spanwise
