#include "SpanwiseHierarchy.h"
#include "SpanwiseLevelPieces.h"

#include "Core/Multilevel/LevelsOfTrees.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"

#include <vtkBitArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkHyperTree.h>
#include <vtkHyperTreeGrid.h>
#include <vtkNew.h>
#include <vtkUnsignedCharArray.h>

#include <cmath>
#include <vector>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;

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
          " coordinate " + std::to_string(k) + " is " + numberText(axes[d]->GetComponent(k, 0)) + "; it must be " +
          numberText(expected));
      }
    }
  }
  return root;
}

/// Trees as Core takes them, and where the values of their nodes stand.
template <int Dim>
class TreeCollector {
public:
  explicit TreeCollector(vtkHyperTreeGrid* trees)
    : mask_(trees->HasMask() ? trees->GetMask() : nullptr), deepest_(trees->GetDepthLimiter()) {
    if (vtkUnsignedCharArray* ghosts = trees->GetGhostCells()) {
      ghosts_ = ghosts->GetPointer(0);
    }
    vtkHyperTreeGrid::vtkHyperTreeGridIterator at;
    trees->InitializeTreeIterator(at);
    vtkIdType index = 0;
    while (vtkHyperTree* tree = at.GetNextTree(index)) {
      unsigned int coordinates[3];
      trees->GetLevelZeroCoordinatesFromIndex(index, coordinates[0], coordinates[1], coordinates[2]);
      Cell<Dim> root{};
      for (int d = 0; d < Dim; ++d) {
        root.at[d] = static_cast<Coordinate>(coordinates[d]);
      }
      roots_.push_back(root);
      add(tree);
    }
  }

  TreeLeaves<Dim, Kokkos::HostSpace> leaves() const {
    TreeLeaves<Dim, Kokkos::HostSpace> result;
    const Context<HostExecutionSpace> context;
    levelsOfTrees<HostExecutionSpace, Dim>(
      context, {view(roots_), view(firstNodes_), view(firstChildren_), view(nodes_)}, maxLevel + 1, result);
    return result;
  }

  [[nodiscard]] vtkIdType source(std::int64_t node) const { return sources_[static_cast<std::size_t>(node)]; }

private:
  template <class T>
  static Kokkos::View<const T*, Kokkos::HostSpace> view(const std::vector<T>& values) {
    return Kokkos::View<const T*, Kokkos::HostSpace>(values.data(), values.size());
  }

  void add(vtkHyperTree* tree) {
    std::size_t known = 0;
    const unsigned int* const children = tree->GetElderChildIndexArray(known); // not all that are leaves
    const vtkIdType count = tree->GetNumberOfVertices();
    const bool isCut = tree->GetNumberOfLevels() > static_cast<vtkIdType>(deepest_) + 1;
    std::vector<unsigned int> levels(isCut ? static_cast<std::size_t>(count) : 0);
    for (vtkIdType v = 0; v < count; ++v) {
      const auto vertex = static_cast<std::size_t>(v);
      std::uint32_t child = vertex < known ? children[vertex] : noChild;
      if (isCut && child != noChild) { // parents stand before their children
        for (std::size_t k = child; k < child + (std::size_t{1} << Dim) && k < levels.size(); ++k) {
          levels[k] = levels[vertex] + 1;
        }
        child = levels[vertex] < deepest_ ? child : noChild;
      }
      const vtkIdType source = tree->GetGlobalIndexFromLocal(v);
      firstChildren_.push_back(child);
      sources_.push_back(source);
      if (mask_ != nullptr || ghosts_ != nullptr) {
        nodes_.push_back(kindOf(source));
      }
    }
    firstNodes_.push_back(static_cast<std::int64_t>(sources_.size()));
  }

  [[nodiscard]] TreeNode kindOf(vtkIdType source) const {
    constexpr unsigned char copy = vtkDataSetAttributes::DUPLICATECELL | vtkDataSetAttributes::HIDDENCELL;
    return mask_ != nullptr && mask_->GetValue(source) != 0 ? TreeNode::Masked
      : ghosts_ != nullptr && (ghosts_[source] & copy) != 0 ? TreeNode::Copied
                                                            : TreeNode::Taken;
  }

  vtkBitArray* mask_;
  unsigned int deepest_;
  const unsigned char* ghosts_ = nullptr;
  std::vector<Cell<Dim>> roots_;
  std::vector<std::int64_t> firstNodes_{0};
  std::vector<std::uint32_t> firstChildren_;
  std::vector<TreeNode> nodes_;
  std::vector<vtkIdType> sources_;
};

template <int Dim>
std::vector<LevelPiece> piecesOf(vtkHyperTreeGrid* trees, const LevelRoot& root) {
  std::vector<LevelPiece> pieces;
  const TreeCollector<Dim> collector(trees);
  const TreeLeaves<Dim, Kokkos::HostSpace> found = collector.leaves();
  for (std::size_t k = 0; k < found.leaves.size(); ++k) {
    const std::int64_t count = found.leaves[k].numCells();
    Intervals<Dim> intervals;
    intervals.grid = IntervalGrid<Dim>::make(found.leaves[k], placementOfLevel(root.placement, static_cast<int>(k)));
    intervals.sameCells = false;
    for (std::int64_t leaf = 0; leaf < count; ++leaf) {
      intervals.sourceCells.push_back(collector.source(found.nodes[k].data()[leaf]));
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
