#pragma once

// From which vertices each vertex has its time. Internal to NearestSources.cpp.

#include "Core/Mesh/MeshView.hpp"
#include "Core/Solvers/Eikonal/CornerUpdate.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal::detail {

/// The vertices that each vertex has its time from, with their parts in it: corners of the face that its front came
/// through. They are earlier than the vertex; or, on a plateau, one of them has the same time and is a step nearer to
/// its border. So no way along them leads back. (Earlier by their turns: see FloodTurns.) Vertices that keep their
/// start, and those without a time, have none.
template <int corners>
struct Parents {
  static constexpr int most = corners - 1;
  std::int32_t* vertices; ///< [numVertices][most], -1: none
  float* parts;           ///< [numVertices][most]

  KOKKOS_FUNCTION void drop(std::int64_t v) const {
    for (int j = 0; j < most; ++j) {
      vertices[v * most + j] = -1;
      parts[v * most + j] = 0.0F;
    }
  }
};

/// Whether a place has lesser coordinates than another one, x first.
KOKKOS_INLINE_FUNCTION bool isBefore(const Point& a, const Point& b) {
  for (int axis = 0; axis < 2; ++axis) {
    if (a[axis] != b[axis]) {
      return a[axis] < b[axis];
    }
  }
  return a[2] < b[2];
}

/// The parents that a simplex offers a vertex, in the order of their places: which are the same however vertices and
/// elements are numbered, and on whichever rank.
template <int corners>
struct OfferedParents {
  static constexpr int most = corners - 1;
  std::int32_t vertices[most] = {};
  float parts[most] = {};
  Point places[most];
  int count = 0;

  KOKKOS_FUNCTION void add(std::int32_t vertex, float part, const Point& place) {
    int at = count++;
    for (; at > 0 && detail::isBefore(place, places[at - 1]); --at) {
      vertices[at] = vertices[at - 1];
      parts[at] = parts[at - 1];
      places[at] = places[at - 1];
    }
    vertices[at] = vertex;
    parts[at] = part;
    places[at] = place;
  }

  /// Which of two that give the same time counts.
  [[nodiscard]] KOKKOS_FUNCTION bool isBefore(const OfferedParents& other) const {
    for (int j = 0; j < count && j < other.count; ++j) {
      if (detail::isBefore(places[j], other.places[j]) || detail::isBefore(other.places[j], places[j])) {
        return detail::isBefore(places[j], other.places[j]);
      }
      if (parts[j] != other.parts[j]) {
        return parts[j] > other.parts[j];
      }
    }
    return count < other.count;
  }
};

/// What the earlier corners of a simplex say of a vertex's time.
struct Explanation {
  double time = notReached;  ///< that a front has which comes from there
  double first = notReached; ///< the earliest of the corners

  [[nodiscard]] KOKKOS_FUNCTION bool isBefore(const Explanation& other) const {
    return time < other.time || (time == other.time && first < other.first);
  }
  /// Whether it gives the time, but for rounding.
  [[nodiscard]] KOKKOS_FUNCTION bool holdsFor(double ofVertex) const {
    constexpr double rounding = 1e-12; // iterations stop at 1e-13
    return time <= ofVertex + rounding * Kokkos::abs(ofVertex);
  }
};

