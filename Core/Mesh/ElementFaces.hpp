#pragma once

#include "Core/Mesh/ElementType.hpp"

namespace spanwise {

/// The faces of a solid element: local numbers of their vertices, seen from outside against the clock; triangles have
/// -1 in the last place.
struct ElementFaces {
  int count = 0;
  int vertices[6][4] = {};
};

/// The faces of an element, none of edges, triangles and quadrilaterals. Prisms are as VTK numbers them: the triangle
/// (0, 1, 2) looks outward.
KOKKOS_INLINE_FUNCTION constexpr ElementFaces facesOf(ElementType type) {
  switch (type) {
  case ElementType::Tetrahedron:
    return {4, {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {2, 0, 3, -1}}};
  case ElementType::Pyramid:
    return {5, {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}}};
  case ElementType::Prism:
    return {5, {{0, 1, 2, -1}, {3, 5, 4, -1}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}}};
  case ElementType::Hexahedron:
    return {6, {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
  default:
    return {};
  }
}

} // namespace spanwise
