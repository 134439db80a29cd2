#pragma once

// What times of first order on simplices may be wrong by, from the exact time alone.

#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"
#include "Core/Solvers/Eikonal/Tensor.hpp"
#include "Testing/Core/Solvers/Eikonal/Meshes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace spanwise::eikonal::testing {

/// What fronts take.
struct RayProblem {
  std::function<double(const Point&)> time;                 ///< the exact one
  std::function<double(std::int64_t)> slowness;             ///< of elements
  std::function<double(const Point&, const Point&)> lead{}; ///< where times are factored: at x, of a place nearby

  /// Back along the ray, of length 1: against the gradient of the exact time.
  [[nodiscard]] Point backFrom(const Point& x, int dimension) const {
    constexpr double step = 1e-5;
    Point back;
    for (int axis = 0; axis < dimension; ++axis) {
      Point beside;
      beside[axis] = step;
      back[axis] = time(x - beside) - time(x + beside);
    }
    return (1.0 / length(back)) * back;
  }
};

/// By how much the front from a source is, at a place near x, behind its tangent plane at x.
inline double leadOf(const Point& source, const Point& x, const Point& nearby) {
  const Point away = x - source;
  return length(nearby - source) - dot(nearby - source, away) / length(away);
}

/// The multiples of edges that add up to a vector; of two edges those of its part in their plane.
template <int n>
std::array<double, 3> multiplesOf(const std::array<Point, 3>& edges, const Point& vector) {
  const auto product = [&](int i, int j) { return i < n && j < n ? dot(edges[i], edges[j]) : i == j ? 1.0 : 0.0; };
  const SymmetricTensor gram{product(0, 0), product(1, 1), product(2, 2), product(0, 1), product(1, 2), product(0, 2)};
  Point along;
  for (int k = 0; k < n; ++k) {
    along[k] = dot(edges[k], vector);
  }
  const Point found = gram.inverse() * along;
  return {found[0], found[1], found[2]};
}

/// Bounds of the errors of times on triangles or tetrahedra. `bounds` [vertices]: in, what the times of those that
/// start are wrong by, and notReached elsewhere; out, a bound for each vertex.
///
/// A time of first order is the least that any place y of the faces opposite to a vertex x gives, sum_k l_k T_k + s |x
/// - y|, with the weights l_k of y in its face and the slowness s there (J. N. Tsitsiklis, IEEE Trans. Autom. Control
/// 40 (1995) 1528-1538). So that where the exact ray crosses is not before the time: with times T_k that are at most
/// E_k late, it is at most sum_k l_k E_k + (sum_k l_k u_k + s |x - y| - u) late. Factored times take leads off u_k.
/// Where what is in brackets is negative its magnitude counts; for how early times are the bound is one to the leading
/// order. The same for the ways along edges, for where a ray comes from outside of the mesh. Where all vertices around
/// one are after it, it has its bound from them in another round. dimension: of space, 2 or 3. O(vertices log
/// vertices).
template <int corners>
void boundErrors(const HostMesh& mesh, const RayProblem& problem, int dimension, Times& bounds) {
  constexpr int n = corners - 1;
  std::vector<std::vector<std::pair<std::int64_t, int>>> around(mesh.points.size());
  for (std::int64_t e = 0; e < mesh.numElements(); ++e) {
    for (int k = 0; k < corners; ++k) {
      around[static_cast<std::size_t>(mesh.vertices[static_cast<std::size_t>(mesh.offsets[e] + k)])].emplace_back(e, k);
    }
  }
  Times exact;
  std::transform(mesh.points.begin(), mesh.points.end(), std::back_inserter(exact), problem.time);
  std::vector<std::size_t> byTime(exact.size());
  std::iota(byTime.begin(), byTime.end(), std::size_t{0});
  std::sort(byTime.begin(), byTime.end(), [&](std::size_t a, std::size_t b) { return exact[a] < exact[b]; });
  for (bool isAnyNew = true; std::exchange(isAnyNew, false);) {
    for (const std::size_t v : byTime) {
      if (bounds[v] < notReached) {
        continue;
      }
      const Point& x = mesh.points[v];
      const Point back = problem.backFrom(x, dimension);
      for (const auto& [e, corner] : around[v]) {
        std::array<std::size_t, 3> others{};
        std::array<Point, 3> edges{};
        for (int k = 0; k < n; ++k) {
          others[k] = static_cast<std::size_t>(
            mesh.vertices[static_cast<std::size_t>(mesh.offsets[e] + (corner + 1 + k) % corners)]);
          edges[k] = mesh.points[others[k]] - x;
          const double time = exact[others[k]] + problem.slowness(e) * length(edges[k]);
          bounds[v] = std::min(bounds[v], bounds[others[k]] + std::abs(time - exact[v]));
        }
        const auto multiples = multiplesOf<n>(edges, back);
        constexpr double rounding = 1e-9; // of the ray along an edge or a face
        if (!(*std::min_element(multiples.begin(), multiples.begin() + n) * length(edges[0]) > -rounding)) {
          continue;
        }
        const double sum = std::accumulate(multiples.begin(), multiples.begin() + n, 0.0);
        Point inPlane;
        for (int k = 0; k < n; ++k) {
          inPlane = inPlane + multiples[k] * edges[k];
        }
        double time = problem.slowness(e) * length(inPlane) / sum;
        double carried = 0.0;
        for (int k = 0; k < n; ++k) {
          const double weight = multiples[k] / sum;
          if (!(weight > 0.0)) {
            continue;
          }
          const double lead = problem.lead ? problem.slowness(e) * problem.lead(x, mesh.points[others[k]]) : 0.0;
          time += weight * (exact[others[k]] - lead);
          carried += weight * bounds[others[k]];
        }
        bounds[v] = std::min(bounds[v], carried + std::abs(time - exact[v]));
      }
      isAnyNew = isAnyNew || bounds[v] < notReached;
    }
  }
}

} // namespace spanwise::eikonal::testing
