#pragma once

#include "Core/Parallel/Messenger.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"

namespace spanwise::eikonal {

/// What an iteration on several ranks took.
struct RankIterationReport {
  IterationReport all; ///< of all ranks; an activation at a border counts on each rank that has the vertex or cell
  parallel::MessageReport messages; ///< that all ranks sent for it; `exchanges` are those of a rank
};

/// Collective. The report of all ranks, where `sent` is what this one has sent.
RankIterationReport reportOfAll(
  const Communicator& communicator, const IterationReport& mine, const parallel::MessageReport& sent);

} // namespace spanwise::eikonal
