#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/NBody/Detail/DirectSums.hpp"
#include "Core/Solvers/NBody/Detail/EwaldLattice.hpp"
#include "Core/Solvers/NBody/Detail/NearField.hpp"
#include "Core/Solvers/NBody/Detail/SumColumns.hpp"
#include "Core/Solvers/NBody/Detail/WrapPoints.hpp"
#include "Core/Solvers/NBody/EwaldSums.hpp"

#include <algorithm>
#include <complex>

namespace spanwise::nbody::detail {

/// The sum of charges and that of their magnitudes.
struct ChargeSums {
  double sum = 0.0;
  double magnitudes = 0.0;
  double largest = 0.0; ///< magnitude
  KOKKOS_FUNCTION ChargeSums& operator+=(const ChargeSums& other) {
    sum += other.sum;
    magnitudes += other.magnitudes;
    largest = Kokkos::max(largest, other.largest);
    return *this;
  }
};

template <class Real>
struct AddCharges {
  const Real* charges;
  KOKKOS_FUNCTION void operator()(std::int64_t j, ChargeSums& sums) const {
    const double magnitude = Kokkos::abs(static_cast<double>(charges[j]));
    sums += {static_cast<double>(charges[j]), magnitude, magnitude};
  }
};

template <class ExecutionSpace, class Real>
ChargeSums sumCharges(const ExecutionSpace& space, const Real* charges, std::int64_t count) {
  ChargeSums sums;
  reduce(SPANWISE_KERNEL("add charges"), IndexRange<ExecutionSpace>(space, 0, count), AddCharges<Real>{charges}, sums);
  return sums;
}

/// Throws where the charges of an interaction that needs it are not neutral, right-hand side by right-hand side.
template <class ExecutionSpace, class Interaction, class Real>
void checkCharges(const ExecutionSpace& space, const PeriodicBox& box, const Interaction& interaction,
  const Real* charges, std::int64_t stride, std::int64_t count, int numSides) {
  for (int side = 0; side < numSides && needsNeutral(interaction); ++side) {
    const ChargeSums sums = sumCharges(space, charges + side * stride, count);
    checkNeutral(box, sums.sum, sums.magnitudes);
  }
}

/// A potential and its gradient in a periodic box, and what the nearest images make of them without signs.
template <int Dim>
struct EwaldValue {
  double potential = 0.0;
  std::array<double, Dim> gradient{};
  double potentialSize = 0.0;
  double gradientSize = 0.0;
};

/// Sums of one right-hand side at some targets. Points are wrapped.
template <class Interaction, int Dim, class Real>
class EwaldProblem {
public:
  using FarKernel = typename FarKernelOf<Interaction>::Type;
  using Lattice = EwaldLattice<FarKernel, Dim>;
  using Wave = typename Lattice::Wave;
  static constexpr bool ofDipoles = FarKernelOf<Interaction>::ofDipoles;
  static constexpr int numCharges = numChargesOf<Interaction>;

  /// So many points at once have room for their phases.
  static constexpr std::int64_t pointsAtOnce = 512;

  EwaldProblem(const Interaction& interaction, const PeriodicBox& box, double splitting,
    const PointsView<Dim, Real>& targets, const PointsView<Dim, Real>& sources,
    Workspace<Kokkos::HostSpace>::Frame& frame)
    : interaction_(interaction),
      lattice_(FarKernelOf<Interaction>::of(interaction), box,
        splitting > 0.0 ? splitting : splittingFor<Dim>(sources.count, targets.count), frame),
      targets_(targets), sources_(sources), images_(lattice_.imagesWithin(1)),
      amplitudes_(frame.template array<std::complex<double>>(numWaves()).data()),
      phases_(frame.template array<std::complex<double>>(pointsAtOnce * lattice_.phaseCount()).data()) {}

