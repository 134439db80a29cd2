#pragma once

#include "Core/Parallel/Messenger.hpp"
#include "Core/Runtime/Communicator.hpp"

#include <cstdint>

namespace spanwise::eikonal {

/// What an iteration took, on all ranks.
struct IterationReport {
  std::int64_t numIterations = 0;
  /// Vertices or cells that told their neighbours of a new time, each time counted, on each rank that has them.
  std::int64_t numActivations = 0;
  std::int64_t numUpdates = 0;      ///< local problems solved
  std::int64_t numReached = 0;      ///< vertices or cells with a time in the end
  bool converged = true;            ///< false: maxIterations came first
  parallel::MessageReport messages; ///< that all ranks sent for it; `exchanges` are those of a rank

  /// Another iteration after this one: what both took, and where the other ended.
  IterationReport& operator+=(const IterationReport& next) {
    numIterations += next.numIterations;
    numActivations += next.numActivations;
    numUpdates += next.numUpdates;
    numReached = next.numReached;
    converged = next.converged;
    messages += next.messages;
    return *this;
  }
};

/// Collective. The report of all ranks, where `sent` is what this one has sent.
IterationReport reportOfAll(
  const Communicator& communicator, const IterationReport& mine, const parallel::MessageReport& sent);

} // namespace spanwise::eikonal
