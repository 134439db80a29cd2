#pragma once

#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/HaloExchange.hpp"

namespace spanwise {

/// The map of a stencil on a rank's own cells of a set with its halo, in two parts: the inner ones, whose neighbours
/// are its own too, and the rim.
///
///   exchange.start(space, from.view());
///   jacobiStep(space, map.inner, from, spacing, relaxation, outside, to);
///   exchange.finish(space);
///   jacobiStep(space, map.rim, from, spacing, relaxation, outside, to);
///
/// Keeps its memory.
template <class Pattern, class MemorySpace>
struct RankStencilMap {
  StencilMap<Pattern, MemorySpace> inner;
  StencilMap<Pattern, MemorySpace> rim;
};

template <class Pattern, class ExecutionSpace>
using RankStencilMapOn = RankStencilMap<Pattern, typename ExecutionSpace::memory_space>;

/// out = the map for a set with its halo, which is at least as wide as the pattern, and its plan. As buildStencilMap();
/// allocates.
template <class Pattern, class ExecutionSpace>
void buildRankStencilMap(const ExecutionSpace& space, const IntervalSetOn<Pattern::dimension, ExecutionSpace>& set,
  const Boundary<Pattern::dimension>& boundary, const HaloPlan& plan, RankStencilMapOn<Pattern, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  constexpr int Dim = Pattern::dimension;
  using Set = IntervalSetOn<Dim, ExecutionSpace>;
  Set owned;
  Set inner;
  restrictRows<ExecutionSpace, Dim>(space, set, plan.ownedPlanes, owned);
  restrictRows<ExecutionSpace, Dim>(space, owned, plan.innerPlanes, inner);
  CommonCells<typename ExecutionSpace::memory_space> cells;
  commonCells<ExecutionSpace, Dim>(space, set, inner, cells, workspace);
  buildStencilMap<Pattern, ExecutionSpace>(space, set, boundary, out.inner, workspace, cells);
  combine<ExecutionSpace, Dim>(space, SetOperation::Difference, owned, inner, owned, workspace);
  commonCells<ExecutionSpace, Dim>(space, set, owned, cells, workspace);
  buildStencilMap<Pattern, ExecutionSpace>(space, set, boundary, out.rim, workspace, cells);
}

} // namespace spanwise
