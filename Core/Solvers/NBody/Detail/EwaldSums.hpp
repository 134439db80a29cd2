#pragma once

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Solvers/NBody/Detail/DirectSums.hpp"
#include "Core/Solvers/NBody/Detail/EwaldLattice.hpp"
#include "Core/Solvers/NBody/Detail/FarKernel.hpp"
#include "Core/Solvers/NBody/Detail/SourcesOfAll.hpp"
#include "Core/Solvers/NBody/Detail/SumColumns.hpp"
#include "Core/Solvers/NBody/Detail/WrapPoints.hpp"
#include "Core/Solvers/NBody/EwaldSums.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace spanwise::nbody::detail {

/// The sum of charges and that of their magnitudes.
struct ChargeSums {
  double sum = 0.0;
  double magnitudes = 0.0;
  double largest = 0.0; ///< magnitude
  double count = 0.0;
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

/// Collective. Of the charges of all ranks.
template <class ExecutionSpace, class Real>
ChargeSums sumCharges(const Context<ExecutionSpace>& context, const Real* charges, std::int64_t count) {
  const ExecutionSpace& space = context.space();
  ChargeSums sums;
  reduce(SPANWISE_KERNEL("add charges"), IndexRange<ExecutionSpace>(space, 0, count), AddCharges<Real>{charges}, sums);
  std::array<double, 3> added{sums.sum, sums.magnitudes, static_cast<double>(count)};
  context.communicator().reduce(ReduceBy::Sum, added);
  return {added[0], added[1], context.communicator().reduced(ReduceBy::Maximum, sums.largest), added[2]};
}

/// Collective. Throws where the charges of all ranks of an interaction that needs it are not neutral, right-hand side
/// by right-hand side.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
void checkCharges(const Context<ExecutionSpace>& context, const PeriodicBox& box, const Interaction& interaction,
  const SourcesView<Dim, Real>& sources, int numSides) {
  for (int side = 0; side < numSides && needsNeutral(interaction); ++side) {
    const ChargeSums sums = sumCharges(context, sources.charges + side * sources.stride, sources.points.count);
    checkNeutral(box, sums.sum, sums.magnitudes);
  }
}

/// A potential and its gradient in a periodic box, and what the nearest images make of them without signs.
template <int Dim>
struct EwaldValue {
  double potential = 0.0;
  double gradient[Dim] = {};
  double potentialSize = 0.0;
  double gradientSize = 0.0;
};

/// Sums of one right-hand side at some targets, as kernels know them. Points are wrapped.
template <class InteractionOf, int Dim, class RealOf>
struct EwaldProblem {
  using Interaction = InteractionOf;
  using Real = RealOf;
  using FarKernel = typename FarKernelOf<Interaction>::Type;
  using Lattice = EwaldLattice<FarKernel, Dim>;
  using Wave = typename Lattice::Wave;
  using Complex = typename Lattice::Complex;
  static constexpr int dimension = Dim;
  static constexpr bool ofDipoles = FarKernelOf<Interaction>::ofDipoles;
  static constexpr int numCharges = numChargesOf<Interaction>;

  Interaction interaction;
  Lattice lattice;
  PointsView<Dim, Real> targets;
  PointsView<Dim, Real> sources;
  Periods<Dim> images;
  Complex* amplitudes;           ///< of the sources, wave by wave
  Complex* phases;               ///< [points at once x phaseCount()]
  const Real* charges = nullptr; ///< of this right-hand side
  std::int64_t stride = 0;
  double total = 0.0; ///< of the charges

  [[nodiscard]] KOKKOS_FUNCTION Complex* phasesOf(std::int64_t k) const { return phases + k * lattice.phaseCount(); }

  static KOKKOS_FUNCTION void load(const PointsView<Dim, Real>& points, std::int64_t i, double* x) {
    for (int axis = 0; axis < Dim; ++axis) {
      x[axis] = points.coordinates[axis][i];
    }
  }

