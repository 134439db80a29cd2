#pragma once

// The steps of ways back. Not installed with what users call.

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/NotInlined.hpp"
#include "Core/Solvers/Eikonal/CornerUpdate.hpp"
#include "Core/Solvers/Eikonal/Detail/MeshPlace.hpp"
#include "Core/Solvers/Eikonal/Detail/NearestPlace.hpp"
#include "Core/Solvers/Eikonal/Detail/SurfaceItems.hpp"
#include "Core/Solvers/Eikonal/Factoring.hpp"
#include "Core/Solvers/Eikonal/SimplexGeometry.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"
#include "Core/Solvers/Eikonal/Sources.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal::detail {

/// Times must fall by so much of what a step takes, which is 1 where they are exact. Where media change from element to
/// element factored times may fall along detours. Measured with 300 ways on shaken grids of triangles and tetrahedra:
/// with 0 to 0.75 the time along a way is off from the arrival time by the same, in one medium, two layers and a graded
/// one; with 0.95 by three times as much, since ways go to vertices too often. With another speed in each element 0.5
/// makes ways of 60 to 85 % of the points of those of 0, whose times differ by 4 % in the mean.
constexpr double minFall = 0.5;

/// Goes back in the times of a mesh, or of a rank's part of one.
///
/// Where a source point is in a simplex around, and times fall on the way to it, a path ends there. Otherwise it goes
/// through faces as long as times fall and it is some vertex's turn there before that of the last vertex
/// that it came to; otherwise straight to a vertex around whose turn is before that one's. There is one: after a face
/// since one of the face's own vertices is, and after a vertex since one around it is (labelNearestSources()). So a
/// path comes to each vertex once at the most, times fall in between, and there is a way on until a vertex is a start.
template <int corners, class Real>
struct PathSteps {
  static constexpr int numEdges = Simplex<corners>::numEdges;
  VertexView<Real> vertices;
  SimplexMeshView<corners> mesh;
  FactoringView factoring;
  const double* times;
  const double* startTimes;
  const std::int32_t* labels;
  const double* turns;
  const std::int32_t* plateauSteps;
  Sources sources;
  std::int64_t firstPoint; ///< the labels of source points and triangles begin here
  std::int64_t firstTriangle;

  /// A point in a simplex.
  [[nodiscard]] KOKKOS_FUNCTION MeshPlace<corners> placeOf(std::int64_t simplex, const Point& point) const {
    MeshPlace<corners> place;
    place.simplex = simplex;
    Point x[corners];
    for (int k = 0; k < corners; ++k) {
      x[k] = vertices(vertexAt(simplex, k));
    }
    barycentric<corners>(x, point, place.weights);
    snapToFaces<corners>(place.weights);
    place.time = 0.0;
    for (int k = 0; k < corners; ++k) {
      place.time += place.weights[k] > 0.0 ? place.weights[k] * times[vertexAt(simplex, k)] : 0.0;
    }
    comeTo(place);
    return place;
  }

  [[nodiscard]] KOKKOS_FUNCTION std::int32_t vertexAt(std::int64_t simplex, int k) const {
    return mesh[simplex].vertices[k];
  }

  [[nodiscard]] KOKKOS_FUNCTION Point pointOf(const MeshPlace<corners>& place) const {
    Point point;
    for (int k = 0; k < corners; ++k) {
      point = point + place.weights[k] * vertices(vertexAt(place.simplex, k));
    }
    return point;
  }

  /// The source that a place is; or, where its vertices have all kept their starts, that of the vertex that it is
  /// nearest to; -1: there is another vertex.
  [[nodiscard]] KOKKOS_FUNCTION std::int32_t endAt(const MeshPlace<corners>& place) const {
    if (place.source >= 0) {
      return place.source;
    }
    double most = 0.0;
    std::int32_t source = -1;
    for (int k = 0; k < corners; ++k) {
      if (place.weights[k] > 0.0) {
        const std::int32_t label = sourceAt(vertexAt(place.simplex, k));
        if (label < 0) {
          return -1;
        }
        if (place.weights[k] > most) {
          most = place.weights[k];
          source = label;
        }
      }
    }
    return source;
  }

