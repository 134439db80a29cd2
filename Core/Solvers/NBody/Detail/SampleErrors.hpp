#pragma once

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Solvers/NBody/Detail/SumProblem.hpp"
#include "Core/Solvers/NBody/SampleErrors.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace spanwise::nbody {
namespace detail {

/// Where samples are, and which of the sources each is itself, or -1.
template <int Dim, class Real>
struct Samples {
  std::int64_t count;
  Real* coordinates[Dim];
  std::int64_t* selves;

  [[nodiscard]] PointsView<Dim, Real> points() const {
    PointsView<Dim, Real> view;
    std::copy_n(coordinates, Dim, view.coordinates);
    view.count = count;
    return view;
  }
};

/// Samples are evenly spaced in the order of the targets.
[[nodiscard]] KOKKOS_INLINE_FUNCTION std::int64_t sampledTarget(
  std::int64_t k, std::int64_t numSamples, std::int64_t numTargets) {
  return numTargets / numSamples * k + Kokkos::min(k, numTargets % numSamples);
}

template <int Dim, class Real, class Given>
struct TakeSample {
  SumsToSample<Dim, Real, Given> of;
  Samples<Dim, Given> samples;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const std::int64_t target = sampledTarget(k, samples.count, of.targets.count);
    for (int axis = 0; axis < Dim; ++axis) {
      samples.coordinates[axis][k] = of.targets.coordinates[axis][target];
    }
    samples.selves[k] = of.within ? target : -1;
  }
};

/// The numbers of a sample's direct sums: potentials, gradients, and what sources do to both without signs.
template <class Interaction, int Dim>
struct ExactColumns : SumColumns<Interaction, Parts::Both, Dim> {
  using Sums = SumColumns<Interaction, Parts::Both, Dim>;
  static constexpr int potentialSize = Sums::all;
  static constexpr int gradientSize = Sums::all + 1;
  static constexpr int all = Sums::all + 2;
};

[[nodiscard]] KOKKOS_INLINE_FUNCTION double lengthOf(const double* values, int count) {
  double square = 0.0;
  for (int c = 0; c < count; ++c) {
    square += values[c] * values[c];
  }
  return Kokkos::sqrt(square);
}

/// Direct sums of one right-hand side.
template <class Interaction, int Dim, class Real>
struct SumAtSample {
  using Columns = ExactColumns<Interaction, Dim>;
  Interaction interaction;
  Samples<Dim, Real> samples;
  SourcesView<Dim, Real> sources;
  double* exact; ///< [samples x Columns::all]

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    double sums[Columns::all] = {};
    for (std::int64_t j = 0; j < sources.points.count; ++j) {
      if (j == samples.selves[k]) {
        continue;
      }
      double d[Dim];
      double q[Columns::numCharges];
      for (int axis = 0; axis < Dim; ++axis) {
        d[axis] = static_cast<double>(samples.coordinates[axis][k]) - sources.points.coordinates[axis][j];
      }
      for (int c = 0; c < Columns::numCharges; ++c) {
        q[c] = sources.charges[c * sources.stride + j];
      }
      double added[Columns::Sums::all] = {};
      addPair<Interaction, Parts::Both, Dim, 1>(interaction, d, q, added);
      for (int c = 0; c < Columns::Sums::all; ++c) {
        sums[c] += added[c];
      }
      sums[Columns::potentialSize] += lengthOf(added, Columns::ofPotential);
      sums[Columns::gradientSize] += lengthOf(added + Columns::ofPotential, Columns::ofGradient);
    }
    for (int c = 0; c < Columns::all; ++c) {
      exact[k * Columns::all + c] = sums[c];
    }
  }
};

/// Squares of errors and of sums, and the largest relative errors.
struct SampledErrors {
  double potentialError2 = 0.0, potential2 = 0.0, potentialRelative = 0.0;
  double gradientError2 = 0.0, gradient2 = 0.0, gradientRelative = 0.0;

  KOKKOS_FUNCTION SampledErrors& operator+=(const SampledErrors& other) {
    potentialError2 += other.potentialError2;
    potential2 += other.potential2;
    potentialRelative = Kokkos::max(potentialRelative, other.potentialRelative);
    gradientError2 += other.gradientError2;
    gradient2 += other.gradient2;
    gradientRelative = Kokkos::max(gradientRelative, other.gradientRelative);
    return *this;
  }
};

/// Adds the errors of one right-hand side.
template <class Interaction, int Dim, class Real, class Given>
struct CompareSample {
  using Columns = ExactColumns<Interaction, Dim>;
  SumsToSample<Dim, Real, Given> of;
  std::int64_t numSamples;
  int side;
  const double* exact; ///< [samples x Columns::all]
  SampledErrors* errors;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const std::int64_t target = sampledTarget(k, numSamples, of.targets.count);
    const double* const sums = exact + k * Columns::all;
    SampledErrors result;
    if (of.sums.potentials != nullptr) {
      compare(of.sums.potentials + side * Columns::ofPotential * of.sums.stride + target, of.potentialFactor, sums,
        Columns::ofPotential, result.potentialError2, result.potential2);
      result.potentialRelative =
        relative(result.potentialError2, Kokkos::abs(of.potentialFactor) * sums[Columns::potentialSize]);
    }
    if (of.sums.gradients != nullptr) {
      compare(of.sums.gradients + side * Columns::ofGradient * of.sums.stride + target, of.gradientFactor,
        sums + Columns::ofPotential, Columns::ofGradient, result.gradientError2, result.gradient2);
      result.gradientRelative =
        relative(result.gradientError2, Kokkos::abs(of.gradientFactor) * sums[Columns::gradientSize]);
    }
    errors[k] += result;
  }

