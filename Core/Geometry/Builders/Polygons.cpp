#include "Core/Geometry/Builders/Polygons.hpp"

#include "Core/Geometry/Detail/EdgeCrossing.hpp"
#include "Core/Geometry/Detail/Toggles.hpp"
#include "Core/Geometry/PointBounds.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Scan.hpp"

namespace spanwise::geometry {

namespace {

using detail::Edge;
using detail::LatticeAxis;

/// The edge from each point to the next one of its ring.
template <class MemorySpace>
struct RingEdges {
  Rings<MemorySpace> rings;

  [[nodiscard]] KOKKOS_FUNCTION Edge edge(std::int64_t i) const {
    const auto numOffsets = static_cast<std::int64_t>(rings.ringOffsets.extent(0));
    const std::int64_t end = firstAbove(rings.ringOffsets.data(), 0, numOffsets, i);
    const std::int64_t next = i + 1 < rings.ringOffsets(end) ? i + 1 : rings.ringOffsets(end - 1);
    return detail::edgeBetween(coordinate(i, 0), coordinate(i, 1), coordinate(next, 0), coordinate(next, 1));
  }
  [[nodiscard]] KOKKOS_FUNCTION double coordinate(std::int64_t i, int d) const {
    return detail::snappedToExact(rings.points(i, d));
  }
};

template <class ExecutionSpace>
void checkOffsets(const ExecutionSpace& space, const Rings<typename ExecutionSpace::memory_space>& rings) {
  const auto numPoints = static_cast<std::int64_t>(rings.points.extent(0));
  const std::int64_t numRings = static_cast<std::int64_t>(rings.ringOffsets.extent(0)) - 1;
  if (numRings <= 0) {
    if (numPoints > 0) {
      throw InvalidArgument("there are " + std::to_string(numPoints) + " points but no rings");
    }
    return;
  }
  std::int64_t firstWrong = 0;
  const std::int64_t* const offsets = rings.ringOffsets.data();
  reduceMin(
    SPANWISE_KERNEL("check offsets"), IndexRange<ExecutionSpace>(space, 0, numRings),
    KOKKOS_LAMBDA(std::int64_t k, std::int64_t& first) {
      const bool wrong = (k == 0 && offsets[0] != 0) || offsets[k + 1] < offsets[k] ||
        (k == numRings - 1 && offsets[numRings] != numPoints);
      if (wrong) {
        first = Kokkos::min(first, k);
      }
    },
    firstWrong);
  if (firstWrong < numRings) {
    throw InvalidArgument("ring " + std::to_string(firstWrong) + " of " + std::to_string(numRings) +
      " has the points from " + std::to_string(fetch(space, offsets, firstWrong)) + " to " +
      std::to_string(fetch(space, offsets, firstWrong + 1)) +
      "; ring offsets must ascend from 0 to the number of points, " + std::to_string(numPoints));
  }
}

} // namespace

template <class ExecutionSpace>
void makeFromPolygons(const Context<ExecutionSpace>& context, const Rings<typename ExecutionSpace::memory_space>& rings,
  const GridGeometry<2>& lattice, IntervalSetOn<2, ExecutionSpace>& out, const parallel::PlaneRange& planes) {
  const ExecutionSpace& space = context.space();

  using Memory = typename ExecutionSpace::memory_space;
  SPANWISE_REGION("Geometry::makeFromPolygons");
  out.clear();
  detail::checkLattice(lattice);
  checkOffsets(space, rings);
  const auto numEdges = static_cast<std::int64_t>(rings.points.extent(0));
  if (numEdges == 0) {
    return;
  }
  const auto bounds = detail::usableBoundsOf<2>(space, rings.points);
  const LatticeAxis x = detail::axisWithin(lattice, 0, bounds);
  const LatticeAxis y = detail::axisWithin(lattice, 1, bounds).inPlanes(planes);
  context.progress().report(0.1);

  typename Workspace<Memory>::Frame frame(context.workspace());
  std::int64_t* const crossings = frame.template array<std::int64_t>(numEdges + 1).data();
  const RingEdges<Memory> edges{rings};
  forEach(
    SPANWISE_KERNEL("count crossings"), IndexRange<ExecutionSpace>(space, 0, numEdges), KOKKOS_LAMBDA(std::int64_t i) {
      const detail::CellRange rows = detail::rowsAcross(edges.edge(i), y);
      crossings[i] = rows.end - rows.begin;
    });
  const std::int64_t numToggles = exclusiveScan(space, SPANWISE_KERNEL("scan crossings"), crossings, numEdges);
  context.progress().report(0.3);

  Cell<2>* const toggles = frame.template array<Cell<2>>(numToggles).data();
  Cell<2>* const scratch = frame.template array<Cell<2>>(numToggles).data();
  forEachPart(
    space, SPANWISE_KERNEL("place toggles"), crossings, numEdges, numToggles,
    KOKKOS_LAMBDA(std::int64_t i, std::int64_t k, std::int64_t place) {
      const Edge edge = edges.edge(i);
      const std::int64_t row = detail::rowsAcross(edge, y).begin + k;
      const std::int64_t first = detail::firstCellRightOf(edge, y.centre(row), x);
      toggles[place] = {{static_cast<Coordinate>(first), static_cast<Coordinate>(row)}};
    });
  detail::makeFromToggles(space, toggles, scratch, numToggles, out, context.progress().part(0.3, 1.0));
}

#define SPANWISE_MAKE_FROM_POLYGONS(Space)                                                                             \
  template void makeFromPolygons<Space>(const Context<Space>&, const Rings<Space::memory_space>&,                      \
    const GridGeometry<2>&, IntervalSetOn<2, Space>&, const parallel::PlaneRange&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_MAKE_FROM_POLYGONS)

} // namespace spanwise::geometry
