#include "Core/Multilevel/LevelStencil.hpp"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Threshold.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Multilevel/Levels.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <string>

namespace spanwise::multilevel {

namespace {

/// 1 where all neighbours have 1.
template <class Pattern>
struct AllHaveOne {
  KOKKOS_FUNCTION float operator()(const field::StencilPoint<Pattern, float>& point) const {
    float least = 1.0F;
    for (int n = 0; n < Pattern::count; ++n) {
      least = Kokkos::min(least, point.neighbour(n));
    }
    return least;
  }
};

template <class Pattern>
constexpr int reachOf() {
  int most = 0;
  for (int n = 0; n < Pattern::count; ++n) {
    for (int axis = 0; axis < Pattern::dimension; ++axis) {
      most = std::max({most, Pattern::offset(n, axis), -Pattern::offset(n, axis)});
    }
  }
  return most;
}

} // namespace

template <class Pattern, class ExecutionSpace>
void buildStencilMap(const Context<ExecutionSpace>& context,
  const std::type_identity_t<MultilevelSetOn<Pattern::dimension, ExecutionSpace>>& levels,
  GhostLevels<ExecutionSpace, Pattern::dimension>& ghosts, field::BoundaryPolicy policy,
  LevelStencilMapOn<Pattern, ExecutionSpace>& out) {
  constexpr int Dim = Pattern::dimension;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;
  using Memory = typename ExecutionSpace::memory_space;

  SPANWISE_REGION("Multilevel::buildStencilMap");
  if (ghosts.options.width < reachOf<Pattern>()) {
    throw InvalidArgument("the stencil looks " + std::to_string(reachOf<Pattern>()) +
      " cells far, but the layer of ghost cells is " + std::to_string(ghosts.options.width) + " wide");
  }
  out.setNumLevels(ghosts.numLevels);
  Set ofLevel;
  Set without;
  Set with;
  geometry::CommonCells<Memory> cells;
  field::StencilMap<Pattern, Memory> map;
  field::Field<float, Memory> coarse;
  for (int l = 0; l < ghosts.numLevels; ++l) {
    const Set& extended = ghosts.extended[static_cast<std::size_t>(l)];
    const field::Boundary<Dim> boundary{policy};
    leaves<ExecutionSpace, Dim>(context, levels, l, ofLevel);
    geometry::commonCells<ExecutionSpace, Dim>(context, extended, ofLevel, cells);

    // 1 for leaves of all ranks and what is outside, 0 for cells with children and what is coarser
    field::Field<float, Memory> isLeaf("is leaf", extended.numCells());
    field::fill<ExecutionSpace, float>(context, isLeaf, 0.0F);
    field::fill<ExecutionSpace, float>(context, isLeaf, 1.0F, cells);
    fillGhostsOfLevel(context, ghosts, l, ValueState<float>{1.0F}, l > 0 ? &coarse : nullptr, isLeaf);

    field::Field<float, Memory> seesLeaves("sees leaves", extended.numCells());
    field::fill<ExecutionSpace, float>(context, seesLeaves, 0.0F);
    field::buildStencilMap<Pattern, ExecutionSpace>(context, extended, boundary, map, cells);
    field::applyStencil(context.space(), map, isLeaf, 1.0F, AllHaveOne<Pattern>{}, seesLeaves);
    field::threshold<ExecutionSpace, float, Dim>(context, extended, seesLeaves, {{1.0, 1.0}}, without);
    geometry::combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, ofLevel, without, with);

    geometry::commonCells<ExecutionSpace, Dim>(context, extended, without, cells);
    field::buildStencilMap<Pattern, ExecutionSpace>(context, extended, boundary, out.level(l).without, cells);
    geometry::commonCells<ExecutionSpace, Dim>(context, extended, with, cells);
    field::buildStencilMap<Pattern, ExecutionSpace>(context, extended, boundary, out.level(l).with, cells);

    coarse.resize(extended.numCells());
    field::fill<ExecutionSpace, float>(context, coarse, 0.0F);
  }
}

#define SPANWISE_LEVEL_STENCIL(Space, Dim, ...)                                                                        \
  template void buildStencilMap<__VA_ARGS__, Space>(const Context<Space>&, const MultilevelSetOn<Dim, Space>&,         \
    GhostLevels<Space, Dim>&, field::BoundaryPolicy, LevelStencilMapOn<__VA_ARGS__, Space>&);
#define SPANWISE_LEVEL_STENCILS(Space, Dim)                                                                            \
  SPANWISE_LEVEL_STENCIL(Space, Dim, field::StarPattern<Dim, 1>)                                                       \
  SPANWISE_LEVEL_STENCIL(Space, Dim, field::StarPattern<Dim, 2>)                                                       \
  SPANWISE_LEVEL_STENCIL(Space, Dim, field::BoxPattern<Dim>)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LEVEL_STENCILS)

} // namespace spanwise::multilevel
