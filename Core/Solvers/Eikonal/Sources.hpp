#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// No coordinate of a mesh that fronts go through, or of a source, is farther from 0: squares of areas stay finite.
inline constexpr double farthestCoordinate = 1e75;

/// Vertices or elements by their numbers. Fronts start at the vertices, and at all vertices of the elements.
struct NumberedSources {
  const std::int64_t* numbers = nullptr; ///< [count]
  const double* times = nullptr;         ///< [count]: when each starts; null: all at 0
  std::int64_t count = 0;
};

/// Points anywhere in the mesh. A point is in all simplices that it is inside of or on the boundary of, to a millionth
/// of their size, and of triangles in space also within `reach` of their plane. Fronts start at the corners of these
/// simplices, with the straight-line time sqrt(e^T M^-1 e) from the point.
struct PointSources {
  const double* points = nullptr; ///< [count][3]
  const double* times = nullptr;  ///< [count]; null: all at 0
  std::int64_t count = 0;
  double reach = 0.0; ///< a length
};

/// Triangles of a surface, or, where two corners are the same, the segments of a line. Fronts start at the corners of
/// the simplices that it cuts or touches, with the straight-line time from the nearest place of a triangle that cuts
/// the simplex: exact in a constant medium. Triangles of the mesh are cut along segments, and times are those from the
/// segments.
struct SurfaceSources {
  const double* points = nullptr;          ///< [numPoints][3]
  const std::int64_t* triangles = nullptr; ///< [count][3]: numbers of points
  const double* times = nullptr;           ///< [count]: when each triangle starts; null: all at 0
  std::int64_t numPoints = 0;
  std::int64_t count = 0; ///< of triangles
};

/// Where fronts start, and when. All kinds may be there at once; a vertex starts at the earliest of its times. Sources
/// are numbered through: vertices, elements, points, triangles of the surface. Arrays lie in the memory of the
/// execution space.
struct Sources {
  NumberedSources vertices;
  NumberedSources elements;
  PointSources points;
  SurfaceSources surface;

  /// The number of the first source of each kind.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t firstElement() const { return vertices.count; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t firstPoint() const { return firstElement() + elements.count; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t firstTriangle() const { return firstPoint() + points.count; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t count() const { return firstTriangle() + surface.count; }
};

} // namespace spanwise::eikonal
