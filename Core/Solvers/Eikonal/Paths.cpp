#include "Core/Solvers/Eikonal/Paths.hpp"

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Geometry/Detail/Scan.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Eikonal/CornerUpdate.hpp"
#include "Core/Solvers/Eikonal/SimplexGeometry.hpp"

#include <string>

namespace spanwise::eikonal {

namespace {

using spanwise::detail::Range;

/// Barycentric coordinates below this are 0: the place is on the face beside it.
constexpr double snap = 1e-9;

/// A place in a simplex, or, where coordinates are 0, in what it shares with others.
template <int corners>
struct Place {
  std::int64_t simplex = -1;
  double weights[corners] = {};
  double time = notReached; ///< that the path still has, at the most
};

template <int corners>
KOKKOS_INLINE_FUNCTION void snapToFaces(double* weights) {
  double sum = 0.0;
  for (int k = 0; k < corners; ++k) {
    weights[k] = weights[k] < snap ? 0.0 : weights[k];
    sum += weights[k];
  }
  for (int k = 0; k < corners; ++k) {
    weights[k] /= sum;
  }
}

/// Where paths are written to; a first round only counts.
struct PathArrays {
  std::int64_t* begins; ///< in the first round the numbers of points
  double* points;       ///< null: the first round
  double* times;
  std::int32_t* sources;
};

template <int corners, class Real>
struct TracePath {
  static constexpr int numEdges = SimplexMeshView<corners>::numEdges;
  VertexView<Real> vertices;
  SimplexMeshView<corners> mesh;
  FactoringView factoring;
  const double* times;
  const double* startTimes;
  const std::int32_t* labels;
  Sources sources;
  PathTargets targets;
  const std::int32_t* simplexOfTarget;
  std::int64_t maxSteps;
  PathArrays out;

