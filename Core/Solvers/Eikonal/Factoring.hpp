#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Mesh/Simplices.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"
#include "Core/Solvers/Eikonal/Sources.hpp"
#include "Core/Solvers/Eikonal/Starts.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace spanwise::eikonal {

// Near a point source fronts are so curved that times which are linear on faces are wrong by as much as the size of the
// simplices, whatever that is: sum over the way of size^2 / distance gives the well-known order of h log h. Additive
// factoring (S. Luo, J. Qian, Fast sweeping methods for factored anisotropic eikonal equations, J. Sci. Comput. 52
// (2012), after S. Fomel, S. Luo, H. Zhao, J. Comput. Phys. 228 (2009)) writes u = U0 + tau with the exact time U0 of a
// constant medium, and takes tau to be linear, which is smooth. U0 is that of all sources: at a vertex the time of the
// source whose front comes first there in a straight line.
//
// Here it takes one subtraction a corner. At the vertex x4 that is updated, U0 has the gradient g, that of the source s
// whose front comes first there. Where tau is linear, grad u at x4 is that of the linear function with the values
//
//   u(xi) - (U0(xi) - U0(x4) - g . (xi - x4))
//
// at the other corners xi: what U0 at xi is behind the front's tangent plane at x4, its lead, is taken off, and the
// local problem of plane fronts gives the time. If s is the first at xi, too, the lead is not negative, since fronts
// are convex. If another source is before s there, the lead may be negative: it is what the front of s would come
// later. Leads depend on the geometry alone. In the medium of the sources times are exact, and from above never below:
// corners that are not before U0 are, straightened, not before the plane, and the plane reaches x4 at U0. That holds
// for any set of sources, be they neighbours or all vertices of a face. In another medium a lead is made one in that of
// the simplex by the ratio of travel times along the edge.
//
// All this is for corners whose time a straight line from the source explains: it is between what the line takes in the
// medium of the source and in that of the simplex. Times after that are of fronts that come around an obstacle, over a
// curved surface or through something slow, and a lead fades out as they do (detourShare); times before that are of
// fronts from elsewhere or through something fast. So leads change with times, but a straightened time never falls
// where the time rises: updates stay monotone, and iterate to one fixed point.
//
// A time is never before both the least at the face that it comes from and U0: iterations end in any medium.
//
// Where sources are in different media straight lines do not tell whose front comes first: a fast source counts far
// into the medium of a slow one. There U0 at a vertex is that of the source which its time came from, as a first
// solution says (factorByLabels()). Leads of fronts from different media have nothing in common: none is taken off a
// corner whose source is in another medium than that of the target, and a target none of whose corners has a source in
// its own medium is seen as its corners are.

/// A place as the front of a source sees it: stretched so that the distance from the source is T0.
struct Stretched {
  Point y;
  double time = 0.0; ///< T0, the length of y
};

/// The place of a source and the medium there.
struct FactorPlace {
  Point place;
  double time = 0.0; ///< when it starts
  /// An upper triangular matrix R, by rows, with R^T R = N = M^-1: e^T N e is the squared length of R e.
  double root[6] = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0};

  /// Sets R (Cholesky's factor).
  KOKKOS_INLINE_FUNCTION void setMedium(const SymmetricTensor& n) {
    root[0] = Kokkos::sqrt(n.xx);
    root[1] = n.xy / root[0];
    root[2] = n.xz / root[0];
    root[3] = Kokkos::sqrt(n.yy - root[1] * root[1]);
    root[4] = (n.yz - root[1] * root[2]) / root[3];
    root[5] = Kokkos::sqrt(n.zz - root[2] * root[2] - root[4] * root[4]);
  }

  /// N = R^T R.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION SymmetricTensor medium() const {
    const double* r = root;
    return {r[0] * r[0], r[1] * r[1] + r[3] * r[3], r[2] * r[2] + r[4] * r[4] + r[5] * r[5], r[0] * r[1],
      r[1] * r[2] + r[3] * r[4], r[0] * r[2]};
  }

  /// Whether the medium is before another one: in which order does not matter, but it depends on the media alone. Of
  /// media without directions the faster one is.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool hasMediumBefore(const FactorPlace& other) const {
    for (int k = 0; k < 5; ++k) {
      if (root[k] != other.root[k]) {
        return root[k] < other.root[k];
      }
    }
    return root[5] < other.root[5];
  }

  /// Slownesses that differ by less, as a share, are of one medium: a lead is wrong by that share of itself, and which
  /// front comes first by that share of the way. From five points in gradients of speed of 0.003 to 0.3, in 2D and 3D,
  /// mean errors with 1e-5 are the same within a twentieth. With 1e-2 they fall to a third where media differ by 0.3 %
  /// (3D, 12 cells an axis), and grow by a fifth elsewhere.
  static constexpr double sameMedium = 1e-3;

  /// Whether media are one but for sameMedium.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool hasMediumOf(const FactorPlace& other) const {
    const double most = sameMedium * Kokkos::max(root[0], Kokkos::max(root[3], root[5]));
    bool isOne = true;
    for (int k = 0; k < 6; ++k) {
      isOne = isOne && Kokkos::abs(root[k] - other.root[k]) <= most;
    }
    return isOne;
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION Stretched stretched(const Point& x) const {
    const Point e = x - place;
    const Point y{{root[0] * e[0] + root[1] * e[1] + root[2] * e[2], root[3] * e[1] + root[4] * e[2], root[5] * e[2]}};
    return {y, Kokkos::sqrt(dot(y, y))};
  }
};

