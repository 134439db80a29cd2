#pragma once

// The ways to write sums that Kokkos's patterns suggest: a thread for each target, a reduction for each target, a team
// for each target, and a team that brings tiles of sources into scratch memory for several targets a thread.

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/NBody/Detail/SourceTile.hpp"
#include "Core/Solvers/NBody/Detail/SumProblem.hpp"
#include "Core/Solvers/NBody/Variants.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::nbody::detail {

template <class Problem>
struct SumAtTarget {
  Problem problem;

  KOKKOS_FUNCTION void operator()(std::int64_t target) const {
    typename Problem::Real x[Problem::Dim];
    problem.loadTarget(target, x);
    typename Problem::Values sums;
    problem.addSources(x, problem.selfOf(target), 0, problem.sources.count, sums);
    problem.output(target, sums.values);
  }
};

/// A thread for each target.
template <class ExecutionSpace, class Problem>
void sumFlat(const ExecutionSpace& space, const Problem& problem, std::int64_t begin, std::int64_t end) {
  forEach(SPANWISE_KERNEL("sum flat"), IndexRange<ExecutionSpace>(space, begin, end), SumAtTarget<Problem>{problem},
    workOfPairs(end - begin, problem.sources.count));
}

template <class Problem>
struct AddSource {
  using value_type = typename Problem::Values;
  Problem problem;
  std::int64_t target;

  KOKKOS_FUNCTION void operator()(std::int64_t source, value_type& sums) const {
    if (source != problem.selfOf(target)) {
      typename Problem::Real x[Problem::Dim];
      problem.loadTarget(target, x);
      problem.addSource(x, source, sums);
    }
  }
  KOKKOS_FUNCTION void init(value_type& sums) const { sums = value_type(); }
  KOKKOS_FUNCTION void join(value_type& sums, const value_type& other) const { sums += other; }
};

template <class Problem>
struct PutSums {
  Problem problem;
  const typename Problem::Values* sums;
  std::int64_t firstTarget;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const { problem.output(firstTarget + k, sums[k].values); }
};

/// A reduction over the sources for each target, one target after the other.
template <class ExecutionSpace, class Problem>
void sumByReductions(
  const Context<ExecutionSpace>& context, const Problem& problem, std::int64_t begin, std::int64_t end) {
  const ExecutionSpace& space = context.space();

  using Values = typename Problem::Values;
  using Memory = typename ExecutionSpace::memory_space;
  const IndexRange<ExecutionSpace> sources(space, 0, problem.sources.count);
  if constexpr (runsOnHost<ExecutionSpace>) {
    for (std::int64_t target = begin; target < end; ++target) {
      Values sums;
      reduce(SPANWISE_KERNEL("sum reduction"), sources, AddSource<Problem>{problem, target}, sums);
      problem.output(target, sums.values);
    }
  } else {
    typename Workspace<Memory>::Frame frame(context.workspace());
    const auto sums = frame.template array<Values>(end - begin);
    for (std::int64_t target = begin; target < end; ++target) {
      Kokkos::parallel_reduce(SPANWISE_KERNEL("sum reduction"), sources, AddSource<Problem>{problem, target},
        Kokkos::View<Values, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(sums.data() + (target - begin)));
    }
    forEach(SPANWISE_KERNEL("put sums"), IndexRange<ExecutionSpace>(space, 0, end - begin),
      PutSums<Problem>{problem, sums.data(), begin});
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
  std::int64_t firstTarget;

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const std::int64_t target = firstTarget + team.league_rank();
    Values sums;
    Kokkos::parallel_reduce(Kokkos::TeamVectorRange(team, problem.sources.count), AddSource<Problem>{problem, target},
      TeamSum<Values>{&sums});
    Kokkos::single(Kokkos::PerTeam(team), [&] { problem.output(target, sums.values); });
  }
};

/// A team for each target, whose threads and their lanes share its sources. On the host a team has one thread, so that
/// sums have the same bits for any number of threads.
template <class ExecutionSpace, class Problem>
void sumInTeams(const ExecutionSpace& space, const Problem& problem, std::int64_t begin, std::int64_t end,
  [[maybe_unused]] const TeamShape& teams) {
  if constexpr (runsOnHost<ExecutionSpace>) {
    sumFlat(space, problem, begin, end);
  } else {
    Kokkos::parallel_for(SPANWISE_KERNEL("sum in teams"),
      Kokkos::TeamPolicy<ExecutionSpace>(space, static_cast<int>(end - begin), teams.numThreads, teams.vectorLength),
      SumInTeam<ExecutionSpace, Problem>{problem, begin});
  }
}

/// Targets of a team side by side: its threads have `perThread` each, in registers. A tile of sources is brought into
/// scratch memory once for all of them. `numParts` teams share the sources of a group of targets.
template <class ExecutionSpace, class Problem, int perThread>
struct SumByTiles {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  using Real = typename Problem::Real;
  using Values = typename Problem::Values;
  static constexpr int Dim = Problem::Dim;
  using Source = SourceOf<Problem>;

  Problem problem;
  std::int64_t firstTarget;
  std::int64_t endTarget;
  int numParts;
  int perTeam;     ///< targets
  int tile;        ///< sources in it
  Values* partial; ///< [parts x targets]; nullptr: there is one part

