#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Mesh/SharedExchange.hpp"
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

/// A place as the front of a source sees it: stretched so that the distance from the source is T0.
struct Stretched {
  Point y;
  double time = 0.0; ///< T0, the length of y
};

/// The place of a source and the medium there.
struct FactorPlace {
  Point place;
  double time = 0.0; ///< when it starts
  /// An upper triangular matrix R, by rows, with R^T R = N = M^-1: e^T N e is the squared length of R e.
  double root[6] = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0};

  /// Sets R (Cholesky's factor).
  KOKKOS_INLINE_FUNCTION void setMedium(const SymmetricTensor& n) {
    root[0] = Kokkos::sqrt(n.xx);
    root[1] = n.xy / root[0];
    root[2] = n.xz / root[0];
    root[3] = Kokkos::sqrt(n.yy - root[1] * root[1]);
    root[4] = (n.yz - root[1] * root[2]) / root[3];
    root[5] = Kokkos::sqrt(n.zz - root[2] * root[2] - root[4] * root[4]);
  }

  /// N = R^T R.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION SymmetricTensor medium() const {
    const double* r = root;
    return {r[0] * r[0], r[1] * r[1] + r[3] * r[3], r[2] * r[2] + r[4] * r[4] + r[5] * r[5], r[0] * r[1],
      r[1] * r[2] + r[3] * r[4], r[0] * r[2]};
  }

  /// Whether the medium is before another one: in which order does not matter, but it depends on the media alone. Of
  /// media without directions the faster one is.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION bool hasMediumBefore(const FactorPlace& other) const {
    for (int k = 0; k < 5; ++k) {
      if (root[k] != other.root[k]) {
        return root[k] < other.root[k];
      }
    }
    return root[5] < other.root[5];
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION Stretched stretched(const Point& x) const {
    const Point e = x - place;
    const Point y{{root[0] * e[0] + root[1] * e[1] + root[2] * e[2], root[3] * e[1] + root[4] * e[2], root[5] * e[2]}};
    return {y, Kokkos::sqrt(dot(y, y))};
  }
};

/// By how much the front at x is behind its tangent plane at `at`. product: the squared travel time between the two in
/// the medium of the simplex.
KOKKOS_INLINE_FUNCTION double leadOf(const Stretched& x, const Stretched& at, double product) {
  const Point e = x.y - at.y;
  const double edge = dot(e, e);
  if (!(at.time > 0.0 && edge > 0.0)) {
    return 0.0;
  }
  return Kokkos::max(x.time - dot(x.y, at.y) / at.time, 0.0) * Kokkos::sqrt(product / edge);
}

/// Which simplices are factored, and by which place.
struct FactoringView {
  const std::int32_t* placeOfSimplex = nullptr; ///< [numSimplices + numJoins], -1: not factored; null: none is
  const FactorPlace* places = nullptr;
  const double* points = nullptr; ///< [numVertices][3]

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int32_t placeOf(std::int64_t simplex) const {
    return placeOfSimplex != nullptr ? placeOfSimplex[simplex] : -1;
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Point point(std::int64_t v) const {
    return {{points[3 * v], points[3 * v + 1], points[3 * v + 2]}};
  }
};

/// The corners of a simplex as the front of the source sees that it is factored by.
template <int numCorners>
struct FactoredCorners {
  std::int32_t place = -1; ///< -1: not factored
  Stretched corners[numCorners];

  KOKKOS_INLINE_FUNCTION FactoredCorners(
    const FactoringView& factoring, std::int64_t simplex, const std::int32_t* vertices)
    : place(factoring.placeOf(simplex)) {
    if (place >= 0) {
      for (int k = 0; k < numCorners; ++k) {
        corners[k] = factoring.places[place].stretched(factoring.point(vertices[k]));
      }
    }
  }
};

/// Which sources times are factored by. Not those that lie side by side along a line or in a face: their fronts are no
/// spheres.
enum class FactorBy { Nothing, Points, PointsAndVertices };

struct FactoringOptions {
  FactorBy by = FactorBy::Points;
  /// Simplices are factored whose middle is so near to a source, by distance.
  double radius = std::numeric_limits<double>::infinity();
  /// The length of one period along each axis of space; 0: it does not repeat. Sources are within a period, as the mesh
  /// is, and their copies on both sides count as they do.
  double periods[3] = {};
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

/// out = simplices factored by the source whose front comes first in the medium of that source; of several the one that
/// comesBefore(). The medium is that of the simplex around the source, of several the one that hasMediumBefore(). So
/// nothing depends on how vertices and elements are numbered. `starts`: of setStarts(), with the simplices of points.
/// O(sources log sources), and where sources are spread also O(simplices * log sources). Throws InvalidArgument where
/// the radius is NaN or negative.
template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
void setFactoring(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const Speed& speed,
  const SimplexMeshView<corners>& simplices, const Sources& sources, const StartArrays& starts,
  const FactoringOptions& options, Factoring<typename ExecutionSpace::memory_space>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace);

/// Collective. setFactoring() on ranks that each have a part of a mesh: `exchange` is of the vertices that they share.
/// Sources and starts are those of setStartsOnRanks(). The same simplices are factored by the same places, with the
/// same bits, as on one rank. All ranks have all places: O(simplices * log sources of all) and O(ranks * sources of
/// all).
template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
void setFactoringOnRanks(const ExecutionSpace& space, SharedExchange<ExecutionSpace>& exchange,
  const MeshView<Real, Index>& mesh, const Speed& speed, const SimplexMeshView<corners>& simplices,
  const Sources& sources, const StartArrays& starts, const FactoringOptions& options,
  Factoring<typename ExecutionSpace::memory_space>& out, Workspace<typename ExecutionSpace::memory_space>& workspace);

} // namespace spanwise::eikonal
