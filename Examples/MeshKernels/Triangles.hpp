#pragma once

#include "Place.hpp"

/// Direct: the barycentre of each triangle.
struct TriangleBarycentre {
  Place* barycentres;

  KOKKOS_FUNCTION void operator()(const Element<spanwise::ElementType::Triangle>& triangle) const {
    const spanwise::Point sum = triangle.point(0) + triangle.point(1) + triangle.point(2);
    barycentres[triangle.number()] = placeOf((1.0 / 3.0) * sum);
  }
};

/// Indirect, scatter: each triangle pulls its vertices towards its barycentre, a quarter of the way to the others.
struct PullTriangle {
  Place* pulls;

  KOKKOS_FUNCTION void operator()(const Element<spanwise::ElementType::Triangle>& triangle) const {
    const spanwise::Point a = triangle.point(0);
    const spanwise::Point b = triangle.point(1);
    const spanwise::Point c = triangle.point(2);
    pulls[triangle.corner(0)] = placeOf(0.25 * (2.0 * a + b + c));
    pulls[triangle.corner(1)] = placeOf(0.25 * (2.0 * b + c + a));
    pulls[triangle.corner(2)] = placeOf(0.25 * (2.0 * c + a + b));
  }
};
