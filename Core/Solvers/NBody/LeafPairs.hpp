#pragma once

#include "Core/Solvers/NBody/TreeLists.hpp"

#include <cstdint>
#include <vector>

namespace spanwise::nbody {

/// Two leaves that are near.
struct LeafPair {
  std::int32_t first, second;
};

/// All pairs of near leaves of a tree whose targets are its sources, a leaf with itself and images left out, for sums
/// that are added to both. Leaves along the curve are put into groups, pairs into edges from group to group, and edges
/// into rounds so that no two edges of a round have a group in common: those may be done at the same time, and the
/// order in which sums are added up does not depend on the number of threads.
struct LeafPairs {
  std::vector<LeafPair> pairs;          ///< edge by edge, those with the same first leaf side by side
  std::vector<std::int64_t> edgeBegin;  ///< of its pairs
  std::vector<std::int32_t> edges;      ///< numbers of edges, round by round
  std::vector<std::int64_t> roundBegin; ///< of its edges
  double numInteractions = 0.0;         ///< of particles, both directions
  std::vector<std::int32_t> roundOf;    ///< scratch: of each edge
  std::vector<std::int64_t> next;       ///< scratch: where the next pair of an edge goes, or the next edge of a round
};

/// Finds the pairs on the host, on the calling thread. O(pairs + 2^14).
template <int Dim>
void findLeafPairs(
  const PointTree<Dim, Kokkos::HostSpace>& tree, const TreeLists<Dim, Kokkos::HostSpace>& lists, LeafPairs& result);

} // namespace spanwise::nbody
