#include "Core/Solvers/NBody/PointTree.hpp"

#include "Core/Geometry/PointBounds.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/RadixSort.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/NBody/Detail/GrowList.hpp"
#include "Core/Solvers/NBody/Detail/Morton.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

namespace spanwise::nbody {

namespace detail {

using spanwise::geometry::detail::PointBounds;

template <int Dim, class Real>
struct CoordinateOf {
  PointsView<Dim, Real> points;
  KOKKOS_FUNCTION double operator()(std::int64_t i, int axis) const { return points.coordinates[axis][i]; }
};

/// A point and the number of its smallest cell.
struct KeyedPoint {
  std::uint64_t key;
  std::int64_t index;
};

struct ByKey {
  KOKKOS_FUNCTION bool operator()(const KeyedPoint& a, const KeyedPoint& b) const { return a.key < b.key; }
};
struct KeyOfPoint {
  KOKKOS_FUNCTION std::uint64_t operator()(const KeyedPoint& point) const { return point.key; }
};

template <int Dim>
struct Root {
  double low[Dim];
  double side;
};

template <int Dim, class Real>
struct FindKeys {
  PointsView<Dim, Real> points;
  Root<Dim> root;
  KeyedPoint* keyed;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    constexpr std::int64_t numCells = std::int64_t{1} << deepestLevel<Dim>;
    BoxPlace<Dim> place{};
    for (int axis = 0; axis < Dim; ++axis) {
      const double along = (points.coordinates[axis][i] - root.low[axis]) / root.side;
      const auto cell = static_cast<std::int64_t>(along * static_cast<double>(numCells));
      place.at[axis] = static_cast<std::int32_t>(Kokkos::clamp<std::int64_t>(cell, 0, numCells - 1));
    }
    keyed[i] = {mortonOf<Dim>(place, deepestLevel<Dim>), i};
  }
};

struct SplitKeyed {
  const KeyedPoint* keyed;
  std::uint64_t* keys;
  std::int64_t* order;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    keys[i] = keyed[i].key;
    order[i] = keyed[i].index;
  }
};

/// The sorted keys and the order of points.
template <class ExecutionSpace, int Dim, class Real>
void sortPoints(const Context<ExecutionSpace>& context, const PointsView<Dim, Real>& points, const Root<Dim>& root,
  std::uint64_t* keys, std::int64_t* order) {
  const ExecutionSpace& space = context.space();

  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const auto keyed = frame.template array<KeyedPoint>(points.count);
  const auto scratch = frame.template array<KeyedPoint>(points.count);
  const IndexRange<ExecutionSpace> all(space, 0, points.count);
  forEach(SPANWISE_KERNEL("find keys"), all, FindKeys<Dim, Real>{points, root, keyed.data()});
  const KeyedPoint* sorted = nullptr;
  if constexpr (runsOnHost<ExecutionSpace>) {
    sorted = sortStably(space, keyed.data(), scratch.data(), points.count, ByKey());
  } else {
    sorted = sortByDigits(context, keyed.data(), scratch.data(), points.count, Dim * deepestLevel<Dim>, KeyOfPoint());
  }
  forEach(SPANWISE_KERNEL("split keys"), all, SplitKeyed{sorted, keys, order});
}