  /// Where the last segment goes, into the source; of several triangles into the nearest one. False: it has come there,
  /// to a vertex of the source or between some.
  KOKKOS_FUNCTION bool endOf(const MeshPlace<corners>& place, std::int32_t& source, Point& end, double& time) const {
    if (source >= firstTriangle) {
      const Point here = pointOf(place);
      double least = notReached;
      for (int k = 0; k < corners; ++k) {
        const std::int32_t label = sourceAt(vertexAt(place.simplex, k));
        if (place.weights[k] > 0.0 && label >= firstTriangle) {
          const Point nearest = nearestOfTriangle(label - firstTriangle, here);
          const Point away = nearest - here;
          if (dot(away, away) < least) {
            least = dot(away, away);
            end = nearest;
            source = label;
          }
        }
      }
      time = startOf(sources.surface.times, source - firstTriangle);
      return true;
    }
    if (source >= firstPoint) {
      const std::int64_t i = source - firstPoint;
      const double* point = sources.points.points + 3 * i;
      end = {{point[0], point[1], point[2]}};
      time = startOf(sources.points.times, i);
      return true;
    }
    return false;
  }

  /// Where the path may go on from a place, by the simplices around it.
  [[nodiscard]] KOKKOS_FUNCTION Around<corners> lookAround(const MeshPlace<corners>& place) const {
    Around<corners> around;
    const std::int32_t v = vertexAt(place.simplex, firstCorner(place));
    lookFrom(place, v, v, around);
    mesh.forTwins(v, [&](std::int32_t twin) { lookFrom(place, v, twin, around); });
    return around;
  }

  /// The vertex that is one with another one, as `to` is one with `from`; -1: there is none.
  [[nodiscard]] KOKKOS_FUNCTION std::int32_t twinAcross(std::int32_t vertex, std::int32_t from, std::int32_t to) const {
    const Point way = vertices(to) - vertices(from);
    std::int32_t found = -1;
    mesh.forTwins(vertex, [&](std::int32_t twin) {
      const Point off = vertices(twin) - vertices(vertex) - way;
      found = dot(off, off) <= looseness * looseness * dot(way, way) ? twin : found;
    });
    return found;
  }

  /// Goes one segment on. False where the place has no time.
  KOKKOS_FUNCTION bool advance(MeshPlace<corners>& place) const {
    const MeshPlace<corners> next = lookAround(place).first();
    if (next.simplex < 0) {
      return false;
    }
    place = next;
    return true;
  }

private:
  /// The source that a vertex, or one that is one with it, has kept its start from; -1: none.
  [[nodiscard]] KOKKOS_FUNCTION std::int32_t sourceAt(std::int32_t v) const {
    const auto isStart = [&](std::int32_t w) { return labels[w] >= 0 && !(times[w] < startTimes[w]); };
    if (isStart(v)) {
      return labels[v];
    }
    std::int32_t source = -1;
    mesh.forTwins(v, [&](std::int32_t twin) { source = source < 0 && isStart(twin) ? labels[twin] : source; });
    return source;
  }

  /// Looks at the simplices around a vertex that a place is at or beside; or at those on the other side of a seam,
  /// around `to` that is one with the vertex `from`.
  SPANWISE_NOT_INLINED KOKKOS_FUNCTION void lookFrom(
    const MeshPlace<corners>& place, std::int32_t from, std::int32_t to, Around<corners>& around) const {
    std::int32_t names[corners];
    for (int k = 0; k < corners; ++k) {
      names[k] = -1;
      if (place.weights[k] > 0.0) {
        const std::int32_t v = vertexAt(place.simplex, k);
        names[k] = from == to ? v : twinAcross(v, from, to);
        if (names[k] < 0) {
          return; // the place is on one side only
        }
      }
    }
    for (int b = 0; b < mesh.ball.degrees[to] && !mesh.isJoin(BallView::element(mesh.ball(to, b))); ++b) {
      MeshPlace<corners> seen;
      if (seenBy(BallView::element(mesh.ball(to, b)), names, place, seen)) {
        trySources(seen, around.bestEnd, around.end);
        tryFaces(seen, pointOf(from == to ? place : seen), around.best, around.next);
        tryVertices(seen, around.bestVertex, around.vertex);
      }
    }
  }

