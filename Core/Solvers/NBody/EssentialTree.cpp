#include "Core/Solvers/NBody/EssentialTree.hpp"

#include "Core/Solvers/NBody/Detail/Morton.hpp"

#include <algorithm>
#include <limits>

namespace spanwise::nbody {

namespace {

/// Goes down a tree with the regions that are near.
template <int Dim>
class EssentialSearch {
public:
  EssentialSearch(const PointTree<Dim, Kokkos::HostSpace>& tree, const EssentialRule& rule, EssentialBoxes& result)
    : tree_(tree), rule_(rule), result_(result) {}

  /// Of the last `count` regions, those that are near the box are looked at further down.
  void visit(std::int32_t box, int level, std::vector<TargetRegion<Dim>>& regions, std::size_t first) {
    const std::int64_t numSources = tree_.sourceEnd(box) - tree_.sourceBegin(box);
    if (numSources == 0) {
      return;
    }
    const std::size_t end = regions.size();
    for (std::size_t k = first; k < end; ++k) {
      if (isNear(box, level, regions[k])) {
        const TargetRegion<Dim> region = regions[k];
        regions.push_back(region);
      }
    }
    const bool isFar = regions.size() == end;
    const bool isCoarse = tree_.sideOf(level) >= rule_.minSide;
    if (isFar && isCoarse && numSources > rule_.numNodes) {
      result_.asNodes.push_back({box, level});
    } else if (tree_.numChildren(box) == 0 || (isFar && (!isCoarse || numSources <= rule_.numNodes))) {
      result_.asPoints.push_back({box, level});
    } else {
      for (std::int32_t c = 0; c < tree_.numChildren(box); ++c) {
        visit(tree_.firstChild(box) + c, level + 1, regions, end);
      }
    }
    regions.resize(end);
  }

private:
  /// Whether a region comes nearer to the box, or in a periodic tree to an image of it, than its side.
  [[nodiscard]] bool isNear(std::int32_t box, int level, const TargetRegion<Dim>& region) const {
    const auto place = detail::placeOf<Dim>(tree_.key(box), level);
    const double side = tree_.sideOf(level);
    const auto isNearAlong = [&](int axis, double low) {
      return region.low[axis] < low + 2.0 * side && region.high[axis] > low - side;
    };
    for (int axis = 0; axis < Dim; ++axis) { // images are moved along each axis by itself
      const double low = tree_.low[axis] + place.at[axis] * side;
      const bool isImageNear =
        tree_.isPeriodic && (isNearAlong(axis, low - tree_.side) || isNearAlong(axis, low + tree_.side));
      if (!isImageNear && !isNearAlong(axis, low)) {
        return false;
      }
    }
    return true;
  }

  const PointTree<Dim, Kokkos::HostSpace>& tree_;
  const EssentialRule& rule_;
  EssentialBoxes& result_;
};

} // namespace

template <int Dim, class Real>
std::vector<TargetRegion<Dim>> targetRegions(const PointTree<Dim, Kokkos::HostSpace>& tree,
  const PointsView<Dim, Real>& targets, std::int64_t firstTarget, std::int64_t most) {
  std::vector<std::int32_t> boxes;
  std::vector<std::int32_t> next;
  if (tree.numBoxes() > 0) {
    next.push_back(0);
  }
  for (bool isSplit = true; isSplit && static_cast<std::int64_t>(next.size()) <= most;) {
    boxes.swap(next);
    next.clear();
    isSplit = false;
    for (const std::int32_t box : boxes) {
      if (tree.numChildren(box) == 0) {
        next.push_back(box);
      }
      for (std::int32_t c = 0; c < tree.numChildren(box); ++c) {
        const std::int32_t child = tree.firstChild(box) + c;
        if (tree.targetBegin(child) < tree.targetEnd(child)) {
          next.push_back(child);
        }
        isSplit = true;
      }
    }
  }
  std::vector<TargetRegion<Dim>> regions;
  for (const std::int32_t box : boxes) {
    TargetRegion<Dim> region;
    std::fill_n(region.low, Dim, std::numeric_limits<double>::max());
    std::fill_n(region.high, Dim, std::numeric_limits<double>::lowest());
    bool isEmpty = true;
    for (std::int64_t k = tree.targetBegin(box); k < tree.targetEnd(box); ++k) {
      const std::int64_t i = tree.targetOrder(k);
      for (int axis = 0; axis < Dim && i >= firstTarget; ++axis) {
        const auto x = static_cast<double>(targets.coordinates[axis][i]);
        region.low[axis] = std::min(region.low[axis], x);
        region.high[axis] = std::max(region.high[axis], x);
        isEmpty = false;
      }
    }
    if (!isEmpty) {
      regions.push_back(region);
    }
  }
  return regions;
}

template <int Dim>
void findEssential(const PointTree<Dim, Kokkos::HostSpace>& tree, std::span<const TargetRegion<Dim>> regions,
  const EssentialRule& rule, EssentialBoxes& result) {
  result.asNodes.clear();
  result.asPoints.clear();
  if (tree.numBoxes() == 0 || regions.empty()) {
    return;
  }
  std::vector<TargetRegion<Dim>> near(regions.begin(), regions.end());
  EssentialSearch<Dim>(tree, rule, result).visit(0, 0, near, 0);
}

#define SPANWISE_ESSENTIAL_TREE(Dim)                                                                                   \
  template std::vector<TargetRegion<Dim>> targetRegions<Dim, float>(                                                   \
    const PointTree<Dim, Kokkos::HostSpace>&, const PointsView<Dim, float>&, std::int64_t, std::int64_t);              \
  template std::vector<TargetRegion<Dim>> targetRegions<Dim, double>(                                                  \
    const PointTree<Dim, Kokkos::HostSpace>&, const PointsView<Dim, double>&, std::int64_t, std::int64_t);             \
  template void findEssential<Dim>(const PointTree<Dim, Kokkos::HostSpace>&, std::span<const TargetRegion<Dim>>,       \
    const EssentialRule&, EssentialBoxes&);
SPANWISE_ESSENTIAL_TREE(2)
SPANWISE_ESSENTIAL_TREE(3)

} // namespace spanwise::nbody