  /// Charges of the side that is summed next. The sum of all waves of the sources: O(sources * waves).
  template <class ExecutionSpace>
  void setCharges(const ExecutionSpace& space, const Real* charges, std::int64_t stride) {
    charges_ = charges;
    stride_ = stride;
    total_ = 0.0;
    for (std::int64_t j = 0; !ofDipoles && j < sources_.count; ++j) {
      total_ += charges[j];
    }
    std::fill_n(amplitudes_, numWaves(), std::complex<double>());
    for (std::int64_t begin = 0; begin < sources_.count; begin += pointsAtOnce) {
      const std::int64_t count = std::min(pointsAtOnce, sources_.count - begin);
      forEachHost(space, SPANWISE_KERNEL("find phases"), count, [&](std::int64_t k) {
        double x[Dim];
        load(sources_, begin + k, x);
        lattice_.findPhases(x, phasesOf(k));
      });
      forEachHost(space, SPANWISE_KERNEL("add waves"), numWaves(),
        [&](std::int64_t w) { addSources(lattice_.waves[w], begin, count, amplitudes_[w]); });
    }
  }

  /// What all sources do at target i, which is number k of those that are found at once, and is the source `self` or
  /// none (-1).
  [[nodiscard]] EwaldValue<Dim> at(std::int64_t i, std::int64_t k, std::int64_t self, bool withSizes) const {
    EwaldValue<Dim> result;
    double x[Dim];
    load(targets_, i, x);
    result.potential = total_ * lattice_.constant;
    addWaves(x, phasesOf(k), result);
    for (std::int64_t j = 0; j < sources_.count; ++j) {
      double d[Dim];
      double q[numCharges];
      load(sources_, j, d);
      for (int axis = 0; axis < Dim; ++axis) {
        d[axis] = x[axis] - d[axis];
        d[axis] -= lattice_.edges[axis] * std::round(d[axis] / lattice_.edges[axis]);
      }
      for (int c = 0; c < numCharges; ++c) {
        q[c] = charges_[c * stride_ + j];
      }
      addNearImages(d, q, j == self, result);
      if (withSizes) {
        addSizes(d, q, j == self, result);
      }
    }
    return result;
  }

private:
  [[nodiscard]] std::int64_t numWaves() const { return static_cast<std::int64_t>(lattice_.waves.size()); }
  [[nodiscard]] std::complex<double>* phasesOf(std::int64_t k) const { return phases_ + k * lattice_.phaseCount(); }

  template <class ExecutionSpace, class Body>
  static void forEachHost(const ExecutionSpace& space, const char* name, std::int64_t count, const Body& body) {
    forEach(name, IndexRange<ExecutionSpace>(space, 0, count), body);
    space.fence(SPANWISE_LABEL("NBody::ewald"));
  }

  static void load(const PointsView<Dim, Real>& points, std::int64_t i, double* x) {
    for (int axis = 0; axis < Dim; ++axis) {
      x[axis] = points.coordinates[axis][i];
    }
  }

  /// k . v
  [[nodiscard]] double along(const Wave& wave, const double* v) const {
    double sum = 0.0;
    for (int axis = 0; axis < Dim; ++axis) {
      sum += 2.0 * std::numbers::pi * wave.periods[axis] / lattice_.edges[axis] * v[axis];
    }
    return sum;
  }

  /// sum q exp(-i k y), of dipoles sum p . grad exp(-i k y).
  void addSources(const Wave& wave, std::int64_t begin, std::int64_t count, std::complex<double>& amplitude) const {
    std::complex<double> sum;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::complex<double> phase = std::conj(lattice_.phaseOf(wave, phasesOf(k)));
      if constexpr (ofDipoles) {
        double p[Dim];
        for (int c = 0; c < Dim; ++c) {
          p[c] = charges_[c * stride_ + begin + k];
        }
        const double weight = along(wave, p);
        sum += std::complex<double>(weight * phase.imag(), -weight * phase.real());
      } else {
        sum += static_cast<double>(charges_[begin + k]) * phase;
      }
    }
    amplitude += sum;
  }