/// Takes for each vertex the simplex that gives it the least time, of those with an earlier corner.
template <int corners, class Real>
struct FindParents {
  SimplexMeshView<corners> simplices;
  VertexView<Real> points;
  FactoringView factoring;
  const double* times;
  const double* turns;
  const double* startTimes;
  Parents<corners> parents;
  std::int32_t* labels;
  Explanation* best; ///< [numVertices]

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    parents.drop(v);
    best[v] = {};
    if (times[v] < startTimes[v]) {
      best[v] = find(v);
    }
    if (times[v] < startTimes[v] || !(times[v] < notReached)) {
      labels[v] = -1;
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION Explanation find(std::int64_t v) const {
    Explanation least;
    OfferedParents<corners> offered;
    for (int k = 0; k < simplices.ball.degrees[v]; ++k) {
      const BallEntry entry = simplices.ball(v, k);
      const std::int64_t s = BallView::element(entry);
      const int corner = BallView::local(entry);
      std::int32_t vertices[corners];
      double u[corners];
      double turn[corners];
      for (int j = 0; j < corners; ++j) {
        vertices[j] = simplices[s].vertices[j];
        u[j] = times[vertices[j]];
        turn[j] = turns[vertices[j]];
      }
      int first = (corner + 1) % corners;
      for (int j = 2; j < corners; ++j) {
        const int from = (corner + j) % corners;
        first = turn[from] < turn[first] ? from : first;
      }
      if (!(turn[first] < turns[v])) {
        continue;
      }
      const auto arrival =
        updateCorner<corners>(corner, FactoredCorners<corners>(factoring, s, vertices), u, simplices[s].products);
      const Explanation candidate{arrival.time, turn[first]};
      if (least.isBefore(candidate)) {
        continue;
      }
      const OfferedParents<corners> parentsThere = offer(v, corner, first, vertices, turn, arrival);
      if (candidate.isBefore(least) || parentsThere.isBefore(offered)) {
        least = candidate;
        offered = parentsThere;
      }
    }
    for (int j = 0; j < offered.count; ++j) {
      parents.vertices[v * Parents<corners>::most + j] = offered.vertices[j];
      parents.parts[v * Parents<corners>::most + j] = offered.parts[j];
    }
    return least;
  }

  [[nodiscard]] KOKKOS_FUNCTION OfferedParents<corners> offer(std::int64_t v, int corner, int first,
    const std::int32_t* vertices, const double* turn, const Arrival<corners - 1>& arrival) const {
    bool hasPart = false;
    for (int j = 0; j < corners - 1; ++j) {
      hasPart = hasPart || (arrival.weight[j] > 0.0 && turn[(corner + 1 + j) % corners] < turns[v]);
    }
    OfferedParents<corners> offered;
    for (int j = 0; j < corners - 1; ++j) {
      const int from = (corner + 1 + j) % corners;
      // Where a factored front is held back so as not to be before all corners, it comes from the first of them.
      if (hasPart ? arrival.weight[j] > 0.0 && turn[from] < turns[v] : from == first) {
        offered.add(vertices[from], hasPart ? static_cast<float>(arrival.weight[j]) : 1.0F, points(vertices[from]));
      }
    }
    return offered;
  }
};

// Factored fronts may be as early as the corner that they come from, so that several vertices in a row have one time: a
// plateau. Those of its vertices that earlier ones explain are its border, and the others go there the shortest way by
// the number of vertices on it (lower completion: L. Vincent, P. Soille, Watersheds in digital spaces, IEEE Trans.
// Pattern Anal. Mach. Intell. 13 (1991) 583-598).

/// The steps of a vertex that is not known to be on a way to the border of a plateau.
inline constexpr std::int32_t notCrossed = Kokkos::Experimental::finite_max_v<std::int32_t>;

/// What makes a vertex one of a plateau's border: that earlier ones explain its time, or that there are some.
enum class BorderBy { Explanation, Earlier };

/// Counts the vertices that are not at borders.
struct FindBorders {
  BorderBy by;
  const double* times;
  const double* startTimes;
  const Explanation* best;
  std::int32_t* steps; ///< [numVertices]

  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& numInside) const {
    const bool isExplained = by == BorderBy::Earlier ? best[v].time < notReached : best[v].holdsFor(times[v]);
    const bool isBorder = !(times[v] < startTimes[v]) || isExplained;
    steps[v] = isBorder ? 0 : notCrossed;
    numInside += isBorder ? 0 : 1;
  }
};

/// Goes one step farther into plateaus. Of several ways that are the shortest the one with the fastest step counts, of
/// those the one over the vertex with the least coordinates.
template <int corners, class Real>
struct CrossPlateaus {
  SimplexMeshView<corners> simplices;
  VertexView<Real> points;
  const double* turns;
  const std::int32_t* before;
  std::int32_t* after;
  std::int32_t step;
  Parents<corners> parents;
  double* squaredTimes; ///< [numVertices], of the steps that are made here

  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& numCrossed) const {
    after[v] = before[v];
    squaredTimes[v] = notReached;
    if (before[v] != notCrossed) {
      return;
    }
    std::int32_t nearest = -1;
    for (int k = 0; k < simplices.ball.degrees[v]; ++k) {
      const BallEntry entry = simplices.ball(v, k);
      const std::int64_t s = BallView::element(entry);
      const int corner = BallView::local(entry);
      const double* products = simplices[s].products;
      for (int j = 1; j < corners; ++j) {
        const int from = (corner + j) % corners;
        const std::int32_t w = simplices[s].vertices[from];
        const double squaredTime = products[edgeBetween(from, corner)];
        if (turns[w] == turns[v] && before[w] == step - 1 &&
          (squaredTime < squaredTimes[v] || (squaredTime == squaredTimes[v] && isBefore(points(w), points(nearest))))) {
          squaredTimes[v] = squaredTime;
          nearest = w;
        }
      }
    }
    if (nearest >= 0) {
      parents.drop(v);
      parents.vertices[v * Parents<corners>::most] = nearest;
      parents.parts[v * Parents<corners>::most] = 1.0F;
      after[v] = step;
      ++numCrossed;
    }
  }
};

