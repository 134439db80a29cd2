#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/HilbertCurve.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/Eikonal/Detail/Bins.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"
#include "Core/Solvers/Eikonal/Tensor.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace spanwise::eikonal::detail {

// Which of many sources a front comes from first along straight lines, where each source starts at its own time and has
// its own medium, so that the nearest one need not be the first. Sources are sorted along a curve through space, and a
// binary tree over them knows the box around those of a branch, the earliest of their times and the fastest of their
// media: what is behind a branch cannot come before the time to its box. What is found does not depend on the tree.

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

  KOKKOS_INLINE_FUNCTION void add(const SourceBranch& other) {
    bounds.add(other.bounds);
    time = Kokkos::min(time, other.time);
    slowness = Kokkos::min(slowness, other.slowness);
  }
};

struct SourceTree {
  static constexpr std::int64_t leafSize = 4;
  static constexpr int maxLevels = 32;
  const SourceBranch* branches = nullptr; ///< [2 numLeaves]: 1 is the root, 2 i and 2 i + 1 are the children of i
  const std::int32_t* order = nullptr;    ///< [count]: the sources along the curve
  std::int64_t count = 0;
  std::int64_t numLeaves = 1; ///< a power of two

  /// The source whose time is the least, of equal ones the one that stands before the others; -1: none counts. For
  /// Query: distance2(Bounds), the squared distance from a box, which may be more only for boxes whose sources do not
  /// count; time(i) of a source, notReached if it does not count; isBefore(i, j). O(log count) where sources are spread
  /// and media are alike.
  template <class Query>
  [[nodiscard]] KOKKOS_INLINE_FUNCTION std::int32_t first(const Query& query) const {
    std::int64_t waiting[maxLevels];
    double bounds[maxLevels];
    int numWaiting = 0;
    std::int32_t best = -1;
    double least = notReached;
    std::int64_t branch = 1;
    double bound = boundOf(1, query);
    while (true) {
      if (bound < notReached && !(bound > least)) {
        if (branch < numLeaves) {
          const double left = boundOf(2 * branch, query);
          const double right = boundOf(2 * branch + 1, query);
          const bool rightFirst = right < left;
          waiting[numWaiting] = 2 * branch + (rightFirst ? 0 : 1);
          bounds[numWaiting++] = rightFirst ? left : right;
          branch = 2 * branch + (rightFirst ? 1 : 0);
          bound = rightFirst ? right : left;
          continue;
        }
        const std::int64_t begin = (branch - numLeaves) * leafSize;
        for (std::int64_t k = begin; k < Kokkos::min(begin + leafSize, count); ++k) {
          const std::int32_t i = order[k];
          const double time = query.time(i);
          if (time < least || (time == least && best >= 0 && query.isBefore(i, best))) {
            least = time;
            best = i;
          }
        }
      }
      if (numWaiting == 0) {
        return best;
      }
      branch = waiting[--numWaiting];
      bound = bounds[numWaiting];
    }
  }

private:
  /// What no source behind a branch comes before, with room for rounding.
  template <class Query>
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double boundOf(std::int64_t branch, const Query& query) const {
    const SourceBranch& b = branches[branch];
    if (!(b.time < notReached)) {
      return notReached;
    }
    const double travel = b.slowness * Kokkos::sqrt(query.distance2(b.bounds));
    constexpr double loose = 1e-6; // a bound that is a little low costs a look at a branch more; one too high a source
    constexpr double rounding = 1e-14;
    return b.time + (1.0 - loose) * travel - rounding * Kokkos::abs(b.time);
  }
};

template <class Sources>
struct TreeBounds {
  Sources sources;

  KOKKOS_FUNCTION Bounds operator()(std::int64_t i) const {
    Bounds bounds = Bounds::empty();
    bounds.add(sources(i).place);
    return bounds;
  }
};

struct CurvePlace {
  std::uint64_t key;
  std::int32_t number;

  KOKKOS_FUNCTION friend bool operator<(const CurvePlace& a, const CurvePlace& b) { return a.key < b.key; }
};

