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
template <class T>
KOKKOS_FORCEINLINE_FUNCTION PointOf<T> barycentre(ElementType type, const PointOf<T>* points) {
  const int count = numVerticesOf(type);
  PointOf<T> sum = points[0] + points[1];
  if (count == 3) {
    sum = sum + points[2];
  } else if (count > 3) { // in pairs, which do not wait for each other
    sum = sum + (points[2] + points[3]);
  }
  if (count == 5) {
    sum = sum + points[4];
  } else if (count == 6) {
    sum = sum + (points[4] + points[5]);
  } else if (count == 8) {
    sum = sum + ((points[4] + points[5]) + (points[6] + points[7]));
  }
  return T{1.0 / count} * sum;
}

/// Of a triangle or quadrilateral, the area times the normal (right-handed around the corners): half the product of two
/// edges, or of the diagonals, and so of a quadrilateral that is not plane the area of its shadow along that normal.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION PointOf<T> vectorArea(ElementType type, const PointOf<T>* points) {
  return type == ElementType::Triangle ? T{0.5} * cross(points[1] - points[0], points[2] - points[0])
                                       : T{0.5} * cross(points[2] - points[0], points[3] - points[1]);
}

namespace detail {

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T triple(const PointOf<T>& a, const PointOf<T>& b, const PointOf<T>& c) {
  return dot(a, cross(b, c));
}

/// Twelve times the volume of a hexahedron (J. Grandy, Efficient computation of volume of hexahedral cells, LLNL report
/// UCRL-ID-128886, 1997): the mean of what all ways to cut its faces into triangles give, as three products along the
/// diagonal from corner 0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T twelveVolumes(const PointOf<T>* p) {
  const PointOf<T> from1 = p[6] - p[1];
  const PointOf<T> from3 = p[6] - p[3];
  const PointOf<T> from4 = p[6] - p[4];
  const PointOf<T> to2 = p[2] - p[0];
  const PointOf<T> to5 = p[5] - p[0];
  const PointOf<T> to7 = p[7] - p[0];
  return triple(from1 + to7, from3, to2) + triple(to7, from3 + to5, from4) + triple(from1, to5, from4 + to2);
}

/// The most corners with three edges that a solid element has.
inline constexpr int maxSolidCorners = 8;

/// Six times the volume of the tetrahedron that the three edges from a corner span, above 0 where the element is
/// right-handed there: of a tetrahedron one, since the others are the same, of a pyramid the four of the base, of
/// others all, in the order of corners.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void cornerVolumes(ElementType type, const PointOf<T>* points, T* volumes) {
  const PointOf<T>* const p = points;
  switch (type) {
  case ElementType::Tetrahedron:
    volumes[0] = triple(p[1] - p[0], p[2] - p[0], p[3] - p[0]);
    break;
  case ElementType::Pyramid: { // the triangle of a diagonal and the apex belongs to two of them
    const PointOf<T> over02 = cross(p[0] - p[4], p[2] - p[0]);
    const PointOf<T> over13 = cross(p[1] - p[4], p[3] - p[1]);
    const PointOf<T> to1 = p[1] - p[0];
    volumes[0] = dot(to1, over13);
    volumes[1] = dot(to1, over02);
    volumes[2] = dot(p[2] - p[1], over13);
    volumes[3] = dot(p[0] - p[3], over02);
    break;
  }
  case ElementType::Prism: { // a triangle belongs to three of them; (0, 1, 2) looks outward
    const PointOf<T> low = cross(p[2] - p[0], p[1] - p[0]);
    const PointOf<T> high = cross(p[5] - p[3], p[4] - p[3]);
    const PointOf<T> up0 = p[3] - p[0];
    const PointOf<T> up1 = p[4] - p[1];
    const PointOf<T> up2 = p[5] - p[2];
    volumes[0] = dot(up0, low);
    volumes[1] = dot(up1, low);
    volumes[2] = dot(up2, low);
    volumes[3] = dot(up0, high);
    volumes[4] = dot(up1, high);
    volumes[5] = dot(up2, high);
    break;
  }
  case ElementType::Hexahedron: { // each edge belongs to two of them
    const PointOf<T> up0 = p[4] - p[0];
    const PointOf<T> up1 = p[5] - p[1];
    const PointOf<T> up2 = p[6] - p[2];
    const PointOf<T> up3 = p[7] - p[3];
    const PointOf<T> low0 = p[1] - p[0];
    const PointOf<T> low1 = p[2] - p[1];
    const PointOf<T> low2 = p[3] - p[2];
    const PointOf<T> low3 = p[0] - p[3];
    volumes[0] = dot(up0, cross(low3, low0));
    volumes[1] = dot(up1, cross(low0, low1));
    volumes[2] = dot(up2, cross(low1, low2));
    volumes[3] = dot(up3, cross(low2, low3));
    const PointOf<T> high0 = p[5] - p[4];
    const PointOf<T> high1 = p[6] - p[5];
    const PointOf<T> high2 = p[7] - p[6];
    const PointOf<T> high3 = p[4] - p[7];
    volumes[4] = dot(up0, cross(high3, high0));
    volumes[5] = dot(up1, cross(high0, high1));
    volumes[6] = dot(up2, cross(high1, high2));
    volumes[7] = dot(up3, cross(high2, high3));
    break;
  }
  default:
    break;
  }
}

