#pragma once

// Ways to write direct sums, beside those of Core: the ones that Kokkos's patterns suggest, which are a thread for each
// target, a reduction for each target, a team for each target, a team for several targets, and Kokkos's vectors.

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/NBody/Detail/HostSums.hpp"
#include "Core/Solvers/NBody/Detail/KokkosLanes.hpp"
#include "Core/Solvers/NBody/Detail/TeamSums.hpp"
#include "Core/Solvers/NBody/DirectSums.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace spanwise::nbody::benchmarks {

/// How direct sums are written. All give the same sums but for rounding.
enum class SumVariant {
  Automatic,     ///< what Core chooses
  FlatFor,       ///< a thread for each target
  FlatReduce,    ///< a parallel reduction for each target, one target after the other
  NestedTeams,   ///< a team of threads for each target, which share its sources
  ScratchTiles,  ///< a team for several targets, which brings tiles of sources into scratch memory
  KokkosSimd,    ///< Kokkos's vectors of sources, on the host only
  RegisterTiles, ///< Core's
  Mutual         ///< Core's, on the host, within one set
};

/// The teams of NestedTeams and ScratchTiles; 0: what does well. Results differ by rounding.
struct TeamShape {
  int numThreads = 0;    ///< of a team, 1 to 256 on a device; on the host a team has one
  int vectorLength = 0;  ///< lanes of a thread of NestedTeams: 1, 2, 4 ... 32 on a device, with at most 256 in a team
  int sourcesInTile = 0; ///< that ScratchTiles bring into scratch memory at once, 1 to 512
};

struct VariantOptions {
  SumVariant variant = SumVariant::Automatic;
  InstructionSet maxInstructions = InstructionSet::Avx512; ///< of RegisterTiles and Mutual
  TeamShape teams{};
};

/// How sums were made.
struct VariantReport {
  SumVariant variant = SumVariant::Automatic; ///< what was used, never Automatic
  InstructionSet instructions = InstructionSet::Compiled;
  double numInteractions = 0.0; ///< pairs; of a mutual one both directions count
};

[[nodiscard]] inline std::string_view variantName(SumVariant variant) {
  constexpr std::string_view names[] = {
    "automatic", "flat for", "flat reduce", "nested teams", "scratch tiles", "Kokkos SIMD", "register tiles", "mutual"};
  return names[static_cast<int>(variant)];
}

/// Whether instructions are chosen, up to VariantOptions::maxInstructions.
[[nodiscard]] constexpr bool usesInstructions(SumVariant variant) {
  return variant == SumVariant::RegisterTiles || variant == SumVariant::Mutual || variant == SumVariant::Automatic;
}

/// The shape with what is chosen filled in. Throws InvalidArgument.
[[nodiscard]] inline TeamShape checkedShape(const TeamShape& shape, bool onHost) {
  constexpr int maxInTeam = 256; // so many fit, whatever registers each has
  constexpr int maxLanes = 32;
  constexpr int maxSources = 512; // of doubles with moments, in 32 KiB
  const auto checked = [](const char* what, int value, int most, int usual) {
    if (value < 0 || value > most) {
      throw InvalidArgument(std::string(what) + " is " + std::to_string(value) + "; it must be 1 to " +
        std::to_string(most) + ", or 0 to be chosen");
    }
    return value != 0 ? value : usual;
  };
  const detail::TileTeam usual = detail::usualTeam(onHost);
  const TeamShape result{checked("the number of threads of a team", shape.numThreads, onHost ? 1 : maxInTeam,
                           usual.numThreads / std::max(shape.vectorLength, 1)),
    checked("the vector length of a team", shape.vectorLength, onHost ? 1 : maxLanes, 1),
    checked("the number of sources of a tile", shape.sourcesInTile, maxSources, usual.numSources)};
  if ((result.vectorLength & (result.vectorLength - 1)) != 0) {
    throw InvalidArgument(
      "the vector length of a team is " + std::to_string(result.vectorLength) + "; it must be a power of two");
  }
  if (result.numThreads * result.vectorLength > maxInTeam) {
    throw InvalidArgument("a team of " + std::to_string(result.numThreads) + " threads of " +
      std::to_string(result.vectorLength) + " lanes is too large; together they must be at most " +
      std::to_string(maxInTeam));
  }
  return result;
}

template <class Problem>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t selfOf(const Problem& problem, std::int64_t target) {
  return problem.within ? target : -1;
}

/// Adds what source j does at x.
template <class Problem>
KOKKOS_FORCEINLINE_FUNCTION void addSource(
  const Problem& problem, const typename Problem::Real* x, std::int64_t j, typename Problem::Values& sums) {
  typename Problem::Real d[Problem::Dim];
  typename Problem::Real q[Problem::numCharges];
  for (int axis = 0; axis < Problem::Dim; ++axis) {
    d[axis] = x[axis] - problem.sources.coordinates[axis][j];
  }
  for (int c = 0; c < Problem::numCharges; ++c) {
    q[c] = problem.charges[c * problem.chargeStride + j];
  }
  detail::addPair<typename Problem::Interaction, Problem::parts, Problem::Dim, Problem::numSides>(
    problem.interaction, d, q, sums.values);
}

