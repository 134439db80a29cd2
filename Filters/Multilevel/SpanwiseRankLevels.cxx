#include "SpanwiseInputLevels.h"
#include "SpanwiseLeafCover.h"

#include "Core/Multilevel/LevelMove.hpp"
#include "Core/Runtime/Context.hpp"

#include <vector>

using namespace spanwise::geometry;
using namespace spanwise::parallel;
using namespace spanwise::multilevel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

/// Collective. The most even cut of the root's planes for cells of all levels together.
template <int Dim>
RowCut evenCutOf(const RankGroup& group, const Hierarchy<Dim>& hierarchy) {
  SetList<Dim, Host> leaves;
  for (const RankCells<Dim>& cells : hierarchy.leaves) {
    leaves.push_back(&cells.set.host());
  }
  return evenRootCut<Host, Dim>(
    Context<Host>(Host(), group.communicator()), group.alone() ? group.pieces() : group.size(), leaves);
}

} // namespace

template <int Dim>
PlaneRange bringToRootCut(const RankGroup& group, Hierarchy<Dim>& hierarchy) {
  if (group.alone() && group.pieces() == 1) {
    return {};
  }
  CoveringLeaves<Dim> levels;
  group.agree([&] { levels = coverOf(hierarchy); });
  const MirroredSet<Dim> root(levels.cover.covered.front());
  const std::vector<const MirroredSet<Dim>*> roots{&root};
  if (group.alone()) {
    const PlaneRange mine = evenCutOf(group, hierarchy).part(group.piece());
    for (int k = 0; k < hierarchy.numLevels(); ++k) {
      restrictCells(hierarchy.leaves[static_cast<std::size_t>(k)], planesOfLevel(mine, k));
    }
    return mine;
  }
  RowCut cut;
  const bool follows = findCut<Dim>(group, roots, cut);
  const auto most = static_cast<double>(group.maximum(hierarchy.numCells()));
  const auto total = static_cast<double>(group.sum(hierarchy.numCells()));
  if (!follows || most * group.size() > toleratedImbalance * total) {
    cut = evenCutOf(group, hierarchy);
    for (int k = 0; k < hierarchy.numLevels(); ++k) {
      migrate<Dim>(group, cutOfLevel(cut, k), hierarchy.leaves[static_cast<std::size_t>(k)]);
    }
  }
  return cut.part(group.rank());
}

template <int Dim>
PlaneRange distributeLevels(const RankGroup& group, Hierarchy<Dim>& hierarchy) {
  const PlaneRange mine = bringToRootCut(group, hierarchy);
  if (!group.alone()) { // cells that were on two ranks
    group.agree([&] { checkNoOverlap(hierarchy); });
  }
  return mine;
}

template <int Dim>
void addHaloOfLevels(
  const RankGroup& group, const PlaneRange& mine, Hierarchy<Dim>& hierarchy, const PlaneRange& period) {
  for (int k = 0; k < hierarchy.numLevels(); ++k) {
    Halo halo;
    halo.planes = std::int64_t{1} << k;
    halo.period = planesOfLevel(period, k);
    addHalo<Dim>(group, planesOfLevel(mine, k), hierarchy.leaves[static_cast<std::size_t>(k)], halo);
  }
}

#define SPANWISE_RANK_LEVELS(Dim)                                                                                      \
  template PlaneRange bringToRootCut<Dim>(const RankGroup&, Hierarchy<Dim>&);                                          \
  template PlaneRange distributeLevels<Dim>(const RankGroup&, Hierarchy<Dim>&);                                        \
  template void addHaloOfLevels<Dim>(const RankGroup&, const PlaneRange&, Hierarchy<Dim>&, const PlaneRange&);
SPANWISE_RANK_LEVELS(2)
SPANWISE_RANK_LEVELS(3)

} // namespace spanwise
