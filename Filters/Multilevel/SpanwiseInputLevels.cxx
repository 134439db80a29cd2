#include "SpanwiseInputLevels.h"

#include "SpanwiseBlockCells.h"
#include "SpanwiseBridge.h"
#include "SpanwiseJoinCells.h"
#include "SpanwiseLevelPieces.h"
#include "SpanwiseValues.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"

#include <vtkCellData.h>
#include <vtkOverlappingAMR.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

/// Collective. The root that a data object of the first rank says that has one with cells, or one without; otherwise
/// the lattice of the largest cells.
LevelRoot findRoot(const RankGroup& group, const std::vector<LevelPiece>& pieces) {
  enum Knowledge : std::int8_t { Nothing, Largest, Empty, Filled };
  LevelRoot root;
  int knowledge = Nothing;
  const LevelPiece* largest = nullptr;
  for (const LevelPiece& piece : pieces) {
    const int known = piece.numCells > 0 ? Filled : Empty;
    if (piece.root && known > knowledge) {
      root = *piece.root;
      knowledge = known;
    } else if (!piece.root && (largest == nullptr || piece.size > largest->size)) {
      largest = &piece;
    }
  }
  if (group.maximum(knowledge) == Nothing) {
    std::vector<double> largestOfAll{largest != nullptr ? largest->size : 0.0};
    group.maximum(largestOfAll);
    group.agree([&] {
      if (largest != nullptr && largest->size >= 0.75 * largestOfAll[0]) {
        std::visit(
          [&](const auto& intervals) { root = {rootOf(intervals.grid->placement()), intervals.grid->set().dimension}; },
          largest->intervals(nullptr));
        knowledge = Largest;
      }
    });
  }
  sharePlacement(group, knowledge, root.placement, root.dimension);
  return root;
}

int levelOf(const LevelPiece& piece, double rootSize) {
  const double level = piece.root ? piece.level : std::round(std::log2(rootSize / piece.size));
  if (!(level >= 0.0 && level <= maxLevel)) {
    throw InvalidArgument("a cell of size " + numberText(piece.size) + " cannot be one of the levels 0 to " +
      std::to_string(maxLevel) + ", where the cells of level 0 have the size " + numberText(rootSize));
  }
  return static_cast<int>(level);
}

/// Throws InvalidArgument where a grid's cells of a level, whose size along x is `size`, would be of another level of
/// the hierarchy: two grids of one level differ by a power of 2.
void checkSize(double size, int level, const GridPlacement& root) {
  const double expected = placementOfLevel(root, level).spacing[0];
  const double finer = std::round(std::log2(expected / size));
  if (finer == 0.0 || !(std::abs(std::ldexp(size, static_cast<int>(finer)) / expected - 1.0) < 1e-6)) {
    return;
  }
  const auto step = static_cast<int>(finer);
  const std::string which = level + step >= 0 ? "its Level must be " + std::to_string(level + step)
                                              : "the Level of the other must be " + std::to_string(-step) + " more";
  throw InvalidArgument("a grid has level " + std::to_string(level) + " and cells of size " + numberText(size) +
    ", but by another grid cells of level " + std::to_string(level) + " have the size " + numberText(expected) + ": " +
    which +
    " (set it where the grid is made, with the Spacing of level 0). Or use Spanwise Intervals To "
    "Unstructured Grid on each before: then sizes alone decide");
}

template <int Dim>
RankCells<Dim> cellsOfPiece(const LevelPiece& piece, const LevelRoot& root, int level, InputValues values) {
  RankCells<Dim> cells;
  if (piece.numCells == 0) {
    return cells;
  }
  const GridPlacement placement = placementOfLevel(root.placement, level);
  if (!piece.blocks.empty()) {
    return cellsOfBlocks<Dim>(piece.blocks, placement, level, values);
  }
  const AnyIntervals any = piece.intervals(&placement);
  const auto* intervals = std::get_if<Intervals<Dim>>(&any);
  if (intervals == nullptr) {
    throw InvalidArgument("the input has 2D and 3D cells; all must be of one dimension");
  }
  const GridPlacement& theirs = intervals->grid->placement();
  if (piece.root) {
    checkSize(theirs.spacing[0], level, root.placement);
    try {
      GridPlacement theirRoot = theirs;
      theirRoot.level = level;
      static_cast<void>(shiftBetween<Dim>(root.placement, rootOf(theirRoot)));
    } catch (const InvalidArgument& error) {
      throw InvalidArgument("level " + std::to_string(level) +
        " does not fit the others (its cells are those of level 0 divided by 2^level): as cells of level 0, " +
        error.what());
    }
  }
  cells.set = intervals->grid->mirrored();
  moveToLattice<Dim>(cells.set, theirs, placement);
  if (values != InputValues::None) {
    for (int k = 0; k < piece.values->GetNumberOfArrays(); ++k) {
      checkLength(piece.values->GetAbstractArray(k), piece.numValues);
    }
    passCellData<Dim>(*intervals, piece.values, cells.values);
    if (values == InputValues::All) {
      bringToHost(cells.values);
    }
  }
  return cells;
}

