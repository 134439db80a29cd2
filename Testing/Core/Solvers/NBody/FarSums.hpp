#pragma once

// Sums by multipoles, and how far they are from those of long doubles.

#include "Core/Solvers/NBody/MultipoleSums.hpp"
#include "Testing/Core/Solvers/NBody/Distributions.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace spanwise::nbody::testing {

template <class Real>
using FarResult = ResultWith<Real, MultipoleReport>;

/// Without targets, of the sources on themselves. Also by teams on the host, as on a device.
template <class Space, class Interaction, int Dim, class Real, bool byTeams = !runsOnHost<Space>>
FarResult<Real> farSum(const Space& space, const Interaction& interaction, const Uploaded<Space, Dim, Real>* targets,
  const Uploaded<Space, Dim, Real>& sources, Parts parts, const MultipoleOptions& options) {
  MultipoleMemory<Dim, Space> memory;
  const bool within = targets == nullptr;
  return resultOf<Space, Dim, Real>(
    within ? sources.count : targets->count, options.numRightHandSides, parts, [&](const SumsView<Real>& sums) {
      const detail::SumCall<Interaction, Dim, Real> call{
        interaction, within ? sources.view() : targets->view(), sources.sources(), sums, within};
      return detail::multipoleCall<Space, Interaction, Dim, Real, byTeams>(Context(space), call, options, memory);
    });
}

/// |k| and |grad k| of a unit charge or dipole at a distance.
template <class Interaction>
std::array<long double, 2> sizes(const Interaction& interaction, long double r) {
  const Derivatives of = closedForm(interaction, r);
  return {std::abs(of.f), std::abs(of.f1)};
}
template <int Dim>
std::array<long double, 2> sizes(const Dipole<Dim>& /*of*/, long double r) {
  return r > 0 ? std::array<long double, 2>{1 / (r * r), 2 / (r * r * r)} : std::array<long double, 2>{};
}

/// What accuracies of sums by multipoles are relative to (MultipoleSums.hpp): the same, but where an interaction falls
/// by more than a hundred from half the distance on, of a source at a quarter of it.
template <class Interaction>
struct NotSteep {
  static constexpr int numCharges = numChargesOf<Interaction>;
  Interaction interaction;
};
template <class Interaction>
std::array<long double, 2> sizes(const NotSteep<Interaction>& of, long double r) {
  const auto there = sizes(of.interaction, r);
  return sizes(of.interaction, r / 2)[0] > 100 * there[0] ? sizes(of.interaction, r / 4) : there;
}

/// sum |q k| and sum |q grad k| of all sources at target i; in a periodic box with this edge, of the nearest images.
template <class Interaction, int Dim, class Real>
std::array<long double, 2> sizesAt(const Interaction& interaction, const Particles<Dim, Real>& targets, std::int64_t i,
  const Particles<Dim, Real>& sources, bool within, int side = 0, long double edge = 0) {
  std::array<long double, 2> sums{};
  for (std::int64_t j = 0; j < sources.count(); ++j) {
    long double r2 = 0;
    long double q2 = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      long double d = static_cast<long double>(targets.points[axis][i]) - sources.points[axis][j];
      if (edge > 0) {
        d -= edge * std::round(d / edge);
      }
      r2 += d * d;
    }
    for (int c = 0; c < numChargesOf<Interaction>; ++c) {
      const long double q = sources.charges[side * numChargesOf<Interaction> + c][j];
      q2 += q * q;
    }
    if (!within || i != j) {
      const auto [k, slope] = sizes(interaction, std::sqrt(r2));
      sums[0] += std::sqrt(q2) * k;
      sums[1] += std::sqrt(q2) * slope;
    }
  }
  return sums;
}

/// The largest errors at every `stride`th target, of potentials relative to sum |q k|, of gradients to sum |q grad k|,
/// both of the interaction `beside`.
template <class Interaction, class Beside, int Dim, class Real, class Report>
std::array<double, 2> errorsBeside(const Beside& beside, const ResultWith<Real, Report>& result,
  const Interaction& interaction, const Particles<Dim, Real>& targets, const Particles<Dim, Real>& sources, bool within,
  std::int64_t stride, int side = 0) {
  std::array<double, 2> largest{};
  for (std::int64_t i = 0; i < targets.count(); i += stride) {
    const Exact<Dim> exact = exactAt(interaction, targets, i, sources, within ? i : -1, side);
    const auto [potentialSize, gradientSize] = sizesAt(beside, targets, i, sources, within, side);
    const auto relative = [](long double error, long double size) {
      return static_cast<double>(error == 0 ? 0 : error / size);
    };
    if (!result.potentials.empty()) {
      const auto value = result.potentials[side * targets.count() + i];
      EXPECT_TRUE(std::isfinite(value));
      largest[0] = std::max(largest[0], relative(std::abs(value - exact.potential), potentialSize));
    }
    long double square = 0;
    for (int axis = 0; axis < Dim && !result.gradients.empty(); ++axis) {
      const auto value = result.gradients[(side * Dim + axis) * targets.count() + i];
      EXPECT_TRUE(std::isfinite(value));
      square += (value - exact.gradient[axis]) * (value - exact.gradient[axis]);
    }
    largest[1] = std::max(largest[1], relative(std::sqrt(square), gradientSize));
  }
  return largest;
}

template <class Interaction, int Dim, class Real, class Report>
std::array<double, 2> errorsOf(const ResultWith<Real, Report>& result, const Interaction& interaction,
  const Particles<Dim, Real>& targets, const Particles<Dim, Real>& sources, bool within, std::int64_t stride,
  int side = 0) {
  return errorsBeside(interaction, result, interaction, targets, sources, within, stride, side);
}

/// Sums of a set on itself have the accuracy that is asked for.
template <class Space, class Interaction, int Dim, class Real, bool byTeams = !runsOnHost<Space>>
void expectAccurate(const Interaction& interaction, Distribution distribution, std::int64_t count, Parts parts,
  double accuracy, std::int64_t maxInLeaf = 0) {
  std::mt19937 random(seed());
  const auto particles = distributed<Dim, Real>(distribution, random, count, numChargesOf<Interaction>);
  const Uploaded<Space, Dim, Real> uploaded(particles);
  MultipoleOptions options;
  options.accuracy = accuracy;
  options.maxInLeaf = maxInLeaf;
  const auto result =
    farSum<Space, Interaction, Dim, Real, byTeams>(Space(), interaction, nullptr, uploaded, parts, options);
  const auto errors = errorsOf(result, interaction, particles, particles, true, count / 50 + 1);
  EXPECT_LE(errors[0], accuracy) << "potential " << distributionName(distribution) << ", order " << result.report.order;
  EXPECT_LE(errors[1], accuracy) << "gradient " << distributionName(distribution) << ", order " << result.report.order;
}

} // namespace spanwise::nbody::testing
