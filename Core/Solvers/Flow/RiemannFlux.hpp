#pragma once

#include "Core/Solvers/Flow/IdealGas.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::flow {

// Fluxes through a face normal to `axis` between two states, the lower one first, of which `sound` are the speeds of
// sound: approximate solutions of the Riemann problem. None has a branch, so that loops over faces are vectorised. At a
// wall, between a state and its mirror image, no mass and no energy goes through, to the last bit.

/// One of two numbers. By value: of references one would be chosen before it is read, and nothing would be vectorised.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T select(bool first, T a, T b) {
  return first ? a : b;
}

/// A state's own flux along an axis.
template <int axis, class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION Conserved<T, Dim> physicalFlux(const Primitive<T, Dim>& state, T energy) {
  using C = Component<Dim>;
  Conserved<T, Dim> flux;
  const T mass = state.density * state.velocity[axis];
  flux[C::density] = mass;
  for (int d = 0; d < Dim; ++d) {
    flux[C::along(d)] = mass * state.velocity[d];
  }
  flux[C::along(axis)] += state.pressure;
  flux[C::energy] = state.velocity[axis] * (energy + state.pressure);
  return flux;
}

/// The flux of V. V. Rusanov (1961), also local Lax-Friedrichs: the mean of both, less half the jump times the fastest
/// wave.
struct RusanovFlux {
  template <int axis, class T, int Dim>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static Conserved<T, Dim> through(const IdealGas<T>& gas,
    const Primitive<T, Dim>& lower, const Primitive<T, Dim>& upper, const Kokkos::Array<T, 2>& sound) {
    const Conserved<T, Dim> below = gas.conserved(lower);
    const Conserved<T, Dim> above = gas.conserved(upper);
    const Conserved<T, Dim> fluxBelow = physicalFlux<axis>(lower, below[Component<Dim>::energy]);
    const Conserved<T, Dim> fluxAbove = physicalFlux<axis>(upper, above[Component<Dim>::energy]);
    const T fastest =
      Kokkos::max(Kokkos::abs(lower.velocity[axis]) + sound[0], Kokkos::abs(upper.velocity[axis]) + sound[1]);
    Conserved<T, Dim> flux;
    for (std::size_t c = 0; c < Component<Dim>::count; ++c) {
      flux[c] = T(0.5) * ((fluxBelow[c] + fluxAbove[c]) - fastest * (above[c] - below[c]));
    }
    return flux;
  }
};

/// HLLC (E. F. Toro, M. Spruce, W. Speares, Shock Waves 4, 1994): two states between the fastest waves, with a contact
/// between them. The speeds of the fastest waves are the simple bounds of S. F. Davis (1988).
struct HllcFlux {
  template <int axis, class T, int Dim>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static Conserved<T, Dim> through(const IdealGas<T>& gas,
    const Primitive<T, Dim>& lower, const Primitive<T, Dim>& upper, const Kokkos::Array<T, 2>& sound) {
    const T lowest = Kokkos::min(lower.velocity[axis] - sound[0], upper.velocity[axis] - sound[1]);
    const T highest = Kokkos::max(lower.velocity[axis] + sound[0], upper.velocity[axis] + sound[1]);
    const T massBelow = lower.density * (lowest - lower.velocity[axis]);
    const T massAbove = upper.density * (highest - upper.velocity[axis]);
    // The contact's speed is force / inertia.
    const T force =
      upper.pressure - lower.pressure + (massBelow * lower.velocity[axis] - massAbove * upper.velocity[axis]);
    const T inertia = massBelow - massAbove; // below 0
    // The side of the contact on which the face lies, and the state there: outside of the fastest wave, or between it
    // and the contact.
    const bool isBelow = force <= T(0);
    const Primitive<T, Dim> side = selected(isBelow, lower, upper);
    const T fastest = isBelow ? lowest : highest;
    const T mass = isBelow ? massBelow : massAbove;
    const bool isOutside = select(isBelow, lowest, -highest) >= T(0);
    const T energy = gas.energy(side);
    const T apart = fastest * inertia - force; // (fastest - contact) inertia
    const T inverse = T(1) / (inertia * apart);
    const T contact = force * apart * inverse;
    const T scale = inertia * inertia * inverse; // 1 / (fastest - contact)
    const T pressureBetween = side.pressure + mass * (contact - side.velocity[axis]);
    const T energyBetween =
      ((fastest - side.velocity[axis]) * energy - side.pressure * side.velocity[axis] + pressureBetween * contact) *
      scale;
    Primitive<T, Dim> state = side;
    state.density = isOutside ? side.density : mass * scale;
    state.velocity[axis] = isOutside ? side.velocity[axis] : contact;
    state.pressure = isOutside ? side.pressure : pressureBetween;
    return physicalFlux<axis>(state, isOutside ? energy : energyBetween);
  }

private:
  template <class T, int Dim>
  KOKKOS_FORCEINLINE_FUNCTION static Primitive<T, Dim> selected(
    bool first, const Primitive<T, Dim>& a, const Primitive<T, Dim>& b) {
    Primitive<T, Dim> result;
    result.density = select(first, a.density, b.density);
    for (int d = 0; d < Dim; ++d) {
      result.velocity[d] = select(first, a.velocity[d], b.velocity[d]);
    }
    result.pressure = select(first, a.pressure, b.pressure);
    return result;
  }
};

} // namespace spanwise::flow
