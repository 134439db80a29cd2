#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Mesh/SharedVertices.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/Paths.hpp"
#include "Core/Solvers/Eikonal/RankStarts.hpp"

namespace spanwise::eikonal {

/// Collective. tracePaths() on a mesh of which every rank has a part. `solution` is one of solveArrivalTimesOnRanks()
/// with Trace::Sources for the same vertices, `shared` and `sources`, and `numbers` what it reported of these. Targets
/// are the same on all ranks.
///
/// A path travels: where it comes to a place whose vertices several ranks share, all of these look at their simplices
/// around it, and it goes on with the one whose simplex is the fastest way, as on one rank. In the end it is where its
/// target is, on the first rank that has a simplex around that; those without one are on rank 0. `out` has paths
/// without points for all others. Sources are numbered as labels are; out.numAtSources is of all ranks.
///
/// A round over all ranks for each time that a path comes to a cut; paths at cuts are known to all ranks meanwhile. May
/// throw on one rank alone only for lack of memory; else on all as tracePaths() on any.
template <class ExecutionSpace, MeshReal Real>
void tracePathsOnRanks(const Context<ExecutionSpace>& context, const Communicator& communicator,
  const SharedVertices& shared, const VertexView<Real>& vertices,
  const ArrivalTimes<typename ExecutionSpace::memory_space>& solution, const Sources& sources,
  const RankSources& numbers, const PathTargets& targets, const PathOptions& options,
  Paths<typename ExecutionSpace::memory_space>& out);

} // namespace spanwise::eikonal
