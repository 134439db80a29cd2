#pragma once

#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::field {

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
void buildRankStencilMap(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Pattern::dimension, ExecutionSpace>& set, const Boundary<Pattern::dimension>& boundary,
  const parallel::HaloPlan& plan, RankStencilMapOn<Pattern, ExecutionSpace>& out) {
  constexpr int Dim = Pattern::dimension;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;
  Set owned;
  Set inner;
  restrictRows<ExecutionSpace, Dim>(context, set, plan.ownedPlanes, owned);
  restrictRows<ExecutionSpace, Dim>(context, owned, plan.innerPlanes, inner);
  geometry::CommonCells<typename ExecutionSpace::memory_space> cells;
  commonCells<ExecutionSpace, Dim>(context, set, inner, cells);
  buildStencilMap<Pattern, ExecutionSpace>(context, set, boundary, out.inner, cells);
  combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, owned, inner, owned);
  commonCells<ExecutionSpace, Dim>(context, set, owned, cells);
  buildStencilMap<Pattern, ExecutionSpace>(context, set, boundary, out.rim, cells);
}

} // namespace spanwise::field
