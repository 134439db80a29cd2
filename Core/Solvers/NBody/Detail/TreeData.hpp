#pragma once

#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"
#include "Core/Solvers/NBody/Detail/Morton.hpp"
#include "Core/Solvers/NBody/TreeLists.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace spanwise::nbody::detail {

/// The frame of a box of a tree whose root has this corner and side, or of an image of it (TreeLists.hpp).
template <int Dim, class Real>
KOKKOS_INLINE_FUNCTION BoxFrame<Dim, Real> boxFrame(const double* low, double rootSide, std::uint64_t key, int level,
  int image = TreeLists<Dim, Kokkos::HostSpace>::noImage) {
  const BoxPlace<Dim> place = placeOf<Dim>(key, level);
  const double side = rootSide / static_cast<double>(std::uint64_t{1} << level);
  BoxFrame<Dim, Real> frame{};
  for (int axis = 0, rest = image; axis < Dim; ++axis, rest /= 3) {
    const double centre = low[axis] + (place.at[axis] + 0.5) * side + (rest % 3 - 1) * rootSide;
    frame.centre[axis] = static_cast<Real>(centre);
    frame.centreRest[axis] = static_cast<Real>(centre - static_cast<double>(frame.centre[axis]));
  }
  frame.scale = static_cast<Real>(2.0 / side);
  return frame;
}

/// Where a box lies for an image of another one, as one of its own images.
template <int Dim>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION constexpr int oppositeImage(int image) {
  return TreeLists<Dim, Kokkos::HostSpace>::numOffsets - 1 - image;
}

/// Lists of boxes as kernels see them.
template <int Dim>
struct ListData {
  const std::int64_t* begin;
  const std::int32_t* boxes;
  const std::int8_t* images; ///< nullptr: there are none

  [[nodiscard]] KOKKOS_FUNCTION int imageOf(std::int64_t i) const {
    return images == nullptr ? TreeLists<Dim, Kokkos::HostSpace>::noImage : images[i];
  }
};

/// A tree and its lists as kernels see them, in any memory.
template <int Dim>
struct TreeData {
  static constexpr int numOffsets = Dim == 2 ? 9 : 27;
  static constexpr int maxLevels = deepestLevel<Dim> + 1;
  static constexpr int noImage = TreeLists<Dim, Kokkos::HostSpace>::noImage;

  const std::uint64_t* key;
  const std::int32_t* parent;
  const std::int32_t* firstChild;
  const std::int32_t* numChildren;
  const std::int64_t* sourceBegin;
  const std::int64_t* sourceEnd;
  const std::int64_t* targetBegin;
  const std::int64_t* targetEnd;
  const std::int64_t* targetOrder;
  const std::int32_t* colleagues;
  ListData<Dim> near, finer, coarse, fine;
  double low[Dim];
  double side;
  bool isPeriodic;
  int numLevels;
  std::int32_t levelBegin[maxLevels + 1];

  [[nodiscard]] KOKKOS_FUNCTION int levelOf(std::int32_t box) const {
    int level = 0;
    while (levelBegin[level + 1] <= box) {
      ++level;
    }
    return level;
  }
  [[nodiscard]] KOKKOS_FUNCTION double sideOf(int level) const {
    return side / static_cast<double>(std::uint64_t{1} << level);
  }
  /// The first level whose boxes have far ones.
  [[nodiscard]] int firstFarLevel() const { return isPeriodic ? 1 : 2; }
  /// Whether there is anything far from the boxes of a level.
  [[nodiscard]] KOKKOS_FUNCTION bool isReached(int level) const { return isPeriodic || level >= 2; }
  /// Of an image of a box (TreeLists.hpp).
  template <class Real>
  [[nodiscard]] KOKKOS_FUNCTION BoxFrame<Dim, Real> frameOf(std::int32_t box, int level, int image = noImage) const {
    return boxFrame<Dim, Real>(low, side, key[box], level, image);
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t numSources(std::int32_t box) const {
    return sourceEnd[box] - sourceBegin[box];
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t numTargets(std::int32_t box) const {
    return targetEnd[box] - targetBegin[box];
  }
};

template <int Dim, class MemorySpace>
[[nodiscard]] TreeData<Dim> treeDataOf(
  const PointTree<Dim, MemorySpace>& tree, const TreeLists<Dim, MemorySpace>& lists) {
  const auto of = [](const BoxLists<MemorySpace>& list) {
    return ListData<Dim>{list.begin.data(), list.boxes.data(), list.images.data()};
  };
  TreeData<Dim> data{};
  data.key = tree.key.data();
  data.parent = tree.parent.data();
  data.firstChild = tree.firstChild.data();
  data.numChildren = tree.numChildren.data();
  data.sourceBegin = tree.sourceBegin.data();
  data.sourceEnd = tree.sourceEnd.data();
  data.targetBegin = tree.targetBegin.data();
  data.targetEnd = tree.targetEnd.data();
  data.targetOrder = tree.targetOrder.data();
  data.colleagues = lists.colleagues.data();
  data.near = of(lists.near);
  data.finer = of(lists.finer);
  data.coarse = of(lists.coarse);
  data.fine = of(lists.fine);
  std::copy(tree.low.begin(), tree.low.end(), data.low);
  data.side = tree.side;
  data.isPeriodic = tree.isPeriodic;
  data.numLevels = tree.numLevels();
  std::copy(tree.levelBegin.begin(), tree.levelBegin.end(), data.levelBegin);
  return data;
}

} // namespace spanwise::nbody::detail
