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

/// The same where simplices may be factored, and `simplex` with the vertices `vertices` is one of them.
template <int corner, int numCorners>
KOKKOS_INLINE_FUNCTION Arrival<numCorners - 1> updateCorner(const FactoringView& factoring, std::int64_t simplex,
  const std::int32_t* vertices, const double* u, const double* d) {
  const std::int32_t place = factoring.placeOf(simplex);
  if (place < 0) {
    return updateCorner<corner, numCorners>(u, d);
  }
  double straight[numCorners];
  double least = notReached;
  const FactorPlace& source = factoring.places[place];
  const Point at = factoring.point(vertices[corner]);
  for (int k = 0; k < numCorners; ++k) {
    if (k != corner) {
      straight[k] = u[k] - source.lead(factoring.point(vertices[k]), at, d[edgeBetween(k, corner)]);
      least = Kokkos::min(least, u[k]);
    }
  }
  straight[corner] = u[corner];
  Arrival<numCorners - 1> arrival = updateCorner<corner, numCorners>(straight, d);
  arrival.time = Kokkos::max(arrival.time, least);
  return arrival;
}

/// For a corner that is known at run time only.
template <int numCorners>
KOKKOS_INLINE_FUNCTION Arrival<numCorners - 1> updateCorner(int corner, const FactoringView& factoring,
  std::int64_t simplex, const std::int32_t* vertices, const double* u, const double* d) {
  if constexpr (numCorners == 4) {
    if (corner == 3) {
      return updateCorner<3, numCorners>(factoring, simplex, vertices, u, d);
    }
  }
  return corner == 0 ? updateCorner<0, numCorners>(factoring, simplex, vertices, u, d)
    : corner == 1    ? updateCorner<1, numCorners>(factoring, simplex, vertices, u, d)
                     : updateCorner<2, numCorners>(factoring, simplex, vertices, u, d);
}

} // namespace spanwise::eikonal