/// A lead counts less the later the corner's time is than a straight line explains, and not at all from this share of
/// the line's time on. Behind an obstacle leads have a wrong direction: they make times early by this share of the size
/// of a simplex at the most. In a gradient of speed, where straight lines explain less the farther they go, half of it
/// had up to 1.5 times the mean error; twice had 0.98 times in 70 cases (Detail/SecondOrderUpdate.hpp), 1.07 at most;
/// four times 2.6 behind a wall.
inline constexpr double detourShare = 0.05;

/// A vertex of a simplex, and the source that it is factored by.
struct FactoredCorner {
  Point x;
  const FactorPlace* place = nullptr; ///< null: none
  double start = 0.0;                 ///< when the source starts
  double travel = 0.0;                ///< U0 - start
};

/// Where a time is looked for, as the front of the source sees it that it is factored by.
struct FactoredTarget {
  const FactorPlace* place = nullptr; ///< null: the time is not factored
  Stretched at;

  /// U0.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double time() const { return place->time + at.time; }

  /// Whether the front of its source comes before that of another one's, of equal ones the one that comesBefore().
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool isBefore(const FactoredTarget& other) const {
    return other.place == nullptr || time() < other.time() ||
      (time() == other.time() && comesBefore(place->place, other.place->place));
  }
};

/// The edge from a corner to the target.
struct FactoredEdge {
  Point y;            ///< the corner, stretched
  double scale = 0.0; ///< of travel times along it: that in the simplex to that in the medium of the source; 0: no edge
  bool mayLead = false; ///< whether the source of the corner is in the medium of the target's

  FactoredEdge() = default;
  /// product: the squared travel time along the edge in the medium of the simplex.
  KOKKOS_INLINE_FUNCTION FactoredEdge(const FactoredCorner& corner, const FactoredTarget& target, double product)
    : y(target.place->stretched(corner.x).y) {
    const Point e = y - target.at.y;
    const double edge = dot(e, e);
    if (corner.place != nullptr && edge > 0.0) {
      scale = Kokkos::sqrt(product / edge);
      mayLead = corner.place == target.place || corner.place->hasMediumOf(*target.place);
    }
  }
};

/// Between what factors a straight line takes more time than in the medium of the source: 1 and those of the simplex.
struct MediumRange {
  double low = 1.0;
  double high = 1.0;

  KOKKOS_INLINE_FUNCTION void add(const FactoredEdge& edge) {
    low = edge.scale > 0.0 ? Kokkos::min(low, edge.scale) : low;
    high = Kokkos::max(high, edge.scale);
  }
};

