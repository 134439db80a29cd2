#pragma once

#include <Core/Mesh/Kernels.hpp>

// What all ten kernels share: a record for a place, the parameters, and the second half of the indirect kernels.

/// A record of the user's own.
struct Place {
  double x, y, z;
};

KOKKOS_INLINE_FUNCTION Place placeOf(const spanwise::Point& point) { return {point[0], point[1], point[2]}; }
KOKKOS_INLINE_FUNCTION spanwise::Point pointOf(const Place& place) { return {{place.x, place.y, place.z}}; }

/// What the kernels read, and a word that they return.
struct SmoothingParameters {
  double relaxation = 1.0;   ///< how far vertices go
  std::int64_t watched = -1; ///< a vertex to look at
  Place seen{};              ///< where it went
};

/// Elements of one type in meshes of doubles and 32-bit numbers.
template <spanwise::ElementType type>
using Element = spanwise::ElementIn<double, std::int32_t, type>;

/// Gather: every vertex goes to the mean of the places that the elements around it have for it, in the order of the
/// elements, so that the result has the same bits for any number of threads.
struct GoToMean {
  const Place* pulls; ///< one for each corner of each element
  const std::uint8_t* held;
  SmoothingParameters* parameters;
  Place* places;

  template <class Vertex>
  KOKKOS_FUNCTION void operator()(const Vertex& vertex) const {
    const std::int64_t v = vertex.number();
    spanwise::Point to = vertex.point();
    if (held[v] == 0 && vertex.degree() > 0) {
      spanwise::Point sum;
      vertex.forEachCorner([&sum, this](const spanwise::Corner& corner) { sum = sum + pointOf(pulls[corner.slot]); });
      to = to + parameters->relaxation * ((1.0 / vertex.degree()) * sum - to);
    }
    places[v] = placeOf(to);
    if (v == parameters->watched) {
      parameters->seen = places[v];
    }
  }
};
