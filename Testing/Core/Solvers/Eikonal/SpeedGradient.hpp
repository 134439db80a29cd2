#pragma once

// A medium whose speed rises evenly, in which times from a point have a closed form.

#include "Testing/Core/Solvers/Eikonal/RayErrors.hpp"

#include <cmath>

namespace spanwise::eikonal::testing {

/// Speed c + g . x: fronts are spheres, with their centres moving (M. M. Slotnick, Geophysics 1 (1936)).
struct SpeedGradient {
  Point gradient;
  double atOrigin = 1.0;

  [[nodiscard]] double speed(const Point& x) const { return atOrigin + dot(gradient, x); }
  [[nodiscard]] Times speedsOfVertices(const HostMesh& mesh) const {
    Times speeds;
    for (const Point& x : mesh.points) {
      speeds.push_back(speed(x));
    }
    return speeds;
  }
  [[nodiscard]] double time(const Point& from, const Point& to) const {
    const Point e = to - from;
    const double g = length(gradient);
    return std::acosh(1.0 + 0.5 * g * g * dot(e, e) / (speed(from) * speed(to))) / g;
  }

  /// What fronts take from a place through the elements of a mesh, each with the mean of its vertices' speeds.
  template <int corners>
  [[nodiscard]] RayProblem raysFrom(const Point& place, const HostMesh& mesh) const {
    RayProblem problem;
    problem.time = [*this, place](const Point& x) { return time(place, x); };
    problem.slowness = [*this, &mesh](std::int64_t e) {
      double sum = 0.0;
      for (int k = 0; k < corners; ++k) {
        sum += speed(mesh.corner(e, k)) / corners;
      }
      return 1.0 / sum;
    };
    problem.lead = [place](const Point& x, const Point& nearby) { return leadOf(place, x, nearby); };
    return problem;
  }
};

} // namespace spanwise::eikonal::testing
