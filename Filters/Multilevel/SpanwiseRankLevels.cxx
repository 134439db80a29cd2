#include "SpanwiseInputLevels.h"

#include "SpanwiseJoinCells.h"

#include "Core/Geometry/Slab.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace spanwise {

namespace {

using Host = HostExecutionSpace;
constexpr std::int64_t mostPlaneCounts = 1 << 20; // 8 MB to add up over all ranks

/// The planes of level 0 in which a hierarchy has cells.
template <int Dim>
PlaneRange rootPlanesOf(const Hierarchy<Dim>& hierarchy) {
  PlaneRange all{0, 0};
  for (int k = 0; k < hierarchy.numLevels(); ++k) {
    const PlaneRange planes = planesOf<Host, Dim>(Host(), hierarchy.leaves[static_cast<std::size_t>(k)].set);
    if (!planes.empty()) {
      const PlaneRange mine{planes.begin >> k, ((planes.end - 1) >> k) + 1};
      all = all.empty() ? mine : PlaneRange{std::min(all.begin, mine.begin), std::max(all.end, mine.end)};
    }
  }
  return all;
}

/// Collective. The planes of level 0 of each rank.
template <int Dim>
std::vector<PlaneRange> gatherRootPlanes(const Team& team, const Hierarchy<Dim>& hierarchy) {
  const PlaneRange mine = rootPlanesOf(hierarchy);
  const std::vector<std::int64_t> ends = team.gather(std::vector<std::int64_t>{mine.begin, mine.end});
  std::vector<PlaneRange> planes;
  for (std::size_t k = 0; k < ends.size(); k += 2) {
    planes.push_back({ends[k], ends[k + 1]});
  }
  return planes;
}

/// The cut that ranks with these planes follow, if they do (see findCut()).
std::optional<RowCut> cutAlong(const std::vector<PlaneRange>& planes) {
  RowCut cut;
  cut.bounds.assign(planes.size() + 1, PlaneRange().end);
  cut.bounds.front() = PlaneRange().begin;
  std::int64_t next = PlaneRange().end;
  for (std::size_t r = planes.size(); r-- > 0;) {
    if (!planes[r].empty()) {
      if (planes[r].end > next) {
        return std::nullopt;
      }
      next = planes[r].begin;
    }
    if (r > 0) {
      cut.bounds[r] = next;
    }
  }
  return cut;
}

/// Collective. The most even cut along planes of level 0, for cells of all levels together.
template <int Dim>
RowCut evenRootCut(const Team& team, const Hierarchy<Dim>& hierarchy, const std::vector<PlaneRange>& planes) {
  PlaneRange all{0, 0};
  for (const PlaneRange& range : planes) {
    if (!range.empty()) {
      all = all.empty() ? range : PlaneRange{std::min(all.begin, range.begin), std::max(all.end, range.end)};
    }
  }
  PlaneCounts counts;
  counts.first = all.begin;
  counts.width = std::max<std::int64_t>((all.end - all.begin + mostPlaneCounts - 1) / mostPlaneCounts, 1);
  counts.cells.assign(static_cast<std::size_t>((all.end - all.begin + counts.width - 1) / counts.width), 0);
  for (int k = 0; k < hierarchy.numLevels(); ++k) {
    const std::int64_t scale = std::int64_t{1} << k;
    PlaneCounts ofLevel{counts.first * scale, counts.width * scale, std::move(counts.cells)};
    countPlanes<Host, Dim>(Host(), hierarchy.leaves[static_cast<std::size_t>(k)].set, ofLevel);
    counts.cells = std::move(ofLevel.cells);
  }
  team.sum(counts.cells);
  return balancedCut(counts, team.alone() ? team.pieces() : team.size());
}

RowCut cutOfLevel(const RowCut& rootCut, int level, std::int64_t shift = 0) {
  RowCut cut = rootCut;
  for (std::size_t k = 1; k + 1 < cut.bounds.size(); ++k) { // the ends stay
    const std::int64_t bound = cut.bounds[k];
    cut.bounds[k] = bound == PlaneRange().end || bound == PlaneRange().begin
      ? bound
      : planesOfLevel({bound + shift, bound + shift}, level).begin;
  }
  return cut;
}

/// Collective. Adds the other ranks' cells in the plane of level 0 above this rank's (shift 1) or below (shift -1): the
/// first or last plane of each rank belongs to another one where all bounds are moved by a plane.
template <int Dim>
void addMoved(const Team& team, const Hierarchy<Dim>& hierarchy, const RowCut& cut, std::int64_t shift,
  std::vector<std::vector<RankCells<Dim>>>& halo) {
  for (int k = 0; k < hierarchy.numLevels(); ++k) {
    const RankCells<Dim>& level = hierarchy.leaves[static_cast<std::size_t>(k)];
    RankCells<Dim> beside;
    team.agree([&] { // the planes that go to another rank: at the begin of my part, or at its end
      beside = level;
      const PlaneRange mine = cut.part(team.rank());
      const std::int64_t plane = shift > 0 ? mine.begin : mine.end - 1;
      const bool bounded = shift > 0 ? mine.begin != PlaneRange().begin : mine.end != PlaneRange().end;
      const bool has = bounded && !mine.empty();
      restrictCells(beside, has ? planesOfLevel({plane, plane + 1}, k) : PlaneRange{0, 0});
    });
    migrate<Dim>(team, cutOfLevel(cut, k, shift), beside);
    halo[static_cast<std::size_t>(k)].push_back(beside);
  }
}

} // namespace

