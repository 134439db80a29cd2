#include "SpanwiseBlockCells.h"

#include "SpanwiseBridge.h"
#include "SpanwiseImageBox.h"
#include "SpanwiseJoinCells.h"
#include "SpanwiseValues.h"
#include "SpanwiseVisibleCells.h"

#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkImageData.h>
#include <vtkNew.h>

#include <string>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

/// The cells of a block, as those of its level.
template <int Dim>
Box<Dim> boxOnLevel(vtkImageData* block, const GridPlacement& placement, int level) {
  if (dimensionOfImage(block) != Dim) {
    throw InvalidArgument("the input has 2D and 3D cells; all must be of one dimension");
  }
  const ImageBox<Dim> image = boxOfImage<Dim>(block);
  Box<Dim> box = image.box;
  try {
    const Cell<Dim> shift = shiftBetween<Dim>(placement, image.placement);
    for (int d = 0; d < Dim; ++d) {
      const std::int64_t begin = std::int64_t{image.box.begin[d]} + shift.at[d];
      const std::int64_t end = std::int64_t{image.box.end[d]} + shift.at[d];
      if (!isCellCoordinate(begin) || !isCellCoordinate(end - 1)) {
        throw InvalidArgument("a block has the cells [" + std::to_string(begin) + ", " + std::to_string(end) +
          ") along axis " + std::to_string(d) + ", beyond the coordinate limits");
      }
      box.begin[d] = static_cast<Coordinate>(begin);
      box.end[d] = static_cast<Coordinate>(end);
    }
  } catch (const InvalidArgument& error) {
    throw InvalidArgument("level " + std::to_string(level) +
      " does not fit the others (its cells are those of level 0 divided by 2^level): " + error.what());
  }
  return box;
}

/// The runs of visible cells in a row of a block, whose first cell is `first` and has the number `source`.
template <int Dim>
void addRow(
  Cell<Dim> first, std::int64_t width, std::int64_t source, const VisibleCells& visible, CellsToJoin<Dim>& cells) {
  if (visible.all()) {
    cells.addRun(first, width, source);
    return;
  }
  const std::int64_t end = source + width;
  for (std::int64_t at = source; at < end;) {
    std::int64_t behind = at;
    while (behind < end && visible(behind)) {
      ++behind;
    }
    if (behind > at) {
      cells.addRun(first, behind - at, at);
    }
    first.at[0] += static_cast<Coordinate>(behind + 1 - at);
    at = behind + 1;
  }
}

template <int Dim>
void addBlock(vtkImageData* block, const Box<Dim>& box, CellsToJoin<Dim>& cells) {
  const VisibleCells visible(block);
  const std::int64_t width = box.extent(0);
  const std::int64_t height = box.extent(1);
  const std::int64_t depth = Dim == 3 ? box.extent(Dim - 1) : 1;
  Cell<Dim> first{};
  first.at[0] = box.begin[0];
  for (std::int64_t row = 0; row < height * depth; ++row) {
    first.at[1] = static_cast<Coordinate>(box.begin[1] + row % height);
    if constexpr (Dim == 3) {
      first.at[2] = static_cast<Coordinate>(box.begin[2] + row / height);
    }
    addRow<Dim>(first, width, row * width, visible, cells);
  }
}

} // namespace

template <int Dim>
RankCells<Dim> cellsOfBlocks(
  const std::vector<vtkImageData*>& blocks, const GridPlacement& placement, int level, InputValues values) {
  const vtkNew<vtkCellData> noArrays;
  CellsToJoin<Dim> cells;
  for (vtkImageData* block : blocks) {
    vtkCellData* const arrays = values != InputValues::None ? block->GetCellData() : noArrays.Get();
    for (int k = 0; k < arrays->GetNumberOfArrays(); ++k) {
      checkLength(arrays->GetAbstractArray(k), block->GetNumberOfCells());
    }
    cells.addDataset(arrays);
    addBlock<Dim>(block, boxOnLevel<Dim>(block, placement, level), cells);
  }
  return cells.joined();
}

template RankCells<2> cellsOfBlocks<2>(const std::vector<vtkImageData*>&, const GridPlacement&, int, InputValues);
template RankCells<3> cellsOfBlocks<3>(const std::vector<vtkImageData*>&, const GridPlacement&, int, InputValues);

} // namespace spanwise