  [[nodiscard]] int scratchBytes() const { return tile * static_cast<int>(sizeof(Source)) + 64; }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    auto* const scratch =
      static_cast<Source*>(team.team_scratch(0).get_shmem_aligned(tile * sizeof(Source), alignof(Source)));
    const std::int64_t group = team.league_rank() / numParts;
    const int part = team.league_rank() % numParts;
    const std::int64_t groupBegin = firstTarget + group * perTeam;
    const std::int64_t numTiles = (problem.sources.count + tile - 1) / tile;
    const std::int64_t tileEnd = numTiles * (part + 1) / numParts;
    Real x[perThread][Dim];
    Values sums[perThread];
    for (int k = 0; k < perThread; ++k) { // behind the end the last target, which is not written
      problem.loadTarget(Kokkos::min(targetOf(team, groupBegin, k), endTarget - 1), x[k]);
    }
    for (std::int64_t t = numTiles * part / numParts; t < tileEnd; ++t) {
      const std::int64_t begin = t * tile;
      const int count = static_cast<int>(Kokkos::min<std::int64_t>(tile, problem.sources.count - begin));
      team.team_barrier(); // the tile before is done with
      for (int j = team.team_rank(); j < count; j += team.team_size()) {
        for (int axis = 0; axis < Dim; ++axis) {
          scratch[j].numbers[axis] = problem.sources.coordinates[axis][begin + j];
        }
        for (int c = 0; c < Problem::numCharges; ++c) {
          scratch[j].numbers[Dim + c] = problem.charges[c * problem.chargeStride + begin + j];
        }
      }
      team.team_barrier();
      TileSelves<perThread> selves;
      for (int k = 0; k < perThread; ++k) {
        const std::int64_t self = targetOf(team, groupBegin, k) - begin;
        selves.of[k] = self >= 0 && self < count ? static_cast<int>(self) : -1;
      }
      if (problem.within && begin < groupBegin + perTeam && groupBegin < begin + count) {
        addTileOfSources<true>(problem, scratch, count, x, selves, sums);
      } else {
        addTileOfSources<false>(problem, scratch, count, x, selves, sums);
      }
    }
    for (int k = 0; k < perThread; ++k) {
      const std::int64_t target = targetOf(team, groupBegin, k);
      if (target < endTarget) {
        if (partial == nullptr) {
          problem.output(target, sums[k].values);
        } else {
          partial[part * (endTarget - firstTarget) + target - firstTarget] = sums[k];
        }
      }
    }
  }

private:
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t targetOf(
    const typename Policy::member_type& team, std::int64_t groupBegin, int k) const {
    return groupBegin + k * team.team_size() + team.team_rank();
  }
};

/// Adds up the sums of parts, in their order.
template <class Problem>
struct JoinParts {
  Problem problem;
  const typename Problem::Values* partial;
  std::int64_t firstTarget;
  std::int64_t numTargets;
  int numParts;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    typename Problem::Values sums = partial[k];
    for (int part = 1; part < numParts; ++part) {
      sums += partial[part * numTargets + k];
    }
    problem.output(firstTarget + k, sums.values);
  }
};

/// In how many parts the sources are taken so that few targets make enough work for all of a processor: as many as make
/// `wantedTasks` tasks, of at least `minSources` sources. It depends on the numbers alone.
inline int numSourceParts(
  std::int64_t numGroups, std::int64_t numSources, std::int64_t wantedTasks, std::int64_t minSources) {
  const std::int64_t wanted = (wantedTasks + numGroups - 1) / numGroups;
  return static_cast<int>(
    Kokkos::clamp<std::int64_t>(wanted, 1, Kokkos::max<std::int64_t>(numSources / minSources, 1)));
}

template <int perThread, class ExecutionSpace, class Problem>
void sumByTiles(const Context<ExecutionSpace>& context, const Problem& problem, std::int64_t begin, std::int64_t end,
  const TeamShape& teams) {
  const ExecutionSpace& space = context.space();

  using Kernel = SumByTiles<ExecutionSpace, Problem, perThread>;
  using Values = typename Problem::Values;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  constexpr std::int64_t wantedTeams = 4096; // some for each of a GPU's 132 processors or more, again and again
  const int perTeam = perThread * teams.numThreads;
  const std::int64_t numGroups = (end - begin + perTeam - 1) / perTeam;
  const int numParts =
    runsOnHost<ExecutionSpace> ? 1 : numSourceParts(numGroups, problem.sources.count, wantedTeams, teams.sourcesInTile);
  Values* const partial = numParts > 1 ? frame.template array<Values>(numParts * (end - begin)).data() : nullptr;
  const Kernel kernel{problem, begin, end, numParts, perTeam, teams.sourcesInTile, partial};
  auto policy = Kokkos::TeamPolicy<ExecutionSpace>(space, static_cast<int>(numGroups * numParts), teams.numThreads);
  Kokkos::parallel_for(
    SPANWISE_KERNEL("sum by tiles"), policy.set_scratch_size(0, Kokkos::PerTeam(kernel.scratchBytes())), kernel);
  if (numParts > 1) {
    forEach(SPANWISE_KERNEL("join parts"), IndexRange<ExecutionSpace>(space, 0, end - begin),
      JoinParts<Problem>{problem, partial, begin, end - begin, numParts});
  }
}

} // namespace spanwise::nbody::detail
