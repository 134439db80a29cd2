#pragma once

namespace spanwise::nbody {

/// The finest accuracy that can be asked of sums by multipoles (MultipoleOptions): of potentials of charges, or of what
/// takes derivatives, which are gradients and all of dipoles.
[[nodiscard]] constexpr double finestAccuracy(bool isFloat, bool takesDerivatives) {
  return isFloat ? 1e-5 : takesDerivatives ? 1e-9 : 1e-11;
}

} // namespace spanwise::nbody