  KOKKOS_FUNCTION void operator()(std::int64_t path, std::int64_t& numAtSources) const {
    std::int64_t length = 0;
    const double* target = targets.points + 3 * path;
    const Point start{{target[0], target[1], target[2]}};
    Place<corners> place;
    place.simplex = simplexOfTarget[path];
    std::int32_t source = -1;
    if (place.simplex < 0) {
      write(path, length, start, notReached);
    } else {
      Point x[corners];
      for (int k = 0; k < corners; ++k) {
        x[k] = vertices(vertexAt(place.simplex, k));
      }
      barycentric<corners>(x, start, place.weights);
      snapToFaces<corners>(place.weights);
      write(path, length, pointOf(place), timeOf(place));
      for (std::int64_t step = 0; source < 0; ++step) {
        source = endAt(place);
        if (source >= 0) {
          writeEnd(path, length, place, source);
        } else if (step == maxSteps || !advance(place)) {
          break;
        } else {
          write(path, length, pointOf(place), timeOf(place));
        }
      }
    }
    if (out.points == nullptr) {
      out.begins[path] = length;
    } else {
      out.sources[path] = source;
      numAtSources += source >= 0 ? 1 : 0;
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION std::int32_t vertexAt(std::int64_t simplex, int k) const {
    return mesh.vertices[simplex * corners + k];
  }

  [[nodiscard]] KOKKOS_FUNCTION Point pointOf(const Place<corners>& place) const {
    Point point;
    for (int k = 0; k < corners; ++k) {
      point = point + place.weights[k] * vertices(vertexAt(place.simplex, k));
    }
    return point;
  }

  [[nodiscard]] KOKKOS_FUNCTION double timeOf(const Place<corners>& place) const {
    double time = 0.0;
    for (int k = 0; k < corners; ++k) {
      time += place.weights[k] > 0.0 ? place.weights[k] * times[vertexAt(place.simplex, k)] : 0.0;
    }
    return time;
  }

  KOKKOS_FUNCTION void write(std::int64_t path, std::int64_t& length, const Point& point, double time) const {
    if (out.points != nullptr) {
      const std::int64_t at = out.begins[path] + length;
      out.times[at] = time;
      for (int axis = 0; axis < 3; ++axis) {
        out.points[3 * at + axis] = point[axis];
      }
    }
    ++length;
  }

  /// The source of a place whose vertices have all kept their starts, of the vertex that it is nearest to; -1: there is
  /// another vertex.
  [[nodiscard]] KOKKOS_FUNCTION std::int32_t endAt(const Place<corners>& place) const {
    double most = 0.0;
    std::int32_t source = -1;
    for (int k = 0; k < corners; ++k) {
      if (place.weights[k] > 0.0) {
        const std::int32_t v = vertexAt(place.simplex, k);
        if (labels[v] < 0 || times[v] < startTimes[v]) {
          return -1;
        }
        if (place.weights[k] > most) {
          most = place.weights[k];
          source = labels[v];
        }
      }
    }
    return source;
  }

  /// The last segment, into the source; of several triangles into the nearest one.
  KOKKOS_FUNCTION void writeEnd(
    std::int64_t path, std::int64_t& length, const Place<corners>& place, std::int32_t& source) const {
    if (source >= sources.firstTriangle()) {
      const Point here = pointOf(place);
      Point end;
      double least = notReached;
      for (int k = 0; k < corners; ++k) {
        const std::int32_t label = labels[vertexAt(place.simplex, k)];
        if (place.weights[k] > 0.0 && label >= sources.firstTriangle()) {
          const Point nearest = nearestOfTriangle(label - sources.firstTriangle(), here);
          const Point away = nearest - here;
          if (dot(away, away) < least) {
            least = dot(away, away);
            end = nearest;
            source = label;
          }
        }
      }
      write(path, length, end, startOf(sources.surface.times, source - sources.firstTriangle()));
    } else if (source >= sources.firstPoint()) {
      const std::int64_t i = source - sources.firstPoint();
      const double* point = sources.points.points + 3 * i;
      write(path, length, {{point[0], point[1], point[2]}}, startOf(sources.points.times, i));
    } // a vertex of the source, or a place between some
  }

  [[nodiscard]] KOKKOS_FUNCTION Point nearestOfTriangle(std::int64_t triangle, const Point& here) const {
    Point x[3];
    double c[3];
    for (int k = 0; k < 3; ++k) {
      const double* point = sources.surface.points + 3 * sources.surface.triangles[3 * triangle + k];
      x[k] = {{point[0], point[1], point[2]}};
      c[k] = dot(here - x[k], here - x[k]);
    }
    const Point a = x[1] - x[0];
    const Point b = x[2] - x[0];
    const Arrival<3> nearest = updateFromFace(0.0, 0.0, 0.0, dot(a, a), dot(b, b), dot(b - a, b - a), c[0], c[1], c[2]);
    return nearest.weight[0] * x[0] + nearest.weight[1] * x[1] + nearest.weight[2] * x[2];
  }

  [[nodiscard]] KOKKOS_FUNCTION static double startOf(const double* starts, std::int64_t i) {
    return starts != nullptr ? starts[i] : 0.0;
  }

  /// The first of those vertices that a place is between, by its corner in the simplex.
  [[nodiscard]] KOKKOS_FUNCTION static int firstCorner(const Place<corners>& place) {
    int first = 0;
    while (first < corners - 1 && !(place.weights[first] > 0.0)) {
      ++first;
    }
    return first;
  }

  /// The same place seen from another simplex; false if it is not there.
  [[nodiscard]] KOKKOS_FUNCTION bool seenFrom(
    std::int64_t simplex, const Place<corners>& place, Place<corners>& seen) const {
    double sum = 0.0;
    for (int k = 0; k < corners; ++k) {
      seen.weights[k] = 0.0;
      for (int j = 0; j < corners; ++j) {
        if (vertexAt(simplex, k) == vertexAt(place.simplex, j)) {
          seen.weights[k] = place.weights[j];
        }
      }
      sum += seen.weights[k];
    }
    seen.simplex = simplex;
    return sum > 0.5 && countOf(seen) == countOf(place);
  }

  [[nodiscard]] KOKKOS_FUNCTION static int countOf(const Place<corners>& place) {
    int count = 0;
    for (int k = 0; k < corners; ++k) {
      count += place.weights[k] > 0.0 ? 1 : 0;
    }
    return count;
  }

  /// Goes one segment on. False where all around is later.
  KOKKOS_FUNCTION bool advance(Place<corners>& place) const {
    Place<corners> next;
    Place<corners> lowest; // a vertex
    lowest.time = timeOf(place);
    double best = notReached;
    const Point here = pointOf(place);
    const std::int32_t v = vertexAt(place.simplex, firstCorner(place));
    for (int b = 0; b < mesh.ball.degrees[v]; ++b) {
      Place<corners> seen;
      if (seenFrom(BallView::element(mesh.ball(v, b)), place, seen)) {
        tryFaces(seen, here, place.time, best, next);
        for (int k = 0; k < corners; ++k) {
          const double time = times[vertexAt(seen.simplex, k)];
          if (time < lowest.time) {
            lowest = {};
            lowest.simplex = seen.simplex;
            lowest.weights[k] = 1.0;
            lowest.time = time;
          }
        }
      }
    }
    if (next.simplex < 0) {
      next = lowest;
    }
    if (next.simplex < 0) {
      return false;
    }
    place = next;
    return true;
  }

  /// Where the path may leave a simplex: on the faces that the place is not in.
  KOKKOS_FUNCTION void tryFaces(
    const Place<corners>& seen, const Point& here, double timeLeft, double& best, Place<corners>& next) const {
    const double* products = mesh.products + seen.simplex * numEdges;
    const FactoredCorners<corners> factored(factoring, seen.simplex, mesh.vertices + seen.simplex * corners);
    const Stretched at = factored.place >= 0 ? factoring.places[factored.place].stretched(here) : Stretched();
    for (int corner = 0; corner < corners; ++corner) { // the face opposite to it
      if (!(seen.weights[corner] > 0.0)) {
        continue;
      }
      // the simplex with the place instead of the corner
      double u[corners];
      double d[numEdges];
      for (int j = 1; j < corners; ++j) {
        for (int i = 0; i < j; ++i) {
          const int edge = edgeBetween(i, j);
          d[edge] = i != corner && j != corner
            ? products[edge]
            : squaredTravelTimeToCorner<corners>(products, seen.weights, i == corner ? j : i);
        }
      }
      for (int k = 0; k < corners; ++k) {
        u[k] = times[vertexAt(seen.simplex, k)];
        if (factored.place >= 0 && k != corner) {
          u[k] -= leadOf(factored.corners[k], at, d[edgeBetween(k, corner)]);
        }
      }
      const FactoredCorners<corners> plain(FactoringView(), 0, nullptr); // leads are off already
      const Arrival<corners - 1> arrival = updateCorner<corners>(corner, plain, u, d);
      double timeThere = 0.0;
      Place<corners> there;
      there.simplex = seen.simplex;
      for (int j = 0; j < corners - 1; ++j) {
        const int k = (corner + 1 + j) % corners;
        there.weights[k] = arrival.weight[j];
        timeThere += arrival.weight[j] > 0.0 ? arrival.weight[j] * u[k] : 0.0;
      }
      if (arrival.time < best && timeThere < timeLeft) {
        best = arrival.time;
        there.time = timeThere;
        snapToFaces<corners>(there.weights);
        next = there;
      }
    }
  }
};

template <class ExecutionSpace, int corners, class Real>
void traceIn(const ExecutionSpace& space, const VertexView<Real>& vertices,
  const SimplexMesh<corners, typename ExecutionSpace::memory_space>& simplices,
  const ArrivalTimes<typename ExecutionSpace::memory_space>& solution, const Sources& sources,
  const PathTargets& targets, const PathOptions& options, Paths<typename ExecutionSpace::memory_space>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  const std::int64_t count = targets.count;
  locatePoints(space, vertices, simplices.view(), {targets.points, nullptr, count, targets.reach}, out.simplices.data(),
    workspace);
  TracePath<corners, Real> trace{vertices, simplices.view(), solution.factoring.view(), solution.times.data(),
    solution.startTimes.data(), solution.labels.data(), sources, targets, out.simplices.data(), options.maxSteps,
    {out.begins.data(), nullptr, nullptr, nullptr}};
  const Range<ExecutionSpace> all(space, 0, count);
  reduce(SPANWISE_KERNEL("count paths"), all, trace, out.numAtSources);
  out.numPoints = spanwise::detail::exclusiveScan(space, SPANWISE_KERNEL("scan paths"), out.begins.data(), count);
  reserve(out.points, 3 * out.numPoints, SPANWISE_LABEL("Eikonal::pathPoints"));
  reserve(out.times, out.numPoints, SPANWISE_LABEL("Eikonal::pathTimes"));
  trace.out = {out.begins.data(), out.points.data(), out.times.data(), out.sources.data()};
  reduce(SPANWISE_KERNEL("write paths"), all, trace, out.numAtSources);
}

} // namespace

template <class ExecutionSpace, MeshReal Real>
void tracePaths(const ExecutionSpace& space, const VertexView<Real>& vertices,
  const ArrivalTimes<typename ExecutionSpace::memory_space>& solution, const Sources& sources,
  const PathTargets& targets, const PathOptions& options, Paths<typename ExecutionSpace::memory_space>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Eikonal::tracePaths");
  out.count = 0;
  out.numPoints = 0;
  if (solution.dimension == 0 || solution.trace != Trace::Sources) {
    throw InvalidArgument("paths need arrival times whose sources were traced: solve them with Trace::Sources");
  }
  if (options.maxSteps < 0) {
    throw InvalidArgument("paths of at most " + std::to_string(options.maxSteps) +
      " segments are asked for: the number must not be negative");
  }
  reserve(out.begins, targets.count + 1, SPANWISE_LABEL("Eikonal::pathBegins"));
  reserve(out.sources, targets.count, SPANWISE_LABEL("Eikonal::pathSources"));
  reserve(out.simplices, targets.count, SPANWISE_LABEL("Eikonal::pathSimplices"));
  if (solution.dimension == 3) {
    traceIn<ExecutionSpace, 4>(
      space, vertices, solution.tetrahedra, solution, sources, targets, options, out, workspace);
  } else {
    traceIn<ExecutionSpace, 3>(
      space, vertices, solution.triangles, solution, sources, targets, options, out, workspace);
  }
  out.count = targets.count;
}

#define SPANWISE_TRACE_PATHS(Space)                                                                                    \
  template void tracePaths<Space, float>(const Space&, const VertexView<float>&,                                       \
    const ArrivalTimes<Space::memory_space>&, const Sources&, const PathTargets&, const PathOptions&,                  \
    Paths<Space::memory_space>&, Workspace<Space::memory_space>&);                                                     \
  template void tracePaths<Space, double>(const Space&, const VertexView<double>&,                                     \
    const ArrivalTimes<Space::memory_space>&, const Sources&, const PathTargets&, const PathOptions&,                  \
    Paths<Space::memory_space>&, Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_TRACE_PATHS)

} // namespace spanwise::eikonal
