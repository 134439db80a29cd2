#include "Core/Solvers/Eikonal/Starts.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/ClipTriangle.hpp"
#include "Core/Solvers/Eikonal/Detail/Bins.hpp"
#include "Core/Solvers/Eikonal/Detail/NearestPlace.hpp"
#include "Core/Solvers/Eikonal/Detail/Overlap.hpp"
#include "Core/Solvers/Eikonal/Detail/SurfaceItems.hpp"
#include "Core/Solvers/Eikonal/SimplexGeometry.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace spanwise::eikonal {

namespace {

using detail::Bins;
using detail::Bounds;
using detail::firstWrong;
using detail::isInRange;
using detail::pointAt;
using detail::startText;
using detail::SurfaceItems;
using detail::timeOf;

constexpr std::int32_t noLabel = std::numeric_limits<std::int32_t>::max();

/// Takes starts. All sources are gone through twice: for the times, and then for who gave them.
struct Sink {
  const std::int32_t* representatives = nullptr;
  double* times = nullptr;        // null: not asked for
  std::int32_t* labels = nullptr; // null: the first time

  KOKKOS_FUNCTION void start(std::int64_t v, double time, std::int64_t source) const {
    v = representatives != nullptr ? representatives[v] : v;
    if (times == nullptr) {
      return;
    }
    if (labels == nullptr) {
      Kokkos::atomic_min(&times[v], time);
    } else if (time == times[v]) {
      Kokkos::atomic_min(&labels[v], static_cast<std::int32_t>(source));
    }
  }
};

struct StartAtVertices {
  NumberedSources sources;
  Sink sink;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { sink.start(sources.numbers[i], timeOf(sources.times, i), i); }
};

template <class Index>
struct StartAtElements {
  NumberedSources sources;
  ElementView<Index> elements;
  std::int64_t firstLabel;
  Sink sink;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t e = sources.numbers[i];
    for (int k = 0; k < numVerticesOf(elements.typeOf(e)); ++k) {
      sink.start(elements.vertex(e, k), timeOf(sources.times, i), firstLabel + i);
    }
  }
};

/// A little more than a simplex takes.
template <int corners>
KOKKOS_INLINE_FUNCTION Bounds boundsOf(const SimplexCorners<corners>& simplex, double reach) {
  Bounds box = Bounds::empty();
  for (const Point& point : simplex.x) {
    box.add(point);
  }
  box.grow(reach + looseness * Kokkos::sqrt(simplex.longest2));
  return box;
}

struct PointItems {
  PointSources sources;

  KOKKOS_FUNCTION Bounds operator()(std::int64_t i) const {
    Bounds bounds = Bounds::empty();
    bounds.add(pointAt(sources.points, i));
    return bounds;
  }
};

/// Each simplex lets the points inside it start at its corners.
template <int corners, class Real>
struct StartAtPoints {
  PointSources sources;
  Bins bins;
  VertexView<Real> vertices;
  SimplexMeshView<corners> simplices;
  std::int64_t firstLabel;
  std::int32_t* simplexOfPoint;
  Sink sink;

  KOKKOS_FUNCTION void operator()(std::int64_t s) const {
    const SimplexCorners<corners> simplex(simplices, vertices, s);
    const double* products = simplices[s].products;
    bins.forItems(boundsOf(simplex, sources.reach), [&](std::int64_t i) {
      double weights[corners];
      if (!holds<corners>(simplex.x, simplex.longest2, sources.reach, pointAt(sources.points, i), weights)) {
        return;
      }
      Kokkos::atomic_min(&simplexOfPoint[i], static_cast<std::int32_t>(s));
      for (int k = 0; k < corners; ++k) {
        const double travel2 = squaredTravelTimeToCorner<corners>(products, weights, k);
        sink.start(simplices[s].vertices[k], updateFromVertex(timeOf(sources.times, i), travel2), firstLabel + i);
      }
    });
  }
};

/// Each simplex lets the triangles that cut it start at its corners.
template <int corners, class Real, class Index>
struct StartAtSurface {
  SurfaceItems items;
  Bins bins;
  MeshView<Real, Index> mesh;
  Speed speed;
  SimplexMeshView<corners> simplices;
  std::int64_t firstLabel;
  Sink sink;

