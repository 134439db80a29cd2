#pragma once

#include "Core/Solvers/Lattice/Collision.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::lattice {

/// What is at a side of the box.
enum class Side {
  Wall,   ///< where the fluid has the wall's velocity
  Slip,   ///< a wall without friction, or a plane of symmetry
  Inflow, ///< the velocity is given
  /// The pressure is given, and nothing flows along the side. Sound leaves: the pressure follows it, and goes back to
  /// the one that is given while sound would cross the box about twice.
  Outflow,
};

/// What is given at a cell of a side: the velocity, or the density less that at rest.
template <int Dim, class T>
struct GivenAtSide {
  bool isVelocity;
  T velocity[Dim];
  T density;
  /// What the last step says of sound at this cell (soundAtSide()), and takes for the next one; null: sound is
  /// reflected.
  T* sound = nullptr;
  T back = 1; ///< the part of its way to the given density that the density goes in a step
};

/// One over the speed of sound.
template <class T>
inline constexpr T inverseSoundSpeed = T(1.7320508075688772);

/// The density of sound in a cell less what it carries, which is what comes back from a side: nothing of it changes but
/// that the density goes back to the given one (D. H. Rudy and J. C. Strikwerda, J. Comput. Phys. 36, 1980; T. J.
/// Poinsot and S. K. Lele, J. Comput. Phys. 101, 1992). `outwards` is the momentum through the side.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T soundAtSide(T density, T outwards, T given, T back) {
  return density + back * (given - density) - inverseSoundSpeed<T> * outwards;
}

/// Makes all populations of a cell at a side anew from those that came from within: density, velocity and stress are
/// found from them and from what is given, with what is not in equilibrium bounced back for the populations that came
/// through the side ("regularised": Latt, Chopard, Malaspinas, Deville and Michler 2008). `axis` and `upper` say which
/// side it is. Populations are deviations from rest, before the collision.
template <class Set, int axis, bool upper, class T>
KOKKOS_FORCEINLINE_FUNCTION void applySide(T (&f)[Set::count], const GivenAtSide<Set::dimension, T>& given) {
  constexpr int inwards = upper ? -1 : 1;
  T known = f[0]; // those along the side, and twice those that leave
  unrolled<Set::count - 1>([&](auto n) {
    constexpr int q = decltype(n)::value + 1;
    constexpr int goes = Set::velocity(q, axis);
    if constexpr (goes != inwards) {
      known += (goes == 0 ? T(1) : T(2)) * f[q];
    }
  });
  Moments<Set::dimension, T> at{given.density, {}};
  if (given.isVelocity) {
    unrolled<Set::dimension>([&](auto d) { at.velocity[d] = given.velocity[d]; });
    const T normal = T(inwards) * at.velocity[axis];
    at.density = (known + normal) / (T(1) - normal);
  } else {
    if (given.sound != nullptr) { // density and momentum agree with it and with what is known
      at.density = (*given.sound + inverseSoundSpeed<T> * known) / (T(1) + inverseSoundSpeed<T>);
      *given.sound = soundAtSide(at.density, known - at.density, given.density, given.back);
    }
    // By what is known the velocity along the side could be found too; but that is unstable.
    at.velocity[axis] = T(inwards) * (at.density - known) / (T(1) + at.density);
  }
  const Equilibrium<Set, T> equilibrium(at.density, at.velocity);
  T stress[stressCount<Set::dimension>] = {};
  unrolled<Set::half>([&](auto n) {
    constexpr int q = decltype(n)::value + 1;
    constexpr int opposite = q + Set::half;
    if constexpr (Set::velocity(q, axis) == 0) {
      addStress<Set, q>(f[q] + f[opposite] - equilibrium.sum[n], stress);
    } else {
      constexpr bool leaves = Set::velocity(q, axis) == -inwards;
      const T difference = leaves ? equilibrium.difference[n] : -equilibrium.difference[n];
      const T beyond = f[leaves ? q : opposite] - T(0.5) * (equilibrium.sum[n] + difference);
      addStress<Set, q>(T(2) * beyond, stress);
    }
  });
  const T trace = detail::traceOf<Set::dimension>(stress);
  f[0] = equilibrium.rest - T(1.5) * static_cast<T>(weightOf<Set, 0>) * trace;
  unrolled<Set::half>([&](auto n) {
    constexpr int q = decltype(n)::value + 1;
    constexpr T weight = static_cast<T>(9 * weightOf<Set, q>);
    const T sum = equilibrium.sum[n] + weight * (stressAlong<Set, q>(stress) - trace * T(1.0 / 3.0));
    f[q] = T(0.5) * (sum + equilibrium.difference[n]);
    f[q + Set::half] = T(0.5) * (sum - equilibrium.difference[n]);
  });
}

} // namespace spanwise::lattice
