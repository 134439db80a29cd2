#include "SpanwiseSetDistance.h"

#include "SpanwiseLattice.h"
#include "SpanwisePeriods.h"
#include "SpanwiseValues.h"

#include "Core/Field/Threshold.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/DomainMorphology.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/GridSignedDistance.hpp"

#include <vtkDoubleArray.h>

#include <algorithm>
#include <cmath>
#include <format>
#include <limits>

using namespace spanwise::geometry;
using namespace spanwise::parallel;
using namespace spanwise::field;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;
using HostValues = Kokkos::View<double*, Kokkos::HostSpace>;

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

template <int Dim>
double cellsOfBox(const Box<Dim>& box) {
  double cells = box.empty() ? 0.0 : 1.0;
  for (int axis = 0; axis < Dim; ++axis) {
    cells *= static_cast<double>(box.extent(axis));
  }
  return cells;
}

vtkSmartPointer<vtkDoubleArray> newValues(const std::string& name, std::int64_t count) {
  auto values = vtkSmartPointer<vtkDoubleArray>::New();
  values->SetName(name.c_str());
  values->SetNumberOfValues(count);
  return values;
}

HostValues viewOf(vtkDoubleArray* values) {
  return HostValues(values->GetPointer(0), static_cast<std::size_t>(values->GetNumberOfValues()));
}

/// Adds the array as the active one. (SetScalars() would drop the one before.)
void addActive(vtkCellData* data, vtkAbstractArray* array) {
  data->AddArray(array);
  data->SetActiveScalars(array->GetName());
}

