#pragma once

// One interface for functors on intervals and on blocks:
//
//   StencilMapOf<FacePattern<3>, Set> map;          // Set: GroupedSetOn<3, Space> or BlockSetOn<3, Space>
//   buildStencilMap<FacePattern<3>>(context, set, boundary, map);
//   forEachCell(space, label, set, initialValue);   // initialValue(number, cell)
//   forGroups(set, diffuse, diffuseAtInlet, [&](SubsetGroup group, const auto& body) {
//     forEachStencil<1, 1>(space, map, from, outside, body, to, group);
//   });

#include "Core/Field/BlockStencil.hpp"
#include "Core/Field/GroupedStencil.hpp"

namespace spanwise::field {

namespace detail {

template <class Pattern, class Set>
struct StencilMapOfSet;
template <class Pattern, int Dim, class MemorySpace>
struct StencilMapOfSet<Pattern, GroupedSet<Dim, MemorySpace>> {
  using Map = GroupedStencilMap<Pattern, MemorySpace>;
};
template <class Pattern, int Dim, class MemorySpace>
struct StencilMapOfSet<Pattern, BlockSet<Dim, MemorySpace>> {
  using Map = BlockStencilMap<Pattern, MemorySpace>;
};

/// The number of the cell that a body is called for: of a map pattern, or of a stencil.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t numberOfCell(std::int64_t number) { return number; }
template <class Point>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t numberOfCell(const Point& point) {
  return point.cell();
}

/// One body for the cells of the subset, another for all others.
template <class View, class Body, class Special>
struct AtSubset {
  View set;
  Body body;
  Special special;

  template <class First, class... Others>
  KOKKOS_FUNCTION void operator()(const First& first, const Others&... others) const {
    const std::int64_t place = set.subsetPlace(numberOfCell(first));
    if (place >= 0) {
      special(place, first, others...);
    } else {
      body(first, others...);
    }
  }
};

template <class View, class Body>
struct WithCells {
  View set;
  Body body;

  template <class Point, class... Out>
  KOKKOS_FUNCTION void operator()(const Point& point, const Out&... out) const {
    body(set.cellAt(point.cell()), point, out...);
  }
};

} // namespace detail

/// The map of a stencil on a GroupedSet or a BlockSet.
template <class Pattern, class Set>
using StencilMapOf = typename detail::StencilMapOfSet<Pattern, Set>::Map;

/// Gives the cells of the subset a body of their own: special(place, ...) for them, with the place of their data
/// (numSubsetPlaces()) before what body(...) gets for all others. Calls launch(group, body) for each kernel: two where
/// the set separates its groups, so that the one without cells of the subset has not their registers; otherwise one
/// with a branch. What both write has the same bits either way.
template <class Set, class Body, class Special, class Launch>
void forGroups(const Set& set, const Body& body, const Special& special, const Launch& launch) {
  const detail::AtSubset<decltype(set.view()), Body, Special> both{set.view(), body, special};
  if (set.separatesGroups()) {
    launch(SubsetGroup::Without, body);
    launch(SubsetGroup::With, both);
  } else {
    launch(SubsetGroup::All, both);
  }
}

/// A body for stencils that is called with the coordinates of the cell too: body(cell, point) or body(cell, point,
/// out). O(1) on blocks; O(log intervals) on intervals, where what is asked for often is better kept in a field
/// (forEachCell()).
template <class Set, class Body>
detail::WithCells<decltype(std::declval<const Set&>().view()), Body> withCells(const Set& set, const Body& body) {
  return {set.view(), body};
}

} // namespace spanwise::field