/// The first of [begin, end) whose key's highest bits, `shift` shifted out, are not less than `least`.
KOKKOS_INLINE_FUNCTION std::int64_t firstNotLess(
  const std::uint64_t* keys, std::int64_t begin, std::int64_t end, int shift, std::uint64_t least) {
  while (begin < end) {
    const std::int64_t middle = (begin + end) / 2;
    if ((keys[middle] >> shift) < least) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// The boxes of a tree, as kernels see them.
template <int Dim>
struct BoxArrays {
  std::uint64_t* key;
  std::int32_t* parent;
  std::int32_t* firstChild;
  std::int32_t* numChildren;
  std::int64_t* sourceBegin;
  std::int64_t* sourceEnd;
  std::int64_t* targetBegin;
  std::int64_t* targetEnd;
};

template <int Dim>
struct SplitBox {
  static constexpr int maxChildren = 1 << Dim;
  BoxArrays<Dim> boxes;
  const std::uint64_t* sourceKeys;
  const std::uint64_t* targetKeys;
  std::int32_t firstBox;
  int shift; ///< from the keys of points to those of the children
  std::int64_t maxInLeaf;

  [[nodiscard]] KOKKOS_FUNCTION bool isSplit(std::int32_t box) const {
    return shift >= 0 &&
      (boxes.sourceEnd[box] - boxes.sourceBegin[box] > maxInLeaf ||
        boxes.targetEnd[box] - boxes.targetBegin[box] > maxInLeaf);
  }
  /// Where the points of each child begin.
  KOKKOS_FUNCTION void cut(std::int32_t box, std::int64_t* sources, std::int64_t* targets) const {
    const std::uint64_t first = boxes.key[box] << Dim;
    for (int child = 0; child <= maxChildren; ++child) {
      sources[child] = firstNotLess(sourceKeys, boxes.sourceBegin[box], boxes.sourceEnd[box], shift, first + child);
      targets[child] = firstNotLess(targetKeys, boxes.targetBegin[box], boxes.targetEnd[box], shift, first + child);
    }
  }
};

template <int Dim>
struct CountChildren : SplitBox<Dim> {
  std::int32_t* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const auto box = static_cast<std::int32_t>(this->firstBox + k);
    std::int32_t count = 0;
    if (this->isSplit(box)) {
      std::int64_t sources[SplitBox<Dim>::maxChildren + 1];
      std::int64_t targets[SplitBox<Dim>::maxChildren + 1];
      this->cut(box, sources, targets);
      for (int child = 0; child < SplitBox<Dim>::maxChildren; ++child) {
        count += static_cast<std::int32_t>(sources[child] < sources[child + 1] || targets[child] < targets[child + 1]);
      }
    }
    counts[k] = count;
    this->boxes.numChildren[box] = count;
  }
};

template <int Dim>
struct FillChildren : SplitBox<Dim> {
  const std::int32_t* before; ///< children of the boxes of this level before
  std::int32_t endBox;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const auto box = static_cast<std::int32_t>(this->firstBox + k);
    std::int32_t next = endBox + before[k];
    this->boxes.firstChild[box] = next;
    if (this->boxes.numChildren[box] == 0) {
      return;
    }
    std::int64_t sources[SplitBox<Dim>::maxChildren + 1];
    std::int64_t targets[SplitBox<Dim>::maxChildren + 1];
    this->cut(box, sources, targets);
    for (int child = 0; child < SplitBox<Dim>::maxChildren; ++child) {
      if (sources[child] < sources[child + 1] || targets[child] < targets[child + 1]) {
        this->boxes.key[next] = (this->boxes.key[box] << Dim) + child;
        this->boxes.parent[next] = box;
        this->boxes.sourceBegin[next] = sources[child];
        this->boxes.sourceEnd[next] = sources[child + 1];
        this->boxes.targetBegin[next] = targets[child];
        this->boxes.targetEnd[next] = targets[child + 1];
        ++next;
      }
    }
  }
};

template <int Dim>
struct SetRoot {
  BoxArrays<Dim> boxes;
  std::int64_t numSources;
  std::int64_t numTargets;
  KOKKOS_FUNCTION void operator()(std::int64_t /*first*/) const {
    boxes.key[0] = 0;
    boxes.parent[0] = -1;
    boxes.sourceBegin[0] = 0;
    boxes.sourceEnd[0] = numSources;
    boxes.targetBegin[0] = 0;
    boxes.targetEnd[0] = numTargets;
  }
};

/// What was shared by sources and targets of the tree before is from now on the sources' own.
template <int Dim, class MemorySpace>
void separateTargets(PointTree<Dim, MemorySpace>& tree) {
  if (tree.targetBegin.data() == tree.sourceBegin.data()) {
    tree.targetBegin = {};
    tree.targetEnd = {};
    tree.targetOrder = {};
  }
}

template <int Dim, class MemorySpace>
void growBoxes(PointTree<Dim, MemorySpace>& tree, std::int64_t count, bool isWithin) {
  constexpr std::int64_t maxBoxes = std::int64_t{1} << 30;
  if (count > maxBoxes) {
    throw Error("a tree of " + std::to_string(count) + " boxes is larger than 2^30; let leaves have more points");
  }
  growList(tree.key, count);
  growList(tree.parent, count);
  growList(tree.firstChild, count);
  growList(tree.numChildren, count);
  growList(tree.sourceBegin, count);
  growList(tree.sourceEnd, count);
  if (isWithin) {
    tree.targetBegin = tree.sourceBegin;
    tree.targetEnd = tree.sourceEnd;
  } else {
    growList(tree.targetBegin, count);
    growList(tree.targetEnd, count);
  }
}