  KOKKOS_FUNCTION void operator()(std::int64_t s, std::int64_t& numCuts) const {
    const SimplexCorners<corners> simplex(simplices, mesh.vertices, s);
    const std::int64_t e = simplices.elements[s];
    const SymmetricTensor inverse = speed.inverseOfElement(
      e, mesh.elements.vertices + mesh.elements.firstCorner(e), numVerticesOf(mesh.elements.typeOf(e)));
    bins.forItems(boundsOf(simplex, 0.0), [&](std::int64_t i) {
      Point cut[3];
      items.corners(i, cut);
      if (!detail::overlap<corners>(simplex.x, cut)) {
        return;
      }
      ++numCuts;
      if constexpr (corners == 3) {
        toSection(simplex, cut);
      }
      const double time = timeOf(items.surface.times, i);
      for (int k = 0; k < corners; ++k) {
        const Point way = simplex.x[k] - detail::nearestPlace(inverse, cut, simplex.x[k]);
        sink.start(simplices[s].vertices[k], updateFromVertex(time, inverse.product(way)), firstLabel + i);
      }
    });
  }

private:
  /// Leaves of a triangle what lies in the plane of the simplex: a segment, or all of it.
  KOKKOS_FUNCTION void toSection(const SimplexCorners<corners>& simplex, Point* cut) const {
    const Point normal = cross(simplex.x[1] - simplex.x[0], simplex.x[2] - simplex.x[0]);
    const double tolerance = looseness * Kokkos::sqrt(dot(normal, normal) * simplex.longest2);
    clipTriangleToPlane(normal, simplex.x[0], tolerance, cut);
  }
};

/// Finds the first source of a kind that is not as it has to be.
struct CheckNumbered {
  NumberedSources sources;
  std::int64_t end;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& firstWrong) const {
    if (sources.numbers[i] < 0 || sources.numbers[i] >= end || !Kokkos::isfinite(timeOf(sources.times, i))) {
      firstWrong = Kokkos::min(firstWrong, i);
    }
  }
};

struct CheckPoints {
  PointSources sources;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& firstWrong) const {
    if (!isInRange(pointAt(sources.points, i)) || !Kokkos::isfinite(timeOf(sources.times, i))) {
      firstWrong = Kokkos::min(firstWrong, i);
    }
  }
};

template <class ExecutionSpace>
void checkNumbered(
  const ExecutionSpace& space, const NumberedSources& sources, const std::string& what, std::int64_t end) {
  const std::int64_t wrong = firstWrong(space, CheckNumbered{sources, end}, sources.count);
  if (wrong < sources.count) {
    throw InvalidArgument("source " + what + " " + std::to_string(fetch(space, sources.numbers, wrong)) +
      startText(space, sources.times, wrong) + ": numbers are from 0 to " + std::to_string(end - 1) +
      ", and times finite");
  }
}

template <class ExecutionSpace>
void check(const ExecutionSpace& space, const Sources& sources, std::int64_t numVertices, std::int64_t numElements) {
  if (sources.count() >= noLabel) {
    throw InvalidArgument(std::to_string(sources.count()) + " sources: there must be fewer than 2^31 - 1");
  }
  checkNumbered(space, sources.vertices, "vertex", numVertices);
  checkNumbered(space, sources.elements, "element", numElements);
  if (!(sources.points.reach >= 0.0)) {
    throw InvalidArgument(
      "the reach of source points is " + numberText(sources.points.reach) + ": it must be a length, 0 or more");
  }
  const std::int64_t point = firstWrong(space, CheckPoints{sources.points}, sources.points.count);
  if (point < sources.points.count) {
    throw InvalidArgument("source point " + std::to_string(point) + startText(space, sources.points.times, point) +
      ", or one of its coordinates, is not finite, or not within " + numberText(farthestCoordinate) + " of 0");
  }
  detail::checkSurface(space, sources.surface);
}

struct NoStarts {
  double* times;
  std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    times[v] = notReached;
    if (labels != nullptr) {
      labels[v] = noLabel;
    }
  }
};

struct NoSimplices {
  std::int32_t* simplexOfPoint;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { simplexOfPoint[i] = noLabel; }
};

struct CountStarts {
  const double* times;
  std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& count) const {
    if (times[v] < notReached) {
      ++count;
    } else if (labels != nullptr) {
      labels[v] = -1;
    }
  }
};