/// The values of the cells of `set` out of those of `all`, which has them all.
template <int Dim>
vtkSmartPointer<vtkDoubleArray> valuesOf(
  const HostIntervalSet<Dim>& set, const HostIntervalSet<Dim>& all, vtkDoubleArray* ofAll) {
  const auto runs = commonCells<Host, Dim>(Context<Host>(), set, all);
  auto values = newValues(ofAll->GetName(), set.numCells());
  copyRuns(ofAll, runs.data(), static_cast<std::int64_t>(runs.extent(0)), values);
  return values;
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

template <int Dim>
vtkSmartPointer<vtkDoubleArray> SetDistance<Dim>::boxDistances(
  const Owned& mine, const HostIntervalSet<Dim>& set, const Box<Dim>& box) const {
  vtkSmartPointer<vtkDoubleArray> distances;
  const Context<Host> context(Host(), group.communicator());
  Box<Dim> needed = box; // with what else is looked at
  const MirroredSet<Dim> mirrored(set);
  const Box<Dim> ofSet = boundingBoxOfAll<Dim>(group, {&mirrored});
  for (int axis = 1; axis < Dim && !ofSet.empty() && !box.empty(); ++axis) {
    needed.begin[axis] = std::min(box.begin[axis], ofSet.begin[axis]);
    needed.end[axis] = std::max(box.end[axis], ofSet.end[axis]);
  }
  group.agree([&] {
    const double cells = cellsOfBox(inPlanes(needed, mine.planes));
    const double asked = cellsOfBox(inPlanes(box, mine.planes));
    const double bytes = sizeof(double) * (cells * (group.alone() ? 1.0 : 2.0) + (asked < cells ? asked : 0.0));
    if (bytes > memoryLimit) {
      throw InvalidArgument(std::format("distances in a box of {:.6g} cells take {:.6g} MiB, and the limit is {:.0f}; "
                                        "raise it, or ask for a band around the boundary",
        cells, std::ceil(bytes / 1048576.0), memoryLimit / 1048576.0));
    }
    distances = newValues(name, static_cast<std::int64_t>(asked));
    progress.report(0.1);
  });
  eikonal::signedDistanceInBox<Host, Dim>(context, set, latticeOf<Dim>(placement),
    SetDomain<Dim>(group.communicator(), mine.cut, periods), box, viewOf(distances));
  group.agree([&] { progress.report(0.9); });
  return distances;
}

template <int Dim>
void SetDistance<Dim>::addDistances(
  const Owned& mine, const HostIntervalSet<Dim>& set, const Box<Dim>& box, RankCells<Dim>& where) const {
  const auto distances = boxDistances(mine, set, box);
  group.agree([&] {
    HostIntervalSet<Dim> all;
    makeBox<Host, Dim>(Context<Host>(), inPlanes(box, mine.planes), all);
    addActive(where.values, valuesOf<Dim>(where.set.host(), all, distances));
  });
}

template <int Dim>
void SetDistance<Dim>::inSet(RankCells<Dim>& cells) const {
  const Owned mine = owned(cells);
  Cell<Dim> one{};
  std::fill_n(one.at, Dim, 1); // with what is around it, a box needs no memory but for its distances
  const Box<Dim> box = grown(boundingBoxOfAll<Dim>(group, {&cells.set}), periods, one);
  addDistances(mine, cells.set.host(), box, cells);
}

template <int Dim>
void SetDistance<Dim>::inBox(double margin, RankCells<Dim>& cells) const {
  const Owned mine = owned(cells);
  Cell<Dim> by{};
  for (int axis = 0; axis < Dim; ++axis) {
    by.at[axis] = static_cast<Coordinate>(std::min(std::ceil(margin / placement.spacing[axis] - 1e-6), 1e9));
  }
  const Box<Dim> box = grown(boundingBoxOfAll<Dim>(group, {&cells.set}), periods, by);
  const auto distances = boxDistances(mine, cells.set.host(), box);
  group.agree([&] {
    cells = {};
    HostIntervalSet<Dim> all;
    makeBox<Host, Dim>(Context<Host>(), inPlanes(box, mine.planes), all);
    cells.set = all;
    addActive(cells.values, distances);
  });
}

template <int Dim>
void SetDistance<Dim>::inCells(const RankCells<Dim>& cells, RankCells<Dim>& where) const {
  RankCells<Dim> set = cells;
  const Owned mine = owned(set);
  migrate(group, mine.cut, where);
  addDistances(mine, set.set.host(), boundingBoxOfAll<Dim>(group, {&where.set}), where);
}

/// The cells that may be within the width: all whose box of so many cells around has cells of both kinds.
template <int Dim>
HostIntervalSet<Dim> SetDistance<Dim>::nearBoundary(
  const Owned& mine, const HostIntervalSet<Dim>& around, double width) const {
  const auto element = StructuringElement<Dim>::box(cellsWithinLength<Dim>(width, placement, periods));
  const Context<Host> context;
  HostIntervalSet<Dim> near;
  HostIntervalSet<Dim> deep;
  morph<Host, Dim>(context, MorphologyOperation::Dilate, around, element, near, withoutSlowest(periods));
  morph<Host, Dim>(context, MorphologyOperation::Erode, around, element, deep, withoutSlowest(periods));
  HostIntervalSet<Dim> both;
  combine<Host, Dim>(context, SetOperation::Difference, near, deep, both);
  const Halo halo = haloOf<Dim>(0, periods);
  restrictRows<Host, Dim>(context, both, halo.periodic() ? mine.planes.within(halo.period) : mine.planes, both);
  return both;
}

template <int Dim>
void SetDistance<Dim>::inBand(double width, RankCells<Dim>& cells) const {
  const Owned mine = owned(cells);
  cells.values = vtkSmartPointer<vtkCellData>::New();
  const std::int64_t halo = cellsWithinLength<Dim>(width, placement, periods).at[Dim - 1] + 1;
  addHalo(group, mine.planes, cells, haloOf<Dim>(halo, periods));
  group.agree([&] {
    progress.report(0.1);
    const HostIntervalSet<Dim> near = nearBoundary(mine, cells.set.host(), width);
    progress.report(0.3);
    const auto ofNear = newValues(name, near.numCells());
    eikonal::signedDistanceOnCells<Host, Dim>(
      Host(), cells.set.host(), latticeOf<Dim>(placement), withoutSlowest(periods), near, width, viewOf(ofNear));
    progress.report(0.8);
    const Context<Host> context;
    cells = {};
    HostIntervalSet<Dim> within;
    selectByValue<double, Host, Dim>(context, near, viewOf(ofNear), {-width, width}, false, within);
    cells.set = within;
    addActive(cells.values, valuesOf<Dim>(cells.set.host(), near, ofNear));
  });
}

template struct SetDistance<2>;
template struct SetDistance<3>;

} // namespace spanwise
