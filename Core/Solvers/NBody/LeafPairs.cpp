#include "Core/Solvers/NBody/LeafPairs.hpp"

#include <algorithm>
#include <bitset>
#include <numeric>

namespace spanwise::nbody {

namespace {

constexpr std::int64_t maxGroups = 128;

/// In which round each edge is done: the first in which both its groups are free. Edges within a group come first.
class Rounds {
public:
  int next(std::int64_t first, std::int64_t second) {
    const auto busy = taken_[first] | taken_[second];
    int round = first == second ? 0 : 1;
    while (busy[round]) {
      ++round;
    }
    taken_[first].set(round);
    taken_[second].set(round);
    return round;
  }

private:
  std::bitset<2 * maxGroups + 2> taken_[maxGroups];
};

} // namespace

template <int Dim>
void findLeafPairs(
  const PointTree<Dim, Kokkos::HostSpace>& tree, const TreeLists<Dim, Kokkos::HostSpace>& lists, LeafPairs& result) {
  constexpr std::int64_t particlesInGroup = 1024;
  const std::int64_t count = tree.numBoxes() > 0 ? tree.sourceEnd(0) : 0;
  const std::int64_t numGroups = std::clamp<std::int64_t>(count / particlesInGroup, 1, maxGroups);
  const auto groupOf = [&](std::int32_t leaf) { return tree.sourceBegin(leaf) * numGroups / count; };
  const auto forEachPair = [&](const auto& put) {
    for (int level = 0; level < tree.numLevels(); ++level) {
      for (std::int32_t box = tree.levelBegin[level]; box < tree.levelBegin[level + 1]; ++box) {
        if (tree.numChildren(box) > 0) {
          continue;
        }
        for (std::int64_t i = lists.near.begin(box); i < lists.near.begin(box + 1); ++i) {
          const std::int32_t other = lists.near.boxes(i); // of its own level it is in the other's list too
          if (other < box && lists.imageOf(lists.near, i) == lists.noImage) {
            const std::int64_t ofBox = groupOf(box);
            const std::int64_t ofOther = groupOf(other);
            put(std::min(ofBox, ofOther) * numGroups + std::max(ofBox, ofOther), LeafPair{box, other});
          }
        }
      }
    }
  };
  result.edgeBegin.assign(numGroups * numGroups + 1, 0);
  result.numInteractions = 0.0;
  forEachPair([&](std::int64_t edge, const LeafPair& pair) {
    ++result.edgeBegin[edge + 1];
    result.numInteractions += 2.0 * static_cast<double>(tree.sourceEnd(pair.first) - tree.sourceBegin(pair.first)) *
      static_cast<double>(tree.sourceEnd(pair.second) - tree.sourceBegin(pair.second));
  });
  for (std::int64_t edge = 0; edge < numGroups * numGroups; ++edge) {
    result.edgeBegin[edge + 1] += result.edgeBegin[edge];
  }
  result.pairs.resize(result.edgeBegin.back());
  result.next = result.edgeBegin;
  forEachPair([&](std::int64_t edge, const LeafPair& pair) { result.pairs[result.next[edge]++] = pair; });
  // sources that follow each other become one range
  for (std::int64_t edge = 0; edge < numGroups * numGroups; ++edge) {
    std::sort(result.pairs.begin() + result.edgeBegin[edge], result.pairs.begin() + result.edgeBegin[edge + 1],
      [&](const LeafPair& a, const LeafPair& b) {
        return a.first != b.first ? a.first < b.first : tree.sourceBegin(a.second) < tree.sourceBegin(b.second);
      });
  }
  Rounds rounds;
  constexpr std::int32_t none = -1; // of an edge without pairs
  result.roundOf.assign(numGroups * numGroups, none);
  result.roundBegin.assign(1, 0);
  for (std::int64_t edge = 0; edge < numGroups * numGroups; ++edge) {
    if (result.edgeBegin[edge] < result.edgeBegin[edge + 1]) {
      const int round = rounds.next(edge / numGroups, edge % numGroups);
      result.roundOf[edge] = round;
      result.roundBegin.resize(std::max<std::size_t>(result.roundBegin.size(), round + 2), 0);
      ++result.roundBegin[round + 1];
    }
  }
  std::partial_sum(result.roundBegin.begin(), result.roundBegin.end(), result.roundBegin.begin());
  result.edges.resize(result.roundBegin.back());
  result.next = result.roundBegin;
  for (std::int64_t edge = 0; edge < numGroups * numGroups; ++edge) {
    if (result.roundOf[edge] != none) {
      result.edges[result.next[result.roundOf[edge]]++] = static_cast<std::int32_t>(edge);
    }
  }
}

template void findLeafPairs<2>(
  const PointTree<2, Kokkos::HostSpace>&, const TreeLists<2, Kokkos::HostSpace>&, LeafPairs&);
template void findLeafPairs<3>(
  const PointTree<3, Kokkos::HostSpace>&, const TreeLists<3, Kokkos::HostSpace>&, LeafPairs&);

} // namespace spanwise::nbody
