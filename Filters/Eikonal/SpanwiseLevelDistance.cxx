#include "SpanwiseLevelDistance.h"

#include "SpanwiseArrayOnSide.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseLattice.h"
#include "SpanwiseLevelPeriods.h"

#include "Core/Field/ForEachCell.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Solvers/Eikonal/LevelSignedDistance.hpp"

#include <Kokkos_Core.hpp>

#include <span>
#include <vector>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

/// The distance of a centre takes as long as so many of its values.
constexpr std::int64_t valuesPerDistance = 300;

/// Writes the centres of cells, all coordinates of one after the other.
template <int Dim>
struct WriteCentres {
  GridGeometry<Dim> lattice;
  double* points;

  KOKKOS_FUNCTION void operator()(std::int64_t number, const Cell<Dim>& cell) const {
    for (int axis = 0; axis < Dim; ++axis) {
      points[Dim * number + axis] = lattice.centre(axis, cell.at[axis]);
    }
  }
};

template <class Space, int Dim>
Kokkos::View<const double*, typename Space::memory_space> centresOf(
  const Space& space, const IntervalSetOn<Dim, Space>& cells, const GridGeometry<Dim>& lattice) {
  const Kokkos::View<double*, typename Space::memory_space> points(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Filters::centres")),
    arrayLength<double>(Dim * cells.numCells()));
  field::forEachCell<Space, Dim>(space, SPANWISE_KERNEL("centres"), cells, WriteCentres<Dim>{lattice, points.data()});
  return points;
}

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
  for (const RankCells<Dim>& level : levels.leaves) {
    leaves_.push_back(group.alone() ? level.set : MirroredSet<Dim>(setOfAll<Dim>(group, level.set.host())));
  }
  periods_ = periodsOfLevels<Dim>(group, periods, levels);
}

template <int Dim>
void LevelDistance<Dim>::addTo(const RankGroup& group, const std::vector<PlacedCells<Dim>>& asked,
  const std::string& name, DistanceSign sign, const Progress& progress) const {
  SideInputs<Dim> inputs;
  for (const MirroredSet<Dim>& leaves : leaves_) {
    inputs.sets.push_back(&leaves);
  }
  for (const PlacedCells<Dim>& part : asked) {
    inputs.sets.push_back(&part.cells->set);
    inputs.numCells += valuesPerDistance * part.cells->set.numCells();
  }
  computeOnSide<Dim>(
    group, "Signed distance to levels", inputs, [&]<ComputeSide side>(const SideContext<side>& context) {
      using Space = SpaceOf<side>;
      group.agree([&] {
        LeavesOn<Dim, Space> leaves;
        for (const MirroredSet<Dim>& level : leaves_) {
          leaves.push_back(level.template on<side>());
        }
        eikonal::LevelBlocksOn<Dim, Space> blocks;
        eikonal::blocksOfLeaves<Space, Dim>(context, leaves, blocks);
        for (std::size_t k = 0; k < asked.size(); ++k) {
          const auto& set = asked[k].cells->set.template on<side>();
          const auto points = centresOf<Space, Dim>(context.space(), set, latticeOf<Dim>(asked[k].placement));
          ArrayOnSide<side, double> distances(name, set.numCells(), 1);
          const Kokkos::View<double*, typename Space::memory_space> values(
            distances.values().view().values, static_cast<std::size_t>(set.numCells()));
          eikonal::signedDistanceToLeaves<Space, Dim>(context, blocks, latticeOf<Dim>(root_), periods_, points, values);
          giveSign(context.space(), sign, values);
          const auto withDistances = vtkSmartPointer<vtkCellData>::New(); // copies share what is there
          withDistances->ShallowCopy(asked[k].cells->values);
          withDistances->AddArray(distances.array());
          withDistances->SetActiveScalars(name.c_str());
          asked[k].cells->values = withDistances;
          progress.report(static_cast<double>(k + 1) / static_cast<double>(asked.size()));
        }
      });
    });
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