  void addWaves(const double* x, std::complex<double>* phases, EwaldValue<Dim>& result) const {
    lattice_.findPhases(x, phases);
    for (std::int64_t w = 0; w < numWaves(); ++w) {
      const Wave& wave = lattice_.waves[w];
      const std::complex<double> phase = lattice_.phaseOf(wave, phases);
      const std::complex<double> a = amplitudes_[w];
      result.potential += wave.weight * (phase.real() * a.real() - phase.imag() * a.imag());
      const double slope = -wave.weight * (phase.real() * a.imag() + phase.imag() * a.real());
      for (int axis = 0; axis < Dim; ++axis) {
        result.gradient[axis] += slope * (2.0 * std::numbers::pi * wave.periods[axis] / lattice_.edges[axis]);
      }
    }
  }

  /// What a source with the near part or minus the far part of the interaction does, d away from it.
  static void addTerms(const EwaldTerms& terms, const double* d, const double* q, EwaldValue<Dim>& result) {
    if constexpr (ofDipoles) { // - p . grad
      double pd = 0.0;
      for (int axis = 0; axis < Dim; ++axis) {
        pd += q[axis] * d[axis];
      }
      result.potential -= terms.slope * pd;
      for (int axis = 0; axis < Dim; ++axis) {
        result.gradient[axis] -= terms.slope * q[axis] + terms.curve * pd * d[axis];
      }
    } else {
      result.potential += q[0] * terms.value;
      for (int axis = 0; axis < Dim; ++axis) {
        result.gradient[axis] += q[0] * terms.slope * d[axis];
      }
    }
  }

  void addNearImages(const double* d, const double* q, bool isSelf, EwaldValue<Dim>& result) const {
    const auto& kernel = lattice_.kernel;
    Lattice::forEachIn(images_, [&](const std::array<int, Dim>& image) {
      double from[Dim];
      double r2 = 0.0;
      bool isImage = false;
      for (int axis = 0; axis < Dim; ++axis) {
        from[axis] = d[axis] + image[axis] * lattice_.edges[axis];
        r2 += from[axis] * from[axis];
        isImage |= image[axis] != 0;
      }
      if (r2 > lattice_.reach * lattice_.reach) {
        return;
      }
      if (r2 == 0.0 && (Lattice::Kernel::isSingular || (isSelf && !isImage))) { // the waves have it
        addTerms({-kernel.farAtZero(), -kernel.farSlopeAtZero(), 0.0}, from, q, result);
      } else {
        addTerms(kernel.near(r2), from, q, result);
      }
    });
  }

  void addSizes(const double* d, const double* q, bool isSelf, EwaldValue<Dim>& result) const {
    std::array<int, Dim> nearest{};
    nearest.fill(1);
    Lattice::forEachIn(nearest, [&](const std::array<int, Dim>& image) {
      using Columns = SumColumns<Interaction, Parts::Both, Dim>;
      double from[Dim];
      bool isImage = false;
      for (int axis = 0; axis < Dim; ++axis) {
        from[axis] = d[axis] + image[axis] * lattice_.edges[axis];
        isImage |= image[axis] != 0;
      }
      if (isSelf && !isImage) {
        return;
      }
      double added[Columns::all] = {};
      addPair<Interaction, Parts::Both, Dim, 1>(interaction_, from, q, added);
      double square = 0.0;
      for (int axis = 0; axis < Dim; ++axis) {
        square += added[1 + axis] * added[1 + axis];
      }
      result.potentialSize += std::abs(added[0]);
      result.gradientSize += std::sqrt(square);
    });
  }

  Interaction interaction_;
  Lattice lattice_;
  PointsView<Dim, Real> targets_;
  PointsView<Dim, Real> sources_;
  std::array<int, Dim> images_;
  std::complex<double>* amplitudes_; ///< of the sources, wave by wave
  std::complex<double>* phases_;     ///< [pointsAtOnce x phaseCount()]
  const Real* charges_ = nullptr;
  std::int64_t stride_ = 0;
  double total_ = 0.0; ///< of the charges
};

