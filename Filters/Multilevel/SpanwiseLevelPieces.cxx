#include "SpanwiseLevelPieces.h"

#include "SpanwiseHierarchy.h"

#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataSet.h>
#include <vtkHyperTreeGrid.h>
#include <vtkImageData.h>
#include <vtkOverlappingAMR.h>
#include <vtkSmartPointer.h>
#include <vtkStructuredData.h>

#include <cmath>

namespace spanwise {

namespace {

LevelPiece pieceOf(vtkDataSet* data) {
  LevelPiece piece;
  piece.values = data->GetCellData();
  piece.numValues = piece.numCells = numCellsOf(data);
  return piece;
}

/// A grid that carries intervals says everything itself.
template <int Dim>
bool addCarried(vtkDataSet* data, std::vector<LevelPiece>& pieces) {
  const auto grid = gridOf<Dim>(data);
  if (grid == nullptr) {
    return false;
  }
  LevelPiece piece = pieceOf(data);
  piece.root = LevelRoot{rootOf(grid->placement()), Dim};
  piece.level = grid->placement().level;
  piece.intervals = [data](const GridPlacement*) { return intervalsOf(data); };
  pieces.push_back(std::move(piece));
  return true;
}

void addDataSet(vtkDataSet* data, std::vector<LevelPiece>& pieces) {
  if (addCarried<2>(data, pieces) || addCarried<3>(data, pieces) || numCellsOf(data) == 0) {
    return;
  }
  if (auto* image = vtkImageData::SafeDownCast(data)) {
    LevelPiece piece = pieceOf(data);
    piece.size = image->GetSpacing()[0];
    piece.intervals = [data](const GridPlacement* like) { return intervalsOf(data, like); };
    pieces.push_back(std::move(piece));
    return;
  }
  for (SizedCells& cells : cellsBySize(data)) {
    LevelPiece piece = pieceOf(data);
    piece.size = cells.size;
    piece.intervals = [data, numbers = std::move(cells.cells)](
                        const GridPlacement* like) { return intervalsOf(data, numbers, like); };
    pieces.push_back(std::move(piece));
  }
}

/// The blocks of an AMR hierarchy. Every rank knows where level 0 lies.
void addBlocks(vtkOverlappingAMR* blocks, std::vector<LevelPiece>& pieces) {
  if (blocks->GetNumberOfLevels() == 0) {
    return;
  }
  LevelRoot root;
  std::copy_n(blocks->GetOrigin(), 3, root.placement.origin);
  blocks->GetSpacing(0, root.placement.spacing);
  root.dimension = vtkStructuredData::GetDataDimension(blocks->GetGridDescription());
  if (root.dimension == 2) { // spacing along z has no meaning
    root.placement.spacing[2] = root.placement.spacing[0];
  }
  for (unsigned int l = 0; l < blocks->GetNumberOfLevels(); ++l) {
    double spacing[3];
    blocks->GetSpacing(l, spacing);
    LevelPiece piece;
    piece.root = root;
    piece.level = static_cast<int>(std::lround(std::log2(root.placement.spacing[0] / spacing[0])));
    for (unsigned int b = 0; b < blocks->GetNumberOfBlocks(l); ++b) {
      vtkImageData* block = blocks->GetDataSetAsImageData(l, b);
      if (block != nullptr && block->GetNumberOfCells() > 0) {
        piece.blocks.push_back(block);
        piece.numCells += block->GetNumberOfCells();
      }
    }
    if (piece.numCells > 0) {
      pieces.push_back(std::move(piece));
    }
  }
}

void addData(vtkDataObject* data, std::vector<LevelPiece>& pieces) {
  if (auto* blocks = vtkOverlappingAMR::SafeDownCast(data)) {
    addBlocks(blocks, pieces);
  } else if (auto* composite = vtkCompositeDataSet::SafeDownCast(data)) {
    const auto at = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (at->InitTraversal(); !at->IsDoneWithTraversal(); at->GoToNextItem()) {
      addData(at->GetCurrentDataObject(), pieces);
    }
  } else if (auto* trees = vtkHyperTreeGrid::SafeDownCast(data)) {
    for (LevelPiece& piece : treePiecesOf(trees)) {
      pieces.push_back(std::move(piece));
    }
  } else if (auto* dataset = vtkDataSet::SafeDownCast(data)) {
    addDataSet(dataset, pieces);
  } else if (data != nullptr) {
    throw InvalidArgument(std::string("the input holds a ") + data->GetClassName() + ", which has no cells");
  }
}

} // namespace

std::vector<LevelPiece> levelPiecesOf(vtkDataObject* data) {
  std::vector<LevelPiece> pieces;
  addData(data, pieces);
  return pieces;
}

} // namespace spanwise