/// What is left inside has an earlier corner beside it, whatever its time is, or there is none: counts these.
struct SettleSteps {
  const std::int32_t* from;
  const Explanation* best;
  std::int32_t* to;

  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& numInPits) const {
    numInPits += from[v] == notCrossed && !(best[v].time < notReached) ? 1 : 0;
    to[v] = from[v] == notCrossed ? 0 : from[v];
  }
};

// Where a front is far faster in one direction than in others it comes to a vertex before it comes to any beside it:
// its time is in a pit, which no way down leads out of. Turns are times that pits are filled in up to their rims
// (priority-flood: R. Barnes, C. Lehman, D. Mulla, Comput. Geosci. 62 (2014) 117-127), so that they become plateaus.

struct StartTurns {
  const double* times;
  const double* startTimes;
  double* turns;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const { turns[v] = times[v] < startTimes[v] ? notReached : times[v]; }
};

/// A round: the least rim on the ways from each vertex to starts, of one more step.
template <int corners>
struct FloodTurns {
  SimplexMeshView<corners> simplices;
  const double* times;
  const double* before;
  double* after;

  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& numChanged) const {
    double least = before[v];
    for (int k = 0; k < simplices.ball.degrees[v] && times[v] < notReached; ++k) {
      for (const std::int32_t w : simplices[BallView::element(simplices.ball(v, k))].vertices) {
        least = Kokkos::min(least, Kokkos::max(times[v], before[w]));
      }
    }
    after[v] = least;
    numChanged += least < before[v] ? 1 : 0;
  }
};

struct MinTurn {
  KOKKOS_FUNCTION double operator()(double a, double b) const { return Kokkos::min(a, b); }
};

// On ranks that each have a part of the mesh a shared vertex has the parents that one of them has found.

struct SetRank {
  std::int32_t* winners; ///< [numVertices]: the ranks that have the parents
  int rank;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const { winners[v] = rank; }
};

template <int corners>
struct DropParents {
  Parents<corners> parents;
  const std::int32_t* winners;
  int rank;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    if (winners[v] != rank) {
      parents.drop(v);
    }
  }
};

template <int corners>
struct ExplanationOfRank {
  Explanation best;
  OfferedParents<corners> offered;
  int rank;
};

template <int corners, class Real>
struct OfferExplanations {
  VertexView<Real> points;
  Parents<corners> parents;
  Explanation* best;
  std::int32_t* winners;
  int rank;

  [[nodiscard]] KOKKOS_FUNCTION ExplanationOfRank<corners> get(std::int64_t v) const {
    ExplanationOfRank<corners> mine{best[v], {}, rank};
    for (int j = 0; j < Parents<corners>::most; ++j) {
      const std::int64_t at = v * Parents<corners>::most + j;
      if (parents.vertices[at] >= 0) {
        mine.offered.add(parents.vertices[at], parents.parts[at], points(parents.vertices[at]));
      }
    }
    return mine;
  }
  KOKKOS_FUNCTION void set(std::int64_t v, const ExplanationOfRank<corners>& all) const {
    best[v] = all.best;
    winners[v] = all.rank;
  }
};

template <int corners>
struct BestExplanation {
  using OfRank = ExplanationOfRank<corners>;
  KOKKOS_FUNCTION OfRank operator()(const OfRank& a, const OfRank& b) const {
    const bool isB = b.best.isBefore(a.best) || (!a.best.isBefore(b.best) && b.offered.isBefore(a.offered));
    return isB ? b : a;
  }
};

struct StepOfRank {
  double squaredTime;
  Point to; ///< where it goes
  int rank;
};

template <int corners, class Real>
struct OfferSteps {
  VertexView<Real> points;
  Parents<corners> parents;
  const double* squaredTimes;
  std::int32_t* steps;
  std::int32_t* winners;
  std::int32_t step;
  int rank;

  [[nodiscard]] KOKKOS_FUNCTION StepOfRank get(std::int64_t v) const {
    const bool goes = squaredTimes[v] < notReached;
    return {squaredTimes[v], goes ? points(parents.vertices[v * Parents<corners>::most]) : Point(), rank};
  }
  KOKKOS_FUNCTION void set(std::int64_t v, const StepOfRank& all) const {
    if (all.squaredTime < notReached) {
      steps[v] = step;
      winners[v] = all.rank;
    }
  }
};

struct FastestStep {
  KOKKOS_FUNCTION StepOfRank operator()(const StepOfRank& a, const StepOfRank& b) const {
    return b.squaredTime < a.squaredTime || (b.squaredTime == a.squaredTime && isBefore(b.to, a.to)) ? b : a;
  }
};

} // namespace spanwise::eikonal::detail
