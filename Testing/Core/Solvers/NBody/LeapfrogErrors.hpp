#pragma once

// What the leapfrog is wrong by, to leading order.

#include "Testing/Core/Solvers/NBody/Particles.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace spanwise::nbody::testing {

// With the step h bodies move as the Hamiltonian H + h^2 H2 would move them, but for terms with h^4 (E. Hairer, C.
// Lubich, G. Wanner, Acta Numerica 12 (2003) 399-450):
//
//   H2 = v^T V'' v / 12 - sum |F|^2 / (24 m).
//
// So the energy is wrong by h^2 (H2 at the start - H2). Two bodies around each other, in units in which the semi-major
// axis, the mean motion and the reduced mass are 1, have
//
//   H2 = (6 G^2 / r^5 - 9 / r^4 + 4 / r^3) / 24,   G^2 = 1 - e^2,
//
// whose mean over an orbit, by Delaunay's L = 1 and G, is F = (3 L^-3 G^-5 - L^-5 G^-3) / 48: the mean anomaly goes
// ahead by h^2 dF/dL, and by what the mean semi-major axis is off, the pericentre by h^2 dF/dG.

/// H2 of two bodies at the distance r.
inline double excessOfAnOrbit(double eccentricity, double r) {
  return (6.0 * (1.0 - eccentricity * eccentricity) / std::pow(r, 5) - 9.0 / std::pow(r, 4) + 4.0 / std::pow(r, 3)) /
    24.0;
}

/// How far from its pericentre, through h^2, two bodies are after a period, which they began there.
inline double missOfAnOrbit(double eccentricity) {
  const double g = std::sqrt(1.0 - eccentricity * eccentricity);
  const double mean = (3.0 * std::pow(g, -5) - std::pow(g, -3)) / 48.0;
  const double byL = (5.0 * std::pow(g, -3) - 9.0 * std::pow(g, -5)) / 48.0;
  const double byG = (3.0 * std::pow(g, -4) - 15.0 * std::pow(g, -6)) / 48.0;
  const double r = 1.0 - eccentricity;
  const double v = g / r;
  return 2.0 * std::numbers::pi * std::abs(v * (byL - 3.0 * (excessOfAnOrbit(eccentricity, r) - mean)) + r * byG);
}

/// The size of H2 of bodies in softened gravity: its two terms without their signs. O(bodies^2).
inline double excessOf(
  const Column<double>& masses, const Column<double>& x, const Column<double>& v, double softening) {
  const std::size_t count = masses.size(); // positions and velocities [axis * count + i]
  double ofSpeeds = 0.0;
  double ofForces = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<double, 3> a{};
    for (std::size_t j = 0; j < count; ++j) {
      double r2 = softening * softening;
      double w2 = 0.0;
      double wd = 0.0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double d = x[axis * count + i] - x[axis * count + j];
        const double w = v[axis * count + i] - v[axis * count + j];
        r2 += d * d;
        w2 += w * w;
        wd += w * d;
      }
      if (i != j) {
        const double cube = 1.0 / (r2 * std::sqrt(r2));
        for (std::size_t axis = 0; axis < 3; ++axis) {
          a[axis] -= masses[j] * (x[axis * count + i] - x[axis * count + j]) * cube;
        }
        ofSpeeds += 0.5 * masses[i] * masses[j] * (w2 - 3.0 * wd * wd / r2) * cube;
      }
    }
    ofForces += masses[i] * (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  }
  return std::abs(ofSpeeds) / 12.0 + ofForces / 24.0;
}

} // namespace spanwise::nbody::testing
