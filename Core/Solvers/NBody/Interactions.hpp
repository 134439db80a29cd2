#pragma once

#include "Core/Solvers/NBody/Pack.hpp"

#include <concepts>

namespace spanwise::nbody {

// What a source at y with the charge q does to a target at x. In all of it d = x - y, r = |d|, in 2D or 3D alike, and
// the gradient is with respect to x. There is no hidden factor: no 1 / (4 pi), 1 / (2 pi), G or epsilon_0; factors are
// given with the sums (SumOptions). In units where they are 1:
//
// - the electrostatic potential of charges q is sum q / r, its field minus the gradient, sum q d / r^3;
// - the gravitational potential of masses m is minus sum m / r, and the acceleration plus the gradient of sum m / r,
//   which is - sum m d / r^3: potentialFactor = -G, gradientFactor = G;
// - the potential of a line charge in the plane is minus sum q ln r.
//
// Coincident points: an interaction is called with r = 0 too, where different particles lie in the same place, and what
// it gives there must be finite. Those of this file that are singular give 0, so that coincident particles do nothing
// to each other, but act on all others; those that are not give their limit, with a gradient of 0. A particle does
// never act on itself (sumWithin()).

/// What is asked of an interaction.
enum class Parts { Potential = 1, Gradient = 2, Both = 3 };

[[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr bool hasPotential(Parts parts) { return parts != Parts::Gradient; }
[[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr bool hasGradient(Parts parts) { return parts != Parts::Potential; }

/// The potential of a unit charge as a function f of the distance alone.
template <class T>
struct RadialTerms {
  T value; ///< f(r)
  T slope; ///< f'(r) / r, so that the gradient is slope * d
};

/// An interaction of charges that depends on the distance alone: a struct that can be copied bit by bit and has
///
///     template <Parts parts, class T> KOKKOS_FUNCTION RadialTerms<T> terms(T r2) const;
///
/// with r2 = r^2 >= 0. T is a real number or several side by side (Pack.hpp). What `parts` does not ask for need not be
/// set. Two particles do the same to each other then, which Variant::Mutual uses.
template <class Interaction, class T = double>
concept RadialInteraction = std::copyable<Interaction> && requires(const Interaction& interaction, const T& r2) {
  { interaction.template terms<Parts::Both>(r2) } -> std::same_as<RadialTerms<T>>;
};

/// Any other interaction that is linear in the charges: numCharges numbers of a source make numPotentials at a target.
///
///     static constexpr int numCharges, numPotentials;
///     template <Parts parts, int Dim, class T>
///     KOKKOS_FUNCTION void add(const T* d, const T& r2, const T* q, T* potentials, T* gradients) const;
///
/// adds what a source with the numbers q [numCharges] does, to potentials [numPotentials] and gradients [numPotentials
/// * Dim] (those of one potential side by side), of which only those that `parts` asks for are there.
template <class Interaction, int Dim = 3, class T = double>
concept GeneralInteraction =
  std::copyable<Interaction> && requires(const Interaction& interaction, const T* in, const T& r2, T* out) {
    { Interaction::numCharges } -> std::convertible_to<int>;
    { Interaction::numPotentials } -> std::convertible_to<int>;
    interaction.template add<Parts::Potential, Dim>(in, r2, in, out, out);
  };

/// What sums, the near field of a multipole method, and a far field that is found from values of the interaction take.
template <class Interaction>
concept AnyInteraction = RadialInteraction<Interaction> || GeneralInteraction<Interaction>;

template <class Interaction>
inline constexpr int numChargesOf = [] {
  if constexpr (RadialInteraction<Interaction>) {
    return 1;
  } else {
    return Interaction::numCharges;
  }
}();
template <class Interaction>
inline constexpr int numPotentialsOf = [] {
  if constexpr (RadialInteraction<Interaction>) {
    return 1;
  } else {
    return Interaction::numPotentials;
  }
}();

/// 1 / r; its gradient is - d / r^3.
struct InverseDistance {
  template <Parts parts, class T>
  KOKKOS_FORCEINLINE_FUNCTION RadialTerms<T> terms(T r2) const {
    const T inverseR = inverseSqrt(r2);
    if constexpr (hasGradient(parts)) {
      return {inverseR, -(inverseR * inverseR * inverseR)};
    } else {
      return {inverseR, T()};
    }
  }
};

/// 1 / sqrt(r^2 + epsilon^2), Plummer's softening (H. C. Plummer, On the problem of distribution in globular star
/// clusters, MNRAS 71, 1911): finite everywhere, 1 / epsilon at r = 0. epsilon > 0.
struct SoftenedInverseDistance {
  double epsilon = 0.0;

  template <Parts parts, class T>
  KOKKOS_FORCEINLINE_FUNCTION RadialTerms<T> terms(T r2) const {
    return InverseDistance().terms<parts>(T(r2 + T(epsilon * epsilon)));
  }
};

/// ln r; its gradient is d / r^2.
struct Logarithm {
  template <Parts parts, class T>
  KOKKOS_FORCEINLINE_FUNCTION RadialTerms<T> terms(T r2) const {
    RadialTerms<T> result{};
    if constexpr (hasPotential(parts)) {
      result.value = T(0.5) * logarithm(r2);
    }
    if constexpr (hasGradient(parts)) {
      result.slope = inverse(r2);
    }
    return result;
  }
};

/// exp(- r^2 / sigma^2), 1 at r = 0; its gradient is that times - 2 d / sigma^2. sigma > 0.
struct Gaussian {
  double sigma = 1.0;

  template <Parts parts, class T>
  KOKKOS_FORCEINLINE_FUNCTION RadialTerms<T> terms(T r2) const {
    const T value = exponential(T(T(-1.0 / (sigma * sigma)) * r2));
    if constexpr (hasGradient(parts)) {
      return {value, T(-2.0 / (sigma * sigma)) * value};
    } else {
      return {value, T()};
    }
  }
};

/// exp(- kappa r) / r, a screened charge (H. Yukawa 1935; Debye and Hueckel with kappa as inverse screening length);
/// its gradient is - (1 + kappa r) exp(- kappa r) d / r^3. kappa >= 0.
struct Yukawa {
  double kappa = 1.0;

  template <Parts parts, class T>
  KOKKOS_FORCEINLINE_FUNCTION RadialTerms<T> terms(T r2) const {
    const T inverseR = inverseSqrt(r2);
    const T scaled = T(kappa) * (r2 * inverseR);
    const T value = exponential(-scaled) * inverseR;
    if constexpr (hasGradient(parts)) {
      return {value, -((T(1) + scaled) * value) * (inverseR * inverseR)};
    } else {
      return {value, T()};
    }
  }
};

/// The potential p . d / r^3 of a dipole with the moment p [Dim]. Minus its gradient is its field, the tensor 3 d d^T /
/// r^5 - I / r^3 applied to p.
template <int dimension>
struct Dipole {
  static constexpr int numCharges = dimension;
  static constexpr int numPotentials = 1;

  template <Parts parts, int Dim, class T>
  KOKKOS_FORCEINLINE_FUNCTION void add(const T* d, const T& r2, const T* moment, T* potential, T* gradient) const {
    static_assert(Dim == dimension, "moments have as many components as points");
    T along = moment[0] * d[0];
    for (int axis = 1; axis < Dim; ++axis) {
      along = along + moment[axis] * d[axis];
    }
    const T inverseR = inverseSqrt(r2);
    const T inverseR2 = inverseR * inverseR;
    const T inverseR3 = inverseR2 * inverseR;
    if constexpr (hasPotential(parts)) {
      potential[0] += along * inverseR3;
    }
    if constexpr (hasGradient(parts)) {
      const T radial = T(3) * along * inverseR2;
      for (int axis = 0; axis < Dim; ++axis) {
        gradient[axis] += (moment[axis] - radial * d[axis]) * inverseR3;
      }
    }
  }
};

} // namespace spanwise::nbody
