#include "SpanwiseSurfaceDistance.h"

#include "SpanwiseArrayOnSide.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseDistanceChoices.h"
#include "SpanwiseLattice.h"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/SurfaceDistance.hpp"

#include <vtkBoundingBox.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <format>
#include <limits>
#include <utility>

using namespace spanwise::geometry;
using namespace spanwise::parallel;
using namespace spanwise::field;

namespace spanwise {

namespace {

constexpr const char* operation = "Signed distance";

/// A triangle takes as long as so many values of cells, and the distance of a cell as so many.
constexpr std::int64_t valuesPerTriangle = 100;
constexpr std::int64_t valuesPerDistance = 10;

template <class Space>
using Surface = TriangleSurface<typename Space::memory_space>;

/// The triangles where an execution space has them.
template <class Space>
Surface<Space> surfaceOn(const TriangleList& list) {
  const typename Space::memory_space memory;
  const auto host = surfaceOf(list);
  return {Kokkos::create_mirror_view_and_copy(memory, host.points),
    Kokkos::create_mirror_view_and_copy(memory, host.triangles)};
}

/// The cells of some planes inside the surface. If it is open, points are merged where that closes it; then the
/// triangles are others than those that lie on the side.
template <ComputeSide side>
IntervalSetOn<3, SpaceOf<side>> insideOf(const SideContext<side>& context, SurfaceDistance& of,
  const Surface<SpaceOf<side>>& surface, const PlaneRange& planes) {
  using Space = SpaceOf<side>;
  double bounds[6];
  boundsOf(of.triangles, bounds);
  IntervalSetOn<3, Space> inside;
  bool isMerged = false;
  whereClosed(of.triangles, of.mergeTolerance * vtkBoundingBox(bounds).GetDiagonalLength(), [&] {
    makeFromSurface<Space>(context.with(of.progress.part(0.6, 1.0)),
      std::exchange(isMerged, true) ? surfaceOn<Space>(of.triangles) : surface, latticeOf<3>(of.placement), inside,
      planes);
  });
  return inside;
}

/// The cells that distances of a set are negated in: none if they get no sign.
template <ComputeSide side>
IntervalSetOn<3, SpaceOf<side>> insideFor(const SideContext<side>& context, SurfaceDistance& of,
  const Surface<SpaceOf<side>>& surface, const IntervalSetOn<3, SpaceOf<side>>& set) {
  if (of.sign == DistanceSign::Unsigned || set.empty()) {
    return {};
  }
  try {
    return insideOf<side>(context, of, surface, planesOf(boundingBox<SpaceOf<side>, 3>(context, set)));
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(
      std::format("{}; for a distance without a sign choose Unsigned, which needs no closed surface", error.what()));
  }
}

/// Gives the distances of a set their sign, and adds them as the active array of cells.
template <ComputeSide side>
void addDistances(const SideContext<side>& context, const SurfaceDistance& of,
  const IntervalSetOn<3, SpaceOf<side>>& set, const IntervalSetOn<3, SpaceOf<side>>& inside,
  FieldOn<double, SpaceOf<side>>& distances, RankCells<3>& cells) {
  using Space = SpaceOf<side>;
  eikonal::negateInside<Space>(context, inside, set, distances);
  ArrayOnSide<side, double> array(of.name, distances.numCells(), 1);
  copyValues<Space, double>(context, distances, array.values());
  giveSign(context.space(), of.sign, viewOf<Space>(array.values()));
  addActive(cells.values, array.array());
}

/// The distances of all cells of a set, however far they are.
template <ComputeSide side>
FieldOn<double, SpaceOf<side>> distancesOf(const SideContext<side>& context, const SurfaceDistance& of,
  const Surface<SpaceOf<side>>& surface, const IntervalSetOn<3, SpaceOf<side>>& set) {
  using Space = SpaceOf<side>;
  FieldOn<double, Space> distances(of.name, set.numCells());
  of.progress.report(0.1);
  eikonal::distanceToSurface<Space>(context, surface, latticeOf<3>(of.placement), set,
    std::numeric_limits<double>::infinity(), viewOf<Space>(distances));
  return distances;
}

/// Adds the distances of all cells of a set.
template <ComputeSide side>
void addAllDistances(const SideContext<side>& context, SurfaceDistance& of, const IntervalSetOn<3, SpaceOf<side>>& set,
  RankCells<3>& cells) {
  const auto surface = surfaceOn<SpaceOf<side>>(of.triangles);
  auto distances = distancesOf<side>(context, of, surface, set);
  addDistances<side>(context, of, set, insideFor<side>(context, of, surface, set), distances, cells);
}

SideWork workOf(const SurfaceDistance& of, double numCells) {
  return {.numCells = valuesPerTriangle * static_cast<std::int64_t>(of.triangles.triangles.size() / 3) +
      valuesPerDistance * static_cast<std::int64_t>(std::min(numCells, 1e15))};
}

} // namespace

RankCells<3> SurfaceDistance::inBand(double width, const PlaneRange& planes) {
  RankCells<3> cells;
  computeOnSide(group, operation, workOf(*this, 0.0), [&]<ComputeSide side>(const SideContext<side>& context) {
    using Space = SpaceOf<side>;
    group.agree([&] {
      const auto surface = surfaceOn<Space>(triangles);
      IntervalSetOn<3, Space> band;
      FieldOn<double, Space> distances;
      eikonal::makeSurfaceBand<Space>(
        context.with(progress.part(0.0, 0.6)), surface, latticeOf<3>(placement), width, band, distances, planes);
      cells = {MirroredSet<3>::of<side>(band)};
      addDistances<side>(context, *this, band, insideFor<side>(context, *this, surface, band), distances, cells);
    });
  });
  return cells;
}

RankCells<3> SurfaceDistance::inside(const PlaneRange& planes) {
  RankCells<3> cells;
  computeOnSide(group, operation, workOf(*this, 0.0), [&]<ComputeSide side>(const SideContext<side>& context) {
    group.agree([&] {
      const auto surface = surfaceOn<SpaceOf<side>>(triangles);
      const auto set = insideOf<side>(context, *this, surface, planes);
      auto distances = distancesOf<side>(context, *this, surface, set);
      cells = {MirroredSet<3>::of<side>(set)};
      addDistances<side>(context, *this, set, set, distances, cells);
    });
  });
  return cells;
}

RankCells<3> SurfaceDistance::inBox(const Box<3>& box) {
  RankCells<3> cells;
  computeOnSide(
    group, operation, workOf(*this, cellsOfBox(box)), [&]<ComputeSide side>(const SideContext<side>& context) {
      group.agree([&] {
        IntervalSetOn<3, SpaceOf<side>> set;
        makeBox<SpaceOf<side>, 3>(context, box, set);
        cells = {MirroredSet<3>::of<side>(set)};
        addAllDistances<side>(context, *this, set, cells);
      });
    });
  return cells;
}

void SurfaceDistance::inCells(RankCells<3>& where) {
  SideInputs<3> inputs{{&where.set}};
  inputs.numCells = workOf(*this, static_cast<double>(where.set.numCells())).numCells;
  computeOnSide<3>(group, operation, inputs, [&]<ComputeSide side>(const SideContext<side>& context) {
    group.agree([&] { addAllDistances<side>(context, *this, where.set.on<side>(), where); });
  });
}

void checkMemory(const RankGroup& group, const Box<3>& box, double limit) {
  const auto cells = static_cast<double>(group.sum(static_cast<std::int64_t>(std::min(cellsOfBox(box), 1e15))));
  group.agree([&] {
    if (sizeof(double) * cells > limit) {
      throw InvalidArgument(std::format("distances in a box of {:.6g} cells take {:.6g} MiB, and the limit is {:.0f}; "
                                        "raise it, or ask for a band around the surface",
        cells, std::ceil(sizeof(double) * cells / 1048576.0), limit / 1048576.0));
    }
  });
}

} // namespace spanwise