/// Twice the areas of the four triangles that two edges from a corner of a quadrilateral span, as seen from the tip of
/// a normal and times its length. Those of opposite corners are together those of the whole.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void cornerAreas(const PointOf<T>* points, const PointOf<T>& normal, T* areas) {
  const PointOf<T>* const p = points;
  const T whole = dot(cross(p[2] - p[0], p[3] - p[1]), normal);
  areas[0] = dot(cross(p[1] - p[0], p[3] - p[0]), normal);
  areas[1] = dot(cross(p[1] - p[0], p[2] - p[1]), normal);
  areas[2] = whole - areas[0];
  areas[3] = whole - areas[1];
}

} // namespace detail

/// The length of an edge, the area of a triangle or quadrilateral (the length of vectorArea()), the volume of the
/// others; volumes are negative where the element is turned inside out. Faces with four corners are bilinear surfaces,
/// so that volumes of neighbours add up whatever the corners, and the volume of a hexahedron is that of its trilinear
/// map.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T measure(ElementType type, const PointOf<T>* points) {
  using Kokkos::sqrt;
  const PointOf<T>* const p = points;
  switch (type) {
  case ElementType::Edge:
    return sqrt(dot(p[1] - p[0], p[1] - p[0]));
  case ElementType::Triangle:
  case ElementType::Quadrilateral: {
    const PointOf<T> area = vectorArea(type, points);
    return sqrt(dot(area, area));
  }
  case ElementType::Tetrahedron:
    return T{1.0 / 6.0} * detail::triple(p[1] - p[0], p[2] - p[0], p[3] - p[0]);
  case ElementType::Pyramid: { // the mean of the two ways to cut its base, each into two of the four
    T volumes[detail::maxSolidCorners];
    detail::cornerVolumes(type, points, volumes);
    return T{1.0 / 12.0} * ((volumes[0] + volumes[2]) + (volumes[1] + volumes[3]));
  }
  case ElementType::Prism: { // Simpson's rule for the vector area from one triangle to the other, which is quadratic
    const PointOf<T> low1 = p[2] - p[0];
    const PointOf<T> low2 = p[1] - p[0];
    const PointOf<T> high1 = p[5] - p[3];
    const PointOf<T> high2 = p[4] - p[3];
    const PointOf<T> up = (p[3] - p[0]) + (p[4] - p[1]) + (p[5] - p[2]);
    return T{1.0 / 36.0} * dot(up, cross(low1, low2) + cross(high1, high2) + cross(low1 + high1, low2 + high2));
  }
  case ElementType::Hexahedron:
    return T{1.0 / 12.0} * detail::twelveVolumes(points);
  }
  return T{0.0};
}

/// What measure() gives but for roundings, for less where the volumes at the corners are computed anyway: a hexahedron
/// is the mean of the two ways to cut it into four of its corners and the tetrahedron between them.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T measureByCorners(ElementType type, const PointOf<T>* points) {
  if (type != ElementType::Hexahedron) {
    return measure(type, points);
  }
  const PointOf<T>* const p = points;
  T at[detail::maxSolidCorners];
  detail::cornerVolumes(type, points, at);
  const T between = detail::triple(p[2] - p[0], p[7] - p[5], p[5] - p[0]) + // the other two edges are diagonals too
    detail::triple(p[3] - p[1], p[4] - p[1], p[6] - p[4]);
  return T{1.0 / 12.0} * (((at[0] + at[1]) + (at[2] + at[3])) + ((at[4] + at[5]) + (at[6] + at[7])) + between);
}

namespace detail {

/// The corner of an ideal element: what three edges from one corner should look like.
enum class IdealCorner { Cube, Tetrahedron, Prism, Pyramid };

/// The matrix T that maps the corner of the ideal element to one with edges a, b and c (of a prism c is the one between
/// the triangles, of a pyramid the one to the apex); `volume` is det (a b c).
template <class T>
struct CornerMap {
  T det;
  T norm2; ///< |T|^2

