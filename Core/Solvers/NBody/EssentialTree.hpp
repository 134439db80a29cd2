#pragma once

#include "Core/Solvers/NBody/PointTree.hpp"
#include "Core/Solvers/NBody/Points.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace spanwise::nbody {

// What a rank needs to know of the sources of others: the essential part of their trees (J. K. Salmon, Parallel
// hierarchical N-body methods, PhD thesis, Caltech 1990). Where all targets of a rank are far from a box, the box is
// particles at Chebyshev's nodes for it that have the moments of its sources; elsewhere it is its sources.

/// A box of space, not of a tree, with targets of a rank.
template <int Dim>
struct TargetRegion {
  double low[Dim];
  double high[Dim];
};

/// The least boxes about targets in up to `most` boxes of a tree, all of one level but for leaves above it: as many as
/// there may be. Of the tree's targets those with numbers from `firstTarget` on count. O(n).
template <int Dim, class Real>
std::vector<TargetRegion<Dim>> targetRegions(const PointTree<Dim, Kokkos::HostSpace>& tree,
  const PointsView<Dim, Real>& targets, std::int64_t firstTarget, std::int64_t most);

/// A box of a tree and its level.
struct EssentialBox {
  std::int32_t box;
  std::int32_t level;
};

/// Boxes that have all sources of a tree among them, each once.
struct EssentialBoxes {
  std::vector<EssentialBox> asNodes;  ///< as far from all targets as boxes of their size that are not adjacent
  std::vector<EssentialBox> asPoints; ///< all others
};

/// When nodes take the place of sources.
struct EssentialRule {
  std::int64_t numNodes = 0; ///< of a box: they are not more than its sources
  double minSide = 0.0;      ///< in smaller boxes, nodes would be rounded too much
};

/// Which boxes of a tree are essential for a rank with targets in these regions; none if it has none. In a periodic
/// tree a box is far if all its images are. From the root down. O(boxes near the regions * regions near a box).
template <int Dim>
void findEssential(const PointTree<Dim, Kokkos::HostSpace>& tree, std::span<const TargetRegion<Dim>> regions,
  const EssentialRule& rule, EssentialBoxes& result);

} // namespace spanwise::nbody