/// Counts the points that no simplex has found.
struct CountMissing {
  using value_type = StartReport;
  std::int32_t* simplexOfPoint;

  KOKKOS_FUNCTION void init(StartReport& report) const {
    report = StartReport();
    report.firstOutside = noLabel;
  }
  KOKKOS_FUNCTION void join(StartReport& report, const StartReport& other) const {
    report.numOutside += other.numOutside;
    report.firstOutside = Kokkos::min(report.firstOutside, other.firstOutside);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i, StartReport& report) const {
    if (simplexOfPoint[i] == noLabel) {
      simplexOfPoint[i] = -1;
      ++report.numOutside;
      report.firstOutside = Kokkos::min(report.firstOutside, i);
    }
  }
};

/// Starts in this rank's simplices, with the numbers of its own sources.
template <class ExecutionSpace, int corners, class Real, class Index>
StartReport startOwn(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, const Speed& speed,
  const SimplexMeshView<corners>& simplices, const Sources& sources, const StartArrays& out) {
  const ExecutionSpace& space = context.space();
  const std::int64_t numVertices = mesh.vertices.numVertices;
  const std::int64_t numPoints = sources.points.count;
  check(space, sources, numVertices, mesh.elements.numElements);
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const PointItems pointItems{sources.points};
  const SurfaceItems surfaceItems{sources.surface};
  std::int32_t* const simplexOfPoint = out.simplexOfPoint;
  Bins pointBins;
  Bins surfaceBins;
  if (numPoints > 0) {
    pointBins = detail::makeBins(space, pointItems, numPoints, frame);
  }
  if (sources.surface.count > 0) {
    surfaceBins = detail::makeBins(space, surfaceItems, sources.surface.count, frame);
  }
  const IndexRange<ExecutionSpace> overVertices(space, 0, numVertices);
  const IndexRange<ExecutionSpace> overPoints(space, 0, numPoints);
  const IndexRange<ExecutionSpace> overSimplices(space, 0, simplices.numSimplices);
  forEach(SPANWISE_KERNEL("no starts"), overVertices, NoStarts{out.times, out.labels});
  forEach(SPANWISE_KERNEL("no simplices"), overPoints, NoSimplices{simplexOfPoint});
  StartReport report;
  for (int pass = 0; pass < (out.labels != nullptr ? 2 : 1); ++pass) {
    const Sink sink{out.representatives, out.times, pass == 1 ? out.labels : nullptr};
    forEach(SPANWISE_KERNEL("start vertices"), IndexRange<ExecutionSpace>(space, 0, sources.vertices.count),
      StartAtVertices{sources.vertices, sink});
    forEach(SPANWISE_KERNEL("start elements"), IndexRange<ExecutionSpace>(space, 0, sources.elements.count),
      StartAtElements<Index>{sources.elements, mesh.elements, sources.firstElement(), sink});
    if (numPoints > 0) {
      forEach(SPANWISE_KERNEL("start points"), overSimplices,
        StartAtPoints<corners, Real>{
          sources.points, pointBins, mesh.vertices, simplices, sources.firstPoint(), simplexOfPoint, sink});
    }
    if (sources.surface.count > 0) {
      std::int64_t numCuts = 0;
      reduce(SPANWISE_KERNEL("start surface"), overSimplices,
        StartAtSurface<corners, Real, Index>{
          surfaceItems, surfaceBins, mesh, speed, simplices, sources.firstTriangle(), sink},
        numCuts);
      report.surfaceCuts = numCuts > 0;
    }
  }
  if (numPoints > 0) {
    StartReport missing;
    reduce(SPANWISE_KERNEL("count missing"), overPoints, CountMissing{simplexOfPoint}, missing);
    report.numOutside = missing.numOutside;
    report.firstOutside = missing.firstOutside;
  }
  reduce(SPANWISE_KERNEL("count starts"), overVertices, CountStarts{out.times, out.labels}, report.numStarts);
  return report;
}

// What ranks tell each other of starts.

/// Makes the numbers of a rank's sources those of all ranks'.
struct NumberThrough {
  Sources mine;
  SourceNumbers all;
  std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const std::int64_t label = labels[v];
    if (label < 0) {
      return;
    }
    const std::int64_t number = label < mine.firstElement() ? label + all.firstVertex
      : label < mine.firstPoint()                           ? label - mine.firstElement() + all.firstElement
                                                            : label - mine.firstPoint() + all.firstPoint();
    labels[v] = static_cast<std::int32_t>(number);
  }
};

