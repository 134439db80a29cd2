#pragma once

// What times of leaves may be wrong by, from the exact time alone.

#include "Core/Solvers/Eikonal/Factoring.hpp"
#include "Testing/Core/Solvers/Eikonal/LevelProblems.hpp"
#include "Testing/Core/Solvers/Eikonal/RayErrors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace spanwise::eikonal::testing {

/// The simplices that times of leaves are computed on, and the leaf of each.
struct LeafSimplices {
  HostMesh mesh;
  std::vector<std::int64_t> leaves;
};

template <class Space, int Dim>
LeafSimplices simplicesOf(const LevelProblem<Space, Dim>& problem) {
  LeafSimplices result;
  const double unit = problem.root.spacing[0] / static_cast<double>(1 << problem.mesh.mesh.finest);
  for (const auto& point : toVector(problem.mesh.mesh.points)) {
    const auto& at = point.at;
    result.mesh.points.push_back(unit * Point{{double(at[0]), double(at[1]), Dim == 3 ? double(at[2]) : 0.0}});
  }
  const auto view = problem.simplices.view();
  using Memory = typename Space::memory_space;
  const auto count = static_cast<std::size_t>(view.numSimplices);
  const auto elements = onHost(Kokkos::View<const std::int32_t*, Memory>(view.elements, count));
  const auto leaves = toVector(problem.mesh.mesh.sources);
  const auto simplices = onHost(Kokkos::View<const Simplex<Dim + 1>*, Memory>(view.simplices, count));
  for (std::size_t s = 0; s < count; ++s) {
    result.mesh.add(Dim == 3 ? ElementType::Tetrahedron : ElementType::Triangle, simplices[s].vertices);
    result.leaves.push_back(leaves[static_cast<std::size_t>(elements[s])]);
  }
  return result;
}

/// Bounds of the errors of times at the vertices of simplices, with a speed for each leaf. starts: what fronts start
/// from there, notReached: from none.
template <int Dim>
Times boundsOn(const LeafSimplices& simplices, RayProblem rays, const std::vector<double>& speeds, const Times& times,
  const Times& starts) {
  rays.slowness = [&](std::int64_t e) {
    return 1.0 / speeds[static_cast<std::size_t>(simplices.leaves[static_cast<std::size_t>(e)])];
  };
  Times bounds = starts;
  for (std::size_t v = 0; v < bounds.size(); ++v) {
    bounds[v] = bounds[v] < notReached ? std::abs(times[v] - rays.time(simplices.mesh.points[v])) : notReached;
  }
  boundErrors<Dim + 1>(simplices.mesh, rays, Dim, bounds);
  return bounds;
}

/// Mean errors of times on leaves, and of their bounds.
struct LeafErrors {
  double mean = 0.0;
  double meanBound = 0.0;
};

/// Those from an exact time, with a speed for each leaf. seen: how a medium of one tensor stretches space, as `time`
/// takes it. The centre of a leaf that is split is a vertex; that of another one has the mean of what the corners'
/// times are without their leads.
template <class Space, int Dim>
LeafErrors errorsOfLeaves(const LevelProblem<Space, Dim>& problem, const std::vector<double>& ofLeaves,
  const RayProblem& rays, const std::vector<double>& speeds, const FactorPlace& seen = {}) {
  LeafSimplices simplices = simplicesOf(problem);
  for (Point& point : simplices.mesh.points) {
    point = seen.stretched(point).y;
  }
  const Times bounds = boundsOn<Dim>(simplices, rays, speeds, onHost(problem.times), problem.starts);
  const auto leaves = toVector(problem.mesh.mesh.sources);
  const auto offsets = toVector(problem.mesh.mesh.offsets);
  const auto vertices = toVector(problem.mesh.mesh.connectivity);
  LeafErrors errors;
  std::int64_t last = -1;
  for (std::size_t cell = 0; cell < leaves.size(); ++cell) {
    if (leaves[cell] == std::exchange(last, leaves[cell])) {
      continue; // all cells of a leaf that is split have its centre
    }
    Point centre;
    std::copy_n(problem.centres[static_cast<std::size_t>(last)].begin(), Dim, centre.at);
    centre = seen.stretched(centre).y;
    const auto count = static_cast<double>(offsets[cell + 1] - offsets[cell]);
    double bound = 0.0;
    double mean = 0.0;
    double ofCentre = notReached;
    for (std::int64_t k = offsets[cell]; k < offsets[cell + 1]; ++k) {
      const auto v = static_cast<std::size_t>(vertices[static_cast<std::size_t>(k)]);
      const Point& x = simplices.mesh.points[v];
      bound += bounds[v] / count;
      mean +=
        (rays.time(x) - (rays.lead ? rays.lead(centre, x) / speeds[static_cast<std::size_t>(last)] : 0.0)) / count;
      ofCentre = length(x - centre) < 1e-9 ? bounds[v] : ofCentre;
    }
    const auto numLeaves = static_cast<double>(ofLeaves.size());
    const double exact = rays.time(centre);
    errors.mean += std::abs(ofLeaves[static_cast<std::size_t>(last)] - exact) / numLeaves;
    errors.meanBound += (ofCentre < notReached ? ofCentre : bound + std::abs(mean - exact)) / numLeaves;
  }
  return errors;
}

} // namespace spanwise::eikonal::testing
