#pragma once

// Sums by teams of threads, which bring tiles of sources into scratch memory.

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/NBody/Detail/SourceParts.hpp"
#include "Core/Solvers/NBody/Detail/SourceTile.hpp"
#include "Core/Solvers/NBody/Detail/SumProblem.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::nbody::detail {

/// Threads of a team, and sources that it has in scratch memory at once.
struct TileTeam {
  int numThreads;
  int numSources;
};

/// What does well on a device; on the host a team has one thread.
[[nodiscard]] constexpr TileTeam usualTeam(bool onHost) { return {onHost ? 1 : 128, 256}; }

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

template <int perThread, class ExecutionSpace, class Problem>
void sumByTiles(const Context<ExecutionSpace>& context, const Problem& problem, std::int64_t begin, std::int64_t end,
  TileTeam team = usualTeam(runsOnHost<ExecutionSpace>)) {
  const ExecutionSpace& space = context.space();

  using Kernel = SumByTiles<ExecutionSpace, Problem, perThread>;
  using Values = typename Problem::Values;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  constexpr std::int64_t wantedTeams = 4096; // some for each of a GPU's 132 processors or more, again and again
  const int perTeam = perThread * team.numThreads;
  const std::int64_t numGroups = (end - begin + perTeam - 1) / perTeam;
  const int numParts =
    runsOnHost<ExecutionSpace> ? 1 : numSourceParts(numGroups, problem.sources.count, wantedTeams, team.numSources);
  Values* const partial = numParts > 1 ? frame.template array<Values>(numParts * (end - begin)).data() : nullptr;
  const Kernel kernel{problem, begin, end, numParts, perTeam, team.numSources, partial};
  auto policy = Kokkos::TeamPolicy<ExecutionSpace>(space, static_cast<int>(numGroups * numParts), team.numThreads);
  Kokkos::parallel_for(
    SPANWISE_KERNEL("sum by tiles"), policy.set_scratch_size(0, Kokkos::PerTeam(kernel.scratchBytes())), kernel);
  if (numParts > 1) {
    forEach(SPANWISE_KERNEL("join parts"), IndexRange<ExecutionSpace>(space, 0, end - begin),
      JoinParts<Problem>{problem, partial, begin, end - begin, numParts});
  }
}

} // namespace spanwise::nbody::detail