template <class Interaction, int Dim, class Real>
struct PutEwald {
  const EwaldProblem<Interaction, Dim, Real>* problem;
  SumsView<Real> sums;
  EwaldOptions options;
  int side;
  std::int64_t begin; ///< of the targets that are found at once
  bool within;

  void operator()(std::int64_t i) const {
    const EwaldValue<Dim> value = problem->at(i, i - begin, within ? i : -1, false);
    const auto put = [&](Real* to, double sum) {
      *to = static_cast<Real>(options.store == Store::Add ? *to + sum : sum);
    };
    if (sums.potentials != nullptr) {
      put(sums.potentials + side * sums.stride + i, options.potentialFactor * value.potential);
    }
    for (int axis = 0; axis < Dim && sums.gradients != nullptr; ++axis) {
      put(sums.gradients + (side * Dim + axis) * sums.stride + i, options.gradientFactor * value.gradient[axis]);
    }
  }
};

template <class ExecutionSpace, class Interaction, int Dim, class Real>
void ewaldCall(const Context<ExecutionSpace>& context, SumCall<Interaction, Dim, Real> call, const PeriodicBox& box,
  const EwaldOptions& options, const Progress& progress) {
  const ExecutionSpace& space = context.space();

  static_assert(runsOnHost<ExecutionSpace>, "Ewald sums are made on the host");
  static_assert(hasEwald<typename FarKernelOf<Interaction>::Type>, "only interactions of Interactions.hpp have these");
  SumOptions asDirect;
  asDirect.numRightHandSides = options.numRightHandSides;
  asDirect.potentialFactor = options.potentialFactor;
  asDirect.gradientFactor = options.gradientFactor;
  checkCall(call, asDirect);
  checkBox(box, Dim);
  checkCharges(space, box, call.interaction, call.sources.charges, call.sources.stride, call.sources.points.count,
    options.numRightHandSides);
  typename Workspace<Kokkos::HostSpace>::Frame frame(context.workspace());
  const auto sources = wrapPoints(space, call.sources.points, box, frame);
  const auto targets = call.within ? sources : wrapPoints(space, call.targets, box, frame);
  EwaldProblem<Interaction, Dim, Real> problem(call.interaction, box, options.splitting, targets, sources, frame);
  constexpr int numCharges = numChargesOf<Interaction>;
  for (int side = 0; side < options.numRightHandSides; ++side) {
    problem.setCharges(space, call.sources.charges + side * numCharges * call.sources.stride, call.sources.stride);
    for (std::int64_t begin = 0; begin < targets.count; begin += problem.pointsAtOnce) {
      const std::int64_t end = std::min(begin + problem.pointsAtOnce, targets.count);
      forEach(SPANWISE_KERNEL("ewald sums"), IndexRange<ExecutionSpace>(space, begin, end),
        PutEwald<Interaction, Dim, Real>{&problem, call.sums, options, side, begin, call.within},
        Work{16 * (end - begin) * sources.count});
      space.fence(SPANWISE_LABEL("NBody::ewaldSums"));
      progress.report(
        (side + static_cast<double>(end) / static_cast<double>(targets.count)) / options.numRightHandSides);
    }
  }
}

/// Ewald's sums at samples, as errorsAtSamples() takes them.
template <class Interaction>
struct EwaldAtSamples {
  Interaction interaction;
  PeriodicBox box;
  Workspace<Kokkos::HostSpace>& workspace;

