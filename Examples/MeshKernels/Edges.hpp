#pragma once

#include "Place.hpp"

/// Direct: the middle of each edge.
struct EdgeBarycentre {
  Place* barycentres;

  KOKKOS_FUNCTION void operator()(const Element<spanwise::ElementType::Edge>& edge) const {
    barycentres[edge.number()] = placeOf(0.5 * (edge.point(0) + edge.point(1)));
  }
};

/// Indirect, scatter: each edge pulls its ends towards its middle, as a spring.
struct PullEdge {
  Place* pulls;

  KOKKOS_FUNCTION void operator()(const Element<spanwise::ElementType::Edge>& edge) const {
    const spanwise::Point a = edge.point(0);
    const spanwise::Point b = edge.point(1);
    pulls[edge.corner(0)] = placeOf(0.25 * (3.0 * a + b));
    pulls[edge.corner(1)] = placeOf(0.25 * (3.0 * b + a));
  }
};
