#pragma once

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/NBody/Detail/SumColumns.hpp"
#include "Core/Solvers/NBody/Points.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace spanwise::nbody {

/// How far sums are from direct ones, at some of their targets.
struct SumErrors {
  std::int64_t numTargets = 0; ///< that were looked at
  double potentialL2 = 0.0;    ///< sqrt(sum error^2 / sum potential^2)
  double potentialMax = 0.0;   ///< largest error, relative to the sum of what each source does, without signs
  double gradientL2 = 0.0;     ///< the same of gradients, as lengths of vectors
  double gradientMax = 0.0;
};

/// Sums to be looked at: those of one right-hand side.
template <int Dim, class Real>
struct SumsToSample {
  PointsView<Dim, Real> targets;
  SourcesView<Dim, Real> sources;
  SumsView<Real> sums;
  bool within = false; ///< targets are the sources: a particle does not act on itself
  double potentialFactor = 1.0;
  double gradientFactor = 1.0;
};

namespace detail {

/// Squares of errors and of sums, and relative errors, at a target.
struct SampledErrors {
  double potentialError2 = 0.0, potential2 = 0.0, potentialRelative = 0.0;
  double gradientError2 = 0.0, gradient2 = 0.0, gradientRelative = 0.0;
};

template <class Interaction, int Dim, class Real>
struct SampleTarget {
  using Columns = SumColumns<Interaction, Parts::Both, Dim>;
  Interaction interaction;
  SumsToSample<Dim, Real> of;
  std::int64_t numSamples;
  SampledErrors* errors;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const std::int64_t target = of.targets.count / numSamples * k + Kokkos::min(k, of.targets.count % numSamples);
    double sums[Columns::all] = {};
    double potentialSize = 0.0;
    double gradientSize = 0.0;
    for (std::int64_t j = 0; j < of.sources.points.count; ++j) {
      if (of.within && j == target) {
        continue;
      }
      double d[Dim];
      double q[Columns::numCharges];
      for (int axis = 0; axis < Dim; ++axis) {
        d[axis] = static_cast<double>(of.targets.coordinates[axis][target]) - of.sources.points.coordinates[axis][j];
      }
      for (int c = 0; c < Columns::numCharges; ++c) {
        q[c] = of.sources.charges[c * of.sources.stride + j];
      }
      double added[Columns::all] = {};
      addPair<Interaction, Parts::Both, Dim, 1>(interaction, d, q, added);
      for (int c = 0; c < Columns::all; ++c) {
        sums[c] += added[c];
      }
      potentialSize += length(added, Columns::ofPotential);
      gradientSize += length(added + Columns::ofPotential, Columns::ofGradient);
    }
    SampledErrors result;
    if (of.sums.potentials != nullptr) {
      compare(of.sums.potentials + target, of.potentialFactor, sums, Columns::ofPotential, result.potentialError2,
        result.potential2);
      result.potentialRelative = relative(result.potentialError2, Kokkos::abs(of.potentialFactor) * potentialSize);
    }
    if (of.sums.gradients != nullptr) {
      compare(of.sums.gradients + target, of.gradientFactor, sums + Columns::ofPotential, Columns::ofGradient,
        result.gradientError2, result.gradient2);
      result.gradientRelative = relative(result.gradientError2, Kokkos::abs(of.gradientFactor) * gradientSize);
    }
    errors[k] = result;
  }

private:
  static KOKKOS_FUNCTION double length(const double* values, int count) {
    double square = 0.0;
    for (int c = 0; c < count; ++c) {
      square += values[c] * values[c];
    }
    return Kokkos::sqrt(square);
  }
  static KOKKOS_FUNCTION double relative(double error2, double size) {
    return error2 > 0.0 ? Kokkos::sqrt(error2) / size : 0.0;
  }
  KOKKOS_FUNCTION void compare(
    const Real* given, double factor, const double* exact, int count, double& error2, double& exact2) const {
    for (int c = 0; c < count; ++c) {
      const double expected = factor * exact[c];
      const double error = static_cast<double>(given[c * of.sums.stride]) - expected;
      error2 += error * error;
      exact2 += expected * expected;
    }
  }
};

/// What errors at targets are together.
inline SumErrors totalErrors(const SampledErrors* errors, std::int64_t count) {
  SumErrors result;
  result.numTargets = count;
  SampledErrors total;
  for (std::int64_t k = 0; k < count; ++k) {
    const SampledErrors& at = errors[k];
    total.potentialError2 += at.potentialError2;
    total.potential2 += at.potential2;
    total.gradientError2 += at.gradientError2;
    total.gradient2 += at.gradient2;
    result.potentialMax = std::max(result.potentialMax, at.potentialRelative);
    result.gradientMax = std::max(result.gradientMax, at.gradientRelative);
  }
  result.potentialL2 = total.potentialError2 > 0.0 ? std::sqrt(total.potentialError2 / total.potential2) : 0.0;
  result.gradientL2 = total.gradientError2 > 0.0 ? std::sqrt(total.gradientError2 / total.gradient2) : 0.0;
  return result;
}

} // namespace detail

/// Compares sums with direct ones in double precision at `mostTargets` targets, evenly spaced in their order, or at all
/// if there are not so many. Waits for the result. O(sources * mostTargets).
template <class ExecutionSpace, class Interaction, int Dim, class Real>
SumErrors sampleErrors(const ExecutionSpace& space, const Interaction& interaction, SumsToSample<Dim, Real> of,
  std::int64_t mostTargets, Workspace<typename ExecutionSpace::memory_space>& workspace) {
  static_assert(AnyInteraction<Interaction>, "an interaction has terms() or add(): Interactions.hpp");
  SPANWISE_REGION("NBody::sampleErrors");
  SumErrors result;
  result.numTargets = std::min(mostTargets, of.targets.count);
  if (result.numTargets <= 0) {
    result.numTargets = 0;
    return result;
  }
  of.sums.stride = of.sums.stride == 0 ? of.targets.count : of.sums.stride;
  of.sources.stride = of.sources.stride == 0 ? of.sources.points.count : of.sources.stride;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  const auto errors = frame.template array<detail::SampledErrors>(result.numTargets);
  Kokkos::parallel_for(SPANWISE_KERNEL("sample errors"),
    spanwise::detail::Range<ExecutionSpace>(space, 0, result.numTargets),
    detail::SampleTarget<Interaction, Dim, Real>{interaction, of, result.numTargets, errors.data()});
  space.fence(SPANWISE_LABEL("NBody::sampleErrors"));
  const auto onHost = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), errors);
  return detail::totalErrors(onHost.data(), result.numTargets);
}

} // namespace spanwise::nbody
