#pragma once

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/NBody/Detail/HostSums.hpp"
#include "Core/Solvers/NBody/Detail/SourcesOfAll.hpp"
#include "Core/Solvers/NBody/Detail/TeamSums.hpp"
#include "Core/Solvers/NBody/Detail/VectorTiles.hpp"
#include "Core/Solvers/NBody/DirectSums.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace spanwise::nbody {
namespace detail {

/// Inputs and outputs that have been checked, strides filled in.
template <class Interaction, int Dim, class Real>
struct SumCall {
  Interaction interaction;
  PointsView<Dim, Real> targets;
  SourcesView<Dim, Real> sources;
  SumsView<Real> sums;
  bool within = false;
};

/// What is looked at before anything is read.
struct SumArguments {
  bool hasOutputs = false;
  bool hasCharges = false;
  bool hasTargets = false;
  bool hasSources = false;
  std::int64_t numTargets = 0;
  std::int64_t numSources = 0;
  std::int64_t sumStride = 0;
  std::int64_t chargeStride = 0;
};

void checkSums(const SumOptions& options, const SumArguments& given);
void checkVariant(Variant variant, bool onHost, bool canBeMutual);

/// Targets begin ... end - 1.
template <class ExecutionSpace, class Problem>
void directSum(const Context<ExecutionSpace>& context, const Problem& problem, std::int64_t begin, std::int64_t end,
  SumReport& report) {
  if constexpr (runsOnHost<ExecutionSpace>) {
    sumTilesOnHost(context, problem, chooseTile<Problem>(report.instructions), begin, end);
  } else if (report.variant == Variant::ScratchTiles) {
    sumByTiles<(Problem::numSides == 1 ? 1 : 4)>(context, problem, begin, end); // several sides are of RegisterTiles
  } else {
    sumByTiles<4>(context, problem, begin, end);
  }
}

template <class ExecutionSpace, class Problem>
void sumAll(
  const Context<ExecutionSpace>& context, const Problem& problem, SumReport& report, const Progress& progress) {
  if constexpr (runsOnHost<ExecutionSpace> && RadialInteraction<typename Problem::Interaction> &&
    Problem::numSides == 1) {
    if (report.variant == Variant::Mutual) {
      return sumMutuallyOnHost(context, problem, report.instructions, progress);
    }
  }
  // Not more at once than take a moment, so that progress moves, and leagues of teams can be counted.
  constexpr double atOnce = runsOnHost<ExecutionSpace> ? 2e9 : 2e11;
  constexpr std::int64_t maxTargets = std::int64_t{1} << 20;
  const std::int64_t count = problem.targets.count;
  const auto wanted = static_cast<std::int64_t>(atOnce / static_cast<double>(problem.sources.count + 1));
  const std::int64_t step = std::clamp<std::int64_t>(wanted / 1024 * 1024, 1024, maxTargets);
  for (std::int64_t begin = 0; begin < count; begin += step) {
    const std::int64_t end = std::min(begin + step, count);
    directSum(context, problem, begin, end, report);
    context.space().fence(SPANWISE_LABEL("NBody::sums"));
    progress.report(static_cast<double>(end) / static_cast<double>(count));
  }
}

template <Parts parts, int numSides, class ExecutionSpace, class Interaction, int Dim, class Real>
void sumSides(const Context<ExecutionSpace>& context, const SumCall<Interaction, Dim, Real>& call,
  const SumOptions& options, int firstSide, SumReport& report, const Progress& progress) {
  using Problem = SumProblem<Interaction, parts, Dim, Real, numSides>;
  const Problem problem{call.interaction, call.targets, call.sources.points,
    call.sources.charges + firstSide * Problem::Columns::numCharges * call.sources.stride, call.sources.stride,
    call.within,
    {call.sums, static_cast<Real>(options.potentialFactor), static_cast<Real>(options.gradientFactor),
      options.store == Store::Add, firstSide}};
  sumAll(context, problem, report, progress);
}

template <Parts parts, class ExecutionSpace, class Interaction, int Dim, class Real>
void sumParts(const Context<ExecutionSpace>& context, const SumCall<Interaction, Dim, Real>& call,
  const SumOptions& options, SumReport& report, const Progress& progress) {
  const int numSides = options.numRightHandSides;
  const bool canBeSeveral = report.variant == Variant::RegisterTiles &&
    (!isCompiled<Interaction, Dim> || !runsOnHost<ExecutionSpace> || report.instructions != InstructionSet::Compiled);
  for (int side = 0; side < numSides;) {
    const bool several = canBeSeveral && numSides - side >= sidesAtOnce;
    const int next = side + (several ? sidesAtOnce : 1);
    const Progress ofSides = progress.part(static_cast<double>(side) / numSides, static_cast<double>(next) / numSides);
    if (several) {
      sumSides<parts, sidesAtOnce>(context, call, options, side, report, ofSides);
    } else {
      sumSides<parts, 1>(context, call, options, side, report, ofSides);
    }
    side = next;
  }
}

/// What options of sums by multipoles, or of Ewald's, have in common with those of direct sums.
template <class Options>
[[nodiscard]] SumOptions asDirectSums(const Options& options) {
  SumOptions result;
  result.numRightHandSides = options.numRightHandSides;
  result.potentialFactor = options.potentialFactor;
  result.gradientFactor = options.gradientFactor;
  return result;
}

/// Fills in strides, and throws InvalidArgument where something is missing.
template <class Interaction, int Dim, class Real>
void checkCall(SumCall<Interaction, Dim, Real>& call, const SumOptions& options) {
  const std::int64_t numTargets = call.targets.count;
  const std::int64_t numSources = call.sources.points.count;
  call.sums.stride = call.sums.stride == 0 ? numTargets : call.sums.stride;
  call.sources.stride = call.sources.stride == 0 ? numSources : call.sources.stride;
  const auto has = [](const PointsView<Dim, Real>& points) {
    return std::all_of(points.coordinates, points.coordinates + Dim, [](const Real* axis) { return axis != nullptr; });
  };
  checkSums(options,
    {call.sums.potentials != nullptr || call.sums.gradients != nullptr, call.sources.charges != nullptr,
      has(call.targets), has(call.sources.points), numTargets, numSources, call.sums.stride, call.sources.stride});
}

/// Sums of this process alone, of arguments that have been checked.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
SumReport sumHere(const Context<ExecutionSpace>& context, const SumCall<Interaction, Dim, Real>& call,
  const SumOptions& options, const Progress& progress) {
  constexpr bool onHost = runsOnHost<ExecutionSpace>;
  const std::int64_t numTargets = call.targets.count;
  const std::int64_t numSources = call.sources.points.count;
  SumReport report;
  report.variant = options.variant;
  if (report.variant == Variant::Automatic) {
    report.variant = chooseVariant({onHost, call.within, RadialInteraction<Interaction>, std::is_same_v<Real, double>,
      call.sums.gradients != nullptr, options.numRightHandSides, static_cast<double>(numTargets)});
  }
  if (onHost) {
    report.instructions = std::min(options.maxInstructions, bestInstructionSet());
  }
  report.numInteractions = static_cast<double>(numTargets) *
    static_cast<double>(call.within && numSources > 0 ? numSources - 1 : numSources) * options.numRightHandSides;
  if (numTargets > 0) {
    if (call.sums.gradients == nullptr) {
      sumParts<Parts::Potential>(context, call, options, report, progress);
    } else if (call.sums.potentials == nullptr) {
      sumParts<Parts::Gradient>(context, call, options, report, progress);
    } else {
      sumParts<Parts::Both>(context, call, options, report, progress);
    }
  }
  return report;
}

/// Both public functions. Compiled once for this library's own interactions.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
SumReport sumCall(
  const Context<ExecutionSpace>& context, SumCall<Interaction, Dim, Real> call, const SumOptions& options) {
  constexpr bool onHost = runsOnHost<ExecutionSpace>;
  const Communicator& communicator = context.communicator();
  parallel::agree(communicator, [&] {
    checkCall(call, options);
    checkVariant(options.variant, onHost, onHost && call.within && RadialInteraction<Interaction>);
  });
  if (communicator.alone()) {
    return sumHere(context, call, options, context.progress());
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const SourcesView<Dim, Real> all =
    sourcesOfAll(context, call.sources, numChargesOf<Interaction> * options.numRightHandSides, frame);
  SumReport report;
  parallel::agree(communicator, [&] {
    if (!call.within) {
      call.sources = all;
      report = sumHere(context, call, options, context.progress());
      return;
    }
    report = sumHere(context, call, options, context.progress().part(0.0, 0.5));
    SumOptions ofOthers = options;
    ofOthers.store = Store::Add;
    ofOthers.variant = options.variant == Variant::Mutual ? Variant::Automatic : options.variant;
    const SumCall<Interaction, Dim, Real> others{
      call.interaction, call.targets, sourcesAfter(all, call.targets.count), call.sums, false};
    report.numInteractions += sumHere(context, others, ofOthers, context.progress().part(0.5, 1.0)).numInteractions;
  });
  return report;
}

#define SPANWISE_SUM_CALL(Space, Interaction, Dim, Real)                                                               \
  template SumReport sumCall<Space, Interaction, Dim, Real>(                                                           \
    const Context<Space>&, SumCall<Interaction, Dim, Real>, const SumOptions&);
#define SPANWISE_SUM_CALLS(Space, Interaction, Dim)                                                                    \
  SPANWISE_SUM_CALL(Space, Interaction, Dim, float)                                                                    \
  SPANWISE_SUM_CALL(Space, Interaction, Dim, double)
#define SPANWISE_EXTERN_SUM_CALLS(Space, Interaction, Dim)                                                             \
  extern SPANWISE_SUM_CALL(Space, Interaction, Dim, float) extern SPANWISE_SUM_CALL(Space, Interaction, Dim, double)
#define SPANWISE_EXTERN_SUMS(Space) SPANWISE_FOR_EACH_INTERACTION(SPANWISE_EXTERN_SUM_CALLS, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_EXTERN_SUMS)

} // namespace detail

template <class ExecutionSpace, class Interaction, int Dim, class Real>
SumReport sumBetween(const Context<ExecutionSpace>& context, const Interaction& interaction,
  const PointsView<Dim, Real>& targets, const SourcesView<Dim, Real>& sources, const SumsView<Real>& sums,
  const SumOptions& options) {
  static_assert(AnyInteraction<Interaction>, "an interaction has terms() or add(): Interactions.hpp");
  SPANWISE_REGION("NBody::sumBetween");
  return detail::sumCall(
    context, detail::SumCall<Interaction, Dim, Real>{interaction, targets, sources, sums, false}, options);
}

template <class ExecutionSpace, class Interaction, int Dim, class Real>
SumReport sumWithin(const Context<ExecutionSpace>& context, const Interaction& interaction,
  const SourcesView<Dim, Real>& particles, const SumsView<Real>& sums, const SumOptions& options) {
  static_assert(AnyInteraction<Interaction>, "an interaction has terms() or add(): Interactions.hpp");
  SPANWISE_REGION("NBody::sumWithin");
  return detail::sumCall(
    context, detail::SumCall<Interaction, Dim, Real>{interaction, particles.points, particles, sums, true}, options);
}

} // namespace spanwise::nbody