  /// Adds what the sources begin ... begin + count - 1, whose phases there are, do: sum q exp(-i k y), of dipoles sum p
  /// . grad exp(-i k y).
  KOKKOS_FUNCTION void addSources(std::int64_t w, std::int64_t begin, std::int64_t count) const {
    const Wave& wave = lattice.waves[w];
    double real = 0.0;
    double imaginary = 0.0;
    for (std::int64_t k = 0; k < count; ++k) {
      const Complex phase = lattice.phaseOf(wave, phasesOf(k)); // whose conjugate counts
      if constexpr (ofDipoles) {
        double p[Dim];
        for (int c = 0; c < Dim; ++c) {
          p[c] = charges[c * stride + begin + k];
        }
        const double weight = along(wave, p);
        real -= weight * phase.imag();
        imaginary -= weight * phase.real();
      } else {
        const auto q = static_cast<double>(charges[begin + k]);
        real += q * phase.real();
        imaginary -= q * phase.imag();
      }
    }
    amplitudes[w] = Complex(amplitudes[w].real() + real, amplitudes[w].imag() + imaginary);
  }

  /// What all sources do at target i, which is number k of those that are found at once, and is the source `self` or
  /// none (-1).
  [[nodiscard]] KOKKOS_FUNCTION EwaldValue<Dim> at(
    std::int64_t i, std::int64_t k, std::int64_t self, bool withSizes) const {
    EwaldValue<Dim> result;
    double x[Dim];
    load(targets, i, x);
    result.potential = total * lattice.constant;
    addWaves(x, phasesOf(k), result);
    for (std::int64_t j = 0; j < sources.count; ++j) {
      double d[Dim];
      double q[numCharges];
      load(sources, j, d);
      for (int axis = 0; axis < Dim; ++axis) {
        d[axis] = x[axis] - d[axis];
        d[axis] -= lattice.edges[axis] * Kokkos::round(d[axis] / lattice.edges[axis]);
      }
      for (int c = 0; c < numCharges; ++c) {
        q[c] = charges[c * stride + j];
      }
      addNearImages(d, q, j == self, result);
      if (withSizes) {
        addSizes(d, q, j == self, result);
      }
    }
    return result;
  }

private:
  /// k . v
  [[nodiscard]] KOKKOS_FUNCTION double along(const Wave& wave, const double* v) const {
    double sum = 0.0;
    for (int axis = 0; axis < Dim; ++axis) {
      sum += 2.0 * Kokkos::numbers::pi * wave.periods[axis] / lattice.edges[axis] * v[axis];
    }
    return sum;
  }

  KOKKOS_FUNCTION void addWaves(const double* x, Complex* ofTarget, EwaldValue<Dim>& result) const {
    lattice.findPhases(x, ofTarget);
    for (std::int64_t w = 0; w < lattice.numWaves; ++w) {
      const Wave& wave = lattice.waves[w];
      const Complex phase = lattice.phaseOf(wave, ofTarget);
      const Complex a = amplitudes[w];
      result.potential += wave.weight * (phase.real() * a.real() - phase.imag() * a.imag());
      const double slope = -wave.weight * (phase.real() * a.imag() + phase.imag() * a.real());
      for (int axis = 0; axis < Dim; ++axis) {
        result.gradient[axis] += slope * (2.0 * Kokkos::numbers::pi * wave.periods[axis] / lattice.edges[axis]);
      }
    }
  }

