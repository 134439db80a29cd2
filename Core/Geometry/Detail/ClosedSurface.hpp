#pragma once

#include "Core/Geometry/Builders/Surface.hpp"
#include "Core/Geometry/PointBounds.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Search.hpp"

namespace spanwise::geometry::detail {

// Whether every edge of a surface has an even number of triangles. Points are sorted, so that those with the same
// coordinates get one number, that of the first; then the triangles' edges are sorted by these numbers.

struct NumberedPoint {
  double at[3];
  std::int64_t number;
};

struct PointsAscend {
  KOKKOS_FUNCTION bool operator()(const NumberedPoint& a, const NumberedPoint& b) const {
    for (int d = 0; d < 2; ++d) {
      if (a.at[d] != b.at[d]) {
        return a.at[d] < b.at[d];
      }
    }
    return a.at[2] < b.at[2];
  }
};

/// An edge by the numbers of its end points, the lower one first. {-1, -1} stands for none.
struct SurfaceEdge {
  std::int64_t low;
  std::int64_t high;

  friend KOKKOS_FUNCTION bool operator<(const SurfaceEdge& a, const SurfaceEdge& b) {
    return a.low < b.low || (a.low == b.low && a.high < b.high);
  }
};

/// Edges with an odd number of triangles: how many, where the last entry of the first one is, and its number of
/// triangles.
struct OpenEdges {
  std::int64_t count;
  std::int64_t place;
  std::int64_t numTriangles;
};

struct FindOpenEdges {
  using value_type = OpenEdges;
  const SurfaceEdge* sorted;
  std::int64_t numEntries;

  KOKKOS_FUNCTION void init(OpenEdges& open) const { open = {0, numEntries, 0}; }
  KOKKOS_FUNCTION void join(OpenEdges& open, const OpenEdges& other) const {
    const std::int64_t count = open.count + other.count;
    if (other.place < open.place) {
      open = other;
    }
    open.count = count;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i, OpenEdges& open) const {
    const bool lastEntry = i + 1 == numEntries || sorted[i] < sorted[i + 1];
    if (lastEntry && sorted[i].low >= 0) {
      const std::int64_t numTriangles = i + 1 - firstOfEqual(sorted, i, Ascending());
      if (numTriangles % 2 == 1) {
        join(open, {1, i, numTriangles});
      }
    }
  }
};

/// Throws InvalidArgument if the surface is open. Its indices must be valid and its points usable.
template <class ExecutionSpace>
void checkClosed(
  const Context<ExecutionSpace>& context, const TriangleSurface<typename ExecutionSpace::memory_space>& surface) {
  const ExecutionSpace& space = context.space();

  using Frame = typename Workspace<typename ExecutionSpace::memory_space>::Frame;
  const auto numPoints = static_cast<std::int64_t>(surface.points.extent(0));
  const auto numTriangles = static_cast<std::int64_t>(surface.triangles.extent(0));
  const IndexRange<ExecutionSpace> overPoints(space, 0, numPoints);
  Frame frame(context.workspace());
  // of each point: the least number of a point with the same coordinates
  std::int64_t* const first = frame.template array<std::int64_t>(numPoints).data();
  {
    Frame points(context.workspace());
    NumberedPoint* const numbered = points.template array<NumberedPoint>(numPoints).data();
    NumberedPoint* const scratch = points.template array<NumberedPoint>(numPoints).data();
    const auto at = surface.points;
    forEach(
      SPANWISE_KERNEL("number points"), overPoints, KOKKOS_LAMBDA(std::int64_t i) {
        numbered[i] = {{snappedToExact(at(i, 0)), snappedToExact(at(i, 1)), snappedToExact(at(i, 2))}, i};
      });
    const NumberedPoint* const sorted = sortStably(space, numbered, scratch, numPoints, PointsAscend());
    forEach(
      SPANWISE_KERNEL("unify points"), overPoints, KOKKOS_LAMBDA(std::int64_t k) {
        first[sorted[k].number] = sorted[firstOfEqual(sorted, k, PointsAscend())].number;
      });
  }
  const std::int64_t numEntries = 3 * numTriangles;
  const auto triangles = surface.triangles;
  SurfaceEdge* const edges = frame.template array<SurfaceEdge>(numEntries).data();
  SurfaceEdge* const scratch = frame.template array<SurfaceEdge>(numEntries).data();
  forEach(
    SPANWISE_KERNEL("list edges"), IndexRange<ExecutionSpace>(space, 0, numTriangles), KOKKOS_LAMBDA(std::int64_t t) {
      const std::int64_t corner[3] = {first[triangles(t, 0)], first[triangles(t, 1)], first[triangles(t, 2)]};
      const bool collapsed = corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0];
      for (int e = 0; e < 3; ++e) {
        const std::int64_t a = corner[e];
        const std::int64_t b = corner[(e + 1) % 3];
        edges[3 * t + e] = collapsed ? SurfaceEdge{-1, -1} : SurfaceEdge{Kokkos::min(a, b), Kokkos::max(a, b)};
      }
    });
  const SurfaceEdge* const sorted = sortStably(space, edges, scratch, numEntries, Ascending());
  OpenEdges open;
  reduce(SPANWISE_KERNEL("find open edges"), IndexRange<ExecutionSpace>(space, 0, numEntries),
    FindOpenEdges{sorted, numEntries}, open);
  if (open.count > 0) {
    const SurfaceEdge edge = fetch(space, sorted, open.place);
    throw InvalidArgument("the surface is open: " + std::to_string(open.count) +
      " edges have an odd number of triangles, such as the one from " + pointText(space, surface.points, edge.low) +
      " to " + pointText(space, surface.points, edge.high) + ", which has " + std::to_string(open.numTriangles) +
      "; close the surface first");
  }
}

} // namespace spanwise::geometry::detail
