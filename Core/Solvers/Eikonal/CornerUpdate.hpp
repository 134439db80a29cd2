#pragma once

#include "Core/Solvers/Eikonal/Factoring.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::eikonal {

/// The least time at a corner of a simplex from the times at its others, and the products of its edges. Weight k is
/// that of corner (corner + 1 + k) % numCorners.
template <int corner, int numCorners>
KOKKOS_FORCEINLINE_FUNCTION Arrival<numCorners - 1> updateCorner(const double* u, const double* d) {
  constexpr int i = (corner + 1) % numCorners;
  constexpr int j = (corner + 2) % numCorners;
  if constexpr (numCorners == 4) {
    constexpr int k = (corner + 3) % numCorners;
    return updateFromFace(u[i], u[j], u[k], d[edgeBetween(i, j)], d[edgeBetween(i, k)], d[edgeBetween(j, k)],
      d[edgeBetween(i, corner)], d[edgeBetween(j, corner)], d[edgeBetween(k, corner)]);
  } else {
    return updateFromEdge(u[i], u[j], d[edgeBetween(i, j)], d[edgeBetween(i, corner)], d[edgeBetween(j, corner)]);
  }
}

/// The times around a corner as they are where fronts are planes.
template <int corner, int numCorners>
struct StraightTimesAround {
  double times[numCorners];
  double least = notReached;  ///< of them: no front comes to the corner before it
  double bound = -notReached; ///< no time counts that is before it

  /// u: times; d: the products of edges.
  KOKKOS_INLINE_FUNCTION StraightTimesAround(
    const FactoredCorners<numCorners>& factored, const double* u, const double* d) {
    const FactoredTarget target = factored.target(corner);
    FactoredEdge edges[numCorners];
    MediumRange media;
    for (int k = 0; k < numCorners && target.place != nullptr; ++k) {
      if (k != corner) {
        edges[k] = FactoredEdge(factored.corners[k], target, d[edgeBetween(k, corner)]);
        media.add(edges[k]);
      }
    }
    double first = notReached;
    for (int k = 0; k < numCorners; ++k) {
      times[k] = u[k];
      if (k == corner) {
        continue;
      }
      first = Kokkos::min(first, u[k]);
      if (target.place != nullptr) {
        times[k] = straightened(u[k], factored.corners[k], target, edges[k], media);
      }
      least = Kokkos::min(least, times[k]);
    }
    if (target.place != nullptr) {
      bound = Kokkos::min(first, target.time());
    }
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION Arrival<numCorners - 1> arrival(const double* d) const {
    Arrival<numCorners - 1> arrival = updateCorner<corner, numCorners>(times, d);
    arrival.time = Kokkos::max(arrival.time, bound);
    return arrival;
  }
};

/// The same where the simplex may be factored.
template <int corner, int numCorners>
KOKKOS_INLINE_FUNCTION Arrival<numCorners - 1> updateCorner(
  const FactoredCorners<numCorners>& factored, const double* u, const double* d) {
  return StraightTimesAround<corner, numCorners>(factored, u, d).arrival(d);
}

/// For a corner that is known at run time only.
template <int numCorners>
KOKKOS_INLINE_FUNCTION Arrival<numCorners - 1> updateCorner(
  int corner, const FactoredCorners<numCorners>& factored, const double* u, const double* d) {
  if constexpr (numCorners == 4) {
    if (corner == 3) {
      return updateCorner<3, numCorners>(factored, u, d);
    }
  }
  return corner == 0 ? updateCorner<0, numCorners>(factored, u, d)
    : corner == 1    ? updateCorner<1, numCorners>(factored, u, d)
                     : updateCorner<2, numCorners>(factored, u, d);
}

} // namespace spanwise::eikonal
