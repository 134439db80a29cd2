#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Scan.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <utility>

namespace spanwise {

// A stable radix sort for a device, by few bits at a time, the lowest first (D. Merrill and A. Grimshaw, High
// performance and scalable radix sorting, Parallel Processing Letters 21, 2011). Values are cut into tiles. A team
// counts the digits of its tile, thread by thread, so that each value's place among those of its digit is known; sums
// over all tiles, digit by digit, say where those begin.

namespace detail {

inline constexpr int bitsOfDigit = 5;
inline constexpr int numDigits = 1 << bitsOfDigit;
inline constexpr int valuesOfThread = 16;

/// On the host a team has one thread.
template <class ExecutionSpace>
inline constexpr int threadsOfSort = runsOnHost<ExecutionSpace> ? 1 : 256;

/// Counts the digits of tiles, or moves values to their places.
template <class ExecutionSpace, class T, class KeyOf>
struct SortDigits {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  using Team = typename Policy::member_type;

  const T* from;
  T* to; ///< nullptr: digits are counted
  std::int64_t count;
  int shift;
  KeyOf keyOf;
  std::int64_t* begins; ///< [digits x tiles] numbers of values, then where those begin

  [[nodiscard]] static KOKKOS_FUNCTION std::size_t scratchBytes(int numThreads) {
    return sizeof(std::int32_t) * (numDigits * numThreads + numDigits + 1);
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int numThreads = team.team_size();
    const int thread = team.team_rank();
    auto* const places = // [digits x threads] of a thread's next value of a digit, among those of the tile in order
      static_cast<std::int32_t*>(team.team_scratch(0).get_shmem_aligned(scratchBytes(numThreads), 16));
    std::int32_t* const digitBegin = places + numDigits * numThreads;
    const std::int64_t tile = team.league_rank();
    const std::int64_t first = (tile * numThreads + thread) * valuesOfThread;
    const std::int64_t end = Kokkos::min(first + valuesOfThread, count);
    for (int digit = 0; digit < numDigits; ++digit) {
      places[digit * numThreads + thread] = 0;
    }
    for (std::int64_t i = first; i < end; ++i) {
      ++places[digitOf(from[i]) * numThreads + thread];
    }
    team.team_barrier();
    addUp(team, places + thread * numDigits);
    team.team_barrier();
    for (int digit = thread; digit <= numDigits; digit += numThreads) {
      const std::int64_t left = count - tile * numThreads * valuesOfThread;
      digitBegin[digit] = digit < numDigits
        ? places[digit * numThreads]
        : static_cast<std::int32_t>(Kokkos::min<std::int64_t>(left, std::int64_t{numThreads} * valuesOfThread));
    }
    team.team_barrier();
    std::int64_t* const ofTile = begins + tile;
    const std::int64_t stride = team.league_size();
    if (to == nullptr) {
      for (int digit = thread; digit < numDigits; digit += numThreads) {
        ofTile[digit * stride] = digitBegin[digit + 1] - digitBegin[digit];
      }
      return;
    }
    for (std::int64_t i = first; i < end; ++i) {
      const T value = from[i];
      const int digit = digitOf(value);
      const std::int32_t place = places[digit * numThreads + thread]++;
      to[ofTile[digit * stride] + (place - digitBegin[digit])] = value;
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION int digitOf(const T& value) const {
    return static_cast<int>((keyOf(value) >> shift) & (numDigits - 1));
  }

  /// Replaces numbers by the sums of those before, of which each thread has numDigits one after the other.
  static KOKKOS_FUNCTION void addUp(const Team& team, std::int32_t* mine) {
    std::int32_t sum = 0;
    for (int k = 0; k < numDigits; ++k) {
      sum += mine[k];
    }
    std::int32_t before = team.team_scan(sum);
    for (int k = 0; k < numDigits; ++k) {
      const std::int32_t here = mine[k];
      mine[k] = before;
      before += here;
    }
  }
};

} // namespace detail

/// Sorts `count` values by the lowest `numBits` bits of keyOf(value), stably, and returns where they are then: in
/// `values` or in `scratch`, which has as many entries. Both are overwritten. O(n numBits).
template <class ExecutionSpace, class T, class KeyOf>
T* sortByDigits(
  const Context<ExecutionSpace>& context, T* values, T* scratch, std::int64_t count, int numBits, const KeyOf& keyOf) {
  using Kernel = detail::SortDigits<ExecutionSpace, T, KeyOf>;
  constexpr int numThreads = detail::threadsOfSort<ExecutionSpace>;
  constexpr std::int64_t inTile = std::int64_t{numThreads} * detail::valuesOfThread;
  const std::int64_t numTiles = (count + inTile - 1) / inTile;
  if (numTiles == 0) {
    return values;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const auto begins = frame.template array<std::int64_t>(detail::numDigits * numTiles + 1);
  const ExecutionSpace& space = context.space();
  typename Kernel::Policy policy(space, static_cast<int>(numTiles), numThreads);
  policy.set_scratch_size(0, Kokkos::PerTeam(Kernel::scratchBytes(numThreads) + 64));
  for (int shift = 0; shift < numBits; shift += detail::bitsOfDigit) {
    Kernel kernel{values, nullptr, count, shift, keyOf, begins.data()};
    Kokkos::parallel_for(SPANWISE_KERNEL("count digits"), policy, kernel);
    scan(SPANWISE_KERNEL("place digits"), IndexRange<ExecutionSpace>(space, 0, detail::numDigits * numTiles + 1),
      detail::ExclusiveScan<std::int64_t>{begins.data(), detail::numDigits * numTiles});
    kernel.to = scratch;
    Kokkos::parallel_for(SPANWISE_KERNEL("move digits"), policy, kernel);
    std::swap(values, scratch);
  }
  return values;
}

} // namespace spanwise
