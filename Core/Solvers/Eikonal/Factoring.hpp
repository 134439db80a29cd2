#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"
#include "Core/Solvers/Eikonal/Sources.hpp"
#include "Core/Solvers/Eikonal/Starts.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace spanwise::eikonal {

// Near a point source fronts are so curved that times which are linear on faces are wrong by as much as the size of the
// simplices, whatever that is: sum over the way of size^2 / distance gives the well-known order of h log h. Additive
// factoring (S. Luo, J. Qian, Fast sweeping methods for factored anisotropic eikonal equations, J. Sci. Comput. 52
// (2012), after S. Fomel, S. Luo, H. Zhao, J. Comput. Phys. 228 (2009)) writes u = T0 + tau with the exact time T0 of a
// constant medium, that of the source, and takes tau to be linear, which is smooth.
//
// Here it takes one subtraction a corner. At the vertex x4 that is updated, grad T0 = g is known. Where tau is linear,
// grad u at x4 is that of the linear function with the values
//
//   u(xi) - (T0(xi) - T0(x4) - g . (xi - x4))
//
// at the other corners xi: what the front at xi is behind its tangent plane at x4, its lead, is taken off, and the
// local problem of plane fronts gives the time. T0 is convex, so a lead is never negative. It depends on the geometry
// alone: updates stay monotone in the times they start from, and iterate to one fixed point. In the medium of the
// source times are exact, and from above never below. In another medium a lead in that of the source is made one in
// that of the simplex by the ratio of travel times along the edge. A time is never before the least at the face that it
// comes from: fronts run forwards, and iterations end in any medium.

/// The place of a source and the medium there.
struct FactorPlace {
  Point place;
  SymmetricTensor inverse; ///< N = M^-1
  double time = 0.0;       ///< when it starts

  /// T0 without the time of the start.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double travelTime(const Point& x) const {
    return Kokkos::sqrt(inverse.product(x - place));
  }

  /// By how much the front at x is behind its tangent plane at `at`. product: the squared travel time between the two
  /// in the medium of the simplex.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double lead(const Point& x, const Point& at, double product) const {
    const double here = travelTime(at);
    const double edge = inverse.product(x - at);
    if (!(here > 0.0 && edge > 0.0)) {
      return 0.0;
    }
    const double behind = travelTime(x) - inverse.product(x - place, at - place) / here;
    return Kokkos::max(behind, 0.0) * Kokkos::sqrt(product / edge);
  }
};

/// Which simplices are factored, and by which place.
struct FactoringView {
  const std::int32_t* placeOfSimplex = nullptr; ///< [numSimplices], -1: not factored; null: none is
  const FactorPlace* places = nullptr;
  const double* points = nullptr; ///< [numVertices][3]

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int32_t placeOf(std::int64_t simplex) const {
    return placeOfSimplex != nullptr ? placeOfSimplex[simplex] : -1;
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Point point(std::int64_t v) const {
    return {{points[3 * v], points[3 * v + 1], points[3 * v + 2]}};
  }
};

/// Which sources times are factored by. Not those that lie side by side along a line or in a face: their fronts are no
/// spheres.
enum class FactorBy { Nothing, Points, PointsAndVertices };

struct FactoringOptions {
  FactorBy by = FactorBy::Points;
  /// Simplices are factored whose middle is so near to a source, by distance.
  double radius = std::numeric_limits<double>::infinity();
};

/// Arrays of a factoring; its memory is used again by the next.
template <class MemorySpace>
struct Factoring {
  Kokkos::View<std::int32_t*, MemorySpace> placeOfSimplex;
  Kokkos::View<FactorPlace*, MemorySpace> places;
  Kokkos::View<double*, MemorySpace> points;
  std::int64_t numFactored = 0; ///< simplices

  [[nodiscard]] FactoringView view() const {
    return numFactored > 0 ? FactoringView{placeOfSimplex.data(), places.data(), points.data()} : FactoringView{};
  }
};

/// out = simplices factored by the source whose front comes first in the medium of that source. `starts`: of
/// setStarts(), with the simplices of points. O(simplices * sources). Throws InvalidArgument where the radius is NaN or
/// negative.
template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
void setFactoring(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const Speed& speed,
  const SimplexMeshView<corners>& simplices, const Sources& sources, const StartArrays& starts,
  const FactoringOptions& options, Factoring<typename ExecutionSpace::memory_space>& out);

} // namespace spanwise::eikonal
