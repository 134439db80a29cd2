#pragma once

#include "Place.hpp"

/// Direct: the barycentre of each quadrilateral.
struct QuadrilateralBarycentre {
  Place* barycentres;

  KOKKOS_FUNCTION void operator()(const Element<spanwise::ElementType::Quadrilateral>& quad) const {
    const spanwise::Point sum = quad.point(0) + quad.point(1) + quad.point(2) + quad.point(3);
    barycentres[quad.number()] = placeOf(0.25 * sum);
  }
};

/// Indirect, scatter: each quadrilateral has a place for a vertex that would make it a parallelogram.
struct PullQuadrilateral {
  Place* pulls;

  KOKKOS_FUNCTION void operator()(const Element<spanwise::ElementType::Quadrilateral>& quad) const {
    for (int k = 0; k < 4; ++k) {
      const spanwise::Point next = quad.point((k + 1) % 4);
      const spanwise::Point opposite = quad.point((k + 2) % 4);
      const spanwise::Point previous = quad.point((k + 3) % 4);
      pulls[quad.corner(k)] = placeOf(0.5 * (quad.point(k) + next + previous - opposite));
    }
  }
};
