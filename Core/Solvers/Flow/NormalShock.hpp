#pragma once

#include "Core/Solvers/Flow/IdealGas.hpp"

#include <cmath>

namespace spanwise::flow {

/// The gas behind a shock that runs through a gas at rest, of `density` and `pressure`, along `direction` (of length 1)
/// with `mach` times the speed of sound there: what the equations of W. J. M. Rankine (1870) and P. H. Hugoniot (1889)
/// give. A shock has a Mach number above 1; at 1 the gas is that ahead of it.
template <int Dim>
Primitive<double, Dim> behindShock(
  const IdealGas<double>& gas, double density, double pressure, double mach, const double (&direction)[Dim]) {
  const double squared = mach * mach;
  const double compression = (gas.gamma + 1.0) * squared / ((gas.gamma - 1.0) * squared + 2.0);
  const double speed = mach * std::sqrt(gas.gamma * pressure / density) * (1.0 - 1.0 / compression);
  Primitive<double, Dim> result{};
  result.density = compression * density;
  for (int d = 0; d < Dim; ++d) {
    result.velocity[d] = speed * direction[d];
  }
  result.pressure = pressure * (1.0 + 2.0 * gas.gamma / (gas.gamma + 1.0) * (squared - 1.0));
  return result;
}

} // namespace spanwise::flow
