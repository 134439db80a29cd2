#include "SpanwiseHierarchy.h"
#include "SpanwiseLevelPieces.h"

#include "Core/Geometry/Builders/SortedCells.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkHyperTreeGrid.h>
#include <vtkHyperTreeGridNonOrientedCursor.h>
#include <vtkNew.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>

namespace spanwise {

namespace {

/// Where the roots of trees lie. Throws InvalidArgument if they are not of one size.
LevelRoot rootOfTrees(vtkHyperTreeGrid* trees) {
  constexpr unsigned int alongZ = 2; // the orientation of grids in a plane of constant z
  if (trees->GetDimension() < 2 || (trees->GetDimension() == 2 && trees->GetOrientation() != alongZ)) {
    throw InvalidArgument("the hyper tree grid is " + std::to_string(trees->GetDimension()) +
      "D and not in a plane of constant z; it must be 3D, or 2D in x and y");
  }
  if (trees->GetBranchFactor() != 2) {
    throw InvalidArgument("the hyper tree grid refines cells by " + std::to_string(trees->GetBranchFactor()) +
      " along each axis; only 2 makes levels");
  }
  LevelRoot root;
  root.dimension = static_cast<int>(trees->GetDimension());
  vtkDataArray* const axes[3] = {trees->GetXCoordinates(), trees->GetYCoordinates(), trees->GetZCoordinates()};
  for (int d = 0; d < 3; ++d) {
    const vtkIdType last = axes[d]->GetNumberOfTuples() - 1;
    root.placement.origin[d] = axes[d]->GetComponent(0, 0);
    if (d >= root.dimension) {
      root.placement.spacing[d] = root.placement.spacing[0];
      continue;
    }
    const double size = (axes[d]->GetComponent(last, 0) - axes[d]->GetComponent(0, 0)) / static_cast<double>(last);
    root.placement.spacing[d] = size;
    for (vtkIdType k = 0; k <= last; ++k) {
      const double expected = root.placement.position(d, k);
      if (!(std::abs(axes[d]->GetComponent(k, 0) - expected) <= 1e-3 * size)) {
        throw InvalidArgument("the roots of the hyper tree grid are not of one size: along axis " + std::to_string(d) +
          " coordinate " + std::to_string(k) + " is " + std::to_string(axes[d]->GetComponent(k, 0)) + "; it must be " +
          std::to_string(expected));
      }
    }
  }
  return root;
}

template <int Dim>
struct Leaf {
  Cell<Dim> cell;
  std::int64_t source;
};

/// The leaves of trees, by level.
template <int Dim>
class LeafCollector {
public:
  explicit LeafCollector(vtkHyperTreeGrid* trees) : trees_(trees) {
    if (vtkUnsignedCharArray* ghosts = trees->GetGhostCells()) {
      ghosts_ = ghosts->GetPointer(0);
    }
  }

  std::vector<std::vector<Leaf<Dim>>> collect() {
    vtkHyperTreeGrid::vtkHyperTreeGridIterator at;
    trees_->InitializeTreeIterator(at);
    vtkIdType index = 0;
    vtkNew<vtkHyperTreeGridNonOrientedCursor> cursor;
    while (at.GetNextTree(index) != nullptr) {
      unsigned int coordinates[3];
      trees_->GetLevelZeroCoordinatesFromIndex(index, coordinates[0], coordinates[1], coordinates[2]);
      Cell<Dim> cell{};
      for (int d = 0; d < Dim; ++d) {
        cell.at[d] = static_cast<Coordinate>(coordinates[d]);
      }
      trees_->InitializeNonOrientedCursor(cursor, index);
      visit(cursor, cell, 0);
    }
    return std::move(levels_);
  }

private:
  void visit(vtkHyperTreeGridNonOrientedCursor* cursor, const Cell<Dim>& cell, std::size_t level) {
    if (cursor->IsMasked()) {
      return;
    }
    if (cursor->IsLeaf()) {
      const vtkIdType source = cursor->GetGlobalNodeIndex();
      constexpr unsigned char copy = vtkDataSetAttributes::DUPLICATECELL | vtkDataSetAttributes::HIDDENCELL;
      if (ghosts_ == nullptr || (ghosts_[source] & copy) == 0) {
        levels_.resize(std::max(levels_.size(), level + 1));
        levels_[level].push_back({cell, source});
      }
      return;
    }
    for (int child = 0; child < 1 << Dim; ++child) {
      Cell<Dim> finer{};
      for (int d = 0; d < Dim; ++d) {
        const std::int64_t at = 2 * std::int64_t{cell.at[d]} + ((child >> d) & 1);
        if (!isCellCoordinate(at)) {
          throw InvalidArgument("a tree is so deep that cells have coordinates of 2^31 and more");
        }
        finer.at[d] = static_cast<Coordinate>(at);
      }
      cursor->ToChild(static_cast<unsigned char>(child));
      visit(cursor, finer, level + 1);
      cursor->ToParent();
    }
  }

  vtkHyperTreeGrid* trees_;
  const unsigned char* ghosts_ = nullptr;
  std::vector<std::vector<Leaf<Dim>>> levels_;
};

template <int Dim>
std::vector<LevelPiece> piecesOf(vtkHyperTreeGrid* trees, const LevelRoot& root) {
  std::vector<LevelPiece> pieces;
  auto levels = LeafCollector<Dim>(trees).collect();
  if (levels.size() > static_cast<std::size_t>(maxLevel) + 1) {
    throw InvalidArgument("the trees have " + std::to_string(levels.size()) + " levels; at most " +
      std::to_string(maxLevel + 1) + " are possible");
  }
  for (std::size_t k = 0; k < levels.size(); ++k) {
    std::vector<Leaf<Dim>>& leaves = levels[k];
    std::sort(leaves.begin(), leaves.end(), [](const auto& a, const auto& b) { return a.cell < b.cell; });
    const auto count = static_cast<std::int64_t>(leaves.size());
    HostIntervalSet<Dim> set;
    makeFromSortedCells(
      HostExecutionSpace(), count, [data = leaves.data()](std::int64_t i) { return data[i].cell; }, set);
    Intervals<Dim> intervals;
    intervals.grid = IntervalGrid<Dim>::make(set, placementOfLevel(root.placement, static_cast<int>(k)));
    intervals.sameCells = false;
    for (const Leaf<Dim>& leaf : leaves) {
      intervals.sourceCells.push_back(leaf.source);
    }
    LevelPiece piece;
    piece.root = root;
    piece.level = static_cast<int>(k);
    piece.numCells = count;
    piece.values = trees->GetCellData();
    piece.numValues = trees->GetNumberOfCells();
    piece.intervals = [intervals](const GridPlacement*) -> AnyIntervals { return intervals; };
    pieces.push_back(std::move(piece));
  }
  if (pieces.empty()) { // roots without a tree say where they would be
    LevelPiece piece;
    piece.root = root;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

} // namespace

std::vector<LevelPiece> treePiecesOf(vtkHyperTreeGrid* trees) {
  if (trees->GetXCoordinates() == nullptr || trees->GetXCoordinates()->GetNumberOfTuples() < 2) {
    return {};
  }
  const LevelRoot root = rootOfTrees(trees);
  return root.dimension == 2 ? piecesOf<2>(trees, root) : piecesOf<3>(trees, root);
}

} // namespace spanwise