  KOKKOS_FORCEINLINE_FUNCTION CornerMap(
    IdealCorner ideal, const T& volume, const PointOf<T>& a, const PointOf<T>& b, const PointOf<T>& c)
    : det(volume) {
    PointOf<T> columns[3] = {a, b, c}; // of T, that is (a b c) W^-1
    switch (ideal) {
    case IdealCorner::Cube:
      break;
    case IdealCorner::Tetrahedron: // W: (1, 0, 0), (1/2, sqrt(3)/2, 0), (1/2, sqrt(3)/6, sqrt(2/3))
      columns[1] = T{0.57735026918962576451} * (T{2.0} * b - a);
      columns[2] = T{0.40824829046386301637} * (T{3.0} * c - a - b);
      det = det * T{1.41421356237309504880};
      break;
    case IdealCorner::Prism: // (1, 0, 0), (1/2, sqrt(3)/2, 0), (0, 0, 1)
      columns[1] = T{0.57735026918962576451} * (T{2.0} * b - a);
      det = det * T{1.15470053837925152902};
      break;
    case IdealCorner::Pyramid: // (1, 0, 0), (0, 1, 0), (1/2, 1/2, sqrt(1/2)): all edges are equal
      columns[2] = T{1.41421356237309504880} * c - T{0.70710678118654752440} * (a + b);
      det = det * T{1.41421356237309504880};
      break;
    }
    norm2 = dot(columns[0], columns[0]) + dot(columns[1], columns[1]) + dot(columns[2], columns[2]);
  }
};

/// The mean ratio of a corner, to the power 3/2 and divided by 3 to that power: det T / |T|^3. 0 without edges.
KOKKOS_FORCEINLINE_FUNCTION double cornerShape(const CornerMap<double>& map) {
  return map.norm2 > 0.0 ? map.det / (map.norm2 * Kokkos::sqrt(map.norm2)) : 0.0;
}

/// Calls a function with the volume at a corner and the three edges to others. (A lambda would not be inlined where it
/// is called often, and the points would go through memory.)
template <class T, class Function>
struct AtCorner {
  const PointOf<T>* points;
  const T* volumes;
  Function& function;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(IdealCorner ideal, int at, int a, int b, int c) const {
    function(ideal, volumes[at], points[a] - points[at], points[b] - points[at], points[c] - points[at]);
  }
};

/// Calls function(ideal, volume, a, b, c) for the corners of a solid element that cornerVolumes() has, with their three
/// edges, right-handed where the element is.
template <class T, class Function>
KOKKOS_FORCEINLINE_FUNCTION void forCorners(ElementType type, const PointOf<T>* points, Function& function) {
  T volumes[maxSolidCorners];
  cornerVolumes(type, points, volumes);
  const AtCorner<T, Function> corner{points, volumes, function};
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
struct MinShape {
  double sign; ///< -1 for elements that are to be left-handed
  double least = Kokkos::Experimental::infinity_v<double>;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(
    IdealCorner ideal, double volume, const Point& a, const Point& b, const Point& c) {
    least = Kokkos::min(least, sign * cornerShape(CornerMap<double>(ideal, volume, a, b, c)));
  }
};

/// What comparisons of numbers give: bool, or one for each of several.
template <class T>
using Truth = decltype(T{} > T{});

/// Whether all corners are right-handed, or left-handed.
template <class T>
struct AllOriented {
  T sign;
  Truth<T> areAll{true};

  KOKKOS_FORCEINLINE_FUNCTION void operator()(
    IdealCorner /*ideal*/, const T& volume, const PointOf<T>& /*a*/, const PointOf<T>& /*b*/, const PointOf<T>& /*c*/) {
    areAll &= sign * volume > T{0.0};
  }
};

/// Whether a number that is squared is surely greater than the root of another one: both are far from the least number,
/// where digits are lost, and roundings are made good for. False where one overflows.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Truth<T> isSurelyGreater(const T& number, const T& squareOfOther) {
  Truth<T> isGreater = number > T{0.0};
  isGreater &= number * number > T{1.0 + 1e-12} * squareOfOther;
  isGreater &= squareOfOther > T{1e-290};
  return isGreater;
}

/// The same of the shape of a quadrilateral's corner, times the length of a normal, and the root of `bound`.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Truth<T> isCornerSurelyAbove(
  const T& area, const PointOf<T>& a, const PointOf<T>& b, const T& bound) {
  const T norm2 = dot(a, a) + dot(b, b);
  return isSurelyGreater(T{2.0} * area, bound * (norm2 * norm2));
}

