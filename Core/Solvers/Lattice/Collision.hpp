#pragma once

#include "Core/Solvers/Lattice/VelocitySet.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::lattice {

/// How populations relax towards their equilibrium.
enum class Collision {
  /// One rate for all: Bhatnagar, Gross and Krook.
  SingleRelaxation,
  /// A second rate for what is odd in the velocity, so that walls lie where they should at any viscosity: Ginzburg,
  /// Verhaeghe and d'Humieres (2008).
  TwoRelaxation,
  /// Keeps of what is not in equilibrium the shear stress alone: Latt and Chopard (2006), with the trace of the stress
  /// left out, which corners under moving walls would make unstable: Coreixas, Chopard and Latt (2019).
  Regularised,
  /// A rate of its own for what is not stress, in each cell, by which entropy is greatest: stable at high Reynolds
  /// numbers. Karlin, Boesch and Chikatamarla (2014).
  Entropic,
};

/// The constants of a collision in units of the lattice. T is what is computed with.
template <class T>
struct CollisionConstants {
  T relaxationTime = 1; ///< of the stress, in steps, above 1/2: viscosity (relaxationTime - 1/2) / 3
  /// (relaxationTime - 1/2) (relaxationTimeOdd - 1/2) of Collision::TwoRelaxation; 3/16 puts walls halfway between
  /// cells. Negative: one relaxation time for both.
  T magic = -1;
  T force[3] = {};   ///< on a unit of volume
  T smagorinsky = 0; ///< 18 sqrt(2) C^2 of Smagorinsky's constant C
  bool plain = true; ///< neither force nor Smagorinsky's viscosity
};

/// Density, less that at rest, and velocity of a cell.
template <int Dim, class T>
struct Moments {
  T density;
  T velocity[Dim];
};

/// Of populations before a collision: the sum of all (deviations from rest), and of what they carry.
template <class Set, class T>
KOKKOS_FORCEINLINE_FUNCTION Moments<Set::dimension, T> sumsOf(const T (&f)[Set::count]) {
  constexpr int half = Set::half;
  Moments<Set::dimension, T> sums{f[0], {}};
  unrolled<half>([&](auto n) {
    constexpr int q = decltype(n)::value + 1;
    sums.density += f[q] + f[q + half];
    const T difference = f[q] - f[q + half];
    unrolled<Set::dimension>([&](auto axis) {
      constexpr int d = decltype(axis)::value;
      if constexpr (Set::velocity(q, d) == 1) {
        sums.velocity[d] += difference;
      } else if constexpr (Set::velocity(q, d) == -1) {
        sums.velocity[d] -= difference;
      }
    });
  });
  return sums;
}

/// The component of a vector along the velocity of population q, a constant.
template <class Set, int q, class T>
KOKKOS_FORCEINLINE_FUNCTION T along(const T (&vector)[Set::dimension]) {
  T sum = 0;
  unrolled<Set::dimension>([&](auto axis) {
    constexpr int d = decltype(axis)::value;
    if constexpr (Set::velocity(q, d) == 1) {
      sum += vector[d];
    } else if constexpr (Set::velocity(q, d) == -1) {
      sum -= vector[d];
    }
  });
  return sum;
}

/// Symmetric matrices: xx, yy, (zz,) xy, (xz, yz).
template <int Dim>
inline constexpr int stressCount = Dim == 2 ? 3 : 6;

template <int Dim>
constexpr KOKKOS_FUNCTION int stressIndex(int a, int b) {
  return a == b ? a : (Dim == 2 ? 2 : 2 + a + b);
}

/// Adds `value` to the stress in the direction of population q.
template <class Set, int q, class T>
KOKKOS_FORCEINLINE_FUNCTION void addStress(T value, T (&stress)[stressCount<Set::dimension>]) {
  unrolled<Set::dimension>([&](auto first) {
    constexpr int a = decltype(first)::value;
    unrolled<a + 1>([&](auto second) {
      constexpr int b = decltype(second)::value;
      constexpr int sign = Set::velocity(q, a) * Set::velocity(q, b);
      if constexpr (sign == 1) {
        stress[stressIndex<Set::dimension>(b, a)] += value;
      } else if constexpr (sign == -1) {
        stress[stressIndex<Set::dimension>(b, a)] -= value;
      }
    });
  });
}

/// The sum over a and b of c_a c_b stress_ab for the velocity c of population q.
template <class Set, int q, class T>
KOKKOS_FORCEINLINE_FUNCTION T stressAlong(const T (&stress)[stressCount<Set::dimension>]) {
  T sum = 0;
  unrolled<Set::dimension>([&](auto first) {
    constexpr int a = decltype(first)::value;
    unrolled<a + 1>([&](auto second) {
      constexpr int b = decltype(second)::value;
      constexpr int factor = Set::velocity(q, a) * Set::velocity(q, b) * (a == b ? 1 : 2);
      if constexpr (factor != 0) {
        sum += static_cast<T>(factor) * stress[stressIndex<Set::dimension>(b, a)];
      }
    });
  });
  return sum;
}

