#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::eikonal {

/// The squared travel time between two places of a simplex in a straight line, from the squared travel times along its
/// edges. difference[k]: by how much their barycentric coordinates differ. With e = sum_k difference[k] x_k and the
/// differences adding up to 0, e^T N e = - sum_(i < j) difference[i] difference[j] (x_j - x_i)^T N (x_j - x_i).
template <int numCorners>
KOKKOS_INLINE_FUNCTION double squaredTravelTime(const double* products, const double* difference) {
  double sum = 0.0;
  for (int j = 1; j < numCorners; ++j) {
    for (int i = 0; i < j; ++i) {
      sum -= difference[i] * difference[j] * products[edgeBetween(i, j)];
    }
  }
  return Kokkos::max(sum, 0.0);
}

/// The squared travel time from a place of a simplex, given by its barycentric coordinates, to one of the corners.
template <int numCorners>
KOKKOS_INLINE_FUNCTION double squaredTravelTimeToCorner(const double* products, const double* weights, int corner) {
  double difference[numCorners];
  for (int k = 0; k < numCorners; ++k) {
    difference[k] = weights[k] - (k == corner ? 1.0 : 0.0);
  }
  return squaredTravelTime<numCorners>(products, difference);
}

/// The barycentric coordinates of a point in a tetrahedron, or of its projection on the plane of a triangle; returns
/// the squared distance from that plane. NaN where the simplex has no extent.
template <int numCorners>
KOKKOS_INLINE_FUNCTION double barycentric(const Point* x, const Point& point, double* weights) {
  const Point a = x[1] - x[0];
  const Point b = x[2] - x[0];
  const Point p = point - x[0];
  if constexpr (numCorners == 4) {
    const Point c = x[3] - x[0];
    const Point bc = cross(b, c);
    const double scale = 1.0 / dot(a, bc);
    weights[1] = scale * dot(p, bc);
    weights[2] = scale * dot(p, cross(c, a));
    weights[3] = scale * dot(p, cross(a, b));
    weights[0] = 1.0 - weights[1] - weights[2] - weights[3];
    return 0.0;
  } else {
    const double aa = dot(a, a);
    const double ab = dot(a, b);
    const double bb = dot(b, b);
    const double scale = 1.0 / (aa * bb - ab * ab);
    weights[1] = scale * (bb * dot(p, a) - ab * dot(p, b));
    weights[2] = scale * (aa * dot(p, b) - ab * dot(p, a));
    weights[0] = 1.0 - weights[1] - weights[2];
    const Point off = p - (weights[1] * a + weights[2] * b);
    return dot(off, off);
  }
}

/// How far a point may be outside of a simplex by its barycentric coordinates, and off the plane of a triangle by the
/// length of its longest edge, to be in it.
inline constexpr double looseness = 1e-6;

/// Whether a point is in a simplex, or near enough to it; then `weights` are its barycentric coordinates. longest2: the
/// squared length of the longest edge. reach: how far off a triangle's plane a point may be in any case.
template <int numCorners>
KOKKOS_INLINE_FUNCTION bool holds(const Point* x, double longest2, double reach, const Point& point, double* weights) {
  const double off2 = barycentric<numCorners>(x, point, weights);
  for (int k = 0; k < numCorners; ++k) {
    if (!(weights[k] >= -looseness)) {
      return false;
    }
  }
  return off2 <= reach * reach || off2 <= looseness * looseness * longest2;
}

/// The corners of a simplex in space.
template <int numCorners>
struct SimplexCorners {
  Point x[numCorners];
  double longest2 = 0.0; ///< the squared length of the longest edge

  template <MeshReal Real>
  KOKKOS_FUNCTION SimplexCorners(
    const SimplexMeshView<numCorners>& simplices, const VertexView<Real>& vertices, std::int64_t simplex) {
    for (int j = 0; j < numCorners; ++j) {
      x[j] = vertices(simplices[simplex].vertices[j]);
      for (int i = 0; i < j; ++i) {
        const Point edge = x[j] - x[i];
        longest2 = Kokkos::max(longest2, dot(edge, edge));
      }
    }
  }
};

} // namespace spanwise::eikonal
