#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/Eikonal/Detail/Bins.hpp"
#include "Core/Solvers/Eikonal/Detail/CurveTree.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"
#include "Core/Solvers/Eikonal/Tensor.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal::detail {

// Which of many sources a front comes from first along straight lines, where each source starts at its own time and has
// its own medium, so that the nearest one need not be the first. A branch of a tree over them knows the box around its
// sources, the earliest of their times and the fastest of their media: what is behind it cannot come before the time to
// its box.

/// A source as the tree sees it.
struct TreeSource {
  Point place;
  double time = 0.0;
  double slowness = 0.0; ///< not more than the travel time per length in any direction
};

/// A lower bound of the travel time per length in the medium N = M^-1: 1 / sqrt of M's greatest row sum, which its
/// greatest eigenvalue is not above (S. Gershgorin, 1931). Exact without direction.
KOKKOS_INLINE_FUNCTION double minSlowness(const SymmetricTensor& n) {
  const SymmetricTensor m = n.inverse();
  const double xy = Kokkos::abs(m.xy);
  const double yz = Kokkos::abs(m.yz);
  const double xz = Kokkos::abs(m.xz);
  return 1.0 / Kokkos::sqrt(Kokkos::max(Kokkos::max(m.xx + xy + xz, m.yy + xy + yz), m.zz + xz + yz));
}

/// A branch. One without sources has the time notReached.
struct SourceBranch {
  Bounds bounds = Bounds::empty();
  double time = notReached;
  double slowness = notReached;

  KOKKOS_INLINE_FUNCTION static SourceBranch empty() { return {}; }
  KOKKOS_INLINE_FUNCTION void add(const SourceBranch& other) {
    bounds.add(other.bounds);
    time = Kokkos::min(time, other.time);
    slowness = Kokkos::min(slowness, other.slowness);
  }
};

/// Of a query's sources the one whose front comes first.
template <class Query>
struct FirstSource {
  const Query& query;
  double least = notReached;
  std::int32_t best = -1;

  /// What no source behind a branch comes before, with room for rounding.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double bound(const SourceBranch& b) const {
    if (!(b.time < notReached)) {
      return notReached;
    }
    const double travel = b.slowness * Kokkos::sqrt(query.distance2(b.bounds));
    constexpr double loose = 1e-6; // a bound that is a little low costs a look at a branch more; one too high a source
    constexpr double rounding = 1e-14;
    return b.time + (1.0 - loose) * travel - rounding * Kokkos::abs(b.time);
  }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double limit() const { return least; }
  KOKKOS_INLINE_FUNCTION void take(std::int32_t i) {
    const double time = query.time(i);
    if (time < least || (time == least && best >= 0 && query.isBefore(i, best))) {
      least = time;
      best = i;
    }
  }
};

struct SourceTree {
  CurveTree<SourceBranch> tree;

  /// The source whose time is the least, of equal ones the one that stands before the others; -1: none counts. For
  /// Query: distance2(Bounds), the squared distance from a box, which may be more only for boxes whose sources do not
  /// count; time(i) of a source, notReached if it does not count; isBefore(i, j). O(log count) where sources are spread
  /// and media are alike.
  template <class Query>
  [[nodiscard]] KOKKOS_INLINE_FUNCTION std::int32_t first(const Query& query) const {
    FirstSource<Query> first{query};
    tree.visit(first);
    return first.best;
  }
};

/// Sources as items of a tree: sources(i) is a TreeSource.
template <class Sources>
struct SourceItems {
  Sources sources;

  [[nodiscard]] KOKKOS_FUNCTION Point place(std::int64_t i) const { return sources(i).place; }
  [[nodiscard]] KOKKOS_FUNCTION SourceBranch branch(std::int64_t i) const {
    const TreeSource source = sources(i);
    SourceBranch one;
    one.bounds.add(source.place);
    one.time = source.time;
    one.slowness = source.slowness;
    return one;
  }
};

/// The tree over `count` > 0 sources. Its arrays are valid until `frame` closes. O(count log count).
template <class ExecutionSpace, class Sources>
SourceTree makeSourceTree(const ExecutionSpace& space, const Sources& sources, std::int64_t count,
  typename Workspace<typename ExecutionSpace::memory_space>::Frame& frame) {
  return {makeCurveTree<SourceBranch>(space, SourceItems<Sources>{sources}, count, frame)};
}

} // namespace spanwise::eikonal::detail