  /// What a source with the near part or minus the far part of the interaction does, d away from it.
  static KOKKOS_FUNCTION void addTerms(
    const EwaldTerms& terms, const double* d, const double* q, EwaldValue<Dim>& result) {
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

  KOKKOS_FUNCTION void addNearImages(const double* d, const double* q, bool isSelf, EwaldValue<Dim>& result) const {
    forEachPeriods<Dim>(images, [&](const Periods<Dim>& image) {
      double from[Dim];
      double r2 = 0.0;
      bool isImage = false;
      for (int axis = 0; axis < Dim; ++axis) {
        from[axis] = d[axis] + image[axis] * lattice.edges[axis];
        r2 += from[axis] * from[axis];
        isImage |= image[axis] != 0;
      }
      if (r2 > lattice.reach * lattice.reach) {
        return;
      }
      if (r2 == 0.0 && (Lattice::Kernel::isSingular || (isSelf && !isImage))) { // the waves have it
        addTerms({-lattice.farAtZero, -lattice.farSlopeAtZero, 0.0}, from, q, result);
      } else {
        addTerms(lattice.kernel.near(r2), from, q, result);
      }
    });
  }

  KOKKOS_FUNCTION void addSizes(const double* d, const double* q, bool isSelf, EwaldValue<Dim>& result) const {
    Periods<Dim> nearest;
    for (int axis = 0; axis < Dim; ++axis) {
      nearest[axis] = 1;
    }
    forEachPeriods<Dim>(nearest, [&](const Periods<Dim>& image) {
      using Columns = SumColumns<Interaction, Parts::Both, Dim>;
      double from[Dim];
      bool isImage = false;
      for (int axis = 0; axis < Dim; ++axis) {
        from[axis] = d[axis] + image[axis] * lattice.edges[axis];
        isImage |= image[axis] != 0;
      }
      if (isSelf && !isImage) {
        return;
      }
      double added[Columns::all] = {};
      addPair<Interaction, Parts::Both, Dim, 1>(interaction, from, q, added);
      result.potentialSize += Kokkos::abs(added[0]);
      result.gradientSize += lengthOf(added + 1, Dim);
    });
  }
};

/// Phases of sources from `begin` on.
template <class Problem>
struct FindPhases {
  Problem problem;
  std::int64_t begin;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    double x[Problem::dimension];
    Problem::load(problem.sources, begin + k, x);
    problem.lattice.findPhases(x, problem.phasesOf(k));
  }
};

template <class Problem>
struct AddToWaves {
  Problem problem;
  std::int64_t begin, count;

  KOKKOS_FUNCTION void operator()(std::int64_t w) const { problem.addSources(w, begin, count); }
};

/// What makes sums of one right-hand side after the other.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
class EwaldSummation {
public:
  using Problem = EwaldProblem<Interaction, Dim, Real>;
  using Frame = typename Workspace<typename ExecutionSpace::memory_space>::Frame;

  /// So many points at once have room for their phases, some KiB each; on a device each is a thread.
  static constexpr std::int64_t pointsAtOnce = runsOnHost<ExecutionSpace> ? 512 : 16384;

  EwaldSummation(const Context<ExecutionSpace>& context, const Interaction& interaction, const PeriodicBox& box,
    double splitting, const PointsView<Dim, Real>& targets, const PointsView<Dim, Real>& sources, Frame& frame)
    : context_(context.with(singleProcess())),
      problem_{interaction,
        typename Problem::Lattice(context.space(), FarKernelOf<Interaction>::of(interaction), box,
          splitting > 0.0 ? splitting : splittingFor<Dim>(sources.count, targets.count), frame),
        targets, sources, {}, nullptr, nullptr} {
    using Complex = typename Problem::Complex;
    problem_.images = problem_.lattice.imagesWithin(1);
    problem_.amplitudes = frame.template array<Complex>(problem_.lattice.numWaves).data();
    const std::int64_t most = std::min(pointsAtOnce, std::max(sources.count, targets.count));
    problem_.phases = frame.template array<Complex>(most * problem_.lattice.phaseCount()).data();
  }

  /// Charges of the side that is summed next. The sum of all waves of the sources: O(sources * waves).
  void setCharges(const Real* charges, std::int64_t stride) {
    const ExecutionSpace& space = context_.space();
    const std::int64_t numWaves = problem_.lattice.numWaves;
    problem_.charges = charges;
    problem_.stride = stride;
    problem_.total = Problem::ofDipoles ? 0.0 : sumCharges(context_, charges, problem_.sources.count).sum;
    setAll(space, arrayOf(problem_.amplitudes, numWaves), typename Problem::Complex());
    for (std::int64_t begin = 0; begin < problem_.sources.count; begin += pointsAtOnce) {
      const std::int64_t count = std::min(pointsAtOnce, problem_.sources.count - begin);
      forEach(SPANWISE_KERNEL("find phases"), IndexRange<ExecutionSpace>(space, 0, count),
        FindPhases<Problem>{problem_, begin}, Work{problem_.lattice.phaseCount() * count});
      forEach(SPANWISE_KERNEL("add waves"), IndexRange<ExecutionSpace>(space, 0, numWaves),
        AddToWaves<Problem>{problem_, begin, count}, Work{numWaves * count});
    }
  }

