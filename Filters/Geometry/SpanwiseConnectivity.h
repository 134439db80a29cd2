#ifndef SpanwiseConnectivity_h
#define SpanwiseConnectivity_h

// Connectivity as properties have it. Not wrapped and not installed.

#include "Core/Geometry/Connectivity.hpp"
#include "Core/Runtime/Error.hpp"

#include <string>

namespace spanwise {

/// 0: faces, 1: edges, 2: vertices. Throws InvalidArgument for any other number.
inline geometry::Connectivity connectivityOf(int number) {
  if (number < 0 || number > 2) {
    throw InvalidArgument(
      "the connectivity is " + std::to_string(number) + "; it must be 0 (faces), 1 (edges) or 2 (vertices)");
  }
  return static_cast<geometry::Connectivity>(number);
}

} // namespace spanwise

#endif
