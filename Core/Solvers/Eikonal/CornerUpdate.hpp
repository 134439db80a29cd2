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

/// The same where the simplex may be factored.
template <int corner, int numCorners>
KOKKOS_INLINE_FUNCTION Arrival<numCorners - 1> updateCorner(
  const FactoredCorners<numCorners>& factored, const double* u, const double* d) {
  if (factored.place < 0) {
    return updateCorner<corner, numCorners>(u, d);
  }
  double straight[numCorners];
  double least = notReached;
  for (int k = 0; k < numCorners; ++k) {
    straight[k] = u[k];
    if (k != corner) {
      straight[k] -= leadOf(factored.corners[k], factored.corners[corner], d[edgeBetween(k, corner)]);
      least = Kokkos::min(least, u[k]);
    }
  }
  Arrival<numCorners - 1> arrival = updateCorner<corner, numCorners>(straight, d);
  arrival.time = Kokkos::max(arrival.time, least);
  return arrival;
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
