#pragma once

#include <Kokkos_Core.hpp>

namespace spanwise::eikonal {

// The local problem of the fast iterative method: the least time at which a front that comes through a face of a
// simplex reaches the vertex opposite to it. In the simplex the travel time along a vector e is |e| = sqrt(e^T N e)
// with one tensor N, the inverse of M in sqrt(grad u^T M grad u) = 1, and on the face u is linear. So it is the minimum
// of
//
//   f(x) = u(x) + |x4 - x|,  x in the face,
//
// a convex function: the gradient of u on the face and the direction of the ray are all there is, and no quadratic has
// to be solved for its roots. All that is needed of the geometry is the squared lengths of the simplex's edges, since
// a . b = (|a|^2 + |b|^2 - |a - b|^2) / 2.
//
// (The problem: Z. Fu, R. M. Kirby, R. T. Whitaker, A fast iterative method for solving the eikonal equation on
// tetrahedral domains, SIAM J. Sci. Comput. 35 (2013) c473-c494. The six products and how they serve every vertex:
// D. Ganellari, G. Haase, G. Zumbusch, A massively parallel Eikonal solver on unstructured meshes, Comput. Vis. Sci. 19
// (2018) 3-18.)

/// A time that no front has reached yet.
inline constexpr double notReached = Kokkos::Experimental::infinity_v<double>;

/// Where a front comes from: the weights of the face's vertices at the place where the ray crosses it, and the time.
template <int numVertices>
struct Arrival {
  double time = notReached;
  double weight[numVertices] = {};
};

/// From vertex 1, at the squared distance c1.
KOKKOS_INLINE_FUNCTION double updateFromVertex(double u1, double c1) { return u1 + Kokkos::sqrt(c1); }

/// The least time at a vertex from an edge between vertices 1 and 2 that is reached at u1 and u2. d12: the squared
/// length of the edge; c1, c2: squared distances to its ends. Infinite times are allowed. An edge without length, or
/// one that the front overtakes, counts by its ends.
KOKKOS_INLINE_FUNCTION Arrival<2> updateFromEdge(double u1, double u2, double d12, double c1, double c2) {
  Arrival<2> best;
  const double end1 = updateFromVertex(u1, c1);
  const double end2 = updateFromVertex(u2, c2);
  best.time = Kokkos::min(end1, end2);
  best.weight[0] = end1 <= end2 ? 1.0 : 0.0;
  best.weight[1] = 1.0 - best.weight[0];
  const double g = u1 - u2; // the derivative of u along the edge, from 2 to 1
  // |g| < |edge|: else the front runs along the edge faster than it travels. False also for infinite times.
  if (!(g * g < d12)) {
    return best;
  }
  const double foot = 0.5 * (d12 + c2 - c1) / d12; // of the vertex on the line: 0 at 2, 1 at 1
  const double height2 = Kokkos::max(c2 - foot * foot * d12, 0.0);
  const double s = Kokkos::sqrt(1.0 - g * g / d12);
  const double height = Kokkos::sqrt(height2);
  const double weight = foot - height / s * g / d12;
  if (weight > 0.0 && weight < 1.0) {
    const double time = u2 + g * foot + height * s;
    if (time < best.time) {
      best = {time, {weight, 1.0 - weight}};
    }
  }
  return best;
}

/// The least time at a vertex from a face between vertices 1, 2 and 3 that is reached at u1, u2 and u3. dij: squared
/// lengths of the face's edges; ci: squared distances to its vertices. Infinite times are allowed, and faces without
/// area. Where the least time over the plane of the face lies outside of it, the least time over the face lies on an
/// edge that stands between.
KOKKOS_INLINE_FUNCTION Arrival<3> updateFromFace(
  double u1, double u2, double u3, double d12, double d13, double d23, double c1, double c2, double c3) {
  bool tryEdge1 = true; // the edge opposite to vertex 1
  bool tryEdge2 = true;
  bool tryEdge3 = true;
  // Places of the face are x3 + l1 a + l2 b with a = x1 - x3 and b = x2 - x3; u is u3 + l1 p + l2 q there.
  const double p = u1 - u3;
  const double q = u2 - u3;
  const double ab = 0.5 * (d13 + d23 - d12);
  const double area2 = d13 * d23 - ab * ab;
  if (area2 > 0.0 && p * p < d13 && q * q < d23) { // never with infinite times
    // The foot of the vertex on the plane, and the gradient of u, in the coordinates l1 and l2.
    const double ac = 0.5 * (d13 + c3 - c1);
    const double bc = 0.5 * (d23 + c3 - c2);
    const double inverse = 1.0 / area2;
    const double foot1 = (d23 * ac - ab * bc) * inverse;
    const double foot2 = (d13 * bc - ab * ac) * inverse;
    const double gradient1 = (d23 * p - ab * q) * inverse;
    const double gradient2 = (d13 * q - ab * p) * inverse;
    const double slope2 = p * gradient1 + q * gradient2; // |grad u|^2 on the plane: below 1, or the front overtakes it
    if (slope2 < 1.0) {
      const double height = Kokkos::sqrt(Kokkos::max(c3 - foot1 * ac - foot2 * bc, 0.0));
      const double s = Kokkos::sqrt(1.0 - slope2);
      const double l1 = foot1 - height / s * gradient1;
      const double l2 = foot2 - height / s * gradient2;
      const double l3 = 1.0 - l1 - l2;
      tryEdge1 = l1 < 0.0;
      tryEdge2 = l2 < 0.0;
      tryEdge3 = l3 < 0.0;
      if (!tryEdge1 && !tryEdge2 && !tryEdge3) {
        return {u3 + p * foot1 + q * foot2 + height * s, {l1, l2, l3}};
      }
    }
  }
  Arrival<3> best;
  if (tryEdge1) {
    const Arrival<2> edge = updateFromEdge(u2, u3, d23, c2, c3);
    best = {edge.time, {0.0, edge.weight[0], edge.weight[1]}};
  }
  if (tryEdge2) {
    const Arrival<2> edge = updateFromEdge(u1, u3, d13, c1, c3);
    if (edge.time < best.time) {
      best = {edge.time, {edge.weight[0], 0.0, edge.weight[1]}};
    }
  }
  if (tryEdge3) {
    const Arrival<2> edge = updateFromEdge(u1, u2, d12, c1, c2);
    if (edge.time < best.time) {
      best = {edge.time, {edge.weight[0], edge.weight[1], 0.0}};
    }
  }
  return best;
}

} // namespace spanwise::eikonal
