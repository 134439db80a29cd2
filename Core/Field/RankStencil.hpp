#pragma once

#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Spaces.hpp"

namespace spanwise::field {

/// The map of a stencil on a rank's own cells of a set with its halo, in two parts: the inner ones, whose neighbours
/// are its own too, and the rim. Keeps its memory.
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

/// Collective. A step of a stencil on all own cells, by fields that have their halo: compute(context, map) computes the
/// cells of a map, and `made` are the fields that it makes (FieldView or PartOfField), which have their halo after. The
/// rim comes first and is sent while the inner cells are computed; kernels of `space` that are launched from now on see
/// both.
///
///   exchange.exchange(space, from.view());
///   for (...) {
///     const auto jacobi = [&](const Context<Space>& on, const auto& cells) {
///       jacobiStep(on, cells, from, {grid, relaxation}, outside, to);
///     };
///     stepWithHalo(context, map, exchange, jacobi, to.view());
///     std::swap(from, to);
///   }
///
/// compute() throws nothing. Throws as HaloExchange::finish().
template <class Pattern, class ExecutionSpace, class Compute, class... Fields>
void stepWithHalo(const Context<ExecutionSpace>& context,
  const RankStencilMap<Pattern, typename ExecutionSpace::memory_space>& map,
  parallel::HaloExchange<ExecutionSpace>& exchange, const Compute& compute, const Fields&... made) {
  const ExecutionSpace boundary = exchange.boundarySpace(context.space());
  compute(context.on(boundary), map.rim);
  if constexpr (runsOnHost<ExecutionSpace>) {
    exchange.start(boundary, made...);
    compute(context, map.inner); // in the threads that would wait
  } else {
    compute(context, map.inner); // while start() waits for the rim, too
    exchange.start(boundary, made...);
  }
  exchange.finish(context.space());
}

} // namespace spanwise::field
