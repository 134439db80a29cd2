#include "SpanwiseInputLevels.h"
#include "SpanwiseLeafCover.h"

#include "Core/Geometry/Slab.hpp"

#include <utility>
#include <vector>

namespace spanwise {

namespace {

using Host = HostExecutionSpace;
constexpr std::int64_t mostPlaneCounts = 1 << 20; // 8 MB to add up over all ranks

/// Collective. The most even cut along the planes `all` of level 0, for cells of all levels together.
template <int Dim>
RowCut evenRootCut(const Team& team, const Hierarchy<Dim>& hierarchy, const PlaneRange& all) {
  PlaneCounts counts;
  counts.first = all.begin;
  counts.width = (all.end - all.begin) / mostPlaneCounts + 1;
  counts.cells.resize(static_cast<std::size_t>((all.end - all.begin + counts.width - 1) / counts.width));
  for (int k = 0; k < hierarchy.numLevels(); ++k) {
    const std::int64_t scale = std::int64_t{1} << k;
    PlaneCounts ofLevel{counts.first * scale, counts.width * scale, std::move(counts.cells)};
    countPlanes<Host, Dim>(Host(), hierarchy.leaves[static_cast<std::size_t>(k)].set, ofLevel);
    counts.cells = std::move(ofLevel.cells);
  }
  team.sum(counts.cells);
  return balancedCut(counts, team.alone() ? team.pieces() : team.size());
}

RowCut cutOfLevel(const RowCut& rootCut, int level) {
  RowCut cut = rootCut;
  for (std::int64_t& bound : cut.bounds) {
    bound = planesOfLevel({bound, bound}, level).begin;
  }
  return cut;
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
  const Box<Dim> box = boundingBoxOfAll<Dim>(team, roots);
  const PlaneRange all{box.begin[Dim - 1], box.end[Dim - 1]};
  if (team.alone()) {
    const PlaneRange mine = evenRootCut(team, hierarchy, all).part(team.piece());
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
    cut = evenRootCut(team, hierarchy, all);
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
void addHaloOfLevels(const Team& team, const PlaneRange& mine, Hierarchy<Dim>& hierarchy) {
  for (int k = 0; k < hierarchy.numLevels(); ++k) {
    Halo halo;
    halo.planes = std::int64_t{1} << k;
    addHalo<Dim>(team, planesOfLevel(mine, k), hierarchy.leaves[static_cast<std::size_t>(k)], halo);
  }
}

#define SPANWISE_RANK_LEVELS(Dim)                                                                                      \
  template PlaneRange bringToRootCut<Dim>(const Team&, Hierarchy<Dim>&);                                               \
  template PlaneRange distributeLevels<Dim>(const Team&, Hierarchy<Dim>&);                                             \
  template void addHaloOfLevels<Dim>(const Team&, const PlaneRange&, Hierarchy<Dim>&);
SPANWISE_RANK_LEVELS(2)
SPANWISE_RANK_LEVELS(3)

} // namespace spanwise
