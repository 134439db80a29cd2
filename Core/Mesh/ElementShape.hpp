#pragma once

#include "Core/Mesh/MeshView.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise {

// What is measured of one element, whose corners are points[0 ...] in the order of ElementType. Where the type is known
// to the compiler, so is the formula.

namespace detail {

/// Calls function(k) for k < count, of 2 to 8. Without a loop: compilers would keep arrays that k points into in
/// memory.
template <class Function>
KOKKOS_FORCEINLINE_FUNCTION void forLocals(int count, const Function& function) {
  function(0);
  function(1);
  if (count > 2) {
    function(2);
  }
  if (count > 3) {
    function(3);
  }
  if (count > 4) {
    function(4);
  }
  if (count > 5) {
    function(5);
  }
  if (count > 6) {
    function(6);
    function(7);
  }
}

} // namespace detail

/// The mean of the corners.
KOKKOS_FORCEINLINE_FUNCTION Point barycentre(ElementType type, const Point* points) {
  const int count = numVerticesOf(type);
  Point sum;
  detail::forLocals(count, [&sum, points](int k) { sum = sum + points[k]; });
  return (1.0 / count) * sum;
}

/// Of a triangle or quadrilateral, the area times the normal (right-handed around the corners): half the product of two
/// edges, or of the diagonals, and so of a quadrilateral that is not plane the area of its shadow along that normal.
KOKKOS_FORCEINLINE_FUNCTION Point vectorArea(ElementType type, const Point* points) {
  return type == ElementType::Triangle ? 0.5 * cross(points[1] - points[0], points[2] - points[0])
                                       : 0.5 * cross(points[2] - points[0], points[3] - points[1]);
}

namespace detail {

KOKKOS_FORCEINLINE_FUNCTION double triple(const Point& a, const Point& b, const Point& c) {
  return dot(a, cross(b, c));
}

/// Twelve times the volume between the origin and the bilinear surface over four points: the mean of what the two ways
/// to cut it into triangles give.
KOKKOS_FORCEINLINE_FUNCTION double coneOverQuadrilateral(
  const Point& a, const Point& b, const Point& c, const Point& d) {
  return triple(a, b, c + d) + triple(a + b, c, d);
}

} // namespace detail

/// The length of an edge, the area of a triangle or quadrilateral (the length of vectorArea()), the volume of the
/// others; volumes are negative where the element is turned inside out. Faces with four corners are bilinear surfaces,
/// so that volumes of neighbours add up whatever the corners, and the volume of a hexahedron is that of its trilinear
/// map.
KOKKOS_FORCEINLINE_FUNCTION double measure(ElementType type, const Point* points) {
  const auto from0 = [points](int k) { return points[k] - points[0]; };
  // The faces of ElementFaces.hpp, seen from corner 0: those with it have no volume, or that over one triangle.
  switch (type) {
  case ElementType::Edge: {
    const Point edge = from0(1);
    return Kokkos::sqrt(dot(edge, edge));
  }
  case ElementType::Triangle:
  case ElementType::Quadrilateral: {
    const Point area = vectorArea(type, points);
    return Kokkos::sqrt(dot(area, area));
  }
  case ElementType::Tetrahedron:
    return (1.0 / 6.0) * detail::triple(from0(1), from0(2), from0(3));
  case ElementType::Pyramid: {
    const Point p1 = from0(1);
    const Point p2 = from0(2);
    const Point p3 = from0(3);
    const Point p4 = from0(4);
    return (1.0 / 12.0) *
      (detail::triple(p3, p2, p1) + 2.0 * (detail::triple(p1, p2, p4) + detail::triple(p2, p3, p4)));
  }
  case ElementType::Prism: {
    const Point p1 = from0(1);
    const Point p2 = from0(2);
    const Point p3 = from0(3);
    const Point p4 = from0(4);
    const Point p5 = from0(5);
    return (1.0 / 12.0) *
      (2.0 * detail::triple(p3, p5, p4) + detail::triple(p3, p4, p1) + detail::triple(p2, p5, p3) +
        detail::coneOverQuadrilateral(p1, p4, p5, p2));
  }
  case ElementType::Hexahedron: {
    const Point p1 = from0(1);
    const Point p2 = from0(2);
    const Point p3 = from0(3);
    const Point p4 = from0(4);
    const Point p5 = from0(5);
    const Point p6 = from0(6);
    const Point p7 = from0(7);
    return (1.0 / 12.0) *
      (detail::triple(p3, p2, p1) + detail::triple(p1, p5, p4) + detail::triple(p4, p7, p3) +
        detail::coneOverQuadrilateral(p4, p5, p6, p7) + detail::coneOverQuadrilateral(p1, p2, p6, p5) +
        detail::coneOverQuadrilateral(p2, p3, p7, p6));
  }
  }
  return 0.0;
}

