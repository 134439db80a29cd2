#pragma once

#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/NBody/Detail/EwaldKernels.hpp"
#include "Core/Solvers/NBody/PeriodicBox.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <span>

namespace spanwise::nbody::detail {

/// The splitting (EwaldOptions) with which sums of so many sources at so many targets take the least time. With it
/// pairs of particles that are near fall as splitting^-Dim, and waves grow as splitting^Dim: both together are then
/// O((sources targets (sources + targets))^(1/2)), and pairs that are apart cost a look at their distance.
template <int Dim>
[[nodiscard]] inline double splittingFor(std::int64_t numSources, std::int64_t numTargets) {
  constexpr double least = 6.0; // near parts reach 27 images
  // pairs within reach over waves, both at splitting 1, times 25, which was best for 1000 and 4000 particles
  constexpr double ratio = Dim == 3 ? 775.0 : 250.0;
  const double sources = static_cast<double>(numSources);
  const double targets = static_cast<double>(numTargets);
  const double mean = sources + targets > 0.0 ? 2.0 * sources * targets / (sources + targets) : 0.0;
  return std::max(least, std::pow(ratio * mean, 0.5 / Dim));
}

/// What Ewald's sums over the images of a source go over: images whose near part counts, and waves of the far part.
template <class Interaction, int Dim>
struct EwaldLattice {
  /// Of a pair k and -k; along axis a it has wave[a] periods.
  struct Wave {
    std::array<int, Dim> periods;
    double weight; ///< 2 transform / volume
  };
  using Kernel = EwaldKernel<Interaction, Dim>;

  Kernel kernel;
  std::array<double, Dim> edges{};
  double reach = 0.0;          ///< of the near part
  double constant = 0.0;       ///< of each source
  std::span<const Wave> waves; ///< in memory of the frame
  int maxPeriods = 0;

  /// `splitting`: alpha times the cube root (in 2D: square root) of the volume.
  EwaldLattice(const Interaction& interaction, const PeriodicBox& box, double splitting,
    Workspace<Kokkos::HostSpace>::Frame& frame)
    : kernel(interaction, alphaOf(box, splitting)) {
    constexpr double width = 6.1; // exp(-6.1^2) = 7e-17
    const double alpha = alphaOf(box, splitting);
    double volume = 1.0;
    for (int axis = 0; axis < Dim; ++axis) {
      edges[axis] = box.edges[axis];
      volume *= edges[axis];
    }
    reach = width / alpha;
    constant = kernel.constant() / volume;
    const double maxK = 2.0 * alpha * width;
    std::array<int, Dim> most{};
    for (int axis = 0; axis < Dim; ++axis) {
      most[axis] = static_cast<int>(maxK * edges[axis] / (2.0 * std::numbers::pi));
      maxPeriods = std::max(maxPeriods, most[axis]);
    }
    const auto forEachWave = [&](const auto& visit) {
      forEachIn(most, [&](const std::array<int, Dim>& periods) {
        double k2 = 0.0;
        int leading = 0; // the last number that is not 0
        for (int axis = 0; axis < Dim; ++axis) {
          const double k = 2.0 * std::numbers::pi * periods[axis] / edges[axis];
          k2 += k * k;
          leading = periods[axis] != 0 ? periods[axis] : leading;
        }
        if (leading > 0 && k2 <= maxK * maxK) {
          visit(periods, k2);
        }
      });
    };
    std::int64_t count = 0;
    forEachWave([&](const std::array<int, Dim>& /*periods*/, double /*k2*/) { ++count; });
    Wave* const found = frame.template array<Wave>(count).data();
    std::int64_t next = 0;
    forEachWave([&](const std::array<int, Dim>& periods, double k2) {
      found[next++] = {periods, 2.0 * kernel.transform(k2) / volume};
    });
    waves = {found, static_cast<std::size_t>(count)};
  }

  /// Calls visit for all whole numbers from -most to most along each axis.
  template <class Visit>
  static void forEachIn(const std::array<int, Dim>& most, const Visit& visit) {
    std::array<int, Dim> at{};
    for (int axis = 0; axis < Dim; ++axis) {
      at[axis] = -most[axis];
    }
    for (;;) {
      visit(at);
      int axis = 0;
      while (axis < Dim && ++at[axis] > most[axis]) {
        at[axis] = -most[axis];
        ++axis;
      }
      if (axis == Dim) {
        return;
      }
    }
  }

  /// How far images within reach are from a source that is at most `halves` half edges away along each axis.
  [[nodiscard]] std::array<int, Dim> imagesWithin(int halves) const {
    std::array<int, Dim> most{};
    for (int axis = 0; axis < Dim; ++axis) {
      most[axis] = static_cast<int>(std::ceil(reach / edges[axis] + 0.5 * halves)) - 1;
    }
    return most;
  }

  /// exp(2 pi i m x / edge) for m = -maxPeriods ... maxPeriods, axis by axis.
  [[nodiscard]] std::int64_t phaseCount() const { return Dim * (2 * std::int64_t{maxPeriods} + 1); }
  void findPhases(const double* x, std::complex<double>* phases) const {
    for (int axis = 0; axis < Dim; ++axis) {
      std::complex<double>* const middle = phases + axis * (2 * maxPeriods + 1) + maxPeriods;
      const double turns = x[axis] / edges[axis];
      const double angle = 2.0 * std::numbers::pi * (turns - std::round(turns));
      for (int m = 0; m <= maxPeriods; ++m) {
        middle[m] = {std::cos(m * angle), std::sin(m * angle)};
        middle[-m] = std::conj(middle[m]);
      }
    }
  }
  [[nodiscard]] std::complex<double> phaseOf(const Wave& wave, const std::complex<double>* phases) const {
    const int stride = 2 * maxPeriods + 1;
    std::complex<double> phase = phases[maxPeriods + wave.periods[0]];
    for (int axis = 1; axis < Dim; ++axis) {
      const std::complex<double> other = phases[axis * stride + maxPeriods + wave.periods[axis]];
      phase = {phase.real() * other.real() - phase.imag() * other.imag(),
        phase.real() * other.imag() + phase.imag() * other.real()};
    }
    return phase;
  }

private:
  static double alphaOf(const PeriodicBox& box, double splitting) {
    double volume = 1.0;
    for (int axis = 0; axis < Dim; ++axis) {
      volume *= box.edges[axis];
    }
    return splitting / std::pow(volume, 1.0 / Dim);
  }
};

} // namespace spanwise::nbody::detail