/// When a front starts at a vertex, and the source that it comes from.
struct SharedStart {
  double time;
  std::int32_t label;
};

struct SharedStarts {
  double* times;
  std::int32_t* labels; ///< null: not asked for

  [[nodiscard]] KOKKOS_FUNCTION SharedStart get(std::int64_t v) const {
    return {times[v], labels != nullptr ? labels[v] : 0};
  }
  KOKKOS_FUNCTION void set(std::int64_t v, const SharedStart& start) const {
    times[v] = start.time;
    if (labels != nullptr) {
      labels[v] = start.label;
    }
  }
};

struct FirstStart {
  KOKKOS_FUNCTION SharedStart operator()(const SharedStart& a, const SharedStart& b) const {
    return b.time < a.time || (b.time == a.time && b.label < a.label) ? b : a;
  }
};

struct CountElsewhere {
  const double* times;
  const std::int32_t* vertices;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const {
    count += times[vertices[i]] < notReached ? 1 : 0;
  }
};

/// Collective. Which points are in no rank's simplices.
template <class ExecutionSpace>
void findOutside(const ExecutionSpace& space, const Communicator& communicator, const std::int32_t* simplexOfPoint,
  std::int64_t numPoints, StartReport& report) {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  const auto count = static_cast<std::size_t>(numPoints);
  std::vector<std::int32_t> simplices(count);
  space.fence(SPANWISE_LABEL("Eikonal::simplexOfPoint"));
  Kokkos::deep_copy(Kokkos::View<std::int32_t*, Kokkos::HostSpace, Unmanaged>(simplices.data(), count),
    Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space, Unmanaged>(simplexOfPoint, count));
  std::vector<std::int64_t> isInside(count);
  std::transform(
    simplices.begin(), simplices.end(), isInside.begin(), [](std::int32_t s) { return std::int64_t{s >= 0 ? 1 : 0}; });
  communicator.reduce(ReduceBy::Maximum, std::span<std::int64_t>(isInside));
  report.numOutside = std::count(isInside.begin(), isInside.end(), 0);
  report.firstOutside = std::find(isInside.begin(), isInside.end(), 0) - isInside.begin();
}

/// Collective. Brings the starts of shared vertices together, with the numbers that sources have on all ranks.
template <class ExecutionSpace, int corners>
void joinStarts(const ExecutionSpace& space, SimplexMesh<corners, ExecutionSpace>& simplices, const Sources& sources,
  const SourceNumbers& numbers, const StartArrays& out, StartReport& report) {
  const Communicator& communicator = simplices.communicator();
  SharedExchange<ExecutionSpace>& exchange = simplices.exchange();
  const IndexRange<ExecutionSpace> overVertices(space, 0, simplices.numVertices());
  if (out.labels != nullptr) {
    forEach(SPANWISE_KERNEL("number sources"), overVertices, NumberThrough{sources, numbers, out.labels});
  }
  exchange.join(space, SharedStarts{out.times, out.labels}, FirstStart());
  std::int64_t numElsewhere = 0;
  report.numStarts = 0;
  reduce(SPANWISE_KERNEL("count starts"), overVertices, CountStarts{out.times, nullptr}, report.numStarts);
  reduce(SPANWISE_KERNEL("count starts"), IndexRange<ExecutionSpace>(space, 0, exchange.elsewhere().extent(0)),
    CountElsewhere{out.times, exchange.elsewhere().data()}, numElsewhere);
  report.numStarts = communicator.reduced(ReduceBy::Sum, report.numStarts - numElsewhere);
  report.surfaceCuts = communicator.reduced(ReduceBy::Maximum, std::int64_t{report.surfaceCuts ? 1 : 0}) > 0;
  if (numbers.numPoints > 0) {
    findOutside(space, communicator, out.simplexOfPoint, numbers.numPoints, report);
  }
}

} // namespace

