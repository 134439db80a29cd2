#pragma once

#include "Place.hpp"

/// Direct: the barycentre of each hexahedron.
struct HexahedronBarycentre {
  Place* barycentres;

  KOKKOS_FUNCTION void operator()(const Element<spanwise::ElementType::Hexahedron>& hex) const {
    spanwise::Point sum;
    for (int k = 0; k < 8; ++k) {
      sum = sum + hex.point(k);
    }
    barycentres[hex.number()] = placeOf(0.125 * sum);
  }
};

/// Indirect, scatter: each hexahedron pulls its vertices towards its barycentre.
struct PullHexahedron {
  Place* pulls;

  KOKKOS_FUNCTION void operator()(const Element<spanwise::ElementType::Hexahedron>& hex) const {
    spanwise::Point sum;
    for (int k = 0; k < 8; ++k) {
      sum = sum + hex.point(k);
    }
    for (int k = 0; k < 8; ++k) {
      pulls[hex.corner(k)] = placeOf(0.0625 * (8.0 * hex.point(k) + sum));
    }
  }
};
