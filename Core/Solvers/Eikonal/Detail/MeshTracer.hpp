#pragma once

// Ways back through a rank's part of a mesh. Not installed with what users call.

#include "Core/Solvers/Eikonal/Detail/PathPieces.hpp"
#include "Core/Solvers/Eikonal/Detail/PathSteps.hpp"
#include "Core/Solvers/Eikonal/Paths.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal::detail {

/// Where a path is, or is to go on.
template <int corners>
struct MeshHead {
  std::int64_t path = -1;
  std::int64_t numSteps = 0;
  MeshPlace<corners> place;            ///< no simplex: the target is in none
  std::int32_t vertices[corners] = {}; ///< of the place's simplex, where the path has stopped at a cut
};

/// Goes back from heads, as long as no other rank may know a better way.
template <int corners, class Real>
struct MeshTracer {
  using Head = MeshHead<corners>;
  using Place = PathPlace;
  PathSteps<corners, Real> steps;
  const double* targets;        ///< [paths][3]
  const std::uint8_t* isShared; ///< [vertices] with other ranks; null: none is
  std::int64_t maxSteps;

  template <class Visit>
  KOKKOS_FUNCTION PathStop trace(Head& head, const Visit& visit) const {
    MeshPlace<corners>& place = head.place;
    if (place.simplex < 0) {
      visit(placeAt(pointAt(targets, head.path), notReached));
      return {false, -1};
    }
    while (true) {
      if (place.source < 0) { // a source is written as the end
        visit(placeAt(steps.pointOf(place), place.time));
      }
      std::int32_t source = steps.endAt(place);
      if (source >= 0) {
        Point end;
        double time = 0.0;
        if (steps.endOf(place, source, end, time)) {
          visit(placeAt(end, time));
        }
        return {false, source};
      }
      if (head.numSteps == maxSteps) {
        return {false, -1};
      }
      if (stopsAtCut(head)) {
        return {true, -1};
      }
      if (!steps.advance(place)) {
        return {false, -1};
      }
      ++head.numSteps;
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION static PathPlace placeAt(const Point& point, double time) {
    return {{point[0], point[1], point[2]}, time};
  }

  /// Whether other ranks may have all the vertices that the place is between; the head gets their numbers then.
  KOKKOS_FUNCTION bool stopsAtCut(Head& head) const {
    if (isShared == nullptr) {
      return false;
    }
    for (int k = 0; k < corners; ++k) {
      head.vertices[k] = steps.vertexAt(head.place.simplex, k);
      if (head.place.weights[k] > 0.0 && isShared[head.vertices[k]] == 0) {
        return false;
      }
    }
    return true;
  }
};

/// The heads of paths at their targets.
template <int corners, class Real>
struct BeginPaths {
  PathSteps<corners, Real> steps;
  const double* targets;               ///< [paths][3]
  const std::int32_t* simplexOfTarget; ///< -1: none
  MeshHead<corners>* heads;

  KOKKOS_FUNCTION void operator()(std::int64_t path) const {
    MeshHead<corners> head;
    head.path = path;
    if (simplexOfTarget[path] >= 0) {
      head.place = steps.placeOf(simplexOfTarget[path], pointAt(targets, path));
    }
    heads[path] = head;
  }
};

} // namespace spanwise::eikonal::detail
