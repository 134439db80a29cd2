#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"
#include "Core/Solvers/Eikonal/Tensor.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::eikonal::detail {

/// The place of a triangle that is nearest to a point by travel time. Of one whose corners are nearly in a line
/// rounding leaves no more than its sides, so these are always looked at.
KOKKOS_INLINE_FUNCTION Point nearestPlace(const SymmetricTensor& inverse, const Point* x, const Point& point) {
  double lengths[3]; // squared, of the sides from each corner to the next
  double distances[3];
  for (int k = 0; k < 3; ++k) {
    lengths[k] = inverse.product(x[(k + 1) % 3] - x[k]);
    distances[k] = inverse.product(point - x[k]);
  }
  const Arrival<3> inside =
    updateFromFace(0.0, 0.0, 0.0, lengths[0], lengths[2], lengths[1], distances[0], distances[1], distances[2]);
  Point best = x[0] + (inside.weight[1] * (x[1] - x[0]) + inside.weight[2] * (x[2] - x[0]));
  double least = inverse.product(point - best);
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const Arrival<2> onSide = updateFromEdge(0.0, 0.0, lengths[k], distances[k], distances[next]);
    const Point place = x[next] + onSide.weight[0] * (x[k] - x[next]);
    const double distance = inverse.product(point - place);
    if (distance < least) {
      least = distance;
      best = place;
    }
  }
  return best;
}

} // namespace spanwise::eikonal::detail
