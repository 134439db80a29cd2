#pragma once

#include "Core/Field/GroupedSet.hpp"
#include "Core/Field/Stencil.hpp"

#include <type_traits>

namespace spanwise::field {

/// The maps of a stencil on a grouped set: of its groups, one each. Keeps its memory.
template <class Pattern, class MemorySpace>
struct GroupedStencilMap {
  StencilMap<Pattern, MemorySpace> without;
  StencilMap<Pattern, MemorySpace> with;

  /// The cells that the stencil is applied to.
  [[nodiscard]] std::int64_t numCells() const { return without.numCells() + with.numCells(); }
  [[nodiscard]] std::size_t bytes() const { return without.bytes() + with.bytes(); }
};

/// out = the maps of a grouped set, as of an interval set.
template <class Pattern, class ExecutionSpace>
void buildStencilMap(const Context<ExecutionSpace>& context,
  const GroupedSetOn<Pattern::dimension, ExecutionSpace>& set, const Boundary<Pattern::dimension>& boundary,
  GroupedStencilMap<Pattern, typename ExecutionSpace::memory_space>& out) {
  buildStencilMap<Pattern, ExecutionSpace>(context, set.set(), boundary, out.without, set.within(SubsetGroup::Without));
  buildStencilMap<Pattern, ExecutionSpace>(context, set.set(), boundary, out.with, set.within(SubsetGroup::With));
}

namespace detail {

/// Calls apply(map) for the maps of a group that have cells.
template <class Pattern, class MemorySpace, class Apply>
void forMapsOf(const GroupedStencilMap<Pattern, MemorySpace>& maps, SubsetGroup group, const Apply& apply) {
  if (group != SubsetGroup::With && maps.without.numCells() > 0) {
    apply(maps.without);
  }
  if (group != SubsetGroup::Without && maps.with.numCells() > 0) {
    apply(maps.with);
  }
}

} // namespace detail

// The stencils of Stencil.hpp on the cells of a group.

/// Calls body(point) for each cell.
template <int NumComponents, class ExecutionSpace, class Pattern, class T, class Body>
void forEachStencil(const ExecutionSpace& space,
  const GroupedStencilMap<Pattern, typename ExecutionSpace::memory_space>& maps, const FieldOn<T, ExecutionSpace>& in,
  std::type_identity_t<T> outside, const Body& body, SubsetGroup group = SubsetGroup::All) {
  detail::forMapsOf(
    maps, group, [&](const auto& map) { forEachStencil<NumComponents>(space, map, in, outside, body); });
}

/// Calls body(point, out) for each cell.
template <int NumComponents, int NumOut, class ExecutionSpace, class Pattern, class T, class Body>
void forEachStencil(const ExecutionSpace& space,
  const GroupedStencilMap<Pattern, typename ExecutionSpace::memory_space>& maps, const FieldOn<T, ExecutionSpace>& in,
  std::type_identity_t<T> outside, const Body& body, FieldOn<T, ExecutionSpace>& out,
  SubsetGroup group = SubsetGroup::All) {
  detail::forMapsOf(
    maps, group, [&](const auto& map) { forEachStencil<NumComponents, NumOut>(space, map, in, outside, body, out); });
}

/// out = function(point) in each cell, for each component by itself.
template <class ExecutionSpace, class Pattern, class T, class Function>
void applyStencil(const ExecutionSpace& space,
  const GroupedStencilMap<Pattern, typename ExecutionSpace::memory_space>& maps, const FieldOn<T, ExecutionSpace>& in,
  std::type_identity_t<T> outside, const Function& function, FieldOn<T, ExecutionSpace>& out,
  SubsetGroup group = SubsetGroup::All) {
  detail::forMapsOf(maps, group, [&](const auto& map) { applyStencil(space, map, in, outside, function, out); });
}

} // namespace spanwise::field
