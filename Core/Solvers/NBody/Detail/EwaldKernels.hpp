#pragma once

// Interactions in two parts, one that falls off fast with the distance and one whose Fourier transform does (P. P.
// Ewald, Ann. Phys. 369, 1921). All of Interactions.hpp are sums of Gaussians, f(r) = int_0^inf w(t) exp(-t^2 r^2) dt
// (1 / r with w = 2 / sqrt(pi), ln r but for a constant with w = -1 / t), and are cut at t = alpha:
//
//   near part (t > alpha), for example erfc(alpha r) / r,
//   far part (t < alpha), whose Fourier transform is int_0^alpha w(t) (pi / t^2)^(Dim / 2) exp(-k^2 / (4 t^2)) dt.
//
// Integrals follow from I. S. Gradshteyn and I. M. Ryzhik, Table of Integrals, Series, and Products, 3.32 and 3.47.

#include "Core/Solvers/NBody/Interactions.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>
#include <numbers>

namespace spanwise::nbody::detail {

/// The exponential integral E_1(x), x > 0: its power series, and Lentz's continued fraction (M. Abramowitz, I. A.
/// Stegun, Handbook of Mathematical Functions, 5.1.11 and 5.1.22). To 9e-15 of itself. libstdc++'s std::expint(-x) is
/// as fast and no more accurate (1.1e-14 from 1e-8 to 60, beside long doubles), but for hosts alone.
[[nodiscard]] KOKKOS_INLINE_FUNCTION double exponentialIntegral(double x) {
  if (x > 740.0) {
    return 0.0;
  }
  if (x < 1.5) {
    double sum = -Kokkos::numbers::egamma - Kokkos::log(x);
    double power = 1.0;
    for (int n = 1; n < 40; ++n) {
      power *= -x / n;
      sum -= power / n;
      if (Kokkos::abs(power) < 1e-18 * n) {
        break;
      }
    }
    return sum;
  }
  double b = x + 1.0;
  double c = 1e300;
  double d = 1.0 / b;
  double h = d;
  for (int n = 1; n < 200; ++n) {
    const double a = -static_cast<double>(n) * n;
    b += 2.0;
    d = 1.0 / (a * d + b);
    c = b + a / c;
    h *= c * d;
    if (Kokkos::abs(c * d - 1.0) < 1e-16) {
      break;
    }
  }
  return h * Kokkos::exp(-x);
}

/// f, f' / r and (f' / r)' / r, so that the gradient is slope d and the second derivatives are slope I + curve d d^T.
struct EwaldTerms {
  double value = 0.0;
  double slope = 0.0;
  double curve = 0.0;
};

inline constexpr double inverseSqrtPi = std::numbers::inv_sqrtpi;

/// What each interaction has: near(r2) for r2 > 0, or r2 >= 0 where it is finite there, with the curve if it has
/// dipoles; transform(k2) of the far part for k2 > 0; far part at r = 0, with its slope; and what the k = 0 term of an
/// endless lattice is, times the volume: minus the mean of the near part where charges are neutral, else the transform
/// at k = 0.
template <class Interaction, int Dim>
struct EwaldKernel;

template <class Interaction>
inline constexpr bool hasEwald = false;
template <>
inline constexpr bool hasEwald<InverseDistance> = true;
template <>
inline constexpr bool hasEwald<SoftenedInverseDistance> = true;
template <>
inline constexpr bool hasEwald<Logarithm> = true;
template <>
inline constexpr bool hasEwald<Gaussian> = true;
template <>
inline constexpr bool hasEwald<Yukawa> = true;

/// Whether a lattice of charges has sums only if they are neutral.
template <class Interaction>
[[nodiscard]] bool needsNeutral(const Interaction& /*interaction*/) {
  return true;
}
[[nodiscard]] inline bool needsNeutral(const Gaussian& /*interaction*/) { return false; }
[[nodiscard]] inline bool needsNeutral(const Yukawa& interaction) { return interaction.kappa == 0.0; }
template <int Dim>
[[nodiscard]] bool needsNeutral(const Dipole<Dim>& /*interaction*/) {
  return false;
}

/// exp(-kappa r) / r, of which 1 / r is the one with kappa = 0.
template <int Dim>
struct EwaldKernel<Yukawa, Dim> {
  double alpha;
  double kappa;
  EwaldKernel(const Yukawa& of, double splitting) : alpha(splitting), kappa(of.kappa) {}

