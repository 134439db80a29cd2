#pragma once

#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/NBody/Detail/EwaldKernels.hpp"
#include "Core/Solvers/NBody/PeriodicBox.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

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

/// Whole numbers along each axis.
template <int Dim>
using Periods = Kokkos::Array<int, Dim>;

/// Calls visit for all whole numbers from -most to most along each axis.
#ifdef __CUDACC__
#pragma nv_exec_check_disable // `visit` is for where this is called
#endif
template <int Dim, class Visit>
KOKKOS_FUNCTION void forEachPeriods(const Periods<Dim>& most, const Visit& visit) {
  Periods<Dim> at;
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

/// What Ewald's sums over the images of a source go over: images whose near part counts, and waves of the far part.
template <class Interaction, int Dim>
struct EwaldLattice {
  using Kernel = EwaldKernel<Interaction, Dim>;
  using Complex = Kokkos::complex<double>;

  /// Of a pair k and -k.
  struct Wave {
    Periods<Dim> periods;
    double weight; ///< 2 transform / volume
  };

  Kernel kernel;
  double edges[Dim] = {};
  double reach = 0.0;    ///< of the near part
  double constant = 0.0; ///< of each source
  double farAtZero = 0.0;
  double farSlopeAtZero = 0.0;
  const Wave* waves = nullptr; ///< in memory of the execution space
  std::int64_t numWaves = 0;
  int maxPeriods = 0;

  /// `splitting`: alpha times the cube root (in 2D: square root) of the volume. Waves are in memory of the frame.
  template <class ExecutionSpace>
  EwaldLattice(const ExecutionSpace& space, const Interaction& interaction, const PeriodicBox& box, double splitting,
    typename Workspace<typename ExecutionSpace::memory_space>::Frame& frame)
    : kernel(interaction, alphaOf(box, splitting)) {
    // Beyond so many widths of the Gaussian that cuts the interaction nothing is left of it: exp(-6.1^2) = 7e-17.
    constexpr double width = 6.1;
    const double alpha = alphaOf(box, splitting);
    double volume = 1.0;
    for (int axis = 0; axis < Dim; ++axis) {
      edges[axis] = box.edges[axis];
      volume *= edges[axis];
    }
    reach = width / alpha;
    constant = kernel.constant() / volume;
    farAtZero = kernel.farAtZero();
    farSlopeAtZero = kernel.farSlopeAtZero();
    const double maxK = 2.0 * alpha * width;
    Periods<Dim> most;
    for (int axis = 0; axis < Dim; ++axis) {
      most[axis] = static_cast<int>(maxK * edges[axis] / (2.0 * std::numbers::pi));
      maxPeriods = std::max(maxPeriods, most[axis]);
    }
    const auto forEachWave = [&](const auto& visit) {
      forEachPeriods<Dim>(most, [&](const Periods<Dim>& periods) {
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
    forEachWave([&](const Periods<Dim>& /*periods*/, double /*k2*/) { ++numWaves; });
    Wave* const there = frame.template array<Wave>(numWaves).data();
    std::vector<Wave> onHost(runsOnHost<ExecutionSpace> ? 0 : static_cast<std::size_t>(numWaves));
    Wave* const here = runsOnHost<ExecutionSpace> ? there : onHost.data();
    std::int64_t next = 0;
    forEachWave(
      [&](const Periods<Dim>& periods, double k2) { here[next++] = {periods, 2.0 * kernel.transform(k2) / volume}; });
    if (here != there) {
      copyFromHost(space, here, numWaves, there);
    }
    waves = there;
  }

  /// How far images within reach are from a source that is at most `halves` half edges away along each axis.
  [[nodiscard]] Periods<Dim> imagesWithin(int halves) const {
    Periods<Dim> most;
    for (int axis = 0; axis < Dim; ++axis) {
      most[axis] = static_cast<int>(std::ceil(reach / edges[axis] + 0.5 * halves)) - 1;
    }
    return most;
  }

  /// exp(2 pi i m x / edge) for m = -maxPeriods ... maxPeriods, axis by axis.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t phaseCount() const { return Dim * (2 * std::int64_t{maxPeriods} + 1); }
  KOKKOS_FUNCTION void findPhases(const double* x, Complex* phases) const {
    for (int axis = 0; axis < Dim; ++axis) {
      Complex* const middle = phases + axis * (2 * maxPeriods + 1) + maxPeriods;
      const double turns = x[axis] / edges[axis];
      const double angle = 2.0 * Kokkos::numbers::pi * (turns - Kokkos::round(turns));
      for (int m = 0; m <= maxPeriods; ++m) {
        middle[m] = Complex(Kokkos::cos(m * angle), Kokkos::sin(m * angle));
        middle[-m] = Complex(middle[m].real(), -middle[m].imag());
      }
    }
  }
  [[nodiscard]] KOKKOS_FUNCTION Complex phaseOf(const Wave& wave, const Complex* phases) const {
    const int stride = 2 * maxPeriods + 1;
    Complex phase = phases[maxPeriods + wave.periods[0]];
    for (int axis = 1; axis < Dim; ++axis) {
      const Complex other = phases[axis * stride + maxPeriods + wave.periods[axis]];
      phase = Complex(phase.real() * other.real() - phase.imag() * other.imag(),
        phase.real() * other.imag() + phase.imag() * other.real());
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
