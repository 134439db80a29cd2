#include "SpanwiseSetDistance.h"

#include "SpanwiseArrayOnSide.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseDistanceChoices.h"
#include "SpanwiseLattice.h"
#include "SpanwisePeriods.h"

#include "Core/Field/Remap.hpp"
#include "Core/Field/Threshold.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/DomainMorphology.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/GridSignedDistance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <format>
#include <optional>
#include <vector>

using namespace spanwise::geometry;
using namespace spanwise::parallel;
using namespace spanwise::field;

namespace spanwise {

namespace {

constexpr const char* operation = "Signed distance";

/// The distance of a cell takes as long as so many of its values.
constexpr std::int64_t valuesPerDistance = 10;

template <class Space>
using Distances = FieldOn<double, Space>;

/// The box with so many cells more on both sides along the axes that do not repeat; all of the period along those that
/// do. It ends where coordinates do.
template <int Dim>
Box<Dim> grown(Box<Dim> box, const Periods<Dim>& periods, const Cell<Dim>& by) {
  for (int axis = 0; axis < Dim && !box.empty(); ++axis) {
    if (periods.along[axis]) {
      box.begin[axis] = periods.box.begin[axis];
      box.end[axis] = periods.box.end[axis];
    } else {
      const std::int64_t more = by.at[axis];
      box.begin[axis] = static_cast<Coordinate>(std::max<std::int64_t>(box.begin[axis] - more, minCoordinate));
      box.end[axis] = static_cast<Coordinate>(std::min<std::int64_t>(box.end[axis] + more, maxIntervalEnd));
    }
  }
  return box;
}

/// How many cells away a cell may be that is within a length; no more than count where the axis repeats.
template <int Dim>
Cell<Dim> cellsWithinLength(double length, const GridPlacement& placement, const Periods<Dim>& periods) {
  Cell<Dim> reach{};
  for (int axis = 0; axis < Dim; ++axis) {
    const double most = periods.along[axis] ? static_cast<double>(periods.box.extent(axis) / 2 + 1) : 1e9;
    reach.at[axis] = static_cast<Coordinate>(std::min(std::floor(length / placement.spacing[axis] + 0.5), most));
  }
  return reach;
}

/// Adds to cells, on a side, their distances out of those of `all`, which has them all.
template <ComputeSide side, int Dim>
void addValuesOf(const SideContext<side>& context, const geometry::IntervalSetOn<Dim, SpaceOf<side>>& all,
  const Distances<SpaceOf<side>>& ofAll, const std::string& name, RankCells<Dim>& cells) {
  using Space = SpaceOf<side>;
  CommonCells<typename Space::memory_space> common;
  commonCells<Space, Dim>(context, all, cells.set.template on<side>(), common);
  ArrayOnSide<side, double> distances(name, cells.set.numCells(), 1);
  copyCommon<Space, double>(context, common, ofAll, distances.values());
  addActive(cells.values, distances.array());
}

/// How distances in so many cells are computed.
template <int Dim>
SideInputs<Dim> sideInputs(const std::vector<const MirroredSet<Dim>*>& sets, double numCells) {
  return {sets, valuesPerDistance * static_cast<std::int64_t>(std::min(numCells, 1e15))};
}

/// Collective. The cells that may be within the width: all whose box of so many cells around has cells of both kinds.
template <class Space, int Dim>
IntervalSetOn<Dim, Space> nearBoundary(const Context<Space>& context, const IntervalSetOn<Dim, Space>& around,
  const Cell<Dim>& reach, const Periods<Dim>& periods, const PlaneRange& planes) {
  const auto element = StructuringElement<Dim>::box(reach);
  IntervalSetOn<Dim, Space> near;
  IntervalSetOn<Dim, Space> deep;
  morph<Space, Dim>(context, MorphologyOperation::Dilate, around, element, near, withoutSlowest(periods));
  morph<Space, Dim>(context, MorphologyOperation::Erode, around, element, deep, withoutSlowest(periods));
  IntervalSetOn<Dim, Space> both;
  combine<Space, Dim>(context, SetOperation::Difference, near, deep, both);
  const Halo halo = haloOf<Dim>(0, periods);
  restrictRows<Space, Dim>(context, both, halo.periodic() ? planes.within(halo.period) : planes, both);
  return both;
}

/// Collective. Throws InvalidArgument where the box takes more memory than it may.
template <int Dim>
void checkMemory(
  const SetDistance<Dim>& asked, const PlaneRange& planes, const MirroredSet<Dim>& set, const Box<Dim>& box) {
  Box<Dim> needed = box; // with what else is looked at
  const Box<Dim> ofSet = boundingBoxOfAll<Dim>(asked.group, {&set});
  for (int axis = 1; axis < Dim && !ofSet.empty() && !box.empty(); ++axis) {
    needed.begin[axis] = std::min(box.begin[axis], ofSet.begin[axis]);
    needed.end[axis] = std::max(box.end[axis], ofSet.end[axis]);
  }
  asked.group.agree([&] {
    const double cells = cellsOfBox(inPlanes(needed, planes));
    const double ofBox = cellsOfBox(inPlanes(box, planes));
    const double bytes = sizeof(double) * (cells * (asked.group.alone() ? 1.0 : 2.0) + (ofBox < cells ? ofBox : 0.0));
    if (bytes > asked.memoryLimit) {
      throw InvalidArgument(std::format("distances in a box of {:.6g} cells take {:.6g} MiB, and the limit is {:.0f}; "
                                        "raise it, or ask for a band around the boundary",
        cells, std::ceil(bytes / 1048576.0), asked.memoryLimit / 1048576.0));
    }
    asked.progress.report(0.1);
  });
}

} // namespace

/// The planes of this rank, and of all.
template <int Dim>
struct SetDistance<Dim>::Owned {
  PlaneRange planes;
  RowCut cut;
};

template <int Dim>
typename SetDistance<Dim>::Owned SetDistance<Dim>::owned(RankCells<Dim>& cells) const {
  Owned mine{group.streams() ? PlaneRange() : distribute(group, cells), {}};
  mine.cut = cutOf(gatherRanges(group.communicator(), mine.planes));
  return mine;
}

namespace {

/// Collective. The distances in this rank's part of a box.
template <ComputeSide side, int Dim, class Owned>
ArrayOnSide<side, double> distancesInBox(const SideContext<side>& context, const SetDistance<Dim>& asked,
  const Owned& mine, const MirroredSet<Dim>& set, const Box<Dim>& box) {
  using Space = SpaceOf<side>;
  std::optional<ArrayOnSide<side, double>> distances;
  asked.group.agree(
    [&] { distances.emplace(asked.name, static_cast<std::int64_t>(cellsOfBox(inPlanes(box, mine.planes))), 1); });
  const auto view = viewOf<Space>(distances->values());
  eikonal::signedDistanceInBox<Space, Dim>(context, set.template on<side>(), latticeOf<Dim>(asked.placement),
    SetDomain<Dim>(context.communicator(), mine.cut, asked.periods), box, view);
  giveSign(context.space(), asked.sign, view);
  asked.group.agree([&] { asked.progress.report(0.9); });
  return *distances;
}

} // namespace

template <int Dim>
void SetDistance<Dim>::addDistances(
  const Owned& mine, const MirroredSet<Dim>& set, const Box<Dim>& box, RankCells<Dim>& where) const {
  checkMemory(*this, mine.planes, set, box);
  const Box<Dim> part = inPlanes(box, mine.planes);
  computeOnSide<Dim>(group, operation, sideInputs<Dim>({&set, &where.set}, cellsOfBox(part)),
    [&]<ComputeSide side>(const SideContext<side>& context) {
      auto distances = distancesInBox<side, Dim>(context, *this, mine, set, box);
      group.agree([&] {
        IntervalSetOn<Dim, SpaceOf<side>> all;
        makeBox<SpaceOf<side>, Dim>(context, part, all);
        addValuesOf<side, Dim>(context, all, distances.values(), name, where);
      });
    });
}

template <int Dim>
void SetDistance<Dim>::inSet(RankCells<Dim>& cells) const {
  const Owned mine = owned(cells);
  Cell<Dim> one{};
  std::fill_n(one.at, Dim, 1); // with what is around it, a box needs no memory but for its distances
  const Box<Dim> box = grown(boundingBoxOfAll<Dim>(group, {&cells.set}), periods, one);
  addDistances(mine, cells.set, box, cells);
}

template <int Dim>
void SetDistance<Dim>::inBox(double margin, RankCells<Dim>& cells) const {
  const Owned mine = owned(cells);
  Cell<Dim> by{};
  for (int axis = 0; axis < Dim; ++axis) {
    by.at[axis] = static_cast<Coordinate>(std::min(std::ceil(margin / placement.spacing[axis] - 1e-6), 1e9));
  }
  const Box<Dim> box = grown(boundingBoxOfAll<Dim>(group, {&cells.set}), periods, by);
  checkMemory(*this, mine.planes, cells.set, box);
  const Box<Dim> part = inPlanes(box, mine.planes);
  RankCells<Dim> result;
  computeOnSide<Dim>(group, operation, sideInputs<Dim>({&cells.set}, cellsOfBox(part)),
    [&]<ComputeSide side>(const SideContext<side>& context) {
      const auto distances = distancesInBox<side, Dim>(context, *this, mine, cells.set, box);
      group.agree([&] {
        IntervalSetOn<Dim, SpaceOf<side>> all;
        makeBox<SpaceOf<side>, Dim>(context, part, all);
        result = {MirroredSet<Dim>::template of<side>(all)};
        addActive(result.values, distances.array());
      });
    });
  cells = result;
}

template <int Dim>
void SetDistance<Dim>::inCells(const RankCells<Dim>& cells, RankCells<Dim>& where) const {
  RankCells<Dim> set = cells;
  const Owned mine = owned(set);
  migrate(group, mine.cut, where);
  addDistances(mine, set.set, boundingBoxOfAll<Dim>(group, {&where.set}), where);
}

template <int Dim>
void SetDistance<Dim>::inBand(double width, RankCells<Dim>& cells) const {
  const Owned mine = owned(cells);
  cells.values = vtkSmartPointer<vtkCellData>::New();
  const Cell<Dim> reach = cellsWithinLength<Dim>(width, placement, periods);
  addHalo(group, mine.planes, cells, haloOf<Dim>(reach.at[Dim - 1] + 1, periods));
  RankCells<Dim> result;
  computeOnSide<Dim>(group, operation, sideInputsOf(cells), [&]<ComputeSide side>(const SideContext<side>& context) {
    using Space = SpaceOf<side>;
    group.agree([&] {
      progress.report(0.1);
      const auto& set = cells.set.template on<side>();
      const auto near = nearBoundary<Space, Dim>(context, set, reach, periods, mine.planes);
      progress.report(0.3);
      Distances<Space> ofNear(name, near.numCells());
      const auto view = viewOf<Space>(ofNear);
      eikonal::signedDistanceOnCells<Space, Dim>(
        context, set, latticeOf<Dim>(placement), withoutSlowest(periods), near, width, view);
      progress.report(0.8);
      IntervalSetOn<Dim, Space> within;
      selectByValue<double, Space, Dim>(context, near, view, {-width, width}, false, within);
      giveSign(context.space(), sign, view);
      result = {MirroredSet<Dim>::template of<side>(within)};
      addValuesOf<side, Dim>(context, near, ofNear, name, result);
    });
  });
  cells = result;
}

template struct SetDistance<2>;
template struct SetDistance<3>;

} // namespace spanwise