/// The time of a corner as it is where fronts are planes: without its lead. Never falls where the time rises.
KOKKOS_INLINE_FUNCTION double straightened(double time, const FactoredCorner& corner, const FactoredTarget& target,
  const FactoredEdge& edge, const MediumRange& media) {
  if (!(edge.scale > 0.0)) {
    return time;
  }
  const double least = corner.travel * media.low;
  const double most = corner.travel * media.high;
  const double onPlane = target.at.time > 0.0 ? dot(edge.y, target.at.y) / target.at.time : 0.0;
  const double lead = edge.scale * (corner.travel + (corner.start - target.place->time) - onPlane);
  const double since = time - corner.start;
  if (lead >= 0.0) {
    if (!edge.mayLead) {
      return time;
    }
    if (since < least) {
      return Kokkos::min(time, corner.start + least - lead);
    }
    const double late = since - most;
    const double room = detourShare * most;
    return late <= 0.0 ? time - lead : late < room ? time - (1.0 - late / room) * lead : time;
  }
  if (since < least) {
    const double early = least - since;
    const double room = detourShare * least;
    return early < room ? time - (1.0 - early / room) * lead : time;
  }
  return Kokkos::max(time, corner.start + Kokkos::min(since, most) - lead);
}

/// Whether a straight line from its source explains the time of a corner, as far as a lead may say something at all.
KOKKOS_INLINE_FUNCTION bool isStraight(double time, const FactoredCorner& corner, const MediumRange& media) {
  const double since = time - corner.start;
  return corner.place != nullptr && since >= (1.0 - detourShare) * corner.travel * media.low &&
    since <= (1.0 + detourShare) * corner.travel * media.high;
}

/// Which vertices are factored, and by which place.
struct FactoringView {
  const std::int32_t* placeOfVertex = nullptr; ///< [numVertices], -1: none; null: no vertex is factored
  const double* travels = nullptr;             ///< [numVertices]: U0 less the time when that source starts
  const FactorPlace* places = nullptr;
  const double* points = nullptr; ///< [numVertices][3]
  std::int64_t numSimplices = 0;  ///< the joins behind them are not factored
  double radius2 = notReached;    ///< squared: of places around a source where times are factored
  bool hasSeveralMedia = false;   ///< whether sources are in different media

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Point point(std::int64_t v) const {
    return {{points[3 * v], points[3 * v + 1], points[3 * v + 2]}};
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool isFactored(std::int64_t simplex) const {
    return placeOfVertex != nullptr && simplex < numSimplices;
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION FactoredCorner corner(std::int64_t v) const {
    FactoredCorner corner;
    corner.x = point(v);
    if (placeOfVertex[v] >= 0) {
      corner.place = places + placeOfVertex[v];
      corner.start = corner.place->time;
      corner.travel = travels[v];
    }
    return corner;
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool reaches(const FactorPlace& place, const Point& x) const {
    const Point away = x - place.place;
    return dot(away, away) <= radius2;
  }
};

/// The corners of a simplex as fronts of sources see them.
template <int numCorners>
struct FactoredCorners {
  FactoringView view;
  bool isFactored = false;
  FactoredCorner corners[numCorners];

  KOKKOS_INLINE_FUNCTION FactoredCorners(
    const FactoringView& factoring, std::int64_t simplex, const std::int32_t* vertices)
    : view(factoring), isFactored(factoring.isFactored(simplex)) {
    if (isFactored) {
      for (int k = 0; k < numCorners; ++k) {
        corners[k] = view.corner(vertices[k]);
      }
    }
  }

  /// What no update of a corner comes before.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double earliest(int corner, const double* u) const {
    double first = notReached;
    for (int k = 0; k < numCorners; ++k) {
      first = k == corner ? first : Kokkos::min(first, u[k]);
    }
    const FactoredCorner& at = corners[corner];
    if (isFactored && at.place != nullptr && view.hasSeveralMedia) {
      const FactorPlace& place = *placeAround(corner);
      return Kokkos::min(first, place.time + place.stretched(at.x).time);
    }
    return isFactored && at.place != nullptr ? Kokkos::min(first, at.start + at.travel) : first;
  }

  /// The corner itself.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION FactoredTarget target(int corner) const {
    FactoredTarget target;
    const FactoredCorner& at = corners[corner];
    if (isFactored && at.place != nullptr && view.reaches(*at.place, at.x)) {
      target.place = view.hasSeveralMedia ? placeAround(corner) : at.place;
      target.at = target.place->stretched(at.x);
    }
    return target;
  }

  /// A place in the simplex: of the sources of its corners the one whose front comes first there.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION FactoredTarget target(const Point& x) const {
    FactoredTarget first;
    for (int k = 0; k < numCorners && isFactored; ++k) {
      if (corners[k].place == nullptr) {
        continue;
      }
      const FactoredTarget target{corners[k].place, corners[k].place->stretched(x)};
      first = target.isBefore(first) ? target : first;
    }
    return first.place != nullptr && view.reaches(*first.place, x) ? first : FactoredTarget();
  }

private:
  /// The place that a corner is factored by, which has one, where the simplex is crossed towards it: its own if that of
  /// another corner is in the same medium, or no other one has any; else that of the others whose front comes first.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION const FactorPlace* placeAround(int corner) const {
    const FactorPlace* const own = corners[corner].place;
    FactoredTarget first;
    for (int k = 0; k < numCorners; ++k) {
      const FactorPlace* const other = corners[k].place;
      if (k == corner || other == nullptr) {
        continue;
      }
      if (other == own || other->hasMediumOf(*own)) {
        return own;
      }
      const FactoredTarget target{other, other->stretched(corners[corner].x)};
      first = target.isBefore(first) ? target : first;
    }
    return first.place != nullptr ? first.place : own;
  }
};