SourceNumbers countSources(const Communicator& communicator, const Sources& sources) {
  if (communicator.alone()) {
    return {sources.vertices.count, sources.elements.count, sources.points.count, sources.surface.count, 0,
      sources.firstElement()};
  }
  const std::array<std::int64_t, 4> mine{
    sources.vertices.count, sources.elements.count, sources.points.count, sources.surface.count};
  const auto counts = communicator.gather(mine);
  SourceNumbers all;
  all.numPoints = sources.points.count;
  all.numTriangles = sources.surface.count;
  int rank = 0;
  for (const auto& of : counts) {
    if (of[2] != counts.front()[2] || of[3] != counts.front()[3]) {
      throw InvalidArgument("rank " + std::to_string(rank) + " has " + std::to_string(of[2]) + " source points and " +
        std::to_string(of[3]) + " triangles of a source surface, rank 0 " + std::to_string(counts.front()[2]) +
        " and " + std::to_string(counts.front()[3]) + ": all ranks must have the same");
    }
    if (rank == communicator.rank()) {
      all.firstVertex = all.numVertices;
      all.firstElement = all.numElements;
    }
    all.numVertices += of[0];
    all.numElements += of[1];
    ++rank;
  }
  all.firstElement += all.numVertices;
  if (all.count() >= std::numeric_limits<std::int32_t>::max()) {
    throw InvalidArgument(std::to_string(all.count()) + " sources on all ranks: there must be fewer than 2^31 - 1");
  }
  return all;
}

template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
StartReport setStarts(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, const Speed& speed,
  SimplexMesh<corners, ExecutionSpace>& simplices, const Sources& sources, const StartArrays& out) {
  SPANWISE_REGION("Eikonal::setStarts");
  const Communicator& communicator = simplices.communicator();
  const SourceNumbers numbers = countSources(communicator, sources);
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  StartArrays arrays = out;
  StartReport report;
  parallel::agree(communicator, [&] {
    if (arrays.simplexOfPoint == nullptr) {
      arrays.simplexOfPoint = frame.template array<std::int32_t>(sources.points.count).data();
    }
    report = startOwn<ExecutionSpace, corners>(context, mesh, speed, simplices.view(), sources, arrays);
  });
  if (!communicator.alone()) {
    joinStarts<ExecutionSpace, corners>(context.space(), simplices, sources, numbers, arrays, report);
  }
  return report;
}

template <class ExecutionSpace, int corners, MeshReal Real>
void locatePoints(const Context<ExecutionSpace>& context, const VertexView<Real>& vertices,
  const SimplexMeshView<corners>& simplices, const PointSources& points, std::int32_t* simplexOfPoint) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::locatePoints");
  if (points.count == 0) {
    return;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const IndexRange<ExecutionSpace> overPoints(space, 0, points.count);
  forEach(SPANWISE_KERNEL("no simplices"), overPoints, NoSimplices{simplexOfPoint});
  const Bins bins = detail::makeBins(space, PointItems{points}, points.count, frame);
  forEach(SPANWISE_KERNEL("locate points"), IndexRange<ExecutionSpace>(space, 0, simplices.numSimplices),
    StartAtPoints<corners, Real>{points, bins, vertices, simplices, 0, simplexOfPoint, Sink()});
  StartReport missing;
  reduce(SPANWISE_KERNEL("count missing"), overPoints, CountMissing{simplexOfPoint}, missing);
}

#define SPANWISE_LOCATE_POINTS(Space, Real, corners)                                                                   \
  template void locatePoints<Space, corners, Real>(const Context<Space>&, const VertexView<Real>&,                     \
    const SimplexMeshView<corners>&, const PointSources&, std::int32_t*);
#define SPANWISE_LOCATE_POINTS_OF_ALL(Space)                                                                           \
  SPANWISE_LOCATE_POINTS(Space, float, 3)                                                                              \
  SPANWISE_LOCATE_POINTS(Space, float, 4)                                                                              \
  SPANWISE_LOCATE_POINTS(Space, double, 3)                                                                             \
  SPANWISE_LOCATE_POINTS(Space, double, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_LOCATE_POINTS_OF_ALL)

#define SPANWISE_SET_STARTS(Real, Index, Space, corners)                                                               \
  template StartReport setStarts<Space, corners, Real, Index>(const Context<Space>&, const MeshView<Real, Index>&,     \
    const Speed&, SimplexMesh<corners, Space>&, const Sources&, const StartArrays&);
#define SPANWISE_SET_STARTS_OF_BOTH(Space)                                                                             \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_SET_STARTS, Space, 3)                                                           \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_SET_STARTS, Space, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_SET_STARTS_OF_BOTH)

} // namespace spanwise::eikonal
