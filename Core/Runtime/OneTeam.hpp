#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace spanwise::detail {

// Scans and sorts of few items on a device, by one team in one launch. A scan of Kokkos takes two launches and a copy
// of the sum, a sort one launch for each doubling, and with few items launches are all that takes time.

inline constexpr int threadsOfOneTeam = 512;
/// Up to so many items one team is faster. Tests set it to nothing, so that small cases go to all teams.
inline std::int64_t& itemsOfOneTeam() {
  static std::int64_t items = 32 * threadsOfOneTeam;
  return items;
}

template <class ExecutionSpace>
using OneTeamPolicy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<threadsOfOneTeam, 1>>;

/// Runs `functor` in one team with so much scratch memory. The team has one thread where it runs on the host.
template <class ExecutionSpace, class Functor>
void runOneTeam(
  const ExecutionSpace& space, const char* label, int numThreads, std::size_t scratchBytes, const Functor& functor) {
  // The scratch memory of level 1 is not used, but Kokkos allocates it anew at each launch as long as nobody needs any.
  Kokkos::parallel_for(label,
    OneTeamPolicy<ExecutionSpace>(space, 1, numThreads)
      .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratchBytes)))
      .set_scratch_size(1, Kokkos::PerTeam(16)),
    functor);
}

/// The sums of the values before each thread's own, and of all: `sums` are of the team's scratch memory, one a thread.
template <class Team, class T>
KOKKOS_INLINE_FUNCTION T sumBefore(const Team& team, const T& own, T* sums, T& all) {
  const int thread = team.team_rank();
  const int numThreads = team.team_size();
  T sum = own;
  sums[thread] = sum;
  team.team_barrier();
  for (int reach = 1; reach < numThreads; reach *= 2) {
    T before{};
    if (thread >= reach) {
      before = sums[thread - reach];
    }
    team.team_barrier();
    if (thread >= reach) {
      before += sum;
      sum = before;
      sums[thread] = sum;
    }
    team.team_barrier();
  }
  all = sums[numThreads - 1];
  return thread > 0 ? sums[thread - 1] : T{};
}

/// What Kokkos::parallel_scan() does, in one team.
template <class Team, class Functor, class T>
struct ScanInOneTeam {
  Functor functor;
  std::int64_t begin;
  std::int64_t end;
  T* total; ///< may be null

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto* const sums =
      static_cast<T*>(team.team_scratch(0).get_shmem_aligned(team.team_size() * sizeof(T), alignof(T)));
    const std::int64_t perThread = (end - begin + team.team_size() - 1) / team.team_size();
    const std::int64_t first = Kokkos::min(begin + team.team_rank() * perThread, end);
    const std::int64_t last = Kokkos::min(first + perThread, end);
    T sum{};
    for (std::int64_t i = first; i < last; ++i) {
      functor(i, sum, false);
    }
    T all{};
    sum = sumBefore(team, sum, sums, all);
    for (std::int64_t i = first; i < last; ++i) {
      functor(i, sum, true);
    }
    if (total != nullptr && team.team_rank() == 0) {
      *total = all;
    }
  }
};

/// Scans a range, a RangePolicy on a device.
template <class Range, class Functor, class T>
void scanInOneTeam(
  const char* label, const Range& range, const Functor& functor, T* total, int numThreads = threadsOfOneTeam) {
  using Space = typename Range::execution_space;
  using Team = typename OneTeamPolicy<Space>::member_type;
  runOneTeam(range.space(), label, numThreads, numThreads * sizeof(T) + alignof(T),
    ScanInOneTeam<Team, Functor, T>{functor, range.begin(), range.end(), total});
}

} // namespace spanwise::detail