/// Sums of few sources are added up, so that errors of rounding grow slowly.
template <class Problem>
struct SumAtTarget {
  Problem problem;

  KOKKOS_FUNCTION void operator()(std::int64_t target) const {
    constexpr std::int64_t few = 256;
    typename Problem::Real x[Problem::Dim];
    problem.loadTarget(target, x);
    const std::int64_t self = selfOf(problem, target);
    typename Problem::Values sums;
    for (std::int64_t first = 0; first < problem.sources.count; first += few) {
      const std::int64_t last = Kokkos::min(first + few, problem.sources.count);
      const std::int64_t before = Kokkos::clamp(self, first, last);
      typename Problem::Values partial;
      for (std::int64_t j = first; j < before; ++j) {
        addSource(problem, x, j, partial);
      }
      for (std::int64_t j = before == self ? before + 1 : before; j < last; ++j) {
        addSource(problem, x, j, partial);
      }
      sums += partial;
    }
    problem.output(target, sums.values);
  }
};

/// A thread for each target.
template <class ExecutionSpace, class Problem>
void sumFlat(const Context<ExecutionSpace>& context, const Problem& problem) {
  forEach(SPANWISE_KERNEL("sum flat"), IndexRange<ExecutionSpace>(context.space(), 0, problem.targets.count),
    SumAtTarget<Problem>{problem}, detail::workOfPairs(problem.targets.count, problem.sources.count));
}

template <class Problem>
struct AddSource {
  using value_type = typename Problem::Values;
  Problem problem;
  std::int64_t target;

  KOKKOS_FUNCTION void operator()(std::int64_t source, value_type& sums) const {
    if (source != selfOf(problem, target)) {
      typename Problem::Real x[Problem::Dim];
      problem.loadTarget(target, x);
      addSource(problem, x, source, sums);
    }
  }
  KOKKOS_FUNCTION void init(value_type& sums) const { sums = value_type(); }
  KOKKOS_FUNCTION void join(value_type& sums, const value_type& other) const { sums += other; }
};

/// A reduction over the sources for each target, one target after the other.
template <class ExecutionSpace, class Problem>
void sumByReductions(const Context<ExecutionSpace>& context, const Problem& problem) {
  using Values = typename Problem::Values;
  using Memory = typename ExecutionSpace::memory_space;
  const ExecutionSpace& space = context.space();
  const std::int64_t count = problem.targets.count;
  const IndexRange<ExecutionSpace> sources(space, 0, problem.sources.count);
  if constexpr (runsOnHost<ExecutionSpace>) {
    for (std::int64_t target = 0; target < count; ++target) {
      Values sums;
      reduce(SPANWISE_KERNEL("sum reduction"), sources, AddSource<Problem>{problem, target}, sums);
      problem.output(target, sums.values);
    }
  } else {
    typename Workspace<Memory>::Frame frame(context.workspace());
    const auto sums = frame.template array<Values>(count);
    for (std::int64_t target = 0; target < count; ++target) {
      Kokkos::parallel_reduce(SPANWISE_KERNEL("sum reduction"), sources, AddSource<Problem>{problem, target},
        Kokkos::View<Values, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(sums.data() + target));
    }
    forEach(SPANWISE_KERNEL("put sums"), IndexRange<ExecutionSpace>(space, 0, count),
      detail::JoinParts<Problem>{problem, sums.data(), 0, count, 1});
  }
}

/// Kokkos's reducer of a team's sums.
template <class Values>
struct TeamSum {
  using reducer = TeamSum;
  using value_type = Values;
  using result_view_type = Kokkos::View<Values, Kokkos::AnonymousSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  Values* result;

  KOKKOS_FUNCTION void join(Values& sums, const Values& other) const { sums += other; }
  KOKKOS_FUNCTION void init(Values& sums) const { sums = Values(); }
  [[nodiscard]] KOKKOS_FUNCTION Values& reference() const { return *result; }
  [[nodiscard]] KOKKOS_FUNCTION result_view_type view() const { return result_view_type(result); }
};

template <class ExecutionSpace, class Problem>
struct SumInTeam {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  using Values = typename Problem::Values;
  Problem problem;

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const std::int64_t target = team.league_rank();
    Values sums;
    Kokkos::parallel_reduce(Kokkos::TeamVectorRange(team, problem.sources.count), AddSource<Problem>{problem, target},
      TeamSum<Values>{&sums});
    Kokkos::single(Kokkos::PerTeam(team), [&] { problem.output(target, sums.values); });
  }
};