/// What populations q and q + half have in equilibrium, less that at rest: in sum, and in difference.
template <class Set, class T>
struct Equilibrium {
  T rest;
  T sum[Set::half];
  T difference[Set::half];

  /// Of a density, less that at rest, and a velocity. Second order in the velocity.
  KOKKOS_FORCEINLINE_FUNCTION Equilibrium(T density, const T (&velocity)[Set::dimension]) {
    const T total = T(1) + density;
    T square = 0;
    unrolled<Set::dimension>([&](auto axis) { square += velocity[axis] * velocity[axis]; });
    const T base = density - T(1.5) * total * square;
    rest = static_cast<T>(weightOf<Set, 0>) * base;
    unrolled<Set::half>([&](auto n) {
      constexpr int q = decltype(n)::value + 1;
      constexpr T weight = static_cast<T>(2 * weightOf<Set, q>);
      const T u = along<Set, q>(velocity);
      sum[n] = weight * (base + T(4.5) * total * u * u);
      difference[n] = T(3) * weight * total * u;
    });
  }
};

namespace detail {

/// What a force adds (Guo, Zheng and Shi 2002), in the sum of q and q + half and in their difference, before the
/// factors 1 - rate / 2.
template <class Set, class T>
struct ForceTerms {
  T rest;
  T sum[Set::half];
  T difference[Set::half];

  KOKKOS_FORCEINLINE_FUNCTION ForceTerms(const T (&force)[Set::dimension], const T (&velocity)[Set::dimension]) {
    T product = 0;
    unrolled<Set::dimension>([&](auto axis) { product += force[axis] * velocity[axis]; });
    rest = (T(-3) * static_cast<T>(weightOf<Set, 0>)) * product;
    unrolled<Set::half>([&](auto n) {
      constexpr int q = decltype(n)::value + 1;
      constexpr T weight = static_cast<T>(6 * weightOf<Set, q>);
      const T f = along<Set, q>(force);
      sum[n] = weight * (T(3) * along<Set, q>(velocity) * f - product);
      difference[n] = weight * f;
    });
  }
};

/// What is not in equilibrium of a stress with the sum of squares `square`: the relaxation time with Smagorinsky's
/// viscosity (Hou, Sterling, Chen and Doolen 1996).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T eddyRelaxationTime(const CollisionConstants<T>& by, T density, T square) {
  const T tau = by.relaxationTime;
  return T(0.5) * (tau + Kokkos::sqrt(tau * tau + by.smagorinsky * Kokkos::sqrt(square) / density));
}

template <int Dim, class T>
KOKKOS_FORCEINLINE_FUNCTION T squareOf(const T (&stress)[stressCount<Dim>]) {
  T square = 0;
  unrolled<stressCount<Dim>>([&](auto n) {
    constexpr T factor = static_cast<T>(decltype(n)::value < Dim ? 1 : 2);
    square += factor * stress[n] * stress[n];
  });
  return square;
}

template <int Dim, class T>
KOKKOS_FORCEINLINE_FUNCTION T traceOf(const T (&stress)[stressCount<Dim>]) {
  T trace = 0;
  unrolled<Dim>([&](auto d) { trace += stress[d]; });
  return trace;
}

/// What population q has of a stress without its trace, `third` of which is on each axis.
template <class Set, int q, class T>
KOKKOS_FORCEINLINE_FUNCTION T shearOf(const T (&stress)[stressCount<Set::dimension>], T third) {
  constexpr int square = Set::square(q);
  T shear = 0;
  if constexpr (square == 1) {
    unrolled<Set::dimension>([&](auto axis) {
      if constexpr (Set::velocity(q, decltype(axis)::value) != 0) {
        shear = T(0.5) * (stress[axis] - third);
      }
    });
  } else if constexpr (square == 2) {
    unrolled<Set::dimension>([&](auto first) {
      constexpr int a = decltype(first)::value;
      unrolled<a>([&](auto second) {
        constexpr int b = decltype(second)::value;
        constexpr int sign = Set::velocity(q, a) * Set::velocity(q, b);
        if constexpr (sign != 0) {
          shear = static_cast<T>(sign) * T(0.25) * stress[stressIndex<Set::dimension>(b, a)];
        }
      });
    });
  }
  return shear;
}

} // namespace detail

