#pragma once

#include "Place.hpp"

/// Direct: the barycentre of each tetrahedron.
struct TetrahedronBarycentre {
  Place* barycentres;

  KOKKOS_FUNCTION void operator()(const Element<spanwise::ElementType::Tetrahedron>& tet) const {
    const spanwise::Point sum = tet.point(0) + tet.point(1) + tet.point(2) + tet.point(3);
    barycentres[tet.number()] = placeOf(0.25 * sum);
  }
};

/// Indirect, scatter: each tetrahedron pulls its vertices towards its barycentre.
struct PullTetrahedron {
  Place* pulls;

  KOKKOS_FUNCTION void operator()(const Element<spanwise::ElementType::Tetrahedron>& tet) const {
    const spanwise::Point sum = tet.point(0) + tet.point(1) + tet.point(2) + tet.point(3);
    for (int k = 0; k < 4; ++k) {
      pulls[tet.corner(k)] = placeOf(0.125 * (4.0 * tet.point(k) + sum));
    }
  }
};
