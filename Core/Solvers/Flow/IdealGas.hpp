#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace spanwise::flow {

/// The components of a conserved state, and how many there are: density, momentum along each axis, total energy, per
/// volume.
template <int Dim>
struct Component {
  // No static members: arrays take their index by reference, which they have none of in a kernel of a device.
  enum Index : int {
    density = 0,
    momentum = 1, ///< along x; the other axes follow
    energy = Dim + 1,
    count = Dim + 2,
  };

  /// The momentum's component along an axis.
  static constexpr KOKKOS_FUNCTION std::size_t along(int axis) { return momentum + static_cast<std::size_t>(axis); }
};

/// A conserved state, or a flux of it.
template <class T, int Dim>
using Conserved = Kokkos::Array<T, Component<Dim>::count>;

/// The state by which fluxes are computed.
template <class T, int Dim>
struct Primitive {
  T density;
  T velocity[Dim];
  T pressure;
};

/// A gas whose pressure is (gamma - 1) times its internal energy per volume.
template <class T>
struct IdealGas {
  T gamma = T(1.4);
  // What is below is read as this, so that a state that is wrong is no NaN. CompressibleFlow counts such cells.
  T minDensity = T(1e-30);
  T minPressure = T(1e-30);

  template <int Dim>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Primitive<T, Dim> primitive(const Conserved<T, Dim>& state) const {
    using C = Component<Dim>;
    Primitive<T, Dim> result;
    result.density = Kokkos::max(state[C::density], minDensity);
    const T volume = T(1) / result.density;
    T kinetic = T(0);
    for (int d = 0; d < Dim; ++d) {
      result.velocity[d] = state[C::along(d)] * volume;
      kinetic += state[C::along(d)] * result.velocity[d];
    }
    result.pressure =
      Kokkos::max((gamma - T(1)) * (state[C::energy] - T(0.5) * kinetic), leastPressure(state[C::energy]));
    return result;
  }

  /// What a pressure is raised to: it is a difference of energies, and nothing is known of it below their round-off.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T leastPressure(T energy) const {
    return Kokkos::max(T(1e-15) * energy, minPressure);
  }

  template <int Dim>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T energy(const Primitive<T, Dim>& state) const {
    T squares = T(0);
    for (int d = 0; d < Dim; ++d) {
      squares += state.velocity[d] * state.velocity[d];
    }
    return state.pressure * (T(1) / (gamma - T(1))) + T(0.5) * state.density * squares;
  }

  template <int Dim>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Conserved<T, Dim> conserved(const Primitive<T, Dim>& state) const {
    using C = Component<Dim>;
    Conserved<T, Dim> result;
    result[C::density] = state.density;
    for (int d = 0; d < Dim; ++d) {
      result[C::along(d)] = state.density * state.velocity[d];
    }
    result[C::energy] = energy(state);
    return result;
  }

  template <int Dim>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T soundSpeed(const Primitive<T, Dim>& state) const {
    return Kokkos::sqrt(gamma * state.pressure * (T(1) / state.density)); // divides as primitive() does: once for both
  }

  /// Those of two states, by one division.
  template <int Dim>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<T, 2> soundSpeeds(
    const Primitive<T, Dim>& a, const Primitive<T, Dim>& b) const {
    const T scale = gamma / (a.density * b.density);
    return {Kokkos::sqrt(a.pressure * b.density * scale), Kokkos::sqrt(b.pressure * a.density * scale)};
  }
};

} // namespace spanwise::flow
