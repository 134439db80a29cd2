#include "Core/Solvers/NBody/TreeLists.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/NBody/Detail/GrowList.hpp"
#include "Core/Solvers/NBody/Detail/Morton.hpp"

#include <algorithm>

namespace spanwise::nbody {

namespace detail {

/// What of a tree lists are made of.
struct TreeLinks {
  const std::uint64_t* key;
  const std::int32_t* parent;
  const std::int32_t* firstChild;
  const std::int32_t* numChildren;
};

template <int Dim, class MemorySpace>
TreeLinks linksOf(const PointTree<Dim, MemorySpace>& tree) {
  return {tree.key.data(), tree.parent.data(), tree.firstChild.data(), tree.numChildren.data()};
}

template <int Dim>
struct FindColleagues {
  static constexpr int numOffsets = Dim == 2 ? 9 : 27;
  TreeLinks tree;
  std::int32_t firstBox;
  int level;
  std::int32_t* colleagues;
  bool isPeriodic;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const auto box = static_cast<std::int32_t>(firstBox + k);
    const BoxPlace<Dim> place = placeOf<Dim>(tree.key[box], level);
    for (int offset = 0; offset < numOffsets; ++offset) {
      colleagues[std::int64_t{numOffsets} * box + offset] = find(box, place, offset);
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION std::int32_t find(std::int32_t box, const BoxPlace<Dim>& place, int offset) const {
    if (level == 0) {
      return isPeriodic || offset == numOffsets / 2 ? box : -1;
    }
    const std::int32_t last = (std::int32_t{1} << level) - 1;
    BoxPlace<Dim> at{};
    int ofParents = 0; // from this box's parent to the colleague's
    int scale = 1;
    for (int axis = 0, rest = offset; axis < Dim; ++axis, rest /= 3, scale *= 3) {
      at.at[axis] = place.at[axis] + rest % 3 - 1;
      if (!isPeriodic && (at.at[axis] < 0 || at.at[axis] > last)) {
        return -1;
      }
      ofParents += scale * ((at.at[axis] >> 1) - (place.at[axis] >> 1) + 1);
      at.at[axis] &= last;
    }
    const std::int32_t parent = colleagues[std::int64_t{numOffsets} * tree.parent[box] + ofParents];
    if (parent >= 0) {
      const std::uint64_t wanted = mortonOf<Dim>(at, level);
      for (std::int32_t child = 0; child < tree.numChildren[parent]; ++child) {
        if (tree.key[tree.firstChild[parent] + child] == wanted) {
          return tree.firstChild[parent] + child;
        }
      }
    }
    return -1;
  }
};

/// Whether a box touches an image of another one of its level or a coarser one.
template <int Dim>
KOKKOS_INLINE_FUNCTION bool areAdjacent(
  const BoxPlace<Dim>& fine, int fineLevel, const BoxPlace<Dim>& coarse, int coarseLevel, int image) {
  const int shift = fineLevel - coarseLevel;
  for (int axis = 0, rest = image; axis < Dim; ++axis, rest /= 3) {
    const std::int64_t at = coarse.at[axis] + (std::int64_t{rest % 3 - 1} << coarseLevel);
    const std::int64_t begin = at << shift;
    const std::int64_t end = (at + 1) << shift;
    if (fine.at[axis] + std::int64_t{1} < begin || fine.at[axis] > end) {
      return false;
    }
  }
  return true;
}

/// Which image of the root a box's colleague lies in.
template <int Dim>
KOKKOS_INLINE_FUNCTION int imageOfColleague(const BoxPlace<Dim>& place, int level, int offset) {
  int image = 0;
  int scale = 1;
  for (int axis = 0, rest = offset; axis < Dim; ++axis, rest /= 3, scale *= 3) {
    const std::int32_t at = place.at[axis] + rest % 3 - 1;
    image += scale * ((at >> level) + 1);
  }
  return image;
}

/// The leaves near and coarse of the boxes of a level: those near the parent, which are near the box or coarse for it,
/// and colleagues that are leaves. Counted, or written to where the lists begin.
template <int Dim>
struct ListLevel {
  static constexpr int numOffsets = Dim == 2 ? 9 : 27;
  TreeLinks tree;
  const std::int32_t* colleagues;
  const std::int8_t* levelOf;
  std::int32_t firstBox;
  int level;
  const std::int64_t* nearBegin; ///< up to the level above, where lists are counted
  const std::int64_t* coarseBegin;
  std::int32_t* near;
  std::int32_t* coarse;
  std::int8_t* nearImages; ///< nullptr: there are none
  std::int8_t* coarseImages;
  std::int64_t* nearCounts; ///< of the boxes of this level; nullptr: lists are written
  std::int64_t* coarseCounts;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const auto box = static_cast<std::int32_t>(firstBox + k);
    const BoxPlace<Dim> place = placeOf<Dim>(tree.key[box], level);
    const bool counts = nearCounts != nullptr;
    std::int64_t numNear = 0;
    std::int64_t numCoarse = 0;
    const auto putNear = [&](std::int32_t leaf, int image) {
      if (!counts) {
        put(near, nearImages, nearBegin[box] + numNear, leaf, image);
      }
      ++numNear;
    };
    if (level > 0) {
      const std::int32_t parent = tree.parent[box];
      for (std::int64_t i = nearBegin[parent]; i < nearBegin[parent + 1]; ++i) {
        const std::int32_t leaf = near[i];
        const int image = nearImages != nullptr ? nearImages[i] : numOffsets / 2;
        if (areAdjacent<Dim>(place, level, placeOf<Dim>(tree.key[leaf], levelOf[leaf]), levelOf[leaf], image)) {
          putNear(leaf, image);
        } else {
          if (!counts) {
            put(coarse, coarseImages, coarseBegin[box] + numCoarse, leaf, image);
          }
          ++numCoarse;
        }
      }
    }
    for (int offset = 0; offset < numOffsets; ++offset) {
      const std::int32_t colleague = colleagues[std::int64_t{numOffsets} * box + offset];
      if (colleague >= 0 && tree.numChildren[colleague] == 0) {
        putNear(colleague, imageOfColleague<Dim>(place, level, offset));
      }
    }
    if (counts) {
      nearCounts[k] = numNear;
      coarseCounts[k] = numCoarse;
    }
  }

private:
  static KOKKOS_FUNCTION void put(
    std::int32_t* boxes, std::int8_t* images, std::int64_t i, std::int32_t leaf, int image) {
    boxes[i] = leaf;
    if (images != nullptr) {
      images[i] = static_cast<std::int8_t>(image);
    }
  }
};

/// Where lists begin, from their lengths; the first `base` further on.
struct PlaceLists {
  using value_type = std::int64_t;
  const std::int64_t* counts;
  std::int64_t numLists;
  std::int64_t base;
  std::int64_t* begin; ///< [numLists + 1]

  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& sum, bool final) const {
    if (final) {
      begin[k] = base + sum;
    }
    sum += k < numLists ? counts[k] : 0;
  }
};

/// How often a box stands in the lists of others; with isOfLeaves, of leaves smaller than it.
struct CountTransposed {
  const std::int64_t* begin;
  const std::int32_t* boxes;
  const std::int32_t* numChildren;
  const std::int8_t* levelOf;
  bool isOfLeaves;
  std::int64_t* counts;