namespace detail {

/// The corner of an ideal element: what three edges from one corner should look like.
enum class IdealCorner { Cube, Tetrahedron, Prism, Pyramid };

/// The mean ratio of a corner with edges a, b and c (of a prism c is the one between the triangles, of a pyramid the
/// one to the apex), to the power 3/2 and divided by 3 to that power: det T / |T|^3, where T maps the corner of the
/// ideal element to this one. 0 without edges.
KOKKOS_FORCEINLINE_FUNCTION double cornerShape(IdealCorner ideal, const Point& a, const Point& b, const Point& c) {
  Point columns[3] = {a, b, c}; // of T, that is (a b c) W^-1
  double det = triple(a, b, c);
  switch (ideal) {
  case IdealCorner::Cube:
    break;
  case IdealCorner::Tetrahedron: // W: (1, 0, 0), (1/2, sqrt(3)/2, 0), (1/2, sqrt(3)/6, sqrt(2/3))
    columns[1] = 0.57735026918962576451 * (2.0 * b - a);
    columns[2] = 0.40824829046386301637 * (3.0 * c - a - b);
    det *= 1.41421356237309504880;
    break;
  case IdealCorner::Prism: // (1, 0, 0), (1/2, sqrt(3)/2, 0), (0, 0, 1)
    columns[1] = 0.57735026918962576451 * (2.0 * b - a);
    det *= 1.15470053837925152902;
    break;
  case IdealCorner::Pyramid: // (1, 0, 0), (0, 1, 0), (1/2, 1/2, sqrt(1/2)): all edges are equal
    columns[2] = 1.41421356237309504880 * c - 0.70710678118654752440 * (a + b);
    det *= 1.41421356237309504880;
    break;
  }
  const double norm2 = dot(columns[0], columns[0]) + dot(columns[1], columns[1]) + dot(columns[2], columns[2]);
  return norm2 > 0.0 ? det / (norm2 * Kokkos::sqrt(norm2)) : 0.0;
}

/// Calls a function with the three edges from one corner to others. (A lambda would not be inlined where it is called
/// often, and the points would go through memory.)
template <class Function>
struct AtCorner {
  const Point* points;
  Function& function;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(IdealCorner ideal, int at, int a, int b, int c) const {
    function(ideal, points[a] - points[at], points[b] - points[at], points[c] - points[at]);
  }
};

/// Calls function(ideal, a, b, c) for the corners of a solid element that have three edges: of a tetrahedron one, since
/// the others give the same, of a pyramid the four of the base. Edges are right-handed where the element is.
template <class Function>
KOKKOS_FORCEINLINE_FUNCTION void forCorners(ElementType type, const Point* points, Function& function) {
  const AtCorner<Function> corner{points, function};
  switch (type) {
  case ElementType::Tetrahedron:
    corner(IdealCorner::Tetrahedron, 0, 1, 2, 3);
    break;
  case ElementType::Pyramid:
    corner(IdealCorner::Pyramid, 0, 1, 3, 4);
    corner(IdealCorner::Pyramid, 1, 2, 0, 4);
    corner(IdealCorner::Pyramid, 2, 3, 1, 4);
    corner(IdealCorner::Pyramid, 3, 0, 2, 4);
    break;
  case ElementType::Prism: // the triangle (0, 1, 2) looks outward
    corner(IdealCorner::Prism, 0, 2, 1, 3);
    corner(IdealCorner::Prism, 1, 0, 2, 4);
    corner(IdealCorner::Prism, 2, 1, 0, 5);
    corner(IdealCorner::Prism, 3, 4, 5, 0);
    corner(IdealCorner::Prism, 4, 5, 3, 1);
    corner(IdealCorner::Prism, 5, 3, 4, 2);
    break;
  case ElementType::Hexahedron:
    corner(IdealCorner::Cube, 0, 1, 3, 4);
    corner(IdealCorner::Cube, 1, 2, 0, 5);
    corner(IdealCorner::Cube, 2, 3, 1, 6);
    corner(IdealCorner::Cube, 3, 0, 2, 7);
    corner(IdealCorner::Cube, 4, 7, 5, 0);
    corner(IdealCorner::Cube, 5, 4, 6, 1);
    corner(IdealCorner::Cube, 6, 5, 7, 2);
    corner(IdealCorner::Cube, 7, 6, 4, 3);
    break;
  default:
    break;
  }
}

} // namespace detail