  /// Calls the kernel that `kernelOf(problem, begin)` makes for all targets, some at once, and `done(end)` after each.
  template <class KernelOf, class Done>
  void atTargets(const char* name, const KernelOf& kernelOf, const Done& done) const {
    const std::int64_t count = problem_.targets.count;
    for (std::int64_t begin = 0; begin < count; begin += pointsAtOnce) {
      const std::int64_t end = std::min(begin + pointsAtOnce, count);
      forEach(name, IndexRange<ExecutionSpace>(context_.space(), begin, end), kernelOf(problem_, begin),
        Work{16 * (end - begin) * problem_.sources.count});
      context_.space().fence(SPANWISE_LABEL("NBody::ewaldSums"));
      done(end);
    }
  }

private:
  template <class T>
  static auto arrayOf(T* data, std::int64_t count) {
    return Kokkos::View<T*, typename ExecutionSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
      data, static_cast<std::size_t>(count));
  }

  Context<ExecutionSpace> context_;
  Problem problem_;
};

template <class Problem, int Dim>
struct PutEwald {
  using Real = typename Problem::Real;
  Problem problem;
  SumsView<Real> sums;
  double potentialFactor, gradientFactor;
  bool adds;
  int side;
  std::int64_t begin; ///< of the targets that are found at once
  bool within;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const EwaldValue<Dim> value = problem.at(i, i - begin, within ? i : -1, false);
    if (sums.potentials != nullptr) {
      put(sums.potentials + side * sums.stride + i, potentialFactor * value.potential);
    }
    for (int axis = 0; axis < Dim && sums.gradients != nullptr; ++axis) {
      put(sums.gradients + (side * Dim + axis) * sums.stride + i, gradientFactor * value.gradient[axis]);
    }
  }

private:
  KOKKOS_FUNCTION void put(Real* to, double sum) const { *to = static_cast<Real>(adds ? *to + sum : sum); }
};

template <class ExecutionSpace, class Interaction, int Dim, class Real>
void ewaldCall(const Context<ExecutionSpace>& context, SumCall<Interaction, Dim, Real> call, const PeriodicBox& box,
  const EwaldOptions& options) {
  static_assert(hasEwald<typename FarKernelOf<Interaction>::Type>, "only interactions of Interactions.hpp have these");
  using Summation = EwaldSummation<ExecutionSpace, Interaction, Dim, Real>;
  constexpr int numCharges = numChargesOf<Interaction>;
  const ExecutionSpace& space = context.space();
  const Communicator& communicator = context.communicator();
  parallel::agree(communicator, [&] { checkCall(call, asDirectSums(options)); });
  checkBox(box, Dim);
  checkCharges(context, box, call.interaction, call.sources, options.numRightHandSides);
  typename Summation::Frame frame(context.workspace());
  const bool alone = communicator.alone();
  if (!alone) { // of which this rank's targets are the first
    call.sources = sourcesOfAll(context, call.sources, numCharges * options.numRightHandSides, frame);
  }
  parallel::agree(communicator, [&] {
    const auto sources = wrapPoints(space, call.sources.points, box, frame);
    const auto targets = call.within && alone ? sources : wrapPoints(space, call.targets, box, frame);
    Summation summation(context, call.interaction, box, options.splitting, targets, sources, frame);
    for (int side = 0; side < options.numRightHandSides; ++side) {
      summation.setCharges(call.sources.charges + side * numCharges * call.sources.stride, call.sources.stride);
      summation.atTargets(
        SPANWISE_KERNEL("ewald sums"),
        [&](const auto& problem, std::int64_t begin) {
          return PutEwald<typename Summation::Problem, Dim>{problem, call.sums, options.potentialFactor,
            options.gradientFactor, options.store == Store::Add, side, begin, call.within};
        },
        [&](std::int64_t end) {
          context.progress().report(
            (side + static_cast<double>(end) / static_cast<double>(targets.count)) / options.numRightHandSides);
        });
    }
  });
}

