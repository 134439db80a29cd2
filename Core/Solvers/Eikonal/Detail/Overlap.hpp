#pragma once

#include "Core/Mesh/MeshView.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::eikonal::detail {

/// Where points lie along an axis.
struct Extent {
  double low;
  double high;
};
template <int count>
KOKKOS_INLINE_FUNCTION Extent extentAlong(const Point& axis, const Point* points) {
  const double first = dot(axis, points[0]);
  Extent extent{first, first};
  for (int k = 1; k < count; ++k) {
    const double at = dot(axis, points[k]);
    extent.low = Kokkos::min(extent.low, at);
    extent.high = Kokkos::max(extent.high, at);
  }
  return extent;
}

/// Whether a plane across `axis` stands between points a and b, by more than a billionth of their extent.
template <int numA, int numB>
KOKKOS_INLINE_FUNCTION bool separates(const Point& axis, const Point* a, const Point* b) {
  const Extent ofA = extentAlong<numA>(axis, a);
  const Extent ofB = extentAlong<numB>(axis, b);
  const double tolerance = 1e-9 * (Kokkos::max(ofA.high, ofB.high) - Kokkos::min(ofA.low, ofB.low));
  return ofA.low - ofB.high > tolerance || ofB.low - ofA.high > tolerance;
}

/// Whether a tetrahedron (numCorners 4) or triangle (3) and another triangle have a place in common: no plane across
/// the normal of a face, or across two edges, stands between them (S. Gottschalk, M. C. Lin, D. Manocha, OBBTree,
/// SIGGRAPH 1996, for boxes). Triangles may be segments.
template <int numCorners>
KOKKOS_INLINE_FUNCTION bool overlap(const Point* x, const Point* triangle) {
  const Point edges[3] = {triangle[1] - triangle[0], triangle[2] - triangle[1], triangle[0] - triangle[2]};
  const Point normal = cross(edges[0], edges[1]);
  if (separates<numCorners, 3>(normal, x, triangle)) {
    return false;
  }
  for (int f = 0; f < (numCorners == 4 ? 4 : 1); ++f) { // the face that corner f is not in, or the triangle itself
    const Point& origin = x[(f + 1) % numCorners];
    if (separates<numCorners, 3>(
          cross(x[(f + 2) % numCorners] - origin, x[(f + 3) % numCorners] - origin), x, triangle)) {
      return false;
    }
  }
  for (int j = 1; j < numCorners; ++j) {
    for (int i = 0; i < j; ++i) {
      const Point edge = x[j] - x[i];
      for (const Point& other : edges) {
        if (separates<numCorners, 3>(cross(edge, other), x, triangle)) {
          return false;
        }
      }
      if (numCorners == 3) { // triangles in one plane
        const Point own = cross(x[1] - x[0], x[2] - x[0]);
        if (separates<numCorners, 3>(cross(own, edge), x, triangle)) {
          return false;
        }
      }
    }
  }
  if constexpr (numCorners == 3) {
    for (const Point& other : edges) {
      if (separates<numCorners, 3>(cross(normal, other), x, triangle)) {
        return false;
      }
    }
  }
  return true;
}

} // namespace spanwise::eikonal::detail