  template <class ExecutionSpace, int Dim, class Real>
  void operator()(const ExecutionSpace& space, const Samples<Dim, Real>& samples, const SourcesView<Dim, Real>& sources,
    double* exact) const {
    using Columns = ExactColumns<Interaction, Dim>;
    Workspace<Kokkos::HostSpace>::Frame frame(workspace);
    const auto wrappedSources = wrapPoints(space, sources.points, box, frame);
    const auto targets = wrapPoints(space, samples.points(), box, frame);
    EwaldProblem<Interaction, Dim, Real> problem(interaction, box, 0.0, targets, wrappedSources, frame);
    problem.setCharges(space, sources.charges, sources.stride);
    for (std::int64_t begin = 0; begin < samples.count; begin += problem.pointsAtOnce) {
      const std::int64_t end = std::min(begin + problem.pointsAtOnce, samples.count);
      forEach(
        SPANWISE_KERNEL("ewald samples"), IndexRange<ExecutionSpace>(space, begin, end),
        [&](std::int64_t k) {
          const EwaldValue<Dim> value = problem.at(k, k - begin, samples.selves[k], true);
          double* const sums = exact + k * Columns::all;
          sums[0] = value.potential;
          std::copy(value.gradient.begin(), value.gradient.end(), sums + Columns::ofPotential);
          sums[Columns::potentialSize] = value.potentialSize;
          sums[Columns::gradientSize] = value.gradientSize;
        },
        Work{16 * (end - begin) * wrappedSources.count});
      space.fence(SPANWISE_LABEL("NBody::ewaldAtSamples"));
    }
  }
};

} // namespace spanwise::nbody::detail

namespace spanwise::nbody {

template <class ExecutionSpace, class Interaction, int Dim, class Real>
void ewaldBetween(const Context<ExecutionSpace>& context, const Interaction& interaction, const PeriodicBox& box,
  const PointsView<Dim, Real>& targets, const SourcesView<Dim, Real>& sources, const SumsView<Real>& sums,
  const EwaldOptions& options, const Progress& progress) {
  SPANWISE_REGION("NBody::ewaldBetween");
  detail::ewaldCall(context, detail::SumCall<Interaction, Dim, Real>{interaction, targets, sources, sums, false}, box,
    options, progress);
}

template <class ExecutionSpace, class Interaction, int Dim, class Real>
void ewaldWithin(const Context<ExecutionSpace>& context, const Interaction& interaction, const PeriodicBox& box,
  const SourcesView<Dim, Real>& particles, const SumsView<Real>& sums, const EwaldOptions& options,
  const Progress& progress) {
  SPANWISE_REGION("NBody::ewaldWithin");
  detail::ewaldCall(context,
    detail::SumCall<Interaction, Dim, Real>{interaction, particles.points, particles, sums, true}, box, options,
    progress);
}

template <class ExecutionSpace, class Interaction, int Dim, class Real, class Given>
SumErrors sampleErrors(const Context<ExecutionSpace>& context, const Interaction& interaction, const PeriodicBox& box,
  const SumsToSample<Dim, Real, Given>& of, std::int64_t maxTargets) {
  SPANWISE_REGION("NBody::sampleErrors");
  static_assert(detail::hasEwald<typename detail::FarKernelOf<Interaction>::Type>,
    "only interactions of Interactions.hpp have these");
  checkBox(box, Dim);
  return detail::errorsAtSamples<Interaction>(
    context, of, maxTargets, detail::EwaldAtSamples<Interaction>{interaction, box, context.workspace()});
}

template <class ExecutionSpace, class Interaction, int Dim, class Real, class Given>
SumErrors rankSampleErrors(const Context<ExecutionSpace>& context, const Communicator& communicator,
  const Interaction& interaction, const PeriodicBox& box, const SumsToSample<Dim, Real, Given>& of,
  std::int64_t maxTargets) {
  SPANWISE_REGION("NBody::rankSampleErrors");
  checkBox(box, Dim);
  return detail::rankErrorsAtSamples<Interaction>(context.space(), communicator, of, maxTargets,
    detail::EwaldAtSamples<Interaction>{interaction, box, context.workspace()});
}

} // namespace spanwise::nbody
