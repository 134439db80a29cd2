#pragma once

#include "Core/Runtime/OneTeam.hpp"
#include "Core/Runtime/ScanMemory.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::detail {

// A scan on a device in two launches: each team sums up its part of the range, and the last one that is done turns
// these sums into those of the parts before; then each team scans its part from there. For a million numbers a scan of
// Kokkos takes 2.2 times as long, with their sum 2.4 times, for few as long, with their sum 1.4 times (one H200).

/// On the host a team has one thread.
template <class ExecutionSpace>
inline constexpr int threadsOfScan = runsOnHost<ExecutionSpace> ? 1 : 256;
/// A thread takes so many items one after the other. With 8 it takes 1.2 to 1.6 times as long.
inline constexpr std::int64_t itemsOfThread = 2;

/// The part of a range that a team has.
struct PartOfScan {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t perTeam;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t first(int team) const { return Kokkos::min(begin + team * perTeam, end); }
};

template <class Team, class T>
KOKKOS_INLINE_FUNCTION T* scratchOfScan(const Team& team) {
  return static_cast<T*>(
    team.team_scratch(0).get_shmem_aligned(team.team_size() * sizeof(T) + sizeof(int), alignof(T)));
}

/// Sums up parts, and in the last team the sums before each.
template <class Team, class Functor, class T>
struct SumParts {
  Functor functor;
  PartOfScan part;
  ScanMemory memory;
  T* total; ///< may be null

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    T* const scratch = scratchOfScan<Team, T>(team);
    int* const isLast = reinterpret_cast<int*>(scratch + team.team_size());
    T* const sums = static_cast<T*>(memory.sums);
    const int rank = team.team_rank();
    const std::int64_t end = part.first(team.league_rank() + 1);
    T sum{};
    for (std::int64_t i = part.first(team.league_rank()) + rank; i < end; i += team.team_size()) {
      functor(i, sum, false);
    }
    T all{};
    sumBefore(team, sum, scratch, all);
    if (rank == 0) {
      sums[team.league_rank()] = all;
      Kokkos::memory_fence(); // before it is said to be there
      *isLast = static_cast<int>(Kokkos::atomic_fetch_add(memory.numDone, 1) == team.league_size() - 1);
    }
    team.team_barrier();
    if (*isLast == 0) {
      return;
    }
    Kokkos::memory_fence();
    const int perThread = (team.league_size() + team.team_size() - 1) / team.team_size();
    const int first = Kokkos::min(rank * perThread, team.league_size());
    const int last = Kokkos::min(first + perThread, team.league_size());
    T ofThread{};
    for (int k = first; k < last; ++k) {
      ofThread += sums[k];
    }
    T before = sumBefore(team, ofThread, scratch, all);
    for (int k = first; k < last; ++k) {
      const T here = sums[k];
      sums[k] = before;
      before += here;
    }
    if (rank == 0) {
      *memory.numDone = 0;
      if (total != nullptr) {
        *total = all;
      }
    }
  }
};

/// Scans parts from the sums before each.
template <class Team, class Functor, class T>
struct ScanParts {
  Functor functor;
  PartOfScan part;
  ScanMemory memory;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    T* const scratch = scratchOfScan<Team, T>(team);
    const std::int64_t end = part.first(team.league_rank() + 1);
    const std::int64_t step = itemsOfThread * team.team_size();
    T start = static_cast<const T*>(memory.sums)[team.league_rank()];
    for (std::int64_t base = part.first(team.league_rank()); base < end; base += step) {
      const std::int64_t first = Kokkos::min(base + team.team_rank() * itemsOfThread, end);
      const std::int64_t last = Kokkos::min(first + itemsOfThread, end);
      T sum{};
      for (std::int64_t i = first; i < last; ++i) {
        functor(i, sum, false);
      }
      T all{};
      T before = sumBefore(team, sum, scratch, all);
      T prefix = start;
      prefix += before;
      for (std::int64_t i = first; i < last; ++i) {
        functor(i, prefix, true);
      }
      start += all;
      team.team_barrier(); // the scratch memory is read
    }
  }
};

/// Kokkos::parallel_scan() over a range; the sum of all goes to *total, unless that is null. Does not wait.
template <class T, class Range, class Functor>
void scanByTeams(const char* label, const Range& range, const Functor& functor, T* total) {
  using Space = typename Range::execution_space;
  static_assert(sizeof(T) <= maxBytesOfSum);
  constexpr int numThreads = threadsOfScan<Space>;
  using Policy = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<numThreads>>;
  using Team = typename Policy::member_type;
  const std::int64_t begin = range.begin();
  const std::int64_t end = range.end();
  const std::int64_t perStep = itemsOfThread * numThreads;
  const std::int64_t numSteps = (end - begin + perStep - 1) / perStep;
  const std::int64_t numTeams = Kokkos::clamp<std::int64_t>(numSteps, 1, maxTeamsOfScan);
  const PartOfScan part{begin, end, (numSteps + numTeams - 1) / numTeams * perStep};
  const ScanMemory memory = scanMemory(range.space());
  Policy policy(range.space(), static_cast<int>(numTeams), numThreads);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(numThreads * sizeof(T) + sizeof(int) + alignof(T))));
  policy.set_scratch_size(1, Kokkos::PerTeam(16)); // see runOneTeam()
  Kokkos::parallel_for(label, policy, SumParts<Team, Functor, T>{functor, part, memory, total});
  Kokkos::parallel_for(label, policy, ScanParts<Team, Functor, T>{functor, part, memory});
}

} // namespace spanwise::detail
