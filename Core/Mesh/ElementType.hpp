#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

/// The linear elements of unstructured meshes. The numbers are those that VTK's file format gives them, so that arrays
/// of types are used as they are. Vertices are numbered as there: a quadrilateral and the two of a hexahedron around,
/// a pyramid's base before its apex, a prism as two triangles (0, 1, 2) and (3, 4, 5).
enum class ElementType : std::uint8_t {
  Edge = 3,
  Triangle = 5,
  Quadrilateral = 9,
  Tetrahedron = 10,
  Hexahedron = 12,
  Prism = 13,
  Pyramid = 14
};

/// The most vertices that an element has.
inline constexpr int maxElementVertices = 8;

/// How many vertices an element has; 0 for a number that is no ElementType.
KOKKOS_INLINE_FUNCTION constexpr int numVerticesOf(ElementType type) {
  switch (type) {
  case ElementType::Edge:
    return 2;
  case ElementType::Triangle:
    return 3;
  case ElementType::Quadrilateral:
  case ElementType::Tetrahedron:
    return 4;
  case ElementType::Pyramid:
    return 5;
  case ElementType::Prism:
    return 6;
  case ElementType::Hexahedron:
    return 8;
  }
  return 0;
}

/// 1 for edges, 2 for triangles and quadrilaterals, 3 for the others.
KOKKOS_INLINE_FUNCTION constexpr int dimensionOf(ElementType type) {
  switch (type) {
  case ElementType::Edge:
    return 1;
  case ElementType::Triangle:
  case ElementType::Quadrilateral:
    return 2;
  case ElementType::Tetrahedron:
  case ElementType::Pyramid:
  case ElementType::Prism:
  case ElementType::Hexahedron:
    return 3;
  }
  return 0;
}

/// "edge", "triangle" ..., for messages and reports.
constexpr const char* elementTypeName(ElementType type) {
  switch (type) {
  case ElementType::Edge:
    return "edge";
  case ElementType::Triangle:
    return "triangle";
  case ElementType::Quadrilateral:
    return "quadrilateral";
  case ElementType::Tetrahedron:
    return "tetrahedron";
  case ElementType::Pyramid:
    return "pyramid";
  case ElementType::Prism:
    return "prism";
  case ElementType::Hexahedron:
    return "hexahedron";
  }
  return "unknown element";
}

} // namespace spanwise