template <int Dim, class MemorySpace>
BoxArrays<Dim> boxArraysOf(const PointTree<Dim, MemorySpace>& tree) {
  return {tree.key.data(), tree.parent.data(), tree.firstChild.data(), tree.numChildren.data(), tree.sourceBegin.data(),
    tree.sourceEnd.data(), tree.targetBegin.data(), tree.targetEnd.data()};
}

/// The least of the sides that there are which is not less than `extent`.
inline double roundedSide(double extent, RootSides sides) {
  if (!(extent > 0.0)) {
    return 1.0;
  }
  int exponent = 0;
  const double mantissa = std::frexp(extent, &exponent); // 1/2 <= mantissa < 1
  const double steps = sides == RootSides::PowersOfTwo ? 2.0 : 32.0;
  return std::ldexp(std::ceil(mantissa * steps) / steps, exponent);
}

/// How many boxes the longest side is to be cut into for `wanted` boxes or some more on all points, with `sides` in
/// parts of the longest. An even number, so that boxes are halves of others that are full of points too; 1 where they
/// would be so few that more at the border matter.
template <int Dim>
std::int64_t boxesAlong(const std::array<double, Dim>& sides, std::int64_t wanted) {
  const auto isEnough = [&](std::int64_t along) {
    double count = 1.0;
    for (const double side : sides) {
      count *= std::max(1.0, side * static_cast<double>(along));
    }
    return count >= static_cast<double>(wanted);
  };
  std::int64_t tooFew = 0;
  std::int64_t enough = std::max<std::int64_t>(wanted, 1);
  while (enough - tooFew > 1) {
    const std::int64_t middle = tooFew + (enough - tooFew) / 2;
    (isEnough(middle) ? enough : tooFew) = middle;
  }
  constexpr std::int64_t few = 8;
  return enough + enough % 2 < few ? 1 : enough + enough % 2;
}

template <class ExecutionSpace, int Dim, class Real>
Root<Dim> rootOf(const ExecutionSpace& space, const PointsView<Dim, Real>& targets,
  const PointsView<Dim, Real>& sources, bool isWithin, const RootShape& shape) {
  PointBounds<Dim> bounds{};
  bool isFirst = true;
  const auto include = [&](const PointsView<Dim, Real>& points, const char* what) {
    if (points.count == 0) {
      return;
    }
    const auto of = spanwise::geometry::detail::boundsOf<Dim>(space, CoordinateOf<Dim, Real>{points}, points.count);
    if (of.firstUnusable < points.count) {
      throw InvalidArgument(std::string(what) + " " + std::to_string(of.firstUnusable) +
        " has a coordinate that is not finite or beyond 1e70 in magnitude");
    }
    for (int axis = 0; axis < Dim; ++axis) {
      bounds.low[axis] = isFirst ? of.low[axis] : std::min(bounds.low[axis], of.low[axis]);
      bounds.high[axis] = isFirst ? of.high[axis] : std::max(bounds.high[axis], of.high[axis]);
    }
    isFirst = false;
  };
  include(sources, "source");
  if (!isWithin) {
    include(targets, "target");
  }
  Root<Dim> root{};
  double extent = 0.0;
  for (int axis = 0; axis < Dim; ++axis) {
    extent = std::max(extent, bounds.high[axis] - bounds.low[axis]);
  }
  const double side = roundedSide(extent, shape.sides);
  std::array<double, Dim> sides{};
  for (int axis = 0; axis < Dim; ++axis) {
    const double ofAxis = bounds.high[axis] - bounds.low[axis];
    sides[axis] = ofAxis > 0.0 ? roundedSide(ofAxis, shape.sides) / side : 0.0;
  }
  const std::int64_t along = extent > 0.0 && shape.evenLeaves > 0 ? boxesAlong<Dim>(sides, shape.evenLeaves) : 1;
  const auto ofRoot = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(along)));
  const double ofBox = side / static_cast<double>(along);
  root.side = ofBox * static_cast<double>(ofRoot);
  const std::int64_t before = (ofRoot - along) / 4 * 2; // an even number of boxes
  for (int axis = 0; axis < Dim; ++axis) {              // points in the middle, with boxes that end where they do
    root.low[axis] =
      bounds.low[axis] - 0.5 * (side - (bounds.high[axis] - bounds.low[axis])) - ofBox * static_cast<double>(before);
  }
  return root;
}

} // namespace detail