  static constexpr bool isSingular = true;

  [[nodiscard]] KOKKOS_FUNCTION EwaldTerms near(double r2) const {
    const double r = Kokkos::sqrt(r2);
    const double b = 0.5 * kappa / alpha;
    const double falling = Kokkos::exp(-kappa * r) * Kokkos::erfc(alpha * r - b);
    const double tail = Kokkos::erfc(alpha * r + b);
    const double rising = tail > 0.0 ? Kokkos::exp(kappa * r) * tail : 0.0; // kappa r <= 355 where it is
    EwaldTerms terms;
    terms.value = 0.5 * (falling + rising) / r;
    const double gauss = 2.0 * alpha * inverseSqrtPi * Kokkos::exp(-alpha * alpha * r2 - b * b);
    terms.slope = (-terms.value - gauss + 0.5 * kappa * (rising - falling)) / r2;
    return terms;
  }
  [[nodiscard]] double transform(double k2) const {
    const double sum = k2 + kappa * kappa;
    const double at = sum / (4.0 * alpha * alpha);
    if constexpr (Dim == 3) {
      return 4.0 * std::numbers::pi / sum * std::exp(-at);
    } else {
      return 2.0 * std::numbers::pi / std::sqrt(sum) * std::erfc(std::sqrt(at));
    }
  }
  [[nodiscard]] double farAtZero() const {
    const double b = 0.5 * kappa / alpha;
    return 2.0 * alpha * inverseSqrtPi * std::exp(-b * b) - kappa * std::erfc(b);
  }
  [[nodiscard]] double farSlopeAtZero() const { return -4.0 / 3.0 * alpha * alpha * alpha * inverseSqrtPi; } // 1 / r
  [[nodiscard]] double constant() const {
    if (kappa > 0.0) {
      return transform(0.0);
    }
    return Dim == 3 ? -std::numbers::pi / (alpha * alpha) : -2.0 / (inverseSqrtPi * alpha);
  }
};

template <int Dim>
struct EwaldKernel<InverseDistance, Dim> : EwaldKernel<Yukawa, Dim> {
  EwaldKernel(const InverseDistance& /*of*/, double splitting) : EwaldKernel<Yukawa, Dim>(Yukawa{0.0}, splitting) {}

  [[nodiscard]] KOKKOS_FUNCTION EwaldTerms near(double r2) const {
    const double x2 = this->alpha * this->alpha * r2;
    const double r = Kokkos::sqrt(r2);
    const double gauss = 2.0 * this->alpha * inverseSqrtPi * Kokkos::exp(-x2);
    EwaldTerms terms;
    terms.value = Kokkos::erfc(this->alpha * r) / r;
    terms.slope = (-terms.value - gauss) / r2;
    terms.curve = (-3.0 * terms.slope + 2.0 * this->alpha * this->alpha * gauss) / r2;
    return terms;
  }
};

template <int Dim>
struct EwaldKernel<SoftenedInverseDistance, Dim> {
  double alpha;
  double epsilon;
  EwaldKernel(const SoftenedInverseDistance& of, double splitting) : alpha(splitting), epsilon(of.epsilon) {}

  static constexpr bool isSingular = false;