private:
  /// Infinite where a sum is no number.
  static KOKKOS_FUNCTION double relative(double error2, double size) {
    const double error = error2 == 0.0 ? 0.0 : Kokkos::sqrt(error2) / size;
    return error >= 0.0 ? error : Kokkos::Experimental::infinity_v<double>;
  }
  KOKKOS_FUNCTION void compare(
    const Real* given, double factor, const double* unscaled, int count, double& error2, double& exact2) const {
    for (int c = 0; c < count; ++c) {
      const double expected = factor * unscaled[c];
      const double error = static_cast<double>(given[c * of.sums.stride]) - expected;
      error2 += error * error;
      exact2 += expected * expected;
    }
  }
};

inline SampledErrors totalErrors(std::span<const SampledErrors> ofSamples) {
  SampledErrors total;
  for (const SampledErrors& errors : ofSamples) {
    total += errors;
  }
  return total;
}

/// sqrt(sum of squares of errors / that of sums); infinite where that is no number.
inline double relativeL2(double error2, double sum2) {
  const double error = error2 == 0.0 ? 0.0 : std::sqrt(error2 / sum2);
  return error >= 0.0 ? error : std::numeric_limits<double>::infinity();
}

inline SumErrors sumErrors(const SampledErrors& total, std::int64_t numTargets) {
  SumErrors result;
  result.numTargets = numTargets;
  result.potentialMax = total.potentialRelative;
  result.gradientMax = total.gradientRelative;
  result.potentialL2 = relativeL2(total.potentialError2, total.potential2);
  result.gradientL2 = relativeL2(total.gradientError2, total.gradient2);
  return result;
}

/// Sets the distances of columns that are as long as they must be.
template <int Dim, class Real, class Given>
void setStrides(SumsToSample<Dim, Real, Given>& of) {
  of.sums.stride = of.sums.stride == 0 ? of.targets.count : of.sums.stride;
  of.sources.stride = of.sources.stride == 0 ? of.sources.points.count : of.sources.stride;
}

/// The charges of one right-hand side.
template <class Interaction, int Dim, class Real, class Given>
[[nodiscard]] SourcesView<Dim, Given> sourcesOfSide(const SumsToSample<Dim, Real, Given>& of, int side) {
  SourcesView<Dim, Given> sources = of.sources;
  sources.charges += side * numChargesOf<Interaction> * sources.stride;
  return sources;
}

/// Direct sums in open space, as errorsAtSamples() takes them: called for one right-hand side after the other.
template <class Interaction>
struct DirectAtSamples {
  Interaction interaction;

  template <class ExecutionSpace, int Dim, class Real>
  void operator()(const Context<ExecutionSpace>& context, const Samples<Dim, Real>& samples,
    const SourcesView<Dim, Real>& sources, double* exact) const {
    forEach(SPANWISE_KERNEL("sum at samples"), IndexRange<ExecutionSpace>(context.space(), 0, samples.count),
      SumAtSample<Interaction, Dim, Real>{interaction, samples, sources, exact},
      workOfPairs(samples.count, sources.points.count));
    context.space().fence(SPANWISE_LABEL("NBody::sumAtSamples"));
  }
};

/// Collective. Samples of all ranks, in memory of the frame; which are this rank's begin at `firstMine`.
template <class ExecutionSpace, int Dim, class Real>
Samples<Dim, Real> samplesOfAll(const Context<ExecutionSpace>& context, const Samples<Dim, Real>& mine,
  typename Workspace<typename ExecutionSpace::memory_space>::Frame& frame, std::int64_t& firstMine) {
  const Communicator& communicator = context.communicator();
  firstMine = 0;
  if (communicator.alone()) {
    return mine;
  }
  std::vector<Real> places;
  std::vector<std::int64_t> selvesOfMine;
  parallel::agree(communicator, [&] {
    places.resize(static_cast<std::size_t>(Dim * mine.count));
    selvesOfMine.resize(static_cast<std::size_t>(mine.count));
    for (int axis = 0; axis < Dim; ++axis) {
      copyToHost(context.space(), mine.coordinates[axis], mine.count, places.data() + axis * mine.count);
    }
    copyToHost(context.space(), mine.selves, mine.count, selvesOfMine.data());
  });
  std::vector<std::int64_t> lengths;
  const std::vector<Real> gathered = communicator.gather(std::span<const Real>(places), &lengths);
  Samples<Dim, Real> all{std::ssize(gathered) / Dim, {}, nullptr};
  parallel::agree(communicator, [&] {
    std::vector<Real> columns(gathered.size());
    std::vector<std::int64_t> selves(static_cast<std::size_t>(all.count), -1);
    const Real* from = gathered.data();
    std::int64_t first = 0;
    for (std::size_t r = 0; r < lengths.size(); ++r) {
      const std::int64_t ofRank = lengths[r] / Dim;
      firstMine = static_cast<int>(r) == communicator.rank() ? first : firstMine;
      for (int axis = 0; axis < Dim; ++axis, from += ofRank) {
        std::copy_n(from, ofRank, columns.data() + axis * all.count + first);
      }
      first += ofRank;
    }
    std::copy(selvesOfMine.begin(), selvesOfMine.end(), selves.begin() + firstMine);
    Real* const there = frame.template array<Real>(Dim * all.count).data();
    copyFromHost(context.space(), columns.data(), Dim * all.count, there);
    for (int axis = 0; axis < Dim; ++axis) {
      all.coordinates[axis] = there + axis * all.count;
    }
    all.selves = frame.template array<std::int64_t>(all.count).data();
    copyFromHost(context.space(), selves.data(), all.count, all.selves);
  });
  return all;
}

