#pragma once

// Few targets with many sources: parts of the sources are summed by themselves, so that there is work for all of a
// processor, and their sums are joined.

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::nbody::detail {

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

} // namespace spanwise::nbody::detail