  [[nodiscard]] KOKKOS_FUNCTION EwaldTerms near(double r2) const {
    const double s2 = r2 + epsilon * epsilon;
    const double s = Kokkos::sqrt(s2);
    EwaldTerms terms;
    terms.value = Kokkos::erfc(alpha * s) / s;
    terms.slope = -(terms.value + 2.0 * alpha * inverseSqrtPi * Kokkos::exp(-alpha * alpha * s2)) / s2;
    return terms;
  }
  [[nodiscard]] double transform(double k2) const {
    const double w = k2 / (4.0 * alpha * alpha);
    const double b = 0.5 * epsilon * std::sqrt(k2);
    if constexpr (Dim == 3) {
      // 4 pi / k^2 int_w^inf exp(-v - b^2 / v) dv by the exp-sinh form of tanh-sinh quadrature (H. Takahasi, M. Mori,
      // Double exponential formulas for numerical integration, Publ. RIMS 9, 1974).
      constexpr double step = 1.0 / 16.0;
      double sum = 0.0;
      for (int i = -80; i <= 80; ++i) {
        const double x = step * i;
        const double falling = std::exp(-x);
        const double s = std::exp(x - falling);
        sum += s * (1.0 + falling) * std::exp(-s - b * b / (w + s));
      }
      return 4.0 * std::numbers::pi / k2 * step * sum * std::exp(-w);
    } else {
      const double root = std::sqrt(w);
      const double tail = std::erfc(root + b / root);
      return std::numbers::pi / std::sqrt(k2) *
        (std::exp(-2.0 * b) * std::erfc(root - b / root) + (tail > 0.0 ? std::exp(2.0 * b) * tail : 0.0));
    }
  }
  [[nodiscard]] double farAtZero() const { return std::erf(alpha * epsilon) / epsilon; }
  [[nodiscard]] double farSlopeAtZero() const { return 0.0; }
  [[nodiscard]] double constant() const {
    const double a2 = alpha * alpha;
    const double e2 = epsilon * epsilon;
    if constexpr (Dim == 3) {
      return -std::numbers::pi * (std::exp(-a2 * e2) / a2 - e2 * exponentialIntegral(a2 * e2));
    } else {
      return -2.0 / inverseSqrtPi * (std::exp(-a2 * e2) / alpha - epsilon / inverseSqrtPi * std::erfc(alpha * epsilon));
    }
  }
};

template <int Dim>
struct EwaldKernel<Logarithm, Dim> {
  double alpha;
  EwaldKernel(const Logarithm& /*of*/, double splitting) : alpha(splitting) {}

  static constexpr bool isSingular = true;

  [[nodiscard]] KOKKOS_FUNCTION EwaldTerms near(double r2) const {
    const double x = alpha * alpha * r2;
    return {-0.5 * exponentialIntegral(x), Kokkos::exp(-x) / r2, 0.0};
  }
  [[nodiscard]] double transform(double k2) const {
    const double w = k2 / (4.0 * alpha * alpha);
    if constexpr (Dim == 2) {
      return -2.0 * std::numbers::pi / k2 * std::exp(-w);
    } else { // the incomplete gamma function of 3 / 2
      const double root = std::sqrt(w);
      return -4.0 * std::numbers::pi / (inverseSqrtPi * k2 * std::sqrt(k2)) *
        (root * std::exp(-w) + 0.5 / inverseSqrtPi * std::erfc(root));
    }
  }
  [[nodiscard]] double farAtZero() const { return -0.5 * std::numbers::egamma - std::log(alpha); }
  [[nodiscard]] double farSlopeAtZero() const { return 0.0; }
  [[nodiscard]] double constant() const {
    return Dim == 2 ? 0.5 * std::numbers::pi / (alpha * alpha)
                    : std::numbers::pi / (3.0 * inverseSqrtPi * alpha * alpha * alpha);
  }
};

/// A single Gaussian is all near or all far.
template <int Dim>
struct EwaldKernel<Gaussian, Dim> {
  double sigma2;
  bool isNear;
  EwaldKernel(const Gaussian& of, double splitting)
    : sigma2(of.sigma * of.sigma), isNear(1.0 >= splitting * of.sigma) {}

  static constexpr bool isSingular = false;

  [[nodiscard]] KOKKOS_FUNCTION EwaldTerms near(double r2) const {
    const double value = isNear ? Kokkos::exp(-r2 / sigma2) : 0.0;
    return {value, -2.0 / sigma2 * value, 0.0};
  }
  [[nodiscard]] double transform(double k2) const {
    return isNear ? 0.0 : std::pow(std::numbers::pi * sigma2, 0.5 * Dim) * std::exp(-0.25 * k2 * sigma2);
  }
  [[nodiscard]] double farAtZero() const { return isNear ? 0.0 : 1.0; }
  [[nodiscard]] double farSlopeAtZero() const { return 0.0; }
  [[nodiscard]] double constant() const { return transform(0.0); }
};

} // namespace spanwise::nbody::detail