  [[nodiscard]] KOKKOS_FUNCTION Point nearestOfTriangle(std::int64_t triangle, const Point& here) const {
    Point x[3];
    detail::SurfaceItems{sources.surface}.corners(triangle, x);
    return detail::nearestPlace(SymmetricTensor(), x, here);
  }

  [[nodiscard]] KOKKOS_FUNCTION Turn turnOf(std::int32_t v) const { return {turns[v], plateauSteps[v]}; }

  /// Remembers the turn of a vertex.
  KOKKOS_FUNCTION void comeTo(MeshPlace<corners>& place) const {
    const int k = firstCorner(place);
    if (place.weights[k] == 1.0) {
      place.last = turnOf(vertexAt(place.simplex, k));
    }
  }

  [[nodiscard]] KOKKOS_FUNCTION static double startOf(const double* starts, std::int64_t i) {
    return starts != nullptr ? starts[i] : 0.0;
  }

  /// The first of those vertices that a place is between, by its corner in the simplex.
  [[nodiscard]] KOKKOS_FUNCTION static int firstCorner(const MeshPlace<corners>& place) {
    int first = 0;
    while (first < corners - 1 && !(place.weights[first] > 0.0)) {
      ++first;
    }
    return first;
  }

  /// The same place seen from another simplex, where its vertices have the numbers `names`; false if it is not there.
  [[nodiscard]] KOKKOS_FUNCTION bool seenBy(
    std::int64_t simplex, const std::int32_t* names, const MeshPlace<corners>& place, MeshPlace<corners>& seen) const {
    double sum = 0.0;
    for (int k = 0; k < corners; ++k) {
      seen.weights[k] = 0.0;
      for (int j = 0; j < corners; ++j) {
        if (vertexAt(simplex, k) == names[j]) {
          seen.weights[k] = place.weights[j];
        }
      }
      sum += seen.weights[k];
    }
    seen.simplex = simplex;
    seen.time = place.time;
    seen.last = place.last;
    return sum > 0.5 && countOf(seen) == countOf(place);
  }

  [[nodiscard]] KOKKOS_FUNCTION static int countOf(const MeshPlace<corners>& place) {
    int count = 0;
    for (int k = 0; k < corners; ++k) {
      count += place.weights[k] > 0.0 ? 1 : 0;
    }
    return count;
  }

  /// The source points in a simplex that its corners have their times from.
  KOKKOS_FUNCTION void trySources(const MeshPlace<corners>& seen, double& best, MeshPlace<corners>& end) const {
    for (int k = 0; k < corners; ++k) {
      const std::int32_t label = labels[vertexAt(seen.simplex, k)];
      if (label < firstPoint || label >= firstTriangle) {
        continue;
      }
      const SimplexCorners<corners> simplex(mesh, vertices, seen.simplex);
      double weights[corners];
      if (!holds<corners>(simplex.x, simplex.longest2, sources.points.reach,
            pointAt(sources.points.points, label - firstPoint), weights)) {
        continue;
      }
      double difference[corners];
      for (int j = 0; j < corners; ++j) {
        difference[j] = weights[j] - seen.weights[j];
      }
      const double start = startOf(sources.points.times, label - firstPoint);
      const double step = Kokkos::sqrt(squaredTravelTime<corners>(mesh[seen.simplex].products, difference));
      if (start + step < best && seen.time - start >= minFall * step) {
        best = start + step;
        end = seen;
        end.time = start;
        end.source = label;
      }
    }
  }

