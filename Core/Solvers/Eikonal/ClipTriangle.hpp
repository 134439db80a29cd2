#pragma once

#include "Core/Mesh/MeshView.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::eikonal {

/// Replaces a triangle by what of it lies in a plane: all of it, or a segment, whose second and third corner are the
/// same; both may be one point. The plane goes through `origin` across `normal`; what is off it by at most `tolerance`,
/// which counts in lengths of the normal, lies in it. Returns whether there is anything; if not the triangle is left as
/// it is. Triangles may be segments or points.
KOKKOS_INLINE_FUNCTION bool clipTriangleToPlane(
  const Point& normal, const Point& origin, double tolerance, Point* triangle) {
  double height[3];
  bool inPlane = true;
  for (int k = 0; k < 3; ++k) {
    height[k] = dot(normal, triangle[k] - origin);
    inPlane = inPlane && Kokkos::abs(height[k]) <= tolerance;
  }
  if (inPlane) {
    return true;
  }
  Point ends[2];
  int numEnds = 0;
  for (int k = 0; k < 3 && numEnds < 2; ++k) {
    const int next = (k + 1) % 3;
    if (Kokkos::abs(height[k]) <= tolerance) {
      ends[numEnds++] = triangle[k];
    } else if (Kokkos::abs(height[next]) > tolerance && (height[k] < 0.0) != (height[next] < 0.0)) {
      const double share = height[k] / (height[k] - height[next]);
      ends[numEnds++] = triangle[k] + share * (triangle[next] - triangle[k]);
    }
  }
  if (numEnds == 0) {
    return false;
  }
  triangle[0] = ends[0];
  triangle[1] = ends[numEnds - 1];
  triangle[2] = triangle[1];
  return true;
}

} // namespace spanwise::eikonal
