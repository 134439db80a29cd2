#pragma once

#include "Core/Mesh/ElementFaces.hpp"
#include "Core/Mesh/MeshView.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise {

/// The most simplices that an element is split into.
inline constexpr int maxSimplices = 6;

/// Into how many triangles or tetrahedra an element is split; an edge is none.
KOKKOS_INLINE_FUNCTION constexpr int numSimplicesOf(ElementType type) {
  switch (type) {
  case ElementType::Triangle:
  case ElementType::Tetrahedron:
    return 1;
  case ElementType::Quadrilateral:
  case ElementType::Pyramid:
    return 2;
  case ElementType::Prism:
    return 3;
  case ElementType::Hexahedron:
    return 6;
  case ElementType::Edge:
    return 0;
  }
  return 0;
}

namespace detail {

/// The place of the least of `count` numbers.
template <class Number>
KOKKOS_FORCEINLINE_FUNCTION int placeOfMin(const Number* numbers, int count) {
  int place = 0;
  for (int k = 1; k < count; ++k) {
    place = numbers[k] < numbers[place] ? k : place;
  }
  return place;
}

} // namespace detail

/// Splits an element into triangles (if it is flat) or tetrahedra without new vertices: corners[s][k] are local numbers
/// of simplex s. Neighbours agree on the diagonal of the quadrilateral between them, since it starts at the vertex with
/// the least number of the four: an element is the union of the cones from its least vertex over the faces that the
/// vertex is not in (J. Dompierre, P. Labbe, M.-G. Vallet, R. Camarero, How to subdivide pyramids, prisms and hexahedra
/// into tetrahedra, 8th International Meshing Roundtable, 1999). `vertices` are the element's numbers of vertices,
/// all different. Tetrahedra are oriented as the element is. Returns how many there are.
template <class Index>
KOKKOS_INLINE_FUNCTION int splitIntoSimplices(ElementType type, const Index* vertices, int corners[maxSimplices][4]) {
  const int count = numVerticesOf(type);
  if (type == ElementType::Edge) {
    return 0;
  }
  if (type == ElementType::Triangle || type == ElementType::Tetrahedron) {
    for (int k = 0; k < count; ++k) {
      corners[0][k] = k;
    }
    return 1;
  }
  const int apex = detail::placeOfMin(vertices, count);
  if (type == ElementType::Quadrilateral) {
    for (int s = 0; s < 2; ++s) {
      corners[s][0] = apex;
      corners[s][1] = (apex + 1 + s) % 4;
      corners[s][2] = (apex + 2 + s) % 4;
    }
    return 2;
  }
  const ElementFaces faces = facesOf(type);
  int simplices = 0;
  for (int f = 0; f < faces.count; ++f) {
    const int* face = faces.vertices[f];
    const int size = face[3] < 0 ? 3 : 4;
    bool hasApex = false;
    Index numbers[4] = {};
    for (int k = 0; k < size; ++k) {
      hasApex = hasApex || face[k] == apex;
      numbers[k] = vertices[face[k]];
    }
    if (hasApex) {
      continue;
    }
    const int first = detail::placeOfMin(numbers, size);
    for (int s = 0; s < size - 2; ++s) {
      // A face is seen from outside; seen from the apex it turns the other way.
      corners[simplices][0] = face[first];
      corners[simplices][1] = face[(first + s + 2) % size];
      corners[simplices][2] = face[(first + s + 1) % size];
      corners[simplices][3] = apex;
      ++simplices;
    }
  }
  return simplices;
}

/// Whether a place comes before another one along z, then y, then x, as the points of grids are numbered.
[[nodiscard]] KOKKOS_INLINE_FUNCTION bool comesBefore(const Point& a, const Point& b) {
  for (int axis = 2; axis > 0; --axis) {
    if (a.at[axis] != b.at[axis]) {
      return a.at[axis] < b.at[axis];
    }
  }
  return a.at[0] < b.at[0];
}

/// The same with the places of the element's vertices instead of their numbers: diagonals start at the vertex that
/// comes first along z, then y, then x. So an element is split alike however vertices are numbered, on every rank too.
/// Of vertices in one place the one with the least local number comes first.
KOKKOS_INLINE_FUNCTION int splitByPlace(ElementType type, const Point* points, int corners[maxSimplices][4]) {
  const int count = numVerticesOf(type);
  int order[maxElementVertices] = {};
  if (numSimplicesOf(type) > 1) {
    for (int k = 1; k < count; ++k) {
      for (int j = 0; j < k; ++j) {
        ++order[comesBefore(points[k], points[j]) ? j : k];
      }
    }
  }
  return splitIntoSimplices(type, order, corners);
}

} // namespace spanwise