/// Collective. Errors of the sums of all ranks. Only the places of samples are gathered: each rank adds what its
/// sources do there.
template <class Interaction, class ExecutionSpace, int Dim, class Real, class Given, class FindExact>
SumErrors errorsAtSamples(const Context<ExecutionSpace>& context, SumsToSample<Dim, Real, Given> of,
  std::int64_t maxTargets, const FindExact& findExact) {
  using Columns = ExactColumns<Interaction, Dim>;
  const ExecutionSpace& space = context.space();
  const Communicator& communicator = context.communicator();
  const Context alone = context.with(singleProcess());
  setStrides(of);
  const std::int64_t numMine = std::clamp<std::int64_t>(maxTargets, 0, of.targets.count);
  const IndexRange<ExecutionSpace> mine(space, 0, numMine);
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  Samples<Dim, Given> ofMine{numMine, {}, nullptr};
  parallel::agree(communicator, [&] {
    ofMine.selves = frame.template array<std::int64_t>(numMine).data();
    for (Given*& axis : ofMine.coordinates) {
      axis = frame.template array<Given>(numMine).data();
    }
    forEach(SPANWISE_KERNEL("take samples"), mine, TakeSample<Dim, Real, Given>{of, ofMine});
  });
  std::int64_t firstMine = 0;
  const Samples<Dim, Given> samples = samplesOfAll(context, ofMine, frame, firstMine);
  if (samples.count == 0) {
    return {};
  }
  double* exact = nullptr;
  SampledErrors* errors = nullptr;
  const std::int64_t length = samples.count * Columns::all;
  std::vector<double> onHost; // what is reduced
  parallel::agree(communicator, [&] {
    exact = frame.template array<double>(length).data();
    const auto array = frame.template array<SampledErrors>(numMine);
    setAll(space, array, SampledErrors());
    errors = array.data();
    onHost.resize(communicator.alone() ? 0 : static_cast<std::size_t>(length));
  });
  for (int side = 0; side < of.numRightHandSides; ++side) {
    parallel::agree(communicator, [&] {
      findExact(alone, samples, sourcesOfSide<Interaction>(of, side), exact);
      copyToHost(space, exact, std::ssize(onHost), onHost.data());
    });
    communicator.reduce(ReduceBy::Sum, onHost);
    copyFromHost(space, onHost.data(), std::ssize(onHost), exact);
    forEach(SPANWISE_KERNEL("compare samples"), mine,
      CompareSample<Interaction, Dim, Real, Given>{of, numMine, side, exact + firstMine * Columns::all, errors});
  }
  std::vector<SampledErrors> ofSamples(static_cast<std::size_t>(numMine));
  copyToHost(space, errors, numMine, ofSamples.data());
  SampledErrors total = totalErrors(ofSamples);
  std::array<double, 4> squares{total.potentialError2, total.potential2, total.gradientError2, total.gradient2};
  std::array<double, 2> largest{total.potentialRelative, total.gradientRelative};
  communicator.reduce(ReduceBy::Sum, squares);
  communicator.reduce(ReduceBy::Maximum, largest);
  total = {squares[0], squares[1], largest[0], squares[2], squares[3], largest[1]};
  return sumErrors(total, samples.count);
}

} // namespace detail

template <class ExecutionSpace, class Interaction, int Dim, class Real, class Given>
SumErrors sampleErrors(const Context<ExecutionSpace>& context, const Interaction& interaction,
  const SumsToSample<Dim, Real, Given>& of, std::int64_t maxTargets) {
  static_assert(AnyInteraction<Interaction>, "an interaction has terms() or add(): Interactions.hpp");
  SPANWISE_REGION("NBody::sampleErrors");
  return detail::errorsAtSamples<Interaction>(
    context, of, maxTargets, detail::DirectAtSamples<Interaction>{interaction});
}

} // namespace spanwise::nbody
