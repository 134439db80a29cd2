#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/NBody/PointTree.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::nbody {

/// Lists of boxes, one for each box of a tree: those of box b are boxes[begin[b]] ... boxes[begin[b + 1] - 1]. The
/// arrays may be longer than that. In a periodic tree boxes stand for their images too: images[i] says which, with the
/// digits 0, 1, 2 for -1, 0, 1 edges of the root along the axes, the first axis lowest. Otherwise it is empty.
template <class MemorySpace>
struct BoxLists {
  Kokkos::View<std::int64_t*, MemorySpace> begin;
  Kokkos::View<std::int32_t*, MemorySpace> boxes;
  Kokkos::View<std::int8_t*, MemorySpace> images;
  std::int64_t count = 0; ///< in all lists
};

/// Which boxes of a tree act on which, and how. Boxes are adjacent if they touch or overlap; the colleagues of a box
/// are those of its level that are adjacent to it, itself among them. The sources of a leaf s reach the targets of a
/// leaf t in exactly one of these ways, where a and b are boxes from t and s upwards:
///
/// - near: s is in near(t) or t is in near(s), pairs of adjacent leaves;
/// - far: b is a child of a colleague of a's parent, on the level of a and not adjacent to it;
/// - coarse: s is in coarse(a): a leaf larger than a, adjacent to a's parent but not to a. It acts on a's expansion.
/// - fine: b is in fine(t): t is in coarse(b). The expansion of b acts on the points of t.
///
/// In a periodic tree the same is true of the sources of each image of s that touches the root; the root has images of
/// itself as colleagues, and boxes across a side of it are colleagues. The list of colleagues does not say which image
/// one is, since where it lies does.
///
/// These are the lists U, V, X and W of L. Greengard and V. Rokhlin's adaptive method (J. Carrier, L. Greengard, V.
/// Rokhlin, A fast adaptive multipole algorithm for particle simulations, SIAM J. Sci. Stat. Comput. 9, 1988).
template <int Dim, class MemorySpace>
struct TreeLists {
  static constexpr int numOffsets = Dim == 2 ? 9 : 27;
  static constexpr int noImage = numOffsets / 2; ///< the box itself

  /// Colleagues of box b at numOffsets * b + o, where o has the digits 0, 1, 2 for -1, 0, 1 along the axes, the first
  /// axis lowest; -1 where there is none.
  Kokkos::View<std::int32_t*, MemorySpace> colleagues;
  BoxLists<MemorySpace> near;  ///< of any box: the adjacent leaves of its size and larger ones, itself too if it is one
  BoxLists<MemorySpace> finer; ///< of a leaf: the adjacent leaves that are smaller
  BoxLists<MemorySpace> coarse; ///< of any box
  BoxLists<MemorySpace> fine;   ///< of a leaf

  /// Which image the entry i of a list in the host's memory is.
  [[nodiscard]] static int imageOf(const BoxLists<MemorySpace>& list, std::int64_t i) {
    return list.images.data() == nullptr ? noImage : list.images(i);
  }
};

/// Makes the lists of a tree, each in increasing order of boxes but for `near` and `coarse`, which go from the root
/// down; the same for any number of threads. Waits for them. O(boxes) for trees whose adjacent leaves do not differ
/// without bound; allocates in `lists` and the workspace only what they do not have yet.
template <class ExecutionSpace, int Dim>
void buildLists(const Context<ExecutionSpace>& context,
  const PointTree<Dim, typename ExecutionSpace::memory_space>& tree,
  TreeLists<Dim, typename ExecutionSpace::memory_space>& lists);

} // namespace spanwise::nbody