namespace detail {

/// The least shape of corners.
struct LeastShape {
  double sign; ///< -1 for elements that are to be left-handed
  double least = Kokkos::Experimental::infinity_v<double>;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(IdealCorner ideal, const Point& a, const Point& b, const Point& c) {
    least = Kokkos::min(least, sign * cornerShape(ideal, a, b, c));
  }
};

/// Whether all corners are right-handed, or left-handed.
struct AllOriented {
  double sign;
  bool areAll = true;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(IdealCorner /*ideal*/, const Point& a, const Point& b, const Point& c) {
    areAll = areAll && sign * triple(a, b, c) > 0.0;
  }
};

} // namespace detail

/// What an element has to be right-handed about.
struct Orientation {
  Point normal;      ///< of flat elements: what is right-handed around the corners as seen from its tip
  double sign = 1.0; ///< of solid ones: -1 where they are to be left-handed
};

/// Whether all corners of a flat or solid element have an orientation: whether meanRatio() is above 0, without its
/// roots and divisions.
KOKKOS_FORCEINLINE_FUNCTION bool isOriented(ElementType type, const Point* points, const Orientation& orientation) {
  if (dimensionOf(type) == 3) {
    detail::AllOriented corners{orientation.sign};
    detail::forCorners(type, points, corners);
    return corners.areAll;
  }
  const auto corner = [points, &orientation](int at, int next, int previous) {
    return dot(cross(points[next] - points[at], points[previous] - points[at]), orientation.normal) > 0.0;
  };
  return type == ElementType::Triangle ? corner(0, 1, 2)
                                       : corner(0, 1, 3) && corner(1, 2, 0) && corner(2, 3, 1) && corner(3, 0, 2);
}

/// The mean ratio of an element that is to have an orientation: as meanRatio() below.
KOKKOS_FORCEINLINE_FUNCTION double meanRatio(ElementType type, const Point* points, const Orientation& orientation) {
  switch (type) {
  case ElementType::Edge:
    return measure(type, points) > 0.0 ? 1.0 : 0.0;
  case ElementType::Triangle: {
    const Point a = points[1] - points[0];
    const Point b = points[2] - points[0];
    const Point c = points[2] - points[1];
    const double norm2 = dot(a, a) + dot(b, b) + dot(c, c);
    const double length2 = dot(orientation.normal, orientation.normal);
    return norm2 > 0.0 && length2 > 0.0
      ? 3.46410161513775458705 * dot(cross(a, b), orientation.normal) / (norm2 * Kokkos::sqrt(length2))
      : 0.0;
  }
  case ElementType::Quadrilateral: {
    const double length2 = dot(orientation.normal, orientation.normal);
    if (!(length2 > 0.0)) {
      return 0.0;
    }
    double least = Kokkos::Experimental::infinity_v<double>;
    detail::forLocals(4, [&least, points, &orientation](int k) {
      const Point a = points[(k + 1) % 4] - points[k];
      const Point b = points[(k + 3) % 4] - points[k];
      const double norm2 = dot(a, a) + dot(b, b);
      least = Kokkos::min(least, norm2 > 0.0 ? 2.0 * dot(cross(a, b), orientation.normal) / norm2 : 0.0);
    });
    return least / Kokkos::sqrt(length2);
  }
  default: {
    detail::LeastShape shape{orientation.sign};
    detail::forCorners(type, points, shape);
    const double root = Kokkos::cbrt(shape.least);
    return 3.0 * root * Kokkos::abs(root);
  }
  }
}

/// The shape of an element, at most 1: 1 for the ideal one, whatever its size, 0 or less where a corner is flat or
/// turned inside out. The least over its corners of the mean ratio d det(T)^(2/d) / |T|^2, in which T maps the corner
/// of the ideal element to that of this one, d is 2 or 3, |T| the Frobenius norm, and det(T)^(2/d) has the sign of
/// det(T) (P. M. Knupp, Algebraic mesh quality metrics for unstructured initial meshes, Finite Elem. Anal. Des. 39
/// (2003) 217-241). Ideal are the equilateral triangle, the square, the regular tetrahedron, the cube, the prism of an
/// equilateral triangle and squares, and the pyramid of a square and equilateral triangles, of which the four corners
/// of the base count.
///
/// A flat element has its own normal, vectorArea(), so a triangle is never below 0, and a quadrilateral is where it has
/// a corner that turns inward. An edge has 1, without length 0. At most 0 where a coordinate is NaN.
KOKKOS_FORCEINLINE_FUNCTION double meanRatio(ElementType type, const Point* points) {
  return meanRatio(type, points, {dimensionOf(type) == 2 ? vectorArea(type, points) : Point{}, 1.0});
}

} // namespace spanwise