/// Whether the shapes of all corners are surely greater than the root of a number.
template <class T>
struct AllSurelyGreater {
  T sign;
  double squareOfShape;
  Truth<T> areAll{true};

  KOKKOS_FORCEINLINE_FUNCTION void operator()(
    IdealCorner ideal, const T& volume, const PointOf<T>& a, const PointOf<T>& b, const PointOf<T>& c) {
    const CornerMap<T> map(ideal, volume, a, b, c);
    areAll &= isSurelyGreater(sign * map.det, T{squareOfShape} * (map.norm2 * map.norm2 * map.norm2));
  }
};

} // namespace detail

/// What an element has to be right-handed about.
template <class T>
struct OrientationOf {
  PointOf<T> normal; ///< of flat elements: what is right-handed around the corners as seen from its tip
  T sign = 1.0;      ///< of solid ones: -1 where they are to be left-handed
};

using Orientation = OrientationOf<double>;

/// Whether all corners of a flat or solid element have an orientation: whether meanRatio() is above 0, without its
/// roots and divisions.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION detail::Truth<T> isOriented(
  ElementType type, const PointOf<T>* points, const OrientationOf<T>& orientation) {
  if (dimensionOf(type) == 3) {
    detail::AllOriented<T> corners{orientation.sign};
    detail::forCorners(type, points, corners);
    return corners.areAll;
  }
  if (type == ElementType::Triangle) {
    const PointOf<T>* const p = points;
    return dot(cross(p[1] - p[0], p[2] - p[0]), orientation.normal) > T{0.0};
  }
  T areas[4];
  detail::cornerAreas(points, orientation.normal, areas);
  detail::Truth<T> areAll = areas[0] > T{0.0};
  areAll &= areas[1] > T{0.0};
  areAll &= areas[2] > T{0.0};
  areAll &= areas[3] > T{0.0};
  return areAll;
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
    double areas[4];
    detail::cornerAreas(points, orientation.normal, areas);
    double least = Kokkos::Experimental::infinity_v<double>;
    detail::forLocals(4, [&least, points, &areas](int k) {
      const Point a = points[(k + 1) % 4] - points[k];
      const Point b = points[(k + 3) % 4] - points[k];
      const double norm2 = dot(a, a) + dot(b, b);
      least = Kokkos::min(least, norm2 > 0.0 ? 2.0 * areas[k] / norm2 : 0.0);
    });
    return least / Kokkos::sqrt(length2);
  }
  default: {
    detail::MinShape shape{orientation.sign};
    detail::forCorners(type, points, shape);
    const double root = Kokkos::cbrt(shape.least);
    return 3.0 * root * Kokkos::abs(root);
  }
  }
}

/// Whether meanRatio() is above `quality`, from 0 to 1, or 1, as far as that is seen without its roots and divisions:
/// where this is so that surely is, but not the other way round. Several elements at once give what they give one by
/// one.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION detail::Truth<T> isSurelyAbove(
  ElementType type, const PointOf<T>* points, const OrientationOf<T>& orientation, double quality) {
  if (dimensionOf(type) == 3) {
    detail::AllSurelyGreater<T> corners{orientation.sign, quality * quality * quality / 27.0};
    detail::forCorners(type, points, corners);
    return corners.areAll;
  }
  if (dimensionOf(type) == 1) {
    return measure(type, points) > T{0.0};
  }
  const T bound = T{quality * quality} * dot(orientation.normal, orientation.normal);
  if (type == ElementType::Triangle) {
    const PointOf<T> a = points[1] - points[0];
    const PointOf<T> b = points[2] - points[0];
    const PointOf<T> c = points[2] - points[1];
    const T norm2 = dot(a, a) + dot(b, b) + dot(c, c);
    return detail::isSurelyGreater(
      T{3.46410161513775458705} * dot(cross(a, b), orientation.normal), bound * (norm2 * norm2));
  }
  T areas[4];
  detail::cornerAreas(points, orientation.normal, areas);
  detail::Truth<T> areAll = detail::isCornerSurelyAbove(areas[0], points[1] - points[0], points[3] - points[0], bound);
  areAll &= detail::isCornerSurelyAbove(areas[1], points[2] - points[1], points[0] - points[1], bound);
  areAll &= detail::isCornerSurelyAbove(areas[2], points[3] - points[2], points[1] - points[2], bound);
  areAll &= detail::isCornerSurelyAbove(areas[3], points[0] - points[3], points[2] - points[3], bound);
  return areAll;
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
