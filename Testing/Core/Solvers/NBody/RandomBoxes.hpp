#pragma once

// Distributions in boxes that begin at random places, and the errors of their sums by multipoles.

#include "Testing/Core/Solvers/NBody/FarSums.hpp"
#include "Testing/Rooms.hpp"

#include <initializer_list>
#include <string>
#include <vector>

namespace spanwise::nbody::testing {

/// A distribution in the unit box or a tenth beyond it, and two points without a charge that move where boxes begin.
/// The root has the side 2 for each: operators of interactions with a length are made once for all.
template <int Dim, class Real>
Particles<Dim, Real> inRandomBoxes(
  Distribution distribution, std::mt19937& random, std::int64_t count, int numColumns) {
  auto particles = distributed<Dim, Real>(distribution, random, count, numColumns);
  const bool isRound = distribution == Distribution::Sphere || distribution == Distribution::Plummer;
  const double radius = distribution == Distribution::Plummer ? 40.0 : 1.0; // none is farther from the centre
  std::uniform_real_distribution<double> beyond(0.0, 0.44);
  for (auto& axis : particles.points) {
    for (Real& x : axis) {
      x = isRound ? static_cast<Real>(0.5 + 0.5 * static_cast<double>(x) / radius) : x;
    }
    axis.push_back(static_cast<Real>(-beyond(random)));
    axis.push_back(static_cast<Real>(1.1 + beyond(random)));
  }
  for (auto& column : particles.charges) {
    column.insert(column.end(), {Real(0), Real(0)});
  }
  return particles;
}

/// Errors as shares of what is asked, and how many of all pairs are not taken one by one.
struct BoxErrors {
  double potential = 0.0;
  double gradient = 0.0;
  double far = 0.0;
  int order = 0;
};

/// Of sums of a distribution on itself, at some 60 targets.
template <class Interaction, int Dim, class Real>
BoxErrors errorsInRandomBoxes(const Interaction& interaction, Distribution distribution, unsigned seed,
  std::int64_t count, Parts parts, double accuracy, std::int64_t maxInLeaf) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  std::mt19937 random(seed);
  const auto particles = inRandomBoxes<Dim, Real>(distribution, random, count, numChargesOf<Interaction>);
  const Uploaded<Space, Dim, Real> uploaded(particles);
  MultipoleOptions options;
  options.accuracy = accuracy;
  options.maxInLeaf = maxInLeaf;
  const auto result = farSum<Space, Interaction, Dim, Real>(Space(), interaction, nullptr, uploaded, parts, options);
  const auto errors =
    errorsBeside(NotSteep<Interaction>{interaction}, result, interaction, particles, particles, true, count / 60);
  const auto all = static_cast<double>(particles.count()) * static_cast<double>(particles.count());
  return {errors[0] / accuracy, errors[1] / accuracy, 1.0 - result.report.numNear / all, result.report.order};
}

} // namespace spanwise::nbody::testing
