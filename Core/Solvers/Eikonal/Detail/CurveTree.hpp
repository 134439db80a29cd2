#pragma once

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/HilbertCurve.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/Eikonal/Detail/Bins.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace spanwise::eikonal::detail {

/// A binary tree over items in space, to find those with the least values: items are sorted along a curve through
/// space, and each branch knows what bounds the values of all items behind it from below. What is found does not depend
/// on the tree.
template <class Branch>
struct CurveTree {
  static constexpr std::int64_t leafSize = 4;
  static constexpr int maxLevels = 32;
  const Branch* branches = nullptr;    ///< [2 numLeaves]: 1 is the root, 2 i and 2 i + 1 are the children of i
  const std::int32_t* order = nullptr; ///< [count]: the items along the curve
  std::int64_t count = 0;
  std::int64_t numLeaves = 1; ///< a power of two

  /// query.take(i) for all items whose value may be within query.limit(), which may fall meanwhile; those behind nearer
  /// branches first. query.bound(branch) is not above the values behind it, and infinite where no item counts. O(log
  /// count) where bounds are close to values.
  template <class Query>
  KOKKOS_INLINE_FUNCTION void visit(Query& query) const {
    constexpr double infinite = Kokkos::Experimental::infinity_v<double>;
    std::int64_t waiting[maxLevels];
    double bounds[maxLevels];
    int numWaiting = 0;
    std::int64_t branch = 1;
    double bound = query.bound(branches[1]);
    while (true) {
      if (bound < infinite && bound <= query.limit()) {
        if (branch < numLeaves) {
          const double left = query.bound(branches[2 * branch]);
          const double right = query.bound(branches[2 * branch + 1]);
          const bool rightFirst = right < left;
          waiting[numWaiting] = 2 * branch + (rightFirst ? 0 : 1);
          bounds[numWaiting++] = rightFirst ? left : right;
          branch = 2 * branch + (rightFirst ? 1 : 0);
          bound = rightFirst ? right : left;
          continue;
        }
        const std::int64_t begin = (branch - numLeaves) * leafSize;
        for (std::int64_t k = begin; k < Kokkos::min(begin + leafSize, count); ++k) {
          query.take(order[k]);
        }
      }
      if (numWaiting == 0) {
        return;
      }
      branch = waiting[--numWaiting];
      bound = bounds[numWaiting];
    }
  }
};

template <class Items>
struct TreeBounds {
  Items items;

  KOKKOS_FUNCTION Bounds operator()(std::int64_t i) const {
    Bounds bounds = Bounds::empty();
    bounds.add(items.place(i));
    return bounds;
  }
};

struct CurvePlace {
  std::uint64_t key;
  std::int32_t number;

  KOKKOS_FUNCTION friend bool operator<(const CurvePlace& a, const CurvePlace& b) { return a.key < b.key; }
};

template <class Items>
struct FindCurvePlaces {
  static constexpr int bits = 21;
  Items items;
  Bounds bounds;
  double perLength;
  CurvePlace* places;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Point place = items.place(i);
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

template <class Branch, class Items>
struct MakeLeaves {
  using Tree = CurveTree<Branch>;
  Items items;
  const std::int32_t* order;
  std::int64_t count;
  Branch* leaves;

  KOKKOS_FUNCTION void operator()(std::int64_t leaf) const {
    Branch branch = Branch::empty();
    const std::int64_t begin = leaf * Tree::leafSize;
    for (std::int64_t k = begin; k < Kokkos::min(begin + Tree::leafSize, count); ++k) {
      branch.add(items.branch(order[k]));
    }
    leaves[leaf] = branch;
  }
};

template <class Branch>
struct JoinBranches {
  Branch* branches;
  std::int64_t first;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    Branch branch = branches[2 * (first + i)];
    branch.add(branches[2 * (first + i) + 1]);
    branches[first + i] = branch;
  }
};

/// The tree over `count` > 0 items: items.place(i) is about where an item is, items.branch(i) what a branch of it alone
/// knows. Its arrays are valid until `frame` closes. O(count log count).
template <class Branch, class ExecutionSpace, class Items>
CurveTree<Branch> makeCurveTree(const ExecutionSpace& space, const Items& items, std::int64_t count,
  typename Workspace<typename ExecutionSpace::memory_space>::Frame& frame) {
  const IndexRange<ExecutionSpace> all(space, 0, count);
  CurveTree<Branch> tree;
  tree.count = count;
  while (tree.numLeaves * tree.leafSize < count) {
    tree.numLeaves *= 2;
  }
  const auto order = frame.template array<std::int32_t>(count);
  const auto branches = frame.template array<Branch>(2 * tree.numLeaves);
  const auto places = frame.template array<CurvePlace>(count);
  const auto scratch = frame.template array<CurvePlace>(count);
  Bounds bounds = Bounds::empty();
  reduce(SPANWISE_KERNEL("bounds"), all, AllBounds<TreeBounds<Items>>{{items}}, bounds);
  double longest = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    longest = std::max(longest, bounds.high[axis] - bounds.low[axis]);
  }
  const double perLength = longest > 0.0 ? ((1 << FindCurvePlaces<Items>::bits) - 1.0) / longest : 0.0;
  forEach(SPANWISE_KERNEL("curve places"), all, FindCurvePlaces<Items>{items, bounds, perLength, places.data()});
  const CurvePlace* const sorted = sortStably(space, places.data(), scratch.data(), count, Ascending());
  forEach(SPANWISE_KERNEL("take order"), all, TakeOrder{sorted, order.data()});
  forEach(SPANWISE_KERNEL("make leaves"), IndexRange<ExecutionSpace>(space, 0, tree.numLeaves),
    MakeLeaves<Branch, Items>{items, order.data(), count, branches.data() + tree.numLeaves});
  for (std::int64_t first = tree.numLeaves / 2; first > 0; first /= 2) {
    forEach(SPANWISE_KERNEL("join branches"), IndexRange<ExecutionSpace>(space, 0, first),
      JoinBranches<Branch>{branches.data(), first});
  }
  tree.branches = branches.data();
  tree.order = order.data();
  return tree;
}

} // namespace spanwise::eikonal::detail