  /// The vertices of a simplex whose turn it is.
  KOKKOS_FUNCTION void tryVertices(const MeshPlace<corners>& seen, double& best, MeshPlace<corners>& next) const {
    const double* products = mesh[seen.simplex].products;
    for (int k = 0; k < corners; ++k) {
      const Turn turn = turnOf(vertexAt(seen.simplex, k));
      if (!turn.isBefore(seen.last)) {
        continue;
      }
      const double arrival = updateFromVertex(
        times[vertexAt(seen.simplex, k)], squaredTravelTimeToCorner<corners>(products, seen.weights, k));
      if (arrival < best) {
        best = arrival;
        next = {};
        next.simplex = seen.simplex;
        next.weights[k] = 1.0;
        next.time = times[vertexAt(seen.simplex, k)];
        comeTo(next);
      }
    }
  }

  /// Where the path may leave a simplex: on the faces that the place is not in.
  KOKKOS_FUNCTION void tryFaces(
    const MeshPlace<corners>& seen, const Point& here, double& best, MeshPlace<corners>& next) const {
    const double* products = mesh[seen.simplex].products;
    const FactoredCorners<corners> factored(factoring, seen.simplex, mesh[seen.simplex].vertices);
    const FactoredTarget target = factored.target(here);
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
      FactoredEdge edges[corners];
      MediumRange media;
      for (int k = 0; k < corners && target.place != nullptr; ++k) {
        if (k != corner) {
          edges[k] = FactoredEdge(factored.corners[k], target, d[edgeBetween(k, corner)]);
          media.add(edges[k]);
        }
      }
      for (int k = 0; k < corners; ++k) {
        u[k] = times[vertexAt(seen.simplex, k)];
        if (target.place != nullptr && k != corner) {
          u[k] = straightened(u[k], factored.corners[k], target, edges[k], media);
        }
      }
      const FactoredCorners<corners> plain(FactoringView(), 0, nullptr); // times are straightened already
      const Arrival<corners - 1> arrival = updateCorner<corners>(corner, plain, u, d);
      if (!(arrival.time < best)) {
        continue;
      }
      MeshPlace<corners> there;
      there.simplex = seen.simplex;
      there.last = seen.last;
      double step = arrival.time;
      for (int j = 0; j < corners - 1; ++j) {
        const int k = (corner + 1 + j) % corners;
        there.weights[k] = arrival.weight[j];
        step -= arrival.weight[j] > 0.0 ? arrival.weight[j] * u[k] : 0.0;
      }
      snapToFaces<corners>(there.weights);
      there.time = timeOn(there, factored);
      if (there.time < seen.time && seen.time - there.time >= minFall * step && leadsOn(there)) {
        best = arrival.time;
        next = there;
        comeTo(next);
      }
    }
  }

  /// When the front was at a place, that of the source taken for a sphere where times are factored: exact in a constant
  /// medium, and what is linear between the vertices elsewhere.
  [[nodiscard]] KOKKOS_FUNCTION double timeOn(
    const MeshPlace<corners>& place, const FactoredCorners<corners>& factored) const {
    const double* products = mesh[place.simplex].products;
    const FactoredTarget target = factored.target(pointOf(place));
    FactoredEdge edges[corners];
    MediumRange media;
    for (int k = 0; k < corners && target.place != nullptr; ++k) {
      if (place.weights[k] > 0.0) {
        edges[k] =
          FactoredEdge(factored.corners[k], target, squaredTravelTimeToCorner<corners>(products, place.weights, k));
        media.add(edges[k]);
      }
    }
    double time = 0.0;
    for (int k = 0; k < corners; ++k) {
      if (place.weights[k] > 0.0) {
        const double u = times[vertexAt(place.simplex, k)];
        time += place.weights[k] *
          (target.place != nullptr ? straightened(u, factored.corners[k], target, edges[k], media) : u);
      }
    }
    return time;
  }

  /// Whether it is some vertex's turn before the last one's that the place is between.
  [[nodiscard]] KOKKOS_FUNCTION bool leadsOn(const MeshPlace<corners>& place) const {
    for (int k = 0; k < corners; ++k) {
      if (place.weights[k] > 0.0 && turnOf(vertexAt(place.simplex, k)).isBefore(place.last)) {
        return true;
      }
    }
    return false;
  }
};

} // namespace spanwise::eikonal::detail