template <class Problem, int Dim>
struct PutSample {
  using Columns = ExactColumns<typename Problem::Interaction, Dim>;
  Problem problem;
  const std::int64_t* selves;
  double* exact; ///< [samples x Columns::all]
  std::int64_t begin;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const EwaldValue<Dim> value = problem.at(k, k - begin, selves[k], true);
    double* const sums = exact + k * Columns::all;
    sums[0] = value.potential;
    for (int axis = 0; axis < Dim; ++axis) {
      sums[Columns::ofPotential + axis] = value.gradient[axis];
    }
    sums[Columns::potentialSize] = value.potentialSize;
    sums[Columns::gradientSize] = value.gradientSize;
  }
};

/// Ewald's sums at samples, as errorsAtSamples() takes them.
template <class Interaction>
struct EwaldAtSamples {
  Interaction interaction;
  PeriodicBox box;

  template <class ExecutionSpace, int Dim, class Real>
  void operator()(const Context<ExecutionSpace>& context, const Samples<Dim, Real>& samples,
    const SourcesView<Dim, Real>& sources, double* exact) const {
    using Summation = EwaldSummation<ExecutionSpace, Interaction, Dim, Real>;
    typename Summation::Frame frame(context.workspace());
    const auto wrappedSources = wrapPoints(context.space(), sources.points, box, frame);
    const auto targets = wrapPoints(context.space(), samples.points(), box, frame);
    Summation summation(context, interaction, box, 0.0, targets, wrappedSources, frame);
    summation.setCharges(sources.charges, sources.stride);
    summation.atTargets(
      SPANWISE_KERNEL("ewald samples"),
      [&](const auto& problem, std::int64_t begin) {
        return PutSample<typename Summation::Problem, Dim>{problem, samples.selves, exact, begin};
      },
      [](std::int64_t /*end*/) {});
  }
};

} // namespace spanwise::nbody::detail

namespace spanwise::nbody {

template <class ExecutionSpace, class Interaction, int Dim, class Real>
void ewaldBetween(const Context<ExecutionSpace>& context, const Interaction& interaction, const PeriodicBox& box,
  const PointsView<Dim, Real>& targets, const SourcesView<Dim, Real>& sources, const SumsView<Real>& sums,
  const EwaldOptions& options) {
  SPANWISE_REGION("NBody::ewaldBetween");
  detail::ewaldCall(
    context, detail::SumCall<Interaction, Dim, Real>{interaction, targets, sources, sums, false}, box, options);
}

template <class ExecutionSpace, class Interaction, int Dim, class Real>
void ewaldWithin(const Context<ExecutionSpace>& context, const Interaction& interaction, const PeriodicBox& box,
  const SourcesView<Dim, Real>& particles, const SumsView<Real>& sums, const EwaldOptions& options) {
  SPANWISE_REGION("NBody::ewaldWithin");
  detail::ewaldCall(context,
    detail::SumCall<Interaction, Dim, Real>{interaction, particles.points, particles, sums, true}, box, options);
}

template <class ExecutionSpace, class Interaction, int Dim, class Real, class Given>
SumErrors sampleErrors(const Context<ExecutionSpace>& context, const Interaction& interaction, const PeriodicBox& box,
  const SumsToSample<Dim, Real, Given>& of, std::int64_t maxTargets) {
  SPANWISE_REGION("NBody::sampleErrors");
  static_assert(detail::hasEwald<typename detail::FarKernelOf<Interaction>::Type>,
    "only interactions of Interactions.hpp have these");
  checkBox(box, Dim);
  return detail::errorsAtSamples<Interaction>(
    context, of, maxTargets, detail::EwaldAtSamples<Interaction>{interaction, box});
}

} // namespace spanwise::nbody
