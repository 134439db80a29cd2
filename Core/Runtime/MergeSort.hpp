#pragma once

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/OneTeam.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <utility>

namespace spanwise {

// A stable merge sort that needs no memory but one array of scratch. Threads sort runs; pairs of runs are then merged
// pass by pass, each pass cut into equal parts of its output. Where a part begins in the two runs is found by a binary
// search along a diagonal of the merge (Odeh, Green, Mwassi, Shmueli, Birk: Merge Path, IPDPS Workshops 2012).

/// The order of operator<.
struct Ascending {
  template <class T>
  KOKKOS_FUNCTION bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

namespace detail {

/// What one thread sorts by insertion. (Kernels copy such a constant where a function takes a reference to it.)
inline constexpr std::int64_t insertionRun = 16;

/// A team takes as long to sort as to scan so many times as much (H200: 16,384 values 0.7 ms, all teams 0.1).
inline constexpr std::int64_t sortsOfScan = 8;

/// What one thread sorts in the first pass, and merges in a later one: on the host as much as its cache holds. On the
/// way from insertionRun to it the data change sides an even number of times.
template <class ExecutionSpace>
inline constexpr std::int64_t sortRun = runsOnHost<ExecutionSpace> ? 256 * insertionRun : insertionRun;

/// How many elements of `left` are among the first `diagonal` of the merge. Of equal elements, left ones go first.
template <class T, class Less>
KOKKOS_INLINE_FUNCTION std::int64_t splitOfMerge(
  const T* left, std::int64_t numLeft, const T* right, std::int64_t numRight, std::int64_t diagonal, const Less& less) {
  std::int64_t low = Kokkos::max<std::int64_t>(0, diagonal - numRight);
  std::int64_t high = Kokkos::min(diagonal, numLeft);
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (less(right[diagonal - middle - 1], left[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Two sorted runs, one behind the other.
template <class T>
struct RunPair {
  const T* values;
  std::int64_t numLeft;
  std::int64_t numBoth;
};

/// Writes the part [begin, end) of the merge of two runs to to[begin, end).
template <class T, class Less>
KOKKOS_INLINE_FUNCTION void mergePart(const RunPair<T>& runs, T* to, std::int64_t begin, std::int64_t end, Less less) {
  const auto [from, numLeft, numBoth] = runs;
  std::int64_t left = splitOfMerge(from, numLeft, from + numLeft, numBoth - numLeft, begin, less);
  std::int64_t right = numLeft + begin - left;
  std::int64_t k = begin;
  for (; k < end && left < numLeft && right < numBoth; ++k) {
    const bool takeRight = less(from[right], from[left]);
    to[k] = from[takeRight ? right : left];
    left += static_cast<std::int64_t>(!takeRight);
    right += static_cast<std::int64_t>(takeRight);
  }
  for (std::int64_t rest = left < numLeft ? left : right; k < end; ++k, ++rest) {
    to[k] = from[rest];
  }
}

template <class T, class Less>
KOKKOS_INLINE_FUNCTION void insertionSort(T* values, std::int64_t count, const Less& less) {
  for (std::int64_t i = 1; i < count; ++i) {
    const T value = values[i];
    std::int64_t hole = i;
    for (; hole > 0 && less(value, values[hole - 1]); --hole) {
      values[hole] = values[hole - 1];
    }
    values[hole] = value;
  }
}

template <class T, class Less>
struct SortRuns {
  T* values;
  T* scratch;
  std::int64_t count;
  std::int64_t run;
  Less less;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    const std::int64_t numInRun = Kokkos::min(run, count - r * run);
    T* from = values + r * run;
    T* to = scratch + r * run;
    for (std::int64_t i = 0; i < numInRun; i += insertionRun) {
      insertionSort(from + i, Kokkos::min(std::int64_t{insertionRun}, numInRun - i), less);
    }
    for (std::int64_t width = insertionRun; width < run; width *= 2) {
      for (std::int64_t i = 0; i < numInRun; i += 2 * width) {
        const std::int64_t numBoth = Kokkos::min(2 * width, numInRun - i);
        mergePart(RunPair<T>{from + i, Kokkos::min(width, numBoth), numBoth}, to + i, 0, numBoth, less);
      }
      T* const other = from;
      from = to;
      to = other;
    }
  }
};

template <class T, class Less>
struct MergeRuns {
  const T* from;
  T* to;
  std::int64_t count;
  std::int64_t width; ///< of the sorted runs, a multiple of `part`
  std::int64_t part;
  Less less;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    const std::int64_t first = p * part;
    const std::int64_t pair = first / (2 * width) * (2 * width);
    const std::int64_t numBoth = Kokkos::min(2 * width, count - pair);
    const std::int64_t begin = first - pair;
    mergePart(RunPair<T>{from + pair, Kokkos::min(width, numBoth), numBoth}, to + pair, begin,
      Kokkos::min(begin + part, numBoth), less);
  }
};

template <class T, class Less>
struct MergeTwoRuns {
  RunPair<T> runs;
  T* to;
  std::int64_t part;
  Less less;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    mergePart(runs, to, p * part, Kokkos::min((p + 1) * part, runs.numBoth), less);
  }
};

/// The whole sort in one team.
template <class Team, class T, class Less>
struct SortInOneTeam {
  T* values;
  T* scratch;
  std::int64_t count;
  Less less;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    T* from = values;
    T* to = scratch;
    const std::int64_t numRuns = (count + insertionRun - 1) / insertionRun;
    const SortRuns<T, Less> runs{from, to, count, insertionRun, less};
    for (std::int64_t r = team.team_rank(); r < numRuns; r += team.team_size()) {
      runs(r);
    }
    for (std::int64_t width = insertionRun; width < count; width *= 2) {
      team.team_barrier();
      const MergeRuns<T, Less> merge{from, to, count, width, insertionRun, less};
      for (std::int64_t p = team.team_rank(); p < numRuns; p += team.team_size()) {
        merge(p);
      }
      T* const other = from;
      from = to;
      to = other;
    }
  }
};

} // namespace detail

/// Sorts `count` values, stably, and returns where they are then: in `values` or in `scratch`, which has as many
/// entries. Both are overwritten. O(n log n); does not wait.
template <class ExecutionSpace, class T, class Less>
T* sortStably(const ExecutionSpace& space, T* values, T* scratch, std::int64_t count, const Less& less) {
  constexpr std::int64_t run = detail::sortRun<ExecutionSpace>;
  if constexpr (!runsOnHost<ExecutionSpace>) {
    if (count <= detail::itemsOfOneTeam() / detail::sortsOfScan) {
      using Team = typename detail::OneTeamPolicy<ExecutionSpace>::member_type;
      detail::runOneTeam(space, SPANWISE_KERNEL("sort"), detail::threadsOfOneTeam, 0,
        detail::SortInOneTeam<Team, T, Less>{values, scratch, count, less});
      for (std::int64_t width = run; width < count; width *= 2) { // as often as the data have changed sides
        std::swap(values, scratch);
      }
      return values;
    }
  }
  const IndexRange<ExecutionSpace> overRuns(space, 0, (count + run - 1) / run);
  forEach(SPANWISE_KERNEL("sort runs"), overRuns, detail::SortRuns<T, Less>{values, scratch, count, run, less},
    Work{8 * count});
  for (std::int64_t width = run; width < count; width *= 2) {
    forEach(SPANWISE_KERNEL("merge runs"), overRuns,
      detail::MergeRuns<T, Less>{values, scratch, count, width, run, less}, Work{count});
    std::swap(values, scratch);
  }
  return values;
}

/// Merges the sorted values [0, numLeft) and [numLeft, count), stably, and returns where they are then: in `values` if
/// there is nothing to merge, or in `scratch`, which has as many entries. O(n); does not wait.
template <class ExecutionSpace, class T, class Less>
T* mergeSorted(
  const ExecutionSpace& space, T* values, std::int64_t numLeft, std::int64_t count, T* scratch, const Less& less) {
  if (numLeft == count || numLeft == 0) {
    return values;
  }
  constexpr std::int64_t part = detail::sortRun<ExecutionSpace>;
  forEach(SPANWISE_KERNEL("merge runs"), IndexRange<ExecutionSpace>(space, 0, (count + part - 1) / part),
    detail::MergeTwoRuns<T, Less>{{values, numLeft, count}, scratch, part, less}, Work{count});
  return scratch;
}

} // namespace spanwise