  [[nodiscard]] KOKKOS_FUNCTION bool isWanted(std::int32_t box, std::int32_t other) const {
    return !isOfLeaves || (numChildren[box] == 0 && levelOf[other] < levelOf[box]);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t b) const {
    const auto box = static_cast<std::int32_t>(b);
    for (std::int64_t i = begin[box]; i < begin[box + 1]; ++i) {
      if (isWanted(box, boxes[i])) {
        Kokkos::atomic_inc(counts + boxes[i]);
      }
    }
  }
};

/// In any order: counts go down to 0. An image of a box one way is the opposite one the other way.
struct FillTransposed {
  CountTransposed of;
  const std::int64_t* begin;
  std::int32_t* boxes;
  const std::int8_t* imagesOf; ///< nullptr: there are none
  std::int8_t* images;
  int numOffsets;

  KOKKOS_FUNCTION void operator()(std::int64_t b) const {
    const auto box = static_cast<std::int32_t>(b);
    for (std::int64_t i = of.begin[box]; i < of.begin[box + 1]; ++i) {
      const std::int32_t other = of.boxes[i];
      if (of.isWanted(box, other)) {
        const std::int64_t at = begin[other] + Kokkos::atomic_fetch_sub(of.counts + other, std::int64_t{1}) - 1;
        boxes[at] = box;
        if (imagesOf != nullptr) {
          images[at] = static_cast<std::int8_t>(numOffsets - 1 - imagesOf[i]);
        }
      }
    }
  }
};

/// By boxes, and images of the same box in their order.
struct SortList {
  const std::int64_t* begin;
  std::int32_t* boxes;
  std::int8_t* images; ///< nullptr: there are none
  KOKKOS_FUNCTION void operator()(std::int64_t b) const {
    // from the middle downwards a heap is made, from the end its largest entry is taken
    const std::int64_t first = begin[b];
    const std::int64_t count = begin[b + 1] - first;
    for (std::int64_t root = count / 2 - 1; root >= 0; --root) {
      sink(first, root, count);
    }
    for (std::int64_t end = count - 1; end > 0; --end) {
      exchange(first, first + end);
      sink(first, 0, end);
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION bool isLess(std::int64_t a, std::int64_t b) const {
    return boxes[a] != boxes[b] || images == nullptr ? boxes[a] < boxes[b] : images[a] < images[b];
  }
  KOKKOS_FUNCTION void exchange(std::int64_t a, std::int64_t b) const {
    Kokkos::kokkos_swap(boxes[a], boxes[b]);
    if (images != nullptr) {
      Kokkos::kokkos_swap(images[a], images[b]);
    }
  }
  KOKKOS_FUNCTION void sink(std::int64_t first, std::int64_t root, std::int64_t count) const {
    for (std::int64_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
      child += static_cast<std::int64_t>(child + 1 < count && isLess(first + child, first + child + 1));
      if (!isLess(first + root, first + child)) {
        return;
      }
      exchange(first + root, first + child);
      root = child;
    }
  }
};

struct SetLevel {
  std::int8_t* levelOf;
  std::int8_t level;
  KOKKOS_FUNCTION void operator()(std::int64_t box) const { levelOf[box] = level; }
};

struct SetCountToZero {
  std::int64_t* counts;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const { counts[k] = 0; }
};

/// From lists of what acts on a box, those of what a box acts on.
template <class ExecutionSpace>
void transposeLists(const Context<ExecutionSpace>& context,
  const BoxLists<typename ExecutionSpace::memory_space>& lists, const std::int32_t* numChildren,
  const std::int8_t* levelOf, bool isOfLeaves, std::int64_t numBoxes, int numOffsets,
  BoxLists<typename ExecutionSpace::memory_space>& transposed) {
  const ExecutionSpace& space = context.space();

  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const auto counts = frame.template array<std::int64_t>(numBoxes);
  const IndexRange<ExecutionSpace> all(space, 0, numBoxes);
  const CountTransposed count{lists.begin.data(), lists.boxes.data(), numChildren, levelOf, isOfLeaves, counts.data()};
  forEach(SPANWISE_KERNEL("clear counts"), all, SetCountToZero{counts.data()});
  forEach(SPANWISE_KERNEL("count lists"), all, count);
  reserve(transposed.begin, numBoxes + 1, SPANWISE_LABEL("NBody::transposedBegin"));
  scan(SPANWISE_KERNEL("place lists"), IndexRange<ExecutionSpace>(space, 0, numBoxes + 1),
    PlaceLists{counts.data(), numBoxes, 0, transposed.begin.data()}, transposed.count);
  reserve(transposed.boxes, transposed.count, SPANWISE_LABEL("NBody::transposedBoxes"));
  if (lists.images.data() != nullptr) {
    growList(transposed.images, transposed.count);
  } else {
    transposed.images = {};
  }
  forEach(SPANWISE_KERNEL("fill lists"), all,
    FillTransposed{count, transposed.begin.data(), transposed.boxes.data(), lists.images.data(),
      transposed.images.data(), numOffsets});
  forEach(SPANWISE_KERNEL("sort lists"), all,
    SortList{transposed.begin.data(), transposed.boxes.data(), transposed.images.data()});
}

} // namespace detail

template <class ExecutionSpace, int Dim>
void buildLists(const Context<ExecutionSpace>& context,
  const PointTree<Dim, typename ExecutionSpace::memory_space>& tree,
  TreeLists<Dim, typename ExecutionSpace::memory_space>& lists) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("NBody::buildLists");
  using Memory = typename ExecutionSpace::memory_space;
  typename Workspace<Memory>::Frame frame(context.workspace());
  const std::int64_t numBoxes = tree.numBoxes();
  const detail::TreeLinks links = detail::linksOf(tree);
  const auto levelOf = frame.template array<std::int8_t>(numBoxes);
  const auto nearCounts = frame.template array<std::int64_t>(numBoxes);
  const auto coarseCounts = frame.template array<std::int64_t>(numBoxes);
  reserve(lists.colleagues, lists.numOffsets * numBoxes, SPANWISE_LABEL("NBody::colleagues"));
  reserve(lists.near.begin, numBoxes + 1, SPANWISE_LABEL("NBody::nearBegin"));
  reserve(lists.coarse.begin, numBoxes + 1, SPANWISE_LABEL("NBody::coarseBegin"));
  lists.near.count = 0;
  lists.coarse.count = 0;
  if (!tree.isPeriodic) {
    lists.near.images = {};
    lists.coarse.images = {};
  }
  for (int level = 0; level < tree.numLevels(); ++level) {
    const std::int32_t begin = tree.levelBegin[level];
    const std::int32_t count = tree.levelBegin[level + 1] - begin;
    const IndexRange<ExecutionSpace> overLevel(space, 0, count);
    forEach(SPANWISE_KERNEL("set levels"), IndexRange<ExecutionSpace>(space, begin, begin + count),
      detail::SetLevel{levelOf.data(), static_cast<std::int8_t>(level)});
    forEach(SPANWISE_KERNEL("find colleagues"), overLevel,
      detail::FindColleagues<Dim>{links, begin, level, lists.colleagues.data(), tree.isPeriodic}, Work{16 * count});
    detail::ListLevel<Dim> listLevel{links, lists.colleagues.data(), levelOf.data(), begin, level,
      lists.near.begin.data(), lists.coarse.begin.data(), lists.near.boxes.data(), lists.coarse.boxes.data(),
      lists.near.images.data(), lists.coarse.images.data(), nearCounts.data(), coarseCounts.data()};
    forEach(SPANWISE_KERNEL("count leaves"), overLevel, listLevel, Work{16 * count});
    const auto place = [&](BoxLists<Memory>& of, const std::int64_t* counts) {
      std::int64_t added = 0;
      scan(SPANWISE_KERNEL("place leaves"), IndexRange<ExecutionSpace>(space, 0, count + 1),
        detail::PlaceLists{counts, count, of.count, of.begin.data() + begin}, added);
      of.count += added;
      detail::growList(of.boxes, of.count);
      if (tree.isPeriodic) {
        detail::growList(of.images, std::max<std::int64_t>(of.count, 1)); // where it is empty there are no images
      }
    };
    place(lists.near, nearCounts.data());
    place(lists.coarse, coarseCounts.data());
    listLevel.near = lists.near.boxes.data();
    listLevel.coarse = lists.coarse.boxes.data();
    listLevel.nearImages = lists.near.images.data();
    listLevel.coarseImages = lists.coarse.images.data();
    listLevel.nearCounts = nullptr;
    forEach(SPANWISE_KERNEL("fill leaves"), overLevel, listLevel, Work{16 * count});
  }
  detail::transposeLists(
    context, lists.near, links.numChildren, levelOf.data(), true, numBoxes, lists.numOffsets, lists.finer);
  detail::transposeLists(
    context, lists.coarse, links.numChildren, levelOf.data(), false, numBoxes, lists.numOffsets, lists.fine);
  space.fence(SPANWISE_LABEL("NBody::buildLists"));
}

#define SPANWISE_BUILD_LISTS(Space, Dim)                                                                               \
  template void buildLists<Space, Dim>(                                                                                \
    const Context<Space>&, const PointTree<Dim, Space::memory_space>&, TreeLists<Dim, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_BUILD_LISTS)

} // namespace spanwise::nbody
