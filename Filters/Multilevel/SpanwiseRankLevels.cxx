#include "SpanwiseInputLevels.h"
#include "SpanwiseLeafCover.h"

#include "Core/Multilevel/LevelMove.hpp"

#include <vector>

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

/// Collective. The most even cut of the root's planes for cells of all levels together.
template <int Dim>
RowCut evenCutOf(const Team& team, const Hierarchy<Dim>& hierarchy) {
  SetList<Dim, Host> leaves;
  for (const RankCells<Dim>& cells : hierarchy.leaves) {
    leaves.push_back(&cells.set);
  }
  return evenRootCut<Host, Dim>(Host(), team.communicator(), team.alone() ? team.pieces() : team.size(), leaves);
}

} // namespace

template <int Dim>
PlaneRange bringToRootCut(const Team& team, Hierarchy<Dim>& hierarchy) {
  if (team.alone() && team.pieces() == 1) {
    return {};
  }
  CoveringLeaves<Dim> levels;
  team.agree([&] { levels = coverOf(hierarchy); });
  const std::vector<const HostIntervalSet<Dim>*> roots{&levels.cover.covered.front()};
  if (team.alone()) {
    const PlaneRange mine = evenCutOf(team, hierarchy).part(team.piece());
    for (int k = 0; k < hierarchy.numLevels(); ++k) {
      restrictCells(hierarchy.leaves[static_cast<std::size_t>(k)], planesOfLevel(mine, k));
    }
    return mine;
  }
  RowCut cut;
  const bool follows = findCut<Dim>(team, roots, cut);
  const auto most = static_cast<double>(team.maximum(hierarchy.numCells()));
  const auto total = static_cast<double>(team.sum(hierarchy.numCells()));
  if (!follows || most * team.size() > toleratedImbalance * total) {
    cut = evenCutOf(team, hierarchy);
    for (int k = 0; k < hierarchy.numLevels(); ++k) {
      migrate<Dim>(team, cutOfLevel(cut, k), hierarchy.leaves[static_cast<std::size_t>(k)]);
    }
  }
  return cut.part(team.rank());
}

template <int Dim>
PlaneRange distributeLevels(const Team& team, Hierarchy<Dim>& hierarchy) {
  const PlaneRange mine = bringToRootCut(team, hierarchy);
  if (!team.alone()) { // cells that were on two ranks
    team.agree([&] { checkNoOverlap(hierarchy); });
  }
  return mine;
}

template <int Dim>
void addHaloOfLevels(const Team& team, const PlaneRange& mine, Hierarchy<Dim>& hierarchy, const PlaneRange& period) {
  for (int k = 0; k < hierarchy.numLevels(); ++k) {
    Halo halo;
    halo.planes = std::int64_t{1} << k;
    halo.period = planesOfLevel(period, k);
    addHalo<Dim>(team, planesOfLevel(mine, k), hierarchy.leaves[static_cast<std::size_t>(k)], halo);
  }
}

#define SPANWISE_RANK_LEVELS(Dim)                                                                                      \
  template PlaneRange bringToRootCut<Dim>(const Team&, Hierarchy<Dim>&);                                               \
  template PlaneRange distributeLevels<Dim>(const Team&, Hierarchy<Dim>&);                                             \
  template void addHaloOfLevels<Dim>(const Team&, const PlaneRange&, Hierarchy<Dim>&, const PlaneRange&);
SPANWISE_RANK_LEVELS(2)
SPANWISE_RANK_LEVELS(3)

} // namespace spanwise