/// Which sources times are factored by. Fronts of others, elements and surfaces, are as if nothing was factored.
enum class FactorBy { Nothing, Points, PointsAndVertices };

struct FactoringOptions {
  FactorBy by = FactorBy::Points;
  /// Times are factored at vertices so near to the source whose front comes first there, by distance.
  double radius = std::numeric_limits<double>::infinity();
  /// The length of one period along each axis of space; 0: it does not repeat. Sources are within a period, as the mesh
  /// is, and their copies on both sides count as they do.
  double periods[3] = {};
};

/// Arrays of a factoring; its memory is used again by the next.
template <class MemorySpace>
struct Factoring {
  Kokkos::View<std::int32_t*, MemorySpace> placeOfVertex;
  Kokkos::View<double*, MemorySpace> travels;
  Kokkos::View<FactorPlace*, MemorySpace> places;
  Kokkos::View<double*, MemorySpace> points;
  /// [numVertexPlaces], ascending: the numbers that source vertices have among the sources of all ranks. Not set in one
  /// process, where they count from 0.
  Kokkos::View<std::int64_t*, MemorySpace> numbers;
  std::int64_t numVertexPlaces = 0; ///< of the places: they are the first, and those of points follow
  std::int64_t numPlaces = 0;       ///< their copies in the periods around follow, all of one period after the other
  std::int64_t numCopies = 1;       ///< how often each place is there, with itself
  bool hasSeveralMedia = false;     ///< whether places are in different media
  std::int64_t numSimplices = 0;
  double radius = notReached;
  std::int64_t numFactored = 0; ///< simplices with a corner that is factored

  [[nodiscard]] FactoringView view() const {
    return numFactored > 0 ? FactoringView{placeOfVertex.data(), travels.data(), places.data(), points.data(),
                               numSimplices, radius * radius, hasSeveralMedia}
                           : FactoringView{};
  }
};

/// Collective. out = for each vertex the source whose front comes first there in a straight line in the medium of that
/// source; of several the one that comesBefore(). The medium is that of the simplex around the source, of several the
/// one that hasMediumBefore(). So nothing depends on how vertices and elements are numbered. Sources are as setStarts()
/// has them, and `starts` is what it wrote, with the simplices of points. All ranks have all places: O(simplices +
/// sources log sources of all + ranks * sources of all), and where sources are spread also O(vertices * log sources).
/// Throws InvalidArgument, on all ranks, where the radius is NaN or negative.
template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
void setFactoring(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, const Speed& speed,
  SimplexMesh<corners, ExecutionSpace>& simplices, const Sources& sources, const StartArrays& starts,
  const FactoringOptions& options, Factoring<typename ExecutionSpace::memory_space>& out);

/// Factors each vertex by the source that its time came from, instead of that whose front comes first in a straight
/// line: what times need where sources are in different media (factoring.hasSeveralMedia). labels [numVertices]: those
/// of labelNearestSources(), in which source points have the numbers from `firstPoint` on. Where a mesh closes on
/// itself the copy of the source counts whose straight line is the fastest. Times of elements and surfaces, and of
/// vertices where these are not asked for, are not factored. O(simplices + vertices * (copies + log source vertices)).
template <class ExecutionSpace, int corners>
void factorByLabels(const ExecutionSpace& space, const SimplexMeshView<corners>& simplices, const std::int32_t* labels,
  std::int64_t firstPoint, Factoring<typename ExecutionSpace::memory_space>& factoring);

} // namespace spanwise::eikonal
