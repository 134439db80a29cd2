#include "SpanwiseInputLevels.h"

#include "SpanwiseBridge.h"
#include "SpanwiseJoinCells.h"
#include "SpanwiseValues.h"

#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataSet.h>
#include <vtkImageData.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

namespace spanwise {

namespace {

using Host = HostExecutionSpace;
constexpr std::int64_t mostPlaneCounts = 1 << 20; // 8 MB to add up over all ranks

/// The datasets of an input.
std::vector<vtkDataSet*> datasetsOf(vtkDataObject* data) {
  std::vector<vtkDataSet*> datasets;
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(data)) {
    const auto at = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (at->InitTraversal(); !at->IsDoneWithTraversal(); at->GoToNextItem()) {
      if (auto* dataset = vtkDataSet::SafeDownCast(at->GetCurrentDataObject())) {
        datasets.push_back(dataset);
      }
    }
  } else if (auto* dataset = vtkDataSet::SafeDownCast(data)) {
    datasets.push_back(dataset);
  }
  return datasets;
}

/// The placement that a dataset carries, and its dimension.
std::optional<std::pair<GridPlacement, int>> carriedPlacement(vtkDataSet* data) {
  if (const auto grid = gridOf<2>(data)) {
    return std::pair(grid->placement(), 2);
  }
  if (const auto solid = gridOf<3>(data)) {
    return std::pair(solid->placement(), 3);
  }
  return std::nullopt;
}

/// Cells of one size in a dataset, as far as that is known before the root is.
struct Piece {
  vtkDataSet* data;
  std::optional<GridPlacement> carried;
  SizedCells cells; ///< of explicit cells
};

std::vector<Piece> piecesOf(const std::vector<vtkDataSet*>& datasets) {
  std::vector<Piece> pieces;
  for (vtkDataSet* data : datasets) {
    if (const auto carried = carriedPlacement(data)) {
      if (data->GetNumberOfCells() > 0) {
        pieces.push_back({data, carried->first, {}});
      }
      continue;
    }
    for (SizedCells& cells : cellsBySize(data)) {
      pieces.push_back({data, std::nullopt, std::move(cells)});
    }
  }
  return pieces;
}

AnyIntervals intervalsOfPiece(const Piece& piece, const GridPlacement* like) {
  return piece.carried ? intervalsOf(piece.data) : intervalsOf(piece.data, piece.cells.cells, like);
}

/// What a hierarchy's cells are counted from.
struct Root {
  GridPlacement placement;
  int dimension = 2;
};

/// Collective. The root of the first rank that carries one with cells, or one without; otherwise the lattice of the
/// largest cells.
Root findRoot(const Team& team, const std::vector<vtkDataSet*>& datasets, const std::vector<Piece>& pieces) {
  enum Knowledge : std::int8_t { Nothing, Largest, Empty, Filled };
  Root root;
  int knowledge = Nothing;
  double largest = 0.0;
  const Piece* largestPiece = nullptr;
  for (vtkDataSet* data : datasets) {
    const int known = data->GetNumberOfCells() > 0 ? Filled : Empty;
    if (const auto carried = carriedPlacement(data); carried && known > knowledge) {
      root = {rootOf(carried->first), carried->second};
      knowledge = known;
    }
  }
  for (const Piece& piece : pieces) {
    if (!piece.carried && piece.cells.size > largest) {
      largest = piece.cells.size;
      largestPiece = &piece;
    }
  }
  if (team.maximum(knowledge) == Nothing) {
    std::vector<double> largestOfAll{largest};
    team.maximum(largestOfAll);
    team.agree([&] {
      if (largestPiece != nullptr && largest > 0.75 * largestOfAll[0]) {
        std::visit(
          [&](const auto& intervals) { root = {rootOf(intervals.grid->placement()), intervals.grid->set().dimension}; },
          intervalsOfPiece(*largestPiece, nullptr));
        knowledge = Largest;
      }
    });
  }
  sharePlacement(team, knowledge, root.placement, root.dimension);
  return root;
}

int levelOfSize(double size, double rootSize) {
  const double level = std::round(std::log2(rootSize / size));
  if (!(level >= 0.0 && level <= maxLevel)) {
    throw InvalidArgument("a cell of size " + std::to_string(size) + " cannot be one of the levels 0 to " +
      std::to_string(maxLevel) + ", where the cells of level 0 have the size " + std::to_string(rootSize));
  }
  return static_cast<int>(level);
}

template <int Dim>
void addPiece(
  const Piece& piece, const GridPlacement& root, InputValues values, std::vector<std::vector<RankCells<Dim>>>& levels) {
  const int level = piece.carried ? piece.carried->level : levelOfSize(piece.cells.size, root.spacing[0]);
  const GridPlacement placement = placementOfLevel(root, level);
  if (piece.carried) {
    try {
      static_cast<void>(shiftBetween<Dim>(root, rootOf(*piece.carried)));
    } catch (const InvalidArgument& error) {
      throw InvalidArgument("level " + std::to_string(level) +
        " does not fit the others (a cell of a level is that of "
        "level 0 divided by 2^level): as cells of level 0, " +
        error.what());
    }
  }
  const AnyIntervals any = intervalsOfPiece(piece, &placement);
  const auto* intervals = std::get_if<Intervals<Dim>>(&any);
  if (intervals == nullptr) {
    throw InvalidArgument("the input has 2D and 3D cells; all must be of one dimension");
  }
  RankCells<Dim> cells;
  cells.set = intervals->grid->set();
  moveToLattice<Dim>(cells.set, intervals->grid->placement(), placement);
  if (values == InputValues::All) {
    vtkCellData* arrays = piece.data->GetCellData();
    for (int k = 0; k < arrays->GetNumberOfArrays(); ++k) {
      checkLength(arrays->GetAbstractArray(k), piece.data->GetNumberOfCells());
    }
    passCellData<Dim>(*intervals, arrays, cells.values);
  }
  if (levels.size() <= static_cast<std::size_t>(level)) {
    levels.resize(static_cast<std::size_t>(level) + 1);
  }
  levels[static_cast<std::size_t>(level)].push_back(std::move(cells));
}

/// Collective. Gives all levels the arrays that every level with cells has.
template <int Dim>
void unifyLevels(const Team& team, Hierarchy<Dim>& hierarchy) {
  vtkCellData* like = nullptr;
  std::vector<bool> filled;
  for (RankCells<Dim>& level : hierarchy.leaves) {
    unifyArrays<Dim>(team, level);
    filled.push_back(team.sum(level.set.numCells()) > 0);
    like = like == nullptr && filled.back() ? level.values.Get() : like;
  }
  if (like == nullptr) {
    return;
  }
  vtkNew<vtkCellData> common;
  common->ShallowCopy(like);
  for (std::size_t k = 0; k < filled.size(); ++k) {
    if (filled[k]) {
      vtkNew<vtkCellData> here;
      here->ShallowCopy(hierarchy.leaves[k].values);
      keepArraysOf(common, here);
      keepArraysOf(here, common);
    }
  }
  for (std::size_t k = 0; k < filled.size(); ++k) {
    vtkSmartPointer<vtkCellData>& values = hierarchy.leaves[k].values;
    if (filled[k]) {
      keepArraysOf(common, values);
    } else {
      values = vtkSmartPointer<vtkCellData>::New();
      sliceValues(common, 0, 0, values);
    }
  }
}

template <int Dim>
Hierarchy<Dim> readAs(const Team& team, const GridPlacement& root, const std::vector<Piece>& pieces, InputValues values,
  const Progress& progress) {
  Hierarchy<Dim> hierarchy;
  hierarchy.root = root;
  team.agree([&] {
    std::vector<std::vector<RankCells<Dim>>> levels;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      addPiece<Dim>(pieces[k], root, values, levels);
      progress.report(static_cast<double>(k + 1) / static_cast<double>(pieces.size()));
    }
    for (const auto& parts : levels) {
      hierarchy.leaves.push_back(joinCells<Dim>(parts));
    }
    checkNoOverlap(hierarchy);
  });
  const std::int64_t numLevels = team.maximum(std::max<std::int64_t>(hierarchy.numLevels(), 1));
  hierarchy.leaves.resize(static_cast<std::size_t>(numLevels));
  unifyLevels(team, hierarchy);
  return hierarchy;
}

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

AnyHierarchy readLevels(const Team& team, vtkDataObject* data, InputValues values, const Progress& progress) {
  std::vector<vtkDataSet*> datasets;
  std::vector<Piece> pieces;
  team.agree([&] {
    datasets = datasetsOf(data);
    pieces = piecesOf(datasets);
  });
  const Root root = findRoot(team, datasets, pieces);
  if (root.dimension == 3) {
    return readAs<3>(team, root.placement, pieces, values, progress);
  }
  return readAs<2>(team, root.placement, pieces, values, progress);
}

template <int Dim>
PlaneRange distributeLevels(const Team& team, Hierarchy<Dim>& hierarchy) {
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
    team.agree([&] { checkNoOverlap(hierarchy); });
  }
  return cut->part(team.rank());
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

#define SPANWISE_INPUT_LEVELS(Dim)                                                                                     \
  template PlaneRange distributeLevels<Dim>(const Team&, Hierarchy<Dim>&);                                             \
  template Hierarchy<Dim> haloOfLevels<Dim>(const Team&, const Hierarchy<Dim>&, const PlaneRange&);
SPANWISE_INPUT_LEVELS(2)
SPANWISE_INPUT_LEVELS(3)

} // namespace spanwise