template <class Sources>
struct FindCurvePlaces {
  static constexpr int bits = 21;
  Sources sources;
  Bounds bounds;
  double perLength;
  CurvePlace* places;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Point place = sources(i).place;
    std::uint32_t cell[3];
    for (int axis = 0; axis < 3; ++axis) {
      const double at = (place[axis] - bounds.low[axis]) * perLength;
      cell[axis] = at > 0.0 ? static_cast<std::uint32_t>(Kokkos::min(at, (1 << bits) - 1.0)) : 0;
    }
    places[i] = {hilbertNumber(cell, 3, bits), static_cast<std::int32_t>(i)};
  }
};

struct TakeOrder {
  const CurvePlace* places;
  std::int32_t* order;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { order[i] = places[i].number; }
};

template <class Sources>
struct MakeLeaves {
  Sources sources;
  const std::int32_t* order;
  std::int64_t count;
  SourceBranch* leaves;

  KOKKOS_FUNCTION void operator()(std::int64_t leaf) const {
    SourceBranch branch;
    const std::int64_t begin = leaf * SourceTree::leafSize;
    for (std::int64_t k = begin; k < Kokkos::min(begin + SourceTree::leafSize, count); ++k) {
      const TreeSource source = sources(order[k]);
      SourceBranch one;
      one.bounds.add(source.place);
      one.time = source.time;
      one.slowness = source.slowness;
      branch.add(one);
    }
    leaves[leaf] = branch;
  }
};

struct JoinBranches {
  SourceBranch* branches;
  std::int64_t first;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    SourceBranch branch = branches[2 * (first + i)];
    branch.add(branches[2 * (first + i) + 1]);
    branches[first + i] = branch;
  }
};

/// The tree over `count` > 0 sources: sources(i) is a TreeSource. Its arrays are valid until `frame` closes. O(count
/// log count).
template <class ExecutionSpace, class Sources>
SourceTree makeSourceTree(const ExecutionSpace& space, const Sources& sources, std::int64_t count,
  typename Workspace<typename ExecutionSpace::memory_space>::Frame& frame) {
  const IndexRange<ExecutionSpace> all(space, 0, count);
  SourceTree tree;
  tree.count = count;
  while (tree.numLeaves * SourceTree::leafSize < count) {
    tree.numLeaves *= 2;
  }
  const auto order = frame.template array<std::int32_t>(count);
  const auto branches = frame.template array<SourceBranch>(2 * tree.numLeaves);
  const auto places = frame.template array<CurvePlace>(count);
  const auto scratch = frame.template array<CurvePlace>(count);
  Bounds bounds = Bounds::empty();
  reduce(SPANWISE_KERNEL("bounds"), all, AllBounds<TreeBounds<Sources>>{{sources}}, bounds);
  double longest = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    longest = std::max(longest, bounds.high[axis] - bounds.low[axis]);
  }
  const double perLength = longest > 0.0 ? ((1 << FindCurvePlaces<Sources>::bits) - 1.0) / longest : 0.0;
  forEach(SPANWISE_KERNEL("curve places"), all, FindCurvePlaces<Sources>{sources, bounds, perLength, places.data()});
  const CurvePlace* const sorted = sortStably(space, places.data(), scratch.data(), count, Ascending());
  forEach(SPANWISE_KERNEL("take order"), all, TakeOrder{sorted, order.data()});
  forEach(SPANWISE_KERNEL("make leaves"), IndexRange<ExecutionSpace>(space, 0, tree.numLeaves),
    MakeLeaves<Sources>{sources, order.data(), count, branches.data() + tree.numLeaves});
  for (std::int64_t first = tree.numLeaves / 2; first > 0; first /= 2) {
    forEach(SPANWISE_KERNEL("join branches"), IndexRange<ExecutionSpace>(space, 0, first),
      JoinBranches{branches.data(), first});
  }
  tree.branches = branches.data();
  tree.order = order.data();
  return tree;
}

} // namespace spanwise::eikonal::detail