/// Relaxes the populations of a cell, given as deviations from those at rest: w_q less than the populations that books
/// have. Conserves mass, and momentum up to the force, to round-off. `isPlain`: by.plain, a constant of its own since
/// the rest takes time.
template <class Set, Collision collision, bool isPlain, class T>
KOKKOS_FORCEINLINE_FUNCTION void collide(T (&f)[Set::count], const CollisionConstants<T>& by) {
  constexpr int Dim = Set::dimension;
  constexpr int half = Set::half;
  const Moments<Dim, T> sums = sumsOf<Set>(f);
  const T total = T(1) + sums.density;
  const T inverse = T(1) / total;
  T force[Dim];
  T velocity[Dim];
  unrolled<Dim>([&](auto d) {
    force[d] = isPlain ? T(0) : by.force[d];
    velocity[d] = (isPlain ? sums.velocity[d] : sums.velocity[d] + T(0.5) * force[d]) * inverse;
  });
  const Equilibrium<Set, T> equilibrium(sums.density, velocity);
  T sum[half];        // of q and q + half, beyond equilibrium
  T difference[half]; // the same
  T rest = f[0] - equilibrium.rest;
  unrolled<half>([&](auto n) {
    constexpr int q = decltype(n)::value + 1;
    sum[n] = f[q] + f[q + half] - equilibrium.sum[n];
    difference[n] = f[q] - f[q + half] - equilibrium.difference[n];
  });

  constexpr bool needsStress = !isPlain || collision == Collision::Regularised || collision == Collision::Entropic;
  T stress[stressCount<Dim>] = {};
  T tau = by.relaxationTime;
  if constexpr (needsStress) {
    unrolled<half>([&](auto n) { addStress<Set, decltype(n)::value + 1>(sum[n], stress); });
    if constexpr (!isPlain) {
      tau = detail::eddyRelaxationTime(by, total, detail::squareOf<Dim>(stress));
    }
  }

  // What remains of the part beyond equilibrium; and the rates by which forces count, in sums and differences.
  const T rate = T(1) / tau;
  T rateOdd = rate;
  if constexpr (collision == Collision::Regularised) {
    const T kept = T(1) - rate;
    const T third = detail::traceOf<Dim>(stress) * T(1.0 / Dim);
    unrolled<Dim>([&](auto d) { stress[d] -= third; });
    rest = 0;
    unrolled<half>([&](auto n) {
      constexpr int q = decltype(n)::value + 1;
      constexpr T weight = static_cast<T>(9 * weightOf<Set, q>);
      sum[n] = kept * weight * stressAlong<Set, q>(stress);
      difference[n] = 0;
    });
    rateOdd = 1;
  } else if constexpr (collision == Collision::Entropic) {
    // The part of the stress without its trace, as it is in natural moments: on neighbours that share a face or an
    // edge.
    const T third = detail::traceOf<Dim>(stress) * T(1.0 / Dim);
    const auto shearOf = [&](auto n) { return detail::shearOf<Set, decltype(n)::value + 1>(stress, third); };
    T product = 0; // of shear and the rest, in the metric of the equilibrium
    T square = rest * rest / (static_cast<T>(weightOf<Set, 0>) + equilibrium.rest);
    unrolled<half>([&](auto n) {
      constexpr T weight = static_cast<T>(weightOf<Set, decltype(n)::value + 1>);
      const T shear = shearOf(n);
      const T up = T(0.5) * (sum[n] + difference[n]) - shear;
      const T down = T(0.5) * (sum[n] - difference[n]) - shear;
      const T inverseUp = T(1) / (weight + T(0.5) * (equilibrium.sum[n] + equilibrium.difference[n]));
      const T inverseDown = T(1) / (weight + T(0.5) * (equilibrium.sum[n] - equilibrium.difference[n]));
      product += shear * (up * inverseUp + down * inverseDown);
      square += up * up * inverseUp + down * down * inverseDown;
    });
    const T beta = T(0.5) * rate;
    const T inverseBeta = T(2) * tau;
    const bool some = square > T(0);
    const T gamma = some ? inverseBeta - (T(2) - inverseBeta) * product / (some ? square : T(1)) : T(2);
    rateOdd = beta * gamma;
    rest -= rateOdd * rest;
    unrolled<half>([&](auto n) {
      const T shear = T(2) * shearOf(n);
      sum[n] -= rate * shear + rateOdd * (sum[n] - shear);
      difference[n] -= rateOdd * difference[n];
    });
  } else {
    if constexpr (collision == Collision::TwoRelaxation) {
      rateOdd = by.magic < T(0) ? rate : T(1) / (T(0.5) + by.magic / (tau - T(0.5)));
    }
    rest -= rate * rest;
    unrolled<half>([&](auto n) {
      sum[n] -= rate * sum[n];
      difference[n] -= rateOdd * difference[n];
    });
  }

  rest += equilibrium.rest;
  unrolled<half>([&](auto n) {
    sum[n] += equilibrium.sum[n];
    difference[n] += equilibrium.difference[n];
  });
  if constexpr (!isPlain) {
    const detail::ForceTerms<Set, T> added(force, velocity);
    const T even = T(1) - T(0.5) * rate;
    const T odd = T(1) - T(0.5) * rateOdd;
    rest += even * added.rest;
    unrolled<half>([&](auto n) {
      sum[n] += even * added.sum[n];
      difference[n] += odd * added.difference[n];
    });
  }
  f[0] = rest;
  unrolled<half>([&](auto n) {
    constexpr int q = decltype(n)::value + 1;
    f[q] = T(0.5) * (sum[n] + difference[n]);
    f[q + half] = T(0.5) * (sum[n] - difference[n]);
  });
}

} // namespace spanwise::lattice