template <int Dim>
PlaneRange bringToRootCut(const Team& team, Hierarchy<Dim>& hierarchy) {
  if (team.alone() && team.pieces() == 1) {
    return {};
  }
  const std::vector<PlaneRange> planes = gatherRootPlanes(team, hierarchy);
  if (team.alone()) {
    const PlaneRange mine = evenRootCut(team, hierarchy, planes).part(team.piece());
    for (int k = 0; k < hierarchy.numLevels(); ++k) {
      restrictCells(hierarchy.leaves[static_cast<std::size_t>(k)], planesOfLevel(mine, k));
    }
    return mine;
  }
  const std::vector<std::int64_t> counts = team.gather(std::vector<std::int64_t>{hierarchy.numCells()});
  const auto total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  const auto most = *std::max_element(counts.begin(), counts.end());
  std::optional<RowCut> cut = cutAlong(planes);
  const bool even = static_cast<double>(most) * team.size() <= toleratedImbalance * static_cast<double>(total);
  if (!cut || !even) {
    cut = evenRootCut(team, hierarchy, planes);
    for (int k = 0; k < hierarchy.numLevels(); ++k) {
      migrate<Dim>(team, cutOfLevel(*cut, k), hierarchy.leaves[static_cast<std::size_t>(k)]);
    }
  }
  return cut->part(team.rank());
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
Hierarchy<Dim> haloOfLevels(const Team& team, const Hierarchy<Dim>& hierarchy, const PlaneRange& mine) {
  Hierarchy<Dim> halo;
  halo.root = hierarchy.root;
  std::vector<std::vector<RankCells<Dim>>> parts(hierarchy.leaves.size());
  if (!team.alone()) {
    RowCut cut;
    cut.bounds = team.gather(std::vector<std::int64_t>{mine.begin});
    cut.bounds.push_back(PlaneRange().end);
    addMoved(team, hierarchy, cut, 1, parts);
    addMoved(team, hierarchy, cut, -1, parts);
  }
  team.agree([&] {
    for (const auto& ofLevel : parts) {
      halo.leaves.push_back(joinCells<Dim>(ofLevel));
    }
  });
  return halo;
}

#define SPANWISE_RANK_LEVELS(Dim)                                                                                      \
  template PlaneRange bringToRootCut<Dim>(const Team&, Hierarchy<Dim>&);                                               \
  template PlaneRange distributeLevels<Dim>(const Team&, Hierarchy<Dim>&);                                             \
  template Hierarchy<Dim> haloOfLevels<Dim>(const Team&, const Hierarchy<Dim>&, const PlaneRange&);
SPANWISE_RANK_LEVELS(2)
SPANWISE_RANK_LEVELS(3)

} // namespace spanwise
