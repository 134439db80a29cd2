#pragma once

// Particles of a periodic box.

#include "Core/Solvers/NBody/PeriodicBox.hpp"
#include "Testing/Core/Solvers/NBody/Particles.hpp"

#include <cstddef>

namespace spanwise::nbody::testing {

inline PeriodicBox cube(double edge, double low = 0.0) {
  PeriodicBox box;
  box.low.fill(low);
  box.edges.fill(edge);
  return box;
}

/// Charges of which each column adds up to zero.
template <int Dim, class Real>
Particles<Dim, Real> neutral(Particles<Dim, Real> particles) {
  for (auto& column : particles.charges) {
    for (std::size_t i = 0; i + 1 < column.size(); i += 2) { // exactly, in any precision
      column[i + 1] = -column[i];
    }
    if (column.size() % 2 == 1) {
      column.back() = 0;
    }
  }
  return particles;
}

} // namespace spanwise::nbody::testing