/// A team for each target, whose threads and their lanes share its sources. On the host a team has one thread, so that
/// sums have the same bits for any number of threads.
template <class ExecutionSpace, class Problem>
void sumInTeams(
  const Context<ExecutionSpace>& context, const Problem& problem, [[maybe_unused]] const TeamShape& teams) {
  if constexpr (runsOnHost<ExecutionSpace>) {
    sumFlat(context, problem);
  } else {
    Kokkos::parallel_for(SPANWISE_KERNEL("sum in teams"),
      Kokkos::TeamPolicy<ExecutionSpace>(
        context.space(), static_cast<int>(problem.targets.count), teams.numThreads, teams.vectorLength),
      SumInTeam<ExecutionSpace, Problem>{problem});
  }
}

/// Sums by a variant that is not Core's.
template <Parts parts, class ExecutionSpace, class Interaction, int Dim, class Real>
void sumByPattern(const Context<ExecutionSpace>& context, const detail::SumCall<Interaction, Dim, Real>& call,
  const VariantOptions& options) {
  constexpr bool onHost = runsOnHost<ExecutionSpace>;
  using Problem = detail::SumProblem<Interaction, parts, Dim, Real, 1>;
  const Problem problem{call.interaction, call.targets, call.sources.points, call.sources.charges, call.sources.stride,
    call.within, {call.sums, Real(1), Real(1), false, 0}};
  const TeamShape teams = checkedShape(options.teams, onHost);
  switch (options.variant) {
  case SumVariant::FlatReduce:
    return sumByReductions(context, problem);
  case SumVariant::NestedTeams:
    return sumInTeams(context, problem, teams);
  case SumVariant::ScratchTiles:
    return detail::sumByTiles<(onHost ? 4 : 1)>(
      context, problem, 0, problem.targets.count, {teams.numThreads, teams.sourcesInTile});
  case SumVariant::KokkosSimd:
    if constexpr (onHost) {
      using Lanes = detail::KokkosLanes;
      return detail::sumTilesOnHost(
        context, problem, detail::addTile<Lanes, Lanes, Interaction, parts, Dim, Real, 1>, 0, problem.targets.count);
    }
    throw InvalidArgument("the variant 'Kokkos SIMD' is for the host; on a device take 'register tiles'");
  default:
    return sumFlat(context, problem);
  }
}

/// Core's sums.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
VariantReport sumByCore(const Context<ExecutionSpace>& context, const detail::SumCall<Interaction, Dim, Real>& call,
  const VariantOptions& options) {
  SumOptions ofCore;
  ofCore.maxInstructions = options.maxInstructions;
  ofCore.variant = options.variant == SumVariant::Mutual ? Variant::Mutual
    : options.variant == SumVariant::RegisterTiles       ? Variant::RegisterTiles
                                                         : Variant::Automatic;
  const SumReport report = detail::sumCall(context, call, ofCore);
  const SumVariant used = report.variant == Variant::Mutual ? SumVariant::Mutual
    : report.variant == Variant::ScratchTiles               ? SumVariant::ScratchTiles
                                                            : SumVariant::RegisterTiles;
  return {used, report.instructions, report.numInteractions};
}

/// Sums as those of DirectSums.hpp on one rank, by any variant, and waits for them.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
VariantReport sumByVariant(
  const Context<ExecutionSpace>& context, detail::SumCall<Interaction, Dim, Real> call, const VariantOptions& options) {
  if (usesInstructions(options.variant)) {
    return sumByCore(context, call, options);
  }
  detail::checkCall(call, {});
  if (call.targets.count > 0) {
    if (call.sums.gradients == nullptr) {
      sumByPattern<Parts::Potential>(context, call, options);
    } else if (call.sums.potentials == nullptr) {
      sumByPattern<Parts::Gradient>(context, call, options);
    } else {
      sumByPattern<Parts::Both>(context, call, options);
    }
    context.space().fence(SPANWISE_LABEL("NBody::variant"));
  }
  const auto numPairs = call.targets.count * (call.sources.points.count - (call.within ? 1 : 0));
  return {options.variant, InstructionSet::Compiled, static_cast<double>(numPairs)};
}

template <class ExecutionSpace, class Interaction, int Dim, class Real>
VariantReport sumBetween(const Context<ExecutionSpace>& context, const Interaction& interaction,
  const PointsView<Dim, Real>& targets, const SourcesView<Dim, Real>& sources, const SumsView<Real>& sums,
  const VariantOptions& options) {
  return sumByVariant(
    context, detail::SumCall<Interaction, Dim, Real>{interaction, targets, sources, sums, false}, options);
}

template <class ExecutionSpace, class Interaction, int Dim, class Real>
VariantReport sumWithin(const Context<ExecutionSpace>& context, const Interaction& interaction,
  const SourcesView<Dim, Real>& particles, const SumsView<Real>& sums, const VariantOptions& options) {
  return sumByVariant(
    context, detail::SumCall<Interaction, Dim, Real>{interaction, particles.points, particles, sums, true}, options);
}

} // namespace spanwise::nbody::benchmarks
