#pragma once

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/NBody/Detail/FarOffset.hpp"
#include "Core/Solvers/NBody/Detail/TreeData.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::nbody::detail {

/// The levels on which boxes with sources are far from boxes with targets, but their parents are not: one bit each.
template <int Dim>
struct MarkLevelsWithFar {
  using value_type = std::uint64_t;
  static_assert(TreeData<Dim>::maxLevels <= 64, "a level is a bit");
  static constexpr unsigned places = (1U << Dim) - 1U;

  TreeData<Dim> tree;

  KOKKOS_FUNCTION void init(std::uint64_t& levels) const { levels = 0; }
  KOKKOS_FUNCTION void join(std::uint64_t& levels, const std::uint64_t& other) const { levels |= other; }
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::uint64_t& levels) const {
    const auto box = static_cast<std::int32_t>(i);
    const std::uint64_t ofBox = std::uint64_t{1} << tree.levelOf(box);
    if ((levels & ofBox) == 0 && tree.numTargets(box) > 0 && hasFar(box)) {
      levels |= ofBox;
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION bool hasFar(std::int32_t box) const {
    const std::int32_t* const colleagues = tree.colleagues + std::int64_t{tree.numOffsets} * tree.parent[box];
    for (int direction = 0; direction < tree.numOffsets; ++direction) {
      const std::int32_t parent = colleagues[direction];
      for (std::int32_t c = 0; parent >= 0 && c < tree.numChildren[parent]; ++c) {
        const std::int32_t other = tree.firstChild[parent] + c;
        if (tree.numSources(other) > 0 &&
          FarOffset(
            Dim, direction, static_cast<int>(tree.key[other] & places), static_cast<int>(tree.key[box] & places))
            .isFar) {
          return true;
        }
      }
    }
    return false;
  }
};

/// Such levels of a tree. In one with many points in one place most levels have none. O(boxes); waits for the result.
template <class ExecutionSpace, int Dim>
[[nodiscard]] std::uint64_t levelsWithFar(const ExecutionSpace& space,
  const PointTree<Dim, typename ExecutionSpace::memory_space>& tree,
  const TreeLists<Dim, typename ExecutionSpace::memory_space>& lists) {
  const int first = tree.isPeriodic ? 1 : 2;
  std::uint64_t levels = 0;
  if (first < tree.numLevels()) {
    reduce(SPANWISE_KERNEL("mark far levels"),
      IndexRange<ExecutionSpace>(space, tree.levelBegin[first], tree.numBoxes()),
      MarkLevelsWithFar<Dim>{treeDataOf(tree, lists)}, levels);
  }
  return levels;
}

} // namespace spanwise::nbody::detail