template <class ExecutionSpace, int Dim, class Real>
void buildTree(const Context<ExecutionSpace>& context, const PointsView<Dim, Real>& targets,
  const PointsView<Dim, Real>& sources, std::int64_t maxInLeaf,
  PointTree<Dim, typename ExecutionSpace::memory_space>& tree, const PeriodicBox* box, const RootShape& shape) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("NBody::buildTree");
  using Memory = typename ExecutionSpace::memory_space;
  if (maxInLeaf < 1) {
    throw InvalidArgument("the most points of a leaf are " + std::to_string(maxInLeaf) + "; it must be at least 1");
  }
  const bool isWithin =
    targets.count == sources.count && std::equal(targets.coordinates, targets.coordinates + Dim, sources.coordinates);
  tree.levelBegin.assign(1, 0);
  detail::separateTargets(tree);
  if (sources.count == 0 && targets.count == 0) {
    return;
  }
  auto root = detail::rootOf(space, targets, sources, isWithin, shape);
  tree.isPeriodic = box != nullptr;
  if (box != nullptr) {
    std::copy_n(box->low.begin(), Dim, root.low);
    root.side = box->edges[0];
  }
  std::copy(root.low, root.low + Dim, tree.low.begin());
  tree.side = root.side;

  typename Workspace<Memory>::Frame frame(context.workspace());
  const auto sourceKeys = frame.template array<std::uint64_t>(sources.count);
  reserve(tree.sourceOrder, sources.count, SPANWISE_LABEL("NBody::sourceOrder"));
  detail::sortPoints(context, sources, root, sourceKeys.data(), tree.sourceOrder.data());
  auto targetKeys = sourceKeys;
  if (isWithin) {
    tree.targetOrder = tree.sourceOrder;
  } else {
    targetKeys = frame.template array<std::uint64_t>(targets.count);
    reserve(tree.targetOrder, targets.count, SPANWISE_LABEL("NBody::targetOrder"));
    detail::sortPoints(context, targets, root, targetKeys.data(), tree.targetOrder.data());
  }

  detail::growBoxes(tree, 1, isWithin);
  forEach(SPANWISE_KERNEL("set root"), IndexRange<ExecutionSpace>(space, 0, 1),
    detail::SetRoot<Dim>{detail::boxArraysOf(tree), sources.count, targets.count});
  tree.levelBegin.push_back(1);
  for (int level = 0;; ++level) {
    const std::int32_t begin = tree.levelBegin[level];
    const std::int32_t end = tree.levelBegin[level + 1];
    typename Workspace<Memory>::Frame ofLevel(context.workspace());
    const auto counts = ofLevel.template array<std::int32_t>(end - begin + 1);
    const int shift = Dim * (deepestLevel<Dim> - level - 1);
    const IndexRange<ExecutionSpace> overBoxes(space, 0, end - begin);
    detail::SplitBox<Dim> split{
      detail::boxArraysOf(tree), sourceKeys.data(), targetKeys.data(), begin, shift, maxInLeaf};
    forEach(SPANWISE_KERNEL("count children"), overBoxes, detail::CountChildren<Dim>{split, counts.data()});
    const std::int32_t numChildren =
      exclusiveScan(space, SPANWISE_KERNEL("place children"), counts.data(), end - begin);
    detail::growBoxes(tree, std::int64_t{end} + numChildren, isWithin);
    split.boxes = detail::boxArraysOf(tree);
    forEach(SPANWISE_KERNEL("fill children"), overBoxes, detail::FillChildren<Dim>{split, counts.data(), end});
    if (numChildren == 0) {
      break;
    }
    tree.levelBegin.push_back(end + numChildren);
  }
  space.fence(SPANWISE_LABEL("NBody::buildTree"));
}

#define SPANWISE_BUILD_TREE(Space, Dim, Real)                                                                          \
  template void buildTree<Space, Dim, Real>(const Context<Space>&, const PointsView<Dim, Real>&,                       \
    const PointsView<Dim, Real>&, std::int64_t, PointTree<Dim, Space::memory_space>&, const PeriodicBox*,              \
    const RootShape&);
#define SPANWISE_BUILD_TREES(Space, Dim) SPANWISE_BUILD_TREE(Space, Dim, float) SPANWISE_BUILD_TREE(Space, Dim, double)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_BUILD_TREES)

} // namespace spanwise::nbody