/// Collective. Gives all levels the arrays that every level with cells has.
template <int Dim>
void unifyLevels(const RankGroup& group, Hierarchy<Dim>& hierarchy) {
  vtkCellData* like = nullptr;
  std::vector<bool> filled;
  for (RankCells<Dim>& level : hierarchy.leaves) {
    unifyArrays<Dim>(group, level);
    filled.push_back(group.sum(level.set.numCells()) > 0);
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
Hierarchy<Dim> readAs(const RankGroup& group, const LevelRoot& root, const std::vector<LevelPiece>& pieces,
  InputValues values, const Progress& progress) {
  Hierarchy<Dim> hierarchy;
  hierarchy.root = root.placement;
  group.agree([&] {
    std::vector<std::vector<RankCells<Dim>>> levels;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      const auto level = static_cast<std::size_t>(levelOf(pieces[k], root.placement.spacing[0]));
      levels.resize(std::max(levels.size(), level + 1));
      levels[level].push_back(cellsOfPiece<Dim>(pieces[k], root, static_cast<int>(level), values));
      progress.report(static_cast<double>(k + 1) / static_cast<double>(pieces.size()));
    }
    for (const auto& parts : levels) {
      hierarchy.leaves.push_back(joinCells<Dim>(parts));
    }
  });
  const std::int64_t numLevels = group.maximum(std::max<std::int64_t>(hierarchy.numLevels(), 1));
  hierarchy.leaves.resize(static_cast<std::size_t>(numLevels));
  unifyLevels(group, hierarchy);
  return hierarchy;
}

/// Leaves out the cells that finer ones cover.
template <int Dim>
void removeCovered(Hierarchy<Dim>& hierarchy) {
  const Context<Host> context;
  HostIntervalSet<Dim> covered;
  for (auto level = hierarchy.leaves.rbegin(); level != hierarchy.leaves.rend(); ++level) {
    HostIntervalSet<Dim> uncovered;
    combine<Host, Dim>(context, SetOperation::Difference, level->set.host(), covered, uncovered);
    RankCells<Dim> leaves;
    leaves.set = uncovered;
    if (leaves.set.numCells() < level->set.numCells()) {
      const auto runs = commonCells<Host, Dim>(context, uncovered, level->set.host());
      sliceValues(level->values, 0, 0, leaves.values);
      for (int k = 0; k < leaves.values->GetNumberOfArrays(); ++k) {
        leaves.values->GetAbstractArray(k)->SetNumberOfTuples(leaves.set.numCells());
        copyRuns(level->values->GetAbstractArray(k), runs.data(), static_cast<std::int64_t>(runs.extent(0)),
          leaves.values->GetAbstractArray(k));
      }
      *level = leaves;
    }
    HostIntervalSet<Dim> all;
    combine<Host, Dim>(context, SetOperation::Union, level->set.host(), covered, all);
    coarsen<Host, Dim>(context, Coarsening::Outside, all, covered);
  }
}

template <int Dim>
AnyHierarchy readLeaves(const RankGroup& group, const LevelRoot& root, const std::vector<LevelPiece>& pieces,
  bool blocksOverlap, InputValues values, const Progress& progress) {
  Hierarchy<Dim> hierarchy = readAs<Dim>(group, root, pieces, values, progress);
  if (blocksOverlap) { // a finer block may be on another rank
    if (!group.alone()) {
      bringToRootCut(group, hierarchy);
    }
    group.agree([&] { removeCovered(hierarchy); });
  } else {
    group.agree([&] { checkNoOverlap(hierarchy); });
  }
  return hierarchy;
}

} // namespace

AnyHierarchy readLevels(const RankGroup& group, vtkDataObject* data, InputValues values, const Progress& progress) {
  std::vector<LevelPiece> pieces;
  group.agree([&] { pieces = levelPiecesOf(data); });
  const LevelRoot root = findRoot(group, pieces);
  const bool overlap = group.maximum(static_cast<std::int64_t>(vtkOverlappingAMR::SafeDownCast(data) != nullptr)) > 0;
  if (root.dimension == 3) {
    return readLeaves<3>(group, root, pieces, overlap, values, progress);
  }
  return readLeaves<2>(group, root, pieces, overlap, values, progress);
}

} // namespace spanwise
